"""Telegram's limits are kept before they hit, and obeyed where they hit all the same."""

import asyncio
import os
import random
import time
from itertools import pairwise
from typing import Any

import pytest

from db import screens
from db.screens import Screen
from tests.tgbot.club import CARD, MOVE, Club, Scripted, bot_for, club_of
from tgbot.handlers.flood import Rate
from tgbot.pace import NO_ROOM, PRESS_ROOM, TURN_ROOM, Limits, Pace
from tgbot.painter import in_order, room_for
from tgbot.telegram import LONGEST_WAIT
from tgbot.timekeeping import system_time

SECONDS = float(os.environ.get("GOAT_PACE_SECONDS", "12"))
"""Of play at human speed; a whole series takes ten minutes."""


def test_one_a_second_in_a_chat_and_twenty_a_minute_in_a_group() -> None:
    pace = Pace(Limits())
    now, sent = 0.0, []
    while now < 120:
        now += pace.delay(-1, now)
        pace.spend(-1, now)
        sent.append(now)
    assert all(later - earlier >= 0.999 for earlier, later in pairwise(sent))
    assert all(sum(at <= other < at + 60 for other in sent) <= 20 for at in sent)


def test_no_more_than_thirty_a_second_in_all() -> None:
    pace = Pace(Limits())
    now, sent = 0.0, []
    for chat in range(1, 200):
        now += pace.delay(chat, now)
        pace.spend(chat, now)
        sent.append(now)
    assert all(sum(at <= other < at + 1 for other in sent) <= 30 for at in sent)


def test_what_a_person_waits_for_may_come_in_a_short_burst_that_is_paid_back() -> None:
    pace = Pace(Limits())
    for _ in range(PRESS_ROOM + 1):
        assert pace.delay(1, 0.0, PRESS_ROOM) == 0
        pace.spend(1, 0.0)
    assert pace.delay(1, 0.0, PRESS_ROOM) > 0
    assert pace.delay(1, 0.0, TURN_ROOM) == 0
    assert pace.delay(1, 0.0, NO_ROOM) == PRESS_ROOM + 1


def test_retry_after_holds_its_chat_and_no_other() -> None:
    pace = Pace(Limits())
    pace.hold(1, 0.0, 7)
    assert pace.delay(1, 0.0, TURN_ROOM) == 7
    assert pace.delay(2, 0.0) == 0
    assert pace.held(1.0) == [1]


def beside_a_busy_table(every: float, patience: float = 0.0) -> tuple[list[float], list[float], list[float]]:
    """When a group is asked for an answer every so many seconds: the answers asked for, those given, the paintings."""
    pace, now = Pace(Limits()), 0.0
    asked: list[float] = []
    answered: list[float] = []
    painted: list[float] = []
    waits_until = -1.0
    while now < 600:
        if now >= len(asked) * every:
            asked.append(now)
            waits_until = now + patience
        if now <= waits_until and pace.delay(-1, now, answer=True) == 0:
            pace.spend(-1, now, answer=True)
            answered.append(now)
            waits_until = -1.0
        if pace.delay(-1, now) == 0:
            pace.spend(-1, now)
            painted.append(now)
        now += 0.1
    assert all(sum(at <= other < at + 60 for other in answered + painted) <= 20 for at in painted)
    return asked, answered, painted


def test_however_many_answers_are_asked_for_in_a_group_its_table_is_painted() -> None:
    _, answered, painted = beside_a_busy_table(every=0.1)
    assert max(later - earlier for earlier, later in pairwise(painted)) < 15
    assert all(sum(at <= other < at + 60 for other in answered) <= 6 for at in answered)


def test_who_asks_now_and_then_is_mostly_answered_however_busy_the_table_is() -> None:
    asked, answered, _ = beside_a_busy_table(every=20, patience=LONGEST_WAIT)
    assert len(answered) > 0.8 * len(asked)


async def test_an_answer_that_a_group_has_no_room_for_is_dropped_and_the_table_goes_on(
    database: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", "tgbot.handlers.middleware")
    async with club_of(database) as club, bot_for(club, limits=Limits()):
        await club.all_start("You")
        await club.open_lobby()
        await club.press("You", club.group, "Play now with computers")
        await club.until(lambda: "Deal 1" in " ".join(club.texts(club.group)))
        for _ in range(12):
            await club.say("Anna", "/help")
        await club.until(lambda: not club.world.data.updates)
        assert 1 <= sum("card game for four" in text for text in club.texts(club.group)) <= 4
        assert "no room for an answer" in caplog.text
        assert "/help" not in caplog.text
        players, shown = Scripted(club, ("You",), random.Random(1)), club.texts(club.group)
        while not players.to_act():
            await players.wait_for_a_turn()
        await players.act("You")
        await club.until(lambda: club.texts(club.group) != shown)


async def test_who_presses_is_answered_however_much_others_ask_for(database: str) -> None:
    """Without the question there would be no way to leave one's seat."""
    async with club_of(database) as club, bot_for(club, limits=Limits()):
        await club.all_start("You")
        await club.open_lobby()
        await club.press("You", club.group, "Play now with computers")
        await club.until(lambda: "Deal 1" in " ".join(club.texts(club.group)))
        await club.say("You", "/time")
        await club.until(lambda: club.find(club.group, "Leave my seat"))
        for _ in range(8):
            await club.say("Anna", "/help")
        await club.until(lambda: not club.world.data.updates)
        await club.press("You", club.group, "Leave my seat")
        await club.until(lambda: any("Leave it?" in text for text in club.texts(club.group)))


async def test_no_call_meets_a_limit_in_play_at_human_speed(database: str) -> None:
    """Default pace, enforced limits: who taps his cards as people do is answered at once and never refused."""
    calls: list[dict[str, Any]] = []
    waits: list[float] = []
    async with club_of(database) as club:
        club.world.data.limits_enforced = True
        club.world.listeners.append(lambda kind, what: calls.append(what) if kind == "call" else None)
        async with bot_for(club, limits=Limits(), rate=Rate(), clock=system_time):
            await club.all_start("You")
            await club.open_lobby()
            await club.press("You", club.group, "Play now with computers")
            players = Scripted(club, ("You",), random.Random(7))
            end = time.monotonic() + SECONDS
            while time.monotonic() < end and not club.find(club.group, "Play again"):
                await asyncio.sleep(players.rng.uniform(0.25, 0.6))
                hand = players.hand("You")
                if hand is None:
                    continue
                buttons = club.buttons(hand)
                actions = [b for b in buttons if b["callback_data"].startswith(MOVE)]
                cards = [b for b in buttons if b["callback_data"].startswith(CARD)]
                pressed = players.rng.choice(
                    actions if actions and players.rng.random() < 0.5 else cards or actions
                )
                begin = time.monotonic()
                await players.press("You", hand, pressed)
                waits.append(time.monotonic() - begin)
    refused = [call for call in calls if call["code"] == 429]
    assert not refused
    assert len(waits) > SECONDS / 4
    assert sorted(waits)[len(waits) * 9 // 10] < 1.0


async def test_taps_faster_than_the_limit_are_all_in_what_is_shown_in_the_end(database: str) -> None:
    async with club_of(database) as club:
        club.world.data.limits_enforced = True
        async with bot_for(club, limits=Limits(), rate=Rate()):
            await club.four_sit_down()
            players = Scripted(club, ("You", "Anna", "Борис", "Chidi"), random.Random(7))
            await club.until(players.to_act)
            person = players.to_act()[0]
            hand = players.hand(person)
            assert hand is not None
            taps = [
                button["callback_data"]
                for button in club.buttons(hand)
                if any(suit in button["text"] for suit in "♠♥♦♣")
            ]
            begin = time.monotonic()
            queries = [club.world.press(person, club.private(person), hand.message_id, tap) for tap in taps]
            answers = await asyncio.gather(*(club.world.answer_to(query) for query in queries))
            assert time.monotonic() - begin < 3
            assert all(answer["text"] is None for answer in answers)

            def chosen() -> int:
                return sum("✅" in button["text"] for button in club.buttons(hand))

            await club.until(lambda: chosen() == len(taps))


async def test_a_storm_of_refusals_in_one_chat_leaves_the_others_in_peace(club: Club) -> None:
    await club.four_sit_down()
    players = Scripted(club, ("You", "Anna", "Борис", "Chidi"), random.Random(3))
    await club.until(players.to_act)
    club.sandbox.faults.add("429", "*", club.group.id, seconds=3600)
    group = [message.text for message in club.messages(club.group)]
    while players.moves < 3:
        await club.until(players.to_act)
        await players.act(players.to_act()[0])
    assert [message.text for message in club.messages(club.group)] == group


async def test_errors_of_telegrams_side_lose_nothing_and_keep_the_order(club: Club) -> None:
    for kind in ("500", "502", "drop", "delay"):
        club.sandbox.faults.add(kind, "sendMessage", None, 1, 0.1)
        club.sandbox.faults.add(kind, "editMessageText", None, 1, 0.1)
    club.world.start("You")
    await club.until(lambda: club.messages(club.private("You")) or not club.world.data.updates)
    await club.open_lobby()
    await club.press("You", club.group, "Play now with computers")
    players = Scripted(club, ("You",), random.Random(1))
    while players.moves < 3:
        if players.to_act():
            await players.act("You")
        else:
            await players.wait_for_a_turn()
    numbers = [text.split("Deal ")[1][0] for text in club.texts(club.group) if "Deal " in text]
    assert numbers == sorted(numbers)


async def test_many_changes_while_a_chat_waits_are_one_painting(club: Club) -> None:
    await club.all_start("You")
    await club.open_lobby()
    edits: list[Any] = []
    club.sandbox.faults.add("429", "editMessageText", club.group.id, 1, seconds=1)
    club.world.listeners.append(
        lambda kind, what: (
            edits.append(what)
            if kind == "call" and what["method"] == "editMessageText" and what["ok"]
            else None
        )
    )
    await club.press("You", club.group, "🔵 Sit here")
    for label in ("🟠 + computer", "🔵 + computer", "Draw teams", "Draw teams"):
        await club.press("You", club.group, label)
    await club.until(lambda: club.last(club.group).count("🤖") >= 2)
    assert len(edits) <= 2


def test_a_full_second_is_full_for_every_chat() -> None:
    pace = Pace(Limits(a_second=2, chat_gap=0.0))
    for chat in range(4):
        assert pace.full(10.0) == 0.0
        pace.spend(chat, 10.0)
    assert pace.full(10.1) == pytest.approx(0.4)
    assert pace.full(10.5) == 0.0


def test_the_next_place_is_for_who_is_to_move_then_for_presses_then_for_the_rest() -> None:
    pace = Pace(Limits(a_second=10, chat_gap=0.0))
    waits: dict[int, list[float]] = {room: [] for room in (TURN_ROOM, PRESS_ROOM, NO_ROOM)}
    for _ in range(4):
        for room, delays in waits.items():
            delays.append(round(pace.delay(1, 0.0, room), 3))
        pace.spend(2, 0.0, TURN_ROOM)
    assert waits == {
        TURN_ROOM: [0.0, 0.0, 0.0, 0.0],
        PRESS_ROOM: [0.0, 0.0, 0.0, 0.1],
        NO_ROOM: [0.0, 0.0, 0.0, 0.0],  # it has a share that is its own
    }
    pace.spend(3, 0.0)
    assert pace.delay(1, 0.1, NO_ROOM) == pytest.approx(0.1)


def test_what_can_wait_gets_its_share_while_people_who_choose_cards_take_all_they_get() -> None:
    pace = Pace(Limits(chat_gap=0.0))
    went = {PRESS_ROOM: 0, NO_ROOM: 0}
    for tick in range(10_000):
        now = tick / 1000
        for room in went:
            if pace.delay(room + 1, now, room) <= 0:
                pace.spend(room + 1, now, room)
                went[room] += 1
    assert went[NO_ROOM] >= 45
    assert sum(went.values()) <= 245


def screen_in(chat_id: int, priority: int) -> Screen:
    kind: screens.Kind = "hand" if chat_id > 0 else "table"
    return Screen(
        abs(chat_id),
        1,
        kind,
        chat_id,
        None,
        None,
        None,
        None,
        None,
        None,
        None,
        1,
        0,
        0,
        False,
        priority,
        None,
        0,
    )


def test_what_can_wait_gets_its_share_however_many_are_to_move() -> None:
    pace = Pace(Limits(chat_gap=0.0))
    stale = [screen_in(chat, screens.NOW) for chat in range(1, 51)]
    stale += [screen_in(-chat, screens.SOON) for chat in range(1, 51)]
    went = {screens.NOW: 0, screens.SOON: 0}
    for tick in range(10_000):
        now = tick / 1000
        for job in in_order(stale, [], share_is_due=pace.share_is_due(now)):
            assert isinstance(job, Screen)
            if pace.delay(job.chat_id, now, room_for(job)) <= 0:
                pace.spend(job.chat_id, now, room_for(job))
                went[job.priority] += 1
    assert 45 <= went[screens.SOON] <= 55
    assert sum(went.values()) <= 245


def test_three_hands_go_out_at_once_though_others_wait_too() -> None:
    pace = Pace(Limits())
    stale = [screen_in(chat, screens.NOW) for chat in (1, 2, 3)] + [screen_in(-1, screens.SOON)]
    for job in in_order(stale, [], share_is_due=pace.share_is_due(0.0)):
        assert pace.delay(job.chat_id, 0.0, room_for(job)) == 0
        pace.spend(job.chat_id, 0.0, room_for(job))
