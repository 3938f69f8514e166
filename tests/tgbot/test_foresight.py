"""Tables with strong computers: they think beside the clock, and nobody waits for them."""

import asyncio
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from core.computer import strong
from core.deal import holders, start
from core.moves import Move, Verb
from core.record import replay
from core.shuffle import shuffle
from core.state import Pack
from core.table import Occupant, Seats
from db import deals
from tests.tgbot.club import Club, Scripted, bot_for, club_of
from tests.tgbot.hall import BEGIN, DAY, MINUTE, SECOND, Hall
from tgbot import foresight, thinker
from tgbot.clock import Clock
from tgbot.foresight import Foresight
from tgbot.services import deals as inside
from tgbot.services import lobby, pausing
from tgbot.services import play as door
from tgbot.services.deals import Question, questions, slow_questions
from tgbot.thinker import Thinker
from tgbot.timekeeping import system_time
from tgbot.waiting import until_set


@dataclass
class House:
    """The clock of a hall, tick by tick. Each table has a person in seat 0 and three computers."""

    hall: Hall
    clock: Clock
    patch: pytest.MonkeyPatch

    @property
    def worker(self) -> asyncio.subprocess.Process:
        process = self.clock.foresight.thinker._process
        assert process is not None
        return process

    async def open(self, pack: Pack, pace: str = "none", level: str = "strong") -> int:
        person = 1000 + self.hall.chats
        table_id = await self.hall.open(pace, (person,), start=False)
        with self.patch.context() as patch:
            patch.setattr(inside, "shuffle", lambda *_: pack)
            async with self.hall.act() as db:
                await lobby.set_level(db, table_id, person, level, self.hall.moment)
                await lobby.start_with_computers(db, table_id, person, self.hall.moment)
        return table_id

    async def asked(self, table_id: int) -> list[Question]:
        return slow_questions(await self.hall.table(table_id))

    async def due(self, table_id: int) -> None:
        """The time has come at which the house acts there."""
        act_at = (await self.hall.table(table_id)).act_at
        assert act_at is not None
        self.hall.now = act_at

    async def think(self) -> None:
        """Until nothing is being thought about."""
        while self.clock.foresight.busy:
            self.clock.wake.clear()
            await until_set(self.clock.wake, 20)

    async def stop_the_worker_in_mid_thought(self, table_id: int) -> asyncio.subprocess.Process:
        """It has a question of the table, and does not go on."""
        assert await self.clock.foresight.thinker.think(await self.asked(table_id), 20)
        stopped = self.worker
        os.kill(stopped.pid, signal.SIGSTOP)
        await self.clock.tick()
        while self.clock.foresight.thinker._thinking is None:  # noqa: ASYNC110
            await asyncio.sleep(0.001)
        return stopped

    async def moves(self, table_id: int) -> list[Move]:
        table = await self.hall.table(table_id)
        assert table.deal is not None
        return list(table.deal.record.moves)


@pytest.fixture
async def house(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[House]:
    monkeypatch.setattr(foresight, "LATE", 20.0)  # the machine may be busy, and the process has to start
    wake = asyncio.Event()
    sight = Foresight(hall.pool, Thinker(), lambda: hall.now, wake)
    yield House(
        hall,
        Clock(hall.pool, lambda: hall.now, hall.rng, wake, asyncio.Event(), sight, system_time),
        monkeypatch,
    )
    await sight.close()


SEATS: Seats = (Occupant(person=1), *[Occupant(computer="strong")] * 3)  # type: ignore[assignment]


def packs(leader: int) -> Iterator[Pack]:
    return (shuffle(random.Random(seed), (leader - 1) % 4, leader) for seed in range(100_000))


def strongs(question: Question) -> Move | None:
    """What the strong player answers, given all the time that it wants."""
    dice = random.Random(question.seed)
    if question.claim:
        return question.claimed() if strong.declares(question.view, dice) else None
    return strong.choose(question.view, dice)


@cache
def hard() -> tuple[Pack, Move, Move]:
    """A pack in which seat 1 leads, no four of a suit are there, and what strong and steady lead, which differs."""
    for pack in packs(1):
        asked = questions(SEATS, start(pack))
        if not holders(start(pack)) and strongs(asked[0]) != asked[0].answer():
            better, usual = strongs(asked[0]), asked[0].answer()
            assert better is not None
            assert usual is not None
            return pack, better, usual
    raise AssertionError("they always agree")


@cache
def four_in_seat_2() -> Pack:
    """The person leads, and the strong player in seat 2 holds four of a suit."""
    return next(pack for pack in packs(0) if holders(start(pack)) == (2,))


class Unwilling(Thinker):
    """Strong players who keep their four."""

    async def think(self, questions: Sequence[Question], seconds: float) -> dict[Question, Move | None]:
        assert all(question.claim for question in questions)
        return dict.fromkeys(questions)


async def test_a_strong_computer_plays_what_it_thought_in_its_pause(house: House) -> None:
    pack, better, _ = hard()
    table_id = await house.open(pack)
    await house.clock.tick()
    assert house.clock.foresight.busy == [table_id]
    await house.think()
    assert await house.moves(table_id) == []
    await house.due(table_id)
    await house.clock.tick()
    assert await house.moves(table_id) == [better]


async def test_a_table_that_is_due_waits_until_its_computer_has_thought(house: House) -> None:
    pack, better, _ = hard()
    table_id = await house.open(pack)
    await house.due(table_id)
    await house.clock.tick()
    assert await house.moves(table_id) == []
    await house.think()
    await house.clock.tick()
    assert await house.moves(table_id) == [better]


async def test_when_the_worker_is_killed_in_mid_thought_steadys_move_is_played_and_then_there_is_another(
    house: House,
) -> None:
    pack, _, usual = hard()
    table_id = await house.open(pack)
    killed = await house.stop_the_worker_in_mid_thought(table_id)
    os.kill(killed.pid, signal.SIGKILL)
    await house.think()
    await house.due(table_id)
    await house.clock.tick()
    assert await house.moves(table_id) == [usual]
    (question,) = await house.asked(table_id)
    await house.think()
    assert house.worker.pid != killed.pid
    assert house.clock.foresight.about(table_id) == {question: strongs(question)}
    await house.due(table_id)
    await house.clock.tick()
    assert (await house.moves(table_id))[1] == strongs(question)


async def test_a_slow_worker_is_not_waited_for(house: House) -> None:
    pack, _, usual = hard()
    table_id = await house.open(pack)
    await house.due(table_id)
    house.patch.setattr(foresight, "LATE", 0.1)
    stopped = await house.stop_the_worker_in_mid_thought(table_id)
    await house.think()
    await house.clock.tick()
    assert (await house.moves(table_id))[0] == usual
    os.kill(stopped.pid, signal.SIGCONT)


async def test_other_tables_do_not_wait_while_a_strong_computer_thinks(house: House) -> None:
    pack, _, _ = hard()
    thinking = await house.open(pack)
    other = await house.open(pack, level="steady")
    house.hall.now += 3 * SECOND
    await house.stop_the_worker_in_mid_thought(thinking)
    assert house.clock.foresight.busy == [thinking]
    assert await house.moves(thinking) == []
    assert len(await house.moves(other)) == 1


async def test_a_press_that_comes_while_a_strong_computer_thinks_counts_and_the_thought_is_dropped(
    house: House,
) -> None:
    """The person claims his four while seat 1 thinks about its lead."""
    pack = next(pack for pack in packs(1) if holders(start(pack)) == (0,))
    table_id = await house.open(pack)
    stopped = await house.stop_the_worker_in_mid_thought(table_id)
    table = await house.hall.table(table_id)
    assert table.deal is not None
    async with house.hall.act() as db:
        person = await house.hall.person(table_id, 0)
        await door.press(db, table_id, table.deal.id, 0, person, "molodka", 0, house.hall.moment)
    os.kill(stopped.pid, signal.SIGCONT)
    await house.due(table_id)
    await house.clock.tick()
    assert await house.moves(table_id) == [Move(0, Verb.MOLODKA)]
    assert house.clock.foresight.busy == [table_id]  # with the answer to the four that were led
    (question,) = await house.asked(table_id)
    await house.think()
    await house.clock.tick()
    assert (await house.moves(table_id))[1:] == [strongs(question)]


async def test_a_strong_computer_claims_a_molodka_in_a_persons_turn_when_it_gains(house: House) -> None:
    table_id = await house.open(four_in_seat_2(), "table")
    table = await house.hall.table(table_id)
    assert table.turn is not None
    assert table.deadline == house.hall.now + 2 * MINUTE
    assert table.act_at is not None
    assert SECOND <= table.act_at - house.hall.now <= 3 * SECOND
    await house.clock.tick()
    await house.think()
    await house.due(table_id)
    await house.clock.tick()
    assert await house.moves(table_id) == [Move(2, Verb.MOLODKA)]


async def test_one_that_does_not_want_to_is_asked_once_and_the_persons_time_has_run_all_the_while(
    house: House,
) -> None:
    house.clock.foresight.thinker = Unwilling()
    table_id = await house.open(four_in_seat_2(), "table")
    deadline = house.hall.now + 2 * MINUTE
    before = await house.hall.table(table_id)
    await house.clock.tick()
    await house.think()
    await house.due(table_id)
    await house.clock.tick()
    after = await house.hall.table(table_id)
    assert await house.moves(table_id) == []
    assert (after.turn, after.act_at, after.deadline) == (before.turn, deadline, deadline)
    await house.due(table_id)
    await house.clock.tick()
    await house.think()
    await house.clock.tick()
    assert await house.hall.moves(table_id) == [(0, "clock")]


async def test_without_limit_a_table_goes_back_to_waiting_when_nobody_claims(house: House) -> None:
    house.clock.foresight.thinker = Unwilling()
    table_id = await house.open(four_in_seat_2())
    await house.clock.tick()
    await house.think()
    await house.due(table_id)
    await house.clock.tick()
    table = await house.hall.table(table_id)
    assert table.act_at == BEGIN + 30 * DAY
    assert await house.moves(table_id) == []


async def test_a_computer_may_still_claim_after_a_pause(house: House) -> None:
    table_id = await house.open(four_in_seat_2(), "table")
    person = await house.hall.person(table_id, 0)
    async with house.hall.act() as db:
        await pausing.pause(db, await house.hall.table(table_id), house.hall.moment)
    await house.hall.wait(MINUTE)
    await house.clock.tick()
    assert house.clock.foresight.busy == []
    async with house.hall.act() as db:
        await pausing.resume(db, table_id, person, house.hall.moment)
    await house.clock.tick()
    await house.think()
    await house.due(table_id)
    await house.clock.tick()
    assert await house.moves(table_id) == [Move(2, Verb.MOLODKA)]


async def test_the_clock_ends_in_mid_thought_at_once_and_leaves_no_process(house: House) -> None:
    pack, _, _ = hard()
    table_id = await house.open(pack)
    stopped = await house.stop_the_worker_in_mid_thought(table_id)
    running = asyncio.create_task(house.clock.run())
    await asyncio.sleep(0.05)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert stopped.returncode == -signal.SIGKILL
    assert house.clock.foresight.busy == []


async def test_a_table_with_strong_computers_plays_a_whole_deal(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    thinking = Thinker()
    monkeypatch.setattr(thinker, "BUDGET", 200)
    monkeypatch.setattr(foresight, "LATE", 20.0)
    async with club_of(database) as club, bot_for(club, thinker=lambda: thinking):
        await club.all_start("You")
        await club.open_lobby()
        await club.press("You", club.group, "Computers: steady")
        await club.press("You", club.group, "Play now with computers")
        await play_one_deal(club)
        process = thinking._process
        assert process is not None
        assert process.returncode is None
        better = await moves_that_steady_would_not_make(club)
    assert process.returncode is not None
    assert better
    for question, move in better:
        assert move == strong.choose(question.view, random.Random(question.seed), 200)


async def play_one_deal(club: Club) -> None:
    players = Scripted(club, ("You",), random.Random(5))
    while not any("the count" in text for text in club.texts(club.group)):
        if players.to_act():
            await players.act("You")
        else:
            await players.wait_for_a_turn()


async def moves_that_steady_would_not_make(club: Club) -> list[tuple[Question, Move]]:
    """Of the computers in the first deal, whose seats are the strong ones."""
    async with club.look() as db:
        first = await db.fetchval("SELECT min(id) FROM deals")
        seats = await db.fetch("SELECT seat FROM seats WHERE until IS NULL AND computer = 'strong'")
        record = await deals.record_of(db, first)
    assert record is not None
    strong_seats = {row["seat"] for row in seats}
    assert len(strong_seats) == 3
    found = []
    for state, move in zip(replay(record), record.moves, strict=False):
        for question in questions((Occupant(computer="strong"),) * 4, state):
            if question.view.seat == move.seat and move.seat in strong_seats and not question.claim:
                assert move.verb is not Verb.MOLODKA
                if question.answer() != move:
                    found.append((question, move))
    return found


def test_no_process_outlives_a_bot_that_is_killed() -> None:
    code = """
import asyncio
from tests.tgbot.test_thinker import lead_of
from tgbot.thinker import Thinker

async def main():
    thinker = Thinker()
    assert await thinker.think([lead_of()], 20)
    print(thinker._process.pid, flush=True)
    while True:
        await thinker.think([lead_of()], 20)

asyncio.run(main())
"""
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as bot:
        assert bot.stdout is not None
        worker = int(bot.stdout.readline())
        bot.kill()
        bot.wait()
    until = time.monotonic() + 20
    while lives(worker):
        assert time.monotonic() < until
        time.sleep(0.01)


def lives(pid: int) -> bool:
    """Nobody waits for an orphan here, so one that has ended may stay a zombie."""
    try:
        return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False
