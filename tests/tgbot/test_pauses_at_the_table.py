"""All clocks of a table stop and later go on with what was left: by agreement, for a journey, in a downtime."""

import asyncio

import pytest

from core.pace import ZERO
from db import heartbeat
from tests.tgbot.club import PEOPLE, Club
from tests.tgbot.long_game import (
    DAY,
    HOUR,
    MINUTE,
    SECOND,
    deadline,
    four_at,
    left,
    made_by,
    move,
    name,
    next_act,
    reminders,
    said,
    table_of,
    the_house_acts,
    time_runs_out,
    whose_turn,
)


@pytest.mark.on_two
async def test_a_pause_by_agreement_gives_back_exactly_what_was_left(club: Club) -> None:
    late = await four_at(club, "By day")
    await club.pass_time(30 * HOUR + 17 * MINUTE + 3.141592)
    await club.until(lambda: reminders(club, late))
    exactly = await left(club)
    assert exactly == 48 * HOUR - (30 * HOUR + 17 * MINUTE + 3.141592)
    await club.say("You", "/time")
    await club.press("You", club.group, "Propose a pause")
    await club.press("Борис", club.group, "Agree")
    await club.until(lambda: said(club, "Agreed so far: Max, Борис Петров"))
    assert (await table_of(club)).paused_at is None  # both sit in one team
    await club.press("Anna", club.group, "Agree")
    await club.until(lambda: said(club, "⏸ Paused: all clocks stand still"))
    await club.pass_time(15)
    await club.until(lambda: not reminders(club, late))
    await club.until(lambda: all("Paused" in club.hand_text(person) for person in PEOPLE))
    assert not any(suit in label for label in labels(club, late) for suit in "♠♥♦♣")
    await club.pass_time(5 * DAY)
    assert await made_by(club) == []
    assert not said(club, "time was up")
    club.world.new_person("Dora")
    club.world.join("Dora", club.group)
    answer = await club.press("Dora", club.group, "Go on")
    assert answer["text"] == "You don't sit at this table."
    await club.press("Chidi", club.group, "Go on")
    await club.until(lambda: said(club, "Chidi ended the pause: the clocks go on with what was left"))
    assert await whose_turn(club) == late
    assert await left(club) == exactly
    await club.pass_time(exactly - SECOND)
    await move(club, late)
    assert not said(club, "time was up")


def labels(club: Club, person: str) -> list[str]:
    chat = club.private(person)
    return [button["text"] for message in club.messages(chat) for button in club.buttons(message)]


async def test_who_plays_with_computers_alone_asks_nobody(club: Club) -> None:
    await club.all_start("You")
    await club.open_lobby()
    await club.press("You", club.group, "🔵 Sit here")
    await club.press("You", club.group, "Play now")
    await club.until(lambda: said(club, "The table is set"))
    await club.say("You", "/time")
    await club.until(lambda: said(club, "a pause or another pace comes at once"))
    await club.press("You", club.group, "⏱ Relaxed")
    await club.until(lambda: said(club, "The pace is now “Relaxed”"))
    await club.say("You", "/time")
    await club.press("You", club.group, "⏸ Pause")
    await club.until(lambda: said(club, "⏸ Paused: all clocks stand still"))


@pytest.mark.parametrize(
    ("wish", "told"), [("Propose a pause", "⏸ a pause"), ("Propose: Relaxed", "⏱ the pace “Relaxed”")]
)
async def test_one_no_keeps_the_clocks_as_they_run(club: Club, wish: str, told: str) -> None:
    await four_at(club, "By day")
    due = await deadline(club)
    await club.say("Anna", "/time")
    await club.press("Anna", club.group, wish)
    await club.until(lambda: club.find(club.group, "Agree"))
    await club.press("Борис", club.group, "No")
    await club.until(lambda: said(club, f"Not agreed: {told}, proposed by Anna Schmidt"))
    assert await deadline(club) == due


async def test_who_travels_stops_all_clocks_for_a_day_once_a_week(club: Club) -> None:
    late = await four_at(club, "By day")
    await club.pass_time(10 * HOUR)
    await club.say("Anna", "/time")
    answer = await club.press("Anna", club.group, "Travelling")
    assert answer["text"] == "Have a good journey! All clocks stand still for a day."
    await club.until(lambda: said(club, "Anna Schmidt is travelling: all clocks stand still for a day"))
    await club.until(lambda: said(club, "🧳 Paused until Tue 1 Dec, 22:00 UTC"))
    await club.pass_time(DAY - SECOND)
    assert (await table_of(club)).paused_at is not None
    await the_house_acts(club, SECOND)
    await club.until(lambda: said(club, "The pause is over: the clocks go on with what was left"))
    assert await whose_turn(club) == late
    assert await left(club) == 38 * HOUR
    await club.say("Anna", "/time")
    answer = await club.press("Anna", club.group, "Travelling")
    assert answer["text"] == "You have travelled already this week. A pause can be agreed on."
    assert (await table_of(club)).paused_at is None
    # Anybody else has a week's day of his own; and anybody may end it early.
    await club.say("Chidi", "/time")
    await club.press("Chidi", club.group, "Travelling")
    await club.until(lambda: said(club, "Chidi is travelling"))
    await club.pass_time(HOUR)
    await club.press("Anna", club.group, "Go on")
    await club.until(lambda: said(club, "Anna Schmidt ended the pause"))
    assert await left(club) == 38 * HOUR
    await club.say("You", "/time")
    await club.press("You", club.group, "Propose a pause")
    await club.press("Anna", club.group, "Agree")
    await club.until(lambda: said(club, "⏸ Paused"))
    await club.pass_time(6 * DAY)
    await club.press("You", club.group, "Go on")
    await club.say("Anna", "/time")
    answer = await club.press("Anna", club.group, "Travelling")
    assert answer["text"].startswith("Have a good journey")


async def test_only_games_by_day_know_journeys(club: Club) -> None:
    await four_at(club, "Relaxed")
    await club.say("Anna", "/time")
    await club.until(lambda: club.find(club.group, "Propose a pause"))
    assert not club.find(club.group, "Travelling")


async def test_a_restart_with_overdue_turns_costs_nobody_his_time(closed_club: Club) -> None:
    club = closed_club
    async with club.at_work():
        await club.until(lambda: club.messages(club.group))
        late = await four_at(club, "At the table")
        await club.pass_time(30)
    club.clock.advance(3 * HOUR)
    async with club.at_work():
        assert await whose_turn(club) == late
        assert (
            80 <= await left(club) <= 120
        )  # what was left at the last beat of the clock, and no more than the pace
        assert not said(club, "time was up")
        await time_runs_out(club)
        await club.until(lambda: said(club, f"{name(club, late)}'s time was up"))


async def test_a_downtime_by_day_is_given_back_whole(closed_club: Club) -> None:
    """An hour is left, the bot is away for five: an hour is left."""
    club = closed_club
    async with club.at_work():
        await club.until(lambda: club.messages(club.group))
        late = await four_at(club, "By day")
        await club.pass_time(47 * HOUR)
        await club.until(lambda: reminders(club, late))
        await beaten(club)
    club.clock.advance(5 * HOUR)
    async with club.at_work():
        assert await left(club) == HOUR
        await move(club, late)
        assert not said(club, "time was up")
        table = await table_of(club)
        assert sorted(tenure.reserve_used for tenure in table.tenures)[:3] == [ZERO] * 3
        await next_act(club)


async def beaten(club: Club) -> None:
    """The clock has told that it lives now."""
    while True:
        async with club.look() as db:
            if await heartbeat.last(db) == club.clock.now:
                return
        await asyncio.sleep(0.01)
