"""How long a table waits for a person, as people see it: paces, reserves, reminders, and what happens in the end."""

import asyncio
import random

import pytest

from core.cards import card_name
from core.deal import holders
from core.shuffle import shuffle
from core.state import Deal, start
from db import screens
from tests.tgbot.club import CARD, MOVE, PEOPLE, Club, Scripted
from tests.tgbot.long_game import (
    DAY,
    HOUR,
    MINUTE,
    SECOND,
    changing,
    choose_pace,
    four_at,
    holder,
    left,
    made_by,
    move,
    name,
    next_act,
    reminders,
    said,
    sit_down,
    table_of,
    the_house_acts,
    time_runs_out,
    whose_turn,
)
from tgbot.sandbox.model import Chat, Member, Message


async def test_the_lobby_offers_four_paces_and_says_what_each_gives(club: Club) -> None:
    await club.all_start("You")
    await club.open_lobby()
    await club.press("You", club.group, "🔵 Sit here")
    for label, told in (
        ("At the table", "1 min a turn, 1 min in reserve"),
        ("Relaxed", "10 min a turn, 10 min in reserve"),
        ("By day", "24 h a turn, 24 h in reserve"),
    ):
        await choose_pace(club, label)
        await club.until(lambda told=told: said(club, told))  # type: ignore[misc]
    await choose_pace(club, "No limit")
    await club.until(lambda: "in reserve" not in club.last(club.group))


@pytest.mark.on_two
async def test_a_day_in_the_life_of_a_turn(club: Club) -> None:
    """By day, nobody comes: 25 hours are in time, 49 are not; two reminders, of which one stands at a time."""
    late = await four_at(club, "By day")
    assert reminders(club, late) == []
    await club.pass_time(12 * HOUR)
    await club.until(lambda: len(reminders(club, late)) == 1)
    first = reminders(club, late)[0]
    assert "36 h left" in first
    await club.pass_time(13 * HOUR)
    assert await whose_turn(club) == late
    await club.pass_time(22 * HOUR)
    await club.until(lambda: len(reminders(club, late)) == 1 and reminders(club, late) != [first])
    assert "1 h left" in reminders(club, late)[0]
    await club.pass_time(59 * MINUTE + 59 * SECOND)
    assert await whose_turn(club) == late
    assert not said(club, "time was up")
    await the_house_acts(club, HOUR + SECOND)
    await club.until(lambda: said(club, "time was up: the house played this turn"))
    await club.until(lambda: not reminders(club, late))
    assert [who for _, who, _ in await made_by(club)] == ["clock"]


async def test_who_moves_after_25_hours_has_23_in_reserve_until_the_next_deal(club: Club) -> None:
    late = await four_at(club, "By day")
    await club.pass_time(25 * HOUR)
    await move(club, late)
    first = (await table_of(club)).deal
    assert first is not None
    while await whose_turn(club) != late:
        await next_act(club)
    assert await left(club) == 47 * HOUR
    while (table := await table_of(club)).deal is not None and table.deal.id == first.id:
        await next_act(club)
    while await whose_turn(club) != late:
        await next_act(club)
    assert await left(club) == 48 * HOUR


async def test_relaxed_reminds_at_two_minutes_and_the_reminder_goes_with_the_move(club: Club) -> None:
    late = await four_at(club, "Relaxed")
    await club.pass_time(18 * MINUTE - SECOND)
    assert await left(club) == 2 * MINUTE + SECOND
    assert not reminders(club, late)
    await club.pass_time(SECOND)
    await club.until(lambda: len(reminders(club, late)) == 1)
    assert "2 min left" in reminders(club, late)[0]
    await move(club, late)
    await club.until(lambda: not reminders(club, late))


async def test_a_reminder_brings_the_cards(club: Club) -> None:
    late = await four_at(club, "Relaxed")
    await club.pass_time(18 * MINUTE)
    before = club.private(late).messages.keys()
    newest = max(before)
    await club.press(late, club.private(late), "My cards")
    await club.until(
        lambda: any(
            message.message_id > newest and "Your cards" in (message.text or "")
            for message in club.messages(club.private(late))
        )
    )


async def test_who_wants_no_reminders_gets_none(club: Club) -> None:
    late = await four_at(club, "By day")
    chat = club.private(late)
    club.world.say(late, chat, "/settings")
    await club.press(late, chat, "No reminders")
    await club.until(lambda: "Reminders before your time is up: off" in club.last(chat))
    sent = sent_to(club, chat)
    await club.pass_time(12 * HOUR)
    await club.pass_time(35 * HOUR + 30 * MINUTE)
    await time_runs_out(club)
    await club.until(lambda: said(club, "time was up"))
    assert not [text for text in sent if "waits for you" in text]


async def test_at_the_table_nobody_is_reminded(club: Club) -> None:
    late = await four_at(club, "At the table")
    sent = sent_to(club, club.private(late))
    assert await left(club) == 2 * MINUTE
    await time_runs_out(club)
    await club.until(lambda: said(club, "time was up"))
    assert not [text for text in sent if "waits for you" in text]


def sent_to(club: Club, chat: Chat) -> list[str]:
    """The texts of all messages that the bot sends into a chat from now on."""
    sent: list[str] = []

    def hear(kind: str, what: dict[str, object]) -> None:
        message = what.get("message")
        if kind != "message" or not isinstance(message, Message) or message.chat_id != chat.id:
            return
        if message.sender_id == club.world.bot.id:
            sent.append(message.text or "")

    club.world.listeners.append(hear)
    return sent


async def test_a_turn_rings_once(club: Club) -> None:
    """The hand of who is to move is sent anew when his turn begins, and not again while he thinks or chooses."""
    await four_at(club, "Relaxed")
    await move(club, await whose_turn(club))
    turn = await whose_turn(club)
    chat = club.private(turn)
    players = Scripted(club, (turn,), club.rng)
    await club.until(players.to_act)
    rung = max(message.message_id for message in club.messages(chat))
    await club.pass_time(9 * MINUTE)
    hand = players.hand(turn)
    assert hand is not None
    assert hand.message_id == rung
    for _ in range(4):
        cards = [button for button in club.buttons(hand) if button["callback_data"].startswith(CARD)]
        before = hand.reply_markup
        await players.press(turn, hand, cards[0])
        await club.until(lambda before=before: hand.reply_markup != before)  # type: ignore[misc]
    assert max(message.message_id for message in club.messages(chat)) == rung


async def test_without_limit_the_table_waits(club: Club) -> None:
    late = await four_at(club, "No limit")
    await club.pass_time(29 * DAY)
    await move(club, late)
    assert [who for _, who, _ in await made_by(club)] == ["person"]
    assert not said(club, "⏱")


async def test_another_pace_is_agreed_on_and_the_turn_begins_anew_with_it(club: Club) -> None:
    late = await four_at(club, "By day")
    await club.pass_time(20 * HOUR)
    await club.until(lambda: reminders(club, late))
    await club.say("You", "/time")
    await club.press("You", club.group, "Propose: Relaxed")
    await club.press("Борис", club.group, "Agree")  # You's partner: the other team is still to be asked
    await club.until(lambda: said(club, "Agreed so far: Max, Борис Петров"))
    assert await left(club) == 28 * HOUR
    await club.press("Chidi", club.group, "Agree")
    await club.until(lambda: said(club, "The pace is now “Relaxed”"))
    assert await whose_turn(club) == late
    assert await left(club) == 20 * MINUTE
    await club.until(lambda: said(club, "⏱ Relaxed · until Tue 1 Dec, 08:20 UTC"))
    await club.until(lambda: not reminders(club, late))
    await time_runs_out(club)
    await club.until(lambda: said(club, "time was up"))


async def test_computer_players_take_one_to_three_seconds_for_any_move(club: Club) -> None:
    await club.all_start("You")
    await club.open_lobby()
    await club.press("You", club.group, "Play now with computers")
    await club.until(lambda: "Your cards" in club.hand_text("You"))
    players = Scripted(club, ("You",), club.rng)
    pauses: list[float] = []
    while len(pauses) < 12:
        if (await table_of(club)).act_at is None or await left(club) > 3:
            await club.until(players.to_act)
            await players.act("You")
            continue
        pauses.append(await left(club))
        await time_runs_out(club)
    assert all(1 <= pause <= 3 for pause in pauses)
    assert max(pauses) - min(pauses) > 0.2


@pytest.mark.on_two
async def test_twenty_presses_a_second_before_the_deadline_meet_the_clock(club: Club) -> None:
    """Twenty tables at which the last second has begun: everybody leads as the clock strikes. Each table has one move,
    his or the clock's, and his toast says which."""
    club.world.set_language("Борис", "en")
    await club.all_start()
    groups = [group_of_four(club, f"Club {number}") for number in range(20)]
    await asyncio.gather(*(sit_down(club, group, "At the table") for group in groups))
    begun = [await table_of(club, group) for group in groups]
    assert len({table.act_at for table in begun}) == 1
    leads = []
    for table in begun:
        assert table.turn is not None
        person = holder(club, table, table.turn.seat)
        hand = await hand_at(club, person, table.id)
        await club.world.answer_to(press(club, person, hand, CARD))
        await club.until(lambda hand=hand: data_of(hand, MOVE))  # type: ignore[misc]
        leads.append((person, hand))
    await club.pass_time(119)
    assert {(await table_of(club, group)).version for group in groups} == {begun[0].version}

    async def lead(person: str, hand: Message) -> str:
        return str((await club.world.answer_to(press(club, person, hand, MOVE)))["text"])

    answers = asyncio.gather(*(lead(person, hand) for person, hand in leads))
    await asyncio.sleep(0)
    await club.pass_time(1)
    toasts = await answers
    made = []
    for group, toast in zip(groups, toasts, strict=True):
        table = await table_of(club, group)
        assert table.deal is not None
        assert len(table.deal.record.moves) == 1
        async with club.look() as db:
            who = await db.fetchval("SELECT made_by FROM moves WHERE deal_id = $1", table.deal.id)
        assert (who == "person") == (toast == "You led."), (who, toast)
        made.append(who)
    print(f"\n20 races: {made.count('person')} won by the person, {made.count('clock')} by the clock")
    for group in groups:
        await club.until(lambda group=group: said(club, "leads", group))  # type: ignore[misc]


def group_of_four(club: Club, title: str) -> Chat:
    group = club.world.add_group("You", title)
    for person in PEOPLE[1:]:
        group.members[club.world.person(person).id] = Member("member")
    club.world.add_bot("You", group)
    return group


async def hand_at(club: Club, person: str, table_id: int) -> Message:
    """The message with his cards at one of many tables."""

    def found() -> list[Message]:
        return [
            message
            for message in club.messages(club.private(person))
            if any(data.startswith(f"{CARD}{table_id}:") for data in data_of(message, CARD))
        ]

    await club.until(found)
    return found()[-1]


def data_of(message: Message, beginning: str) -> list[str]:
    rows = (message.reply_markup or {}).get("inline_keyboard", [])
    data = [str(button.get("callback_data", "")) for row in rows for button in row]
    return [one for one in data if one.startswith(beginning)]


def press(club: Club, person: str, hand: Message, beginning: str) -> str:
    return club.world.press(person, club.private(person), hand.message_id, data_of(hand, beginning)[0])


async def test_a_silent_molodka_offer_is_declined_after_a_quarter_and_nobody_hears_whose_it_was(
    club: Club,
) -> None:
    await four_at(club, "By day")
    declarer, asked = await with_two_molodkas(club)
    await club.press(declarer, club.private(declarer), "Molodka!")
    await club.until(lambda: club.find(club.private(asked), "Decline"))
    await club.until(lambda: said(club, "The table waits for molodka rights."))
    assert await left(club) == 6 * HOUR
    await club.pass_time(15)  # those who have nothing to do see it at a glance's distance
    await club.until(
        lambda: all("molodka rights" in club.hand_text(other) for other in PEOPLE if other != asked)
    )
    assert not any(club.find(club.private(other), "Decline") for other in PEOPLE if other != asked)
    before, sent = len(club.texts(club.group)), sent_to(club, club.group)
    await club.pass_time(6 * HOUR - 16)
    assert len(await made_by(club)) == 1
    await the_house_acts(club, SECOND)
    await club.until(lambda: said(club, f"{name(club, declarer)} leads"))
    table = await table_of(club)
    assert [(holder(club, table, seat), who) for seat, who, _ in await made_by(club)] == [
        (declarer, "person"),
        (asked, "clock"),
    ]
    # Nothing but the table itself has changed: no word of anybody whose time was up.
    assert sent == []
    assert len(club.texts(club.group)) == before
    assert [tenure.missed for tenure in table.tenures] == [0] * 4


async def with_two_molodkas(club: Club) -> tuple[str, str]:
    """In the deal that has just begun two people hold four of a suit: (who is later in turn, who is nearer to the lead)."""
    table = await table_of(club)
    assert table.deal is not None
    assert table.series is not None
    state = dealt_two_molodkas(table.series.state.dealer, table.series.state.leader)
    async with changing(club) as db:
        await db.execute(
            "UPDATE deals SET deck = $2, indicator = $3 WHERE id = $1",
            table.deal.id,
            " ".join(card_name(card) for card in state.pack.cards),
            state.pack.indicator,
        )
        await screens.touch(db, table.id, "table", club.clock.now)
        await screens.touch(db, table.id, "hand", club.clock.now)
    await club.pass_time(0)
    nearer, later = sorted(holders(state), key=lambda seat: (seat - state.leader) % 4)
    return holder(club, table, later), holder(club, table, nearer)


def dealt_two_molodkas(dealer: int, leader: int) -> Deal:
    """Two seats hold four of a suit, and the leader is none of them."""
    for seed in range(200_000):
        state = start(shuffle(random.Random(seed), dealer, leader))
        if len(held := holders(state)) == 2 and leader not in held:
            return state
    raise AssertionError("no such deal")
