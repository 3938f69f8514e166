"""Somebody does not come, leaves or is replaced, as people see it: nobody waits for ever and every seat may be won back."""

import pytest

from tests.tgbot.club import Club
from tests.tgbot.long_game import (
    DAY,
    HOUR,
    MINUTE,
    SECOND,
    choose_pace,
    deadline,
    four_at,
    holder,
    left,
    made_by,
    move,
    name,
    next_act,
    play_until_away,
    said,
    seat,
    table_of,
    the_house_acts,
    time_runs_out,
    whose_turn,
)


async def test_after_two_missed_turns_the_house_plays_on_with_short_pauses_until_he_is_back(
    club: Club,
) -> None:
    gone = await four_at(club, "Relaxed")
    table = await play_until_away(club, gone)
    own = seat(club, table, gone)
    assert [who for at, who, _ in await made_by(club) if at == own] == ["clock", "clock"]
    await club.until(lambda: said(club, f"{name(club, gone)}'s time was up: the house played this turn"))
    await club.until(lambda: said(club, f"{name(club, gone)}'s time was up again: the house plays on"))
    for _ in range(8):
        table = await table_of(club)
        if table.turn is None:
            assert 1 <= await left(club) <= 3
        await next_act(club, (gone,))
    await club.until(lambda: club.find(club.private(gone), "I'm back"))
    found = club.find(club.private(gone), "I'm back")
    assert found is not None
    assert [button["text"] for button in club.buttons(found[0])] == ["🙋 I'm back"]
    while (table := await table_of(club)).turn is None:
        await time_runs_out(club)
    waited_for, due = await whose_turn(club), await deadline(club)
    await club.pass_time(MINUTE)
    answer = await club.press(gone, club.private(gone), "I'm back")
    assert answer["text"].startswith("Welcome back")
    await club.until(lambda: said(club, f"{name(club, gone)} is back"))
    assert (await whose_turn(club), await deadline(club)) == (waited_for, due)
    while await whose_turn(club) != gone:
        await next_act(club)
    assert await left(club) >= 10 * MINUTE
    await move(club, gone)
    assert [who for at, who, _ in await made_by(club) if at == own][-1] == "person"


async def test_who_is_back_while_the_house_thinks_for_him_gets_that_very_turn(club: Club) -> None:
    gone = await four_at(club, "At the table")
    await play_until_away(club, gone)
    while (table := await table_of(club)).turn is not None:
        await next_act(club, (gone,))
    assert table.act_at is not None
    before = len(await made_by(club))
    await club.press(gone, club.private(gone), "I'm back")
    assert await whose_turn(club) == gone
    await club.pass_time(30)
    await move(club, gone)
    assert (await made_by(club))[before][1] == "person"


async def test_two_absentees_do_not_multiply_the_delay(club: Club) -> None:
    first = await four_at(club, "By day")
    table = await table_of(club)
    second = holder(club, table, (seat(club, table, first) + 1) % 4)
    begun = club.clock.now
    await play_until_away(club, first, second)
    # Each has kept the others waiting for two turns and one reserve a deal, no longer.
    assert (club.clock.now - begun).total_seconds() <= 2 * (2 * 24 + 2 * 24) * HOUR
    gone = club.clock.now
    for _ in range(16):
        await next_act(club, (first, second))
    assert (club.clock.now - gone).total_seconds() < MINUTE
    await club.until(lambda: said(club, f"🤖 {name(club, first)} is away") or said(club, "the count"))


@pytest.mark.parametrize(("pace", "wait"), [("By day", DAY), ("Relaxed", HOUR)])
async def test_who_stays_away_is_replaced_when_his_partner_and_one_opponent_agree(
    club: Club, pace: str, wait: int
) -> None:
    gone = await four_at(club, pace)
    await newcomer(club, "Dora")
    table = await play_until_away(club, gone)
    own = seat(club, table, gone)
    partner, asker, opponent = (holder(club, table, (own + step) % 4) for step in (2, 1, 3))
    # The others agree on a pause, so that the time passes without a turn of theirs.
    await club.say(asker, "/time")
    await club.press(asker, club.group, "Propose a pause")
    await club.press(partner, club.group, "Agree")
    await club.until(lambda: said(club, "Agreed: ⏸ a pause.") and club.find(club.group, "Go on"))
    since = (await table_of(club)).tenures[own].away_since
    assert since is not None
    await club.pass_time(wait - (club.clock.now - since).total_seconds() - SECOND)
    await club.say(asker, "/time")
    await club.until(lambda: club.find(club.group, "Leave my seat"))
    assert not club.find(club.group, "A substitute for")
    await club.pass_time(SECOND)
    await club.say(asker, "/time")
    assert (await club.press(asker, club.group, "A substitute for"))["text"] is None
    assert (await club.press(opponent, club.group, "Agree"))["text"] is None
    await club.until(lambda: said(club, f"Agreed so far: {names(club, asker, opponent)}"))
    assert not club.find(club.group, "Take the seat")
    await club.press(partner, club.group, "Agree")
    await club.until(lambda: said(club, f"{name(club, gone)} has left the table. A computer sits in"))
    await takes_the_seat_of(club, "Dora", gone)
    await club.press("Dora", club.group, "Go on")
    while not any(who == club.world.person("Dora").id for _, _, who in await made_by(club)):
        await next_act(club)


async def test_who_leaves_is_followed_by_a_computer_and_then_by_a_substitute(club: Club) -> None:
    gone = await four_at(club, "By day")
    await newcomer(club, "Dora")
    own = seat(club, await table_of(club), gone)
    await club.say(gone, "/time")
    await club.until(lambda: club.find(club.group, "Leave my seat"))
    club.world.advance(3 * DAY)  # the menu is an old message by now
    await club.press(gone, club.group, "Leave my seat")
    await club.press(gone, club.group, "I leave")
    await club.until(lambda: said(club, "you no longer sit at this table", club.private(gone)))
    await club.until(lambda: said(club, f"{name(club, gone)} has left the table"))
    await next_act(club)
    await takes_the_seat_of(club, "Dora", gone)
    dora = club.world.person("Dora").id
    while not any(who == dora for _, _, who in await made_by(club)):
        await next_act(club)
    # Seat, tenure and person are separate: the history says who played which moves.
    assert [(by, who) for at, by, who in await made_by(club) if at == own] == [
        ("computer", None),
        ("person", dora),
    ]


async def takes_the_seat_of(club: Club, substitute: str, gone: str) -> None:
    """She gets the hand and a ring at once, and he who left sees it no more."""
    await sees_no_cards(club, gone)
    before = len(club.messages(club.private(substitute)))
    answer = await club.press(substitute, club.group, "Take the seat")
    assert answer["text"] == "The seat is yours. Your cards are in our private chat."
    await club.until(lambda: "Your cards" in club.hand_text(substitute))
    assert len(club.messages(club.private(substitute))) == before + 1
    await club.until(lambda: said(club, f"{substitute} takes the free seat"))
    await sees_no_cards(club, gone)


async def sees_no_cards(club: Club, person: str) -> None:
    chat = club.private(person)
    await club.until(lambda: not said(club, "Your cards: ", chat))
    labels = [button["text"] for message in club.messages(chat) for button in club.buttons(message)]
    assert not any(suit in label for label in labels for suit in "♠♥♦♣")


def names(club: Club, *people: str) -> str:
    """In the order of the seats, in which PEOPLE sat down."""
    return ", ".join(name(club, person) for person in ("You", "Anna", "Борис", "Chidi") if person in people)


async def newcomer(club: Club, first_name: str) -> None:
    club.world.new_person(first_name)
    club.world.join(first_name, club.group)
    await club.all_start(first_name)


async def test_coming_back_settles_the_question_of_a_substitute(club: Club) -> None:
    gone = await four_at(club, "At the table")
    table = await play_until_away(club, gone)
    asker = holder(club, table, (seat(club, table, gone) + 1) % 4)
    await club.pass_time(HOUR)
    await club.say(asker, "/time")
    await club.press(asker, club.group, "A substitute for")
    await club.until(lambda: club.find(club.group, "Agree"))
    await club.press(gone, club.private(gone), "I'm back")
    await club.until(lambda: said(club, "Not agreed"))
    assert not club.find(club.group, "Agree")


async def test_a_lobby_expires_a_day_after_the_last_change(club: Club) -> None:
    await club.all_start("You", "Anna")
    await club.open_lobby()
    await club.press("You", club.group, "🔵 Sit here")
    await club.pass_time(23 * HOUR)
    await club.press("Anna", club.group, "🟠 Sit here")
    await club.pass_time(DAY - SECOND)
    assert club.find(club.group, "Sit here")
    await club.pass_time(SECOND)
    await club.until(lambda: said(club, "Nobody started this table for a day"))
    await club.until(lambda: not club.find(club.group, "Sit here"))


async def test_a_series_sleeps_after_thirty_days_and_wakes_by_one_press(club: Club) -> None:
    leader = await four_at(club, "No limit")
    await club.pass_time(10 * DAY)
    await move(club, leader)
    await club.pass_time(30 * DAY - SECOND)
    assert (await table_of(club)).asleep_at is None
    await the_house_acts(club, SECOND)
    await club.until(lambda: said(club, "Nobody is here, so the table sleeps. Nothing is lost"))
    await club.pass_time(15)
    await club.until(lambda: said(club, "The table sleeps until somebody", club.private("Chidi")))
    await club.pass_time(100 * DAY)
    await club.press("Chidi", club.group, "Wake the table")
    await club.until(lambda: said(club, "Chidi woke the table"))
    table = await table_of(club)
    assert (table.state, table.asleep_at) == ("playing", None)
    next_one = holder(club, table, (seat(club, table, leader) + 1) % 4)
    await move(club, next_one)
    assert [by for _, by, _ in await made_by(club)] == ["person"] * 2


async def test_who_opened_a_lobby_cancels_it(club: Club) -> None:
    await club.open_lobby("Anna")
    await club.press("Anna", club.group, "Cancel")
    await club.until(lambda: said(club, "This table was cancelled"))
    assert not club.find(club.group, "Sit here")


async def test_a_table_at_which_nobody_is_left_sleeps_before_the_next_deal_until_he_is_back(
    club: Club,
) -> None:
    await club.all_start("You")
    await club.open_lobby()
    await club.press("You", club.group, "🔵 Sit here")
    await choose_pace(club, "At the table")
    await club.press("You", club.group, "Play now with computers")
    await club.until(lambda: "Your cards" in club.hand_text("You"))
    while (table := await table_of(club)).asleep_at is None:
        await time_runs_out(club)
    assert table.deal is not None
    assert (table.deal.number, len(table.deal.record.moves)) == (2, 0)
    await club.until(lambda: said(club, "Nobody is here, so the table sleeps"))
    await club.pass_time(30 * DAY)
    await club.press("You", club.private("You"), "I'm back")
    await club.until(lambda: said(club, "Max is back"))
    while (table := await table_of(club)).turn is None:
        await time_runs_out(club)
    await move(club, "You")
    assert (await table_of(club)).asleep_at is None
