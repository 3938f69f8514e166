"""Many tables: what sleeps costs the clock nothing, and a fortnight of people who come and go leaves nothing stuck."""

import random
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from typing import cast

from core.deal import legal_moves
from core.errors import TableError
from core.record import final
from core.table import seat_of
from db import notices, reminders, tables
from db.connection import Connection
from db.pool import Pool
from db.tables import Table
from tests.tgbot.hall import BEGIN, DAY, HOUR, Hall, mask_of
from tgbot.services import absence, habits, pausing, play, turns
from tgbot.services.moment import Moment

SLEEPING = """
INSERT INTO chats (id, kind, title) SELECT -n, 'group', 'asleep' FROM generate_series(1000000, 1099999) n
"""
SLEEPING_TABLES = """
INSERT INTO tables (chat_id, state, opened_at, rules, asleep_at, human_at)
SELECT -n, 'playing', $1, '{}', $1, $1 FROM generate_series(1000000, 1099999) n
"""


async def test_a_hundred_thousand_sleeping_tables_cost_the_clock_nothing(hall: Hall) -> None:
    await hall.open("day")
    hall.now += 49 * HOUR

    async def look() -> float:
        """Seconds of the three questions that each tick asks, the best of many."""
        best = 1.0
        async with hall.pool.acquire() as db:
            for _ in range(50):
                begun = time.perf_counter()
                async with db.transaction():
                    assert len(await tables.claim_due(db, hall.now, 1)) == 1
                    assert await tables.next_due(db) is not None
                    assert not await tables.due_with(db, "strong", hall.now, 100)
                best = min(best, time.perf_counter() - begun)
        return best

    few = await look()
    async with hall.pool.acquire() as db:
        await db.execute(SLEEPING)
        await db.execute(SLEEPING_TABLES, BEGIN)
        await db.execute("ANALYZE tables")
        plans = []
        for question, args in (
            (tables.CLAIM_DUE, (hall.now, 1, [])),
            (tables.NEXT_DUE, ([],)),
            (tables.DUE_WITH, ("strong", hall.now, 100)),
        ):
            rows = await db.fetch(f"EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) {question}", *args)
            plans.append("\n".join(row[0] for row in rows))
    many = await look()
    print(
        f"\na look: {few * 1000:.2f} ms, with 100,000 sleeping tables {many * 1000:.2f} ms", *plans, sep="\n"
    )
    assert all("tables_due" in plan and "Seq Scan on tables" not in plan for plan in plans)
    assert many < few * 3 + 0.002


DUE = """
SELECT (SELECT min(act_at) FROM tables),
    (SELECT min(send_at) FROM notices WHERE for_turn AND sent_at IS NULL)
"""
REMINDERS = """
SELECT n.id, n.chat_id, n.table_id, n.args FROM notices n
WHERE n.for_turn AND n.sent_at IS NULL AND n.send_at <= $1 ORDER BY n.send_at, n.id
"""


@dataclass
class Fortnight:
    """Tables by day. People answer when they see it: mostly within hours, sometimes after days, some not at all."""

    hall: Hall
    rng: random.Random
    opened: list[int] = field(default_factory=list)
    done: Counter[str] = field(default_factory=Counter)
    reminded: Counter[tuple[int, int, int, bool]] = field(default_factory=Counter)
    next_look: dict[int, datetime] = field(default_factory=dict)

    async def seat_everybody(self, count: int) -> None:
        for number in range(count):
            base = 10_000 + 10 * number
            people = range(base, base + self.rng.choice((1, 2, 4, 4, 4)))
            await self.hall.meet(*people, base + 9)
            await self.choose_quiet_hours(base)
            table_id = await self.hall.open("day", people)
            self.opened.append(table_id)
            self.next_look[table_id] = self.hall.now + self.reaction()

    async def choose_quiet_hours(self, person: int) -> None:
        async with self.hall.act() as db:
            zone = self.rng.choice(("Europe/Berlin", "America/New_York", "Asia/Kolkata"))
            await habits.set_zone(db, person, zone, self.hall.moment)
            await habits.set_quiet(db, person, 22, self.rng.choice((6, 8)), self.hall.moment)

    def reaction(self) -> timedelta:
        kind = self.rng.random()
        if kind < 0.05:
            return self.rng.uniform(1, 9) * DAY
        return self.rng.expovariate(1 / 8) * HOUR

    async def live(self, days: int) -> None:
        """In the order of time: the house's steps, reminders, and what people do."""
        hall, end = self.hall, self.hall.now + days * DAY
        while True:
            (row,) = await hall.fetch(DUE)
            look = min(self.next_look.values(), default=end)
            at = min(moment for moment in (row[0], row[1], look, end) if moment is not None)
            hall.now = max(hall.now, at)
            if at >= end:
                return
            if row[1] is not None and row[1] <= at:
                await self.send_reminders()
            elif row[0] is not None and row[0] <= at:
                assert await hall.house()
            else:
                await self.look(min(self.next_look, key=lambda table_id: self.next_look[table_id]))

    async def send_reminders(self) -> None:
        """As the painter does: sent, and what stood in that chat before is removed."""
        for row in await self.hall.fetch(REMINDERS, self.hall.now):
            table = await self.hall.table(row["table_id"])
            assert table.deal is not None
            assert table.turn is not None
            assert await self.hall.person(table.id, table.turn.seat) == row["chat_id"]
            half = row["args"]["left"] > 2 * HOUR.total_seconds()
            self.reminded[table.id, table.deal.id, len(table.deal.record.moves), half] += 1
            async with self.hall.act() as db:
                await notices.sent(db, row["id"], self.hall.now)
                await reminders.stands(db, row["id"], row["chat_id"], row["id"], self.hall.now)

    async def look(self, table_id: int) -> None:
        """Somebody of a table takes his phone and does what there is to do."""
        table = await self.hall.table(table_id)
        if table.state != "playing":
            del self.next_look[table_id]
            return
        self.next_look[table_id] = self.hall.now + self.reaction()
        what, act = self.wish(table)
        try:
            async with self.hall.act() as db:
                await act(db, Moment(self.hall.now, self.rng))
        except TableError as refusal:
            if refusal.code != "travelled_lately":
                raise
            return
        self.done[what] += 1

    def wish(self, table: Table) -> tuple[str, Callable[[Connection, Moment], Awaitable[object]]]:
        seats = [seat for seat, who in enumerate(table.seats) if who is not None and who.person is not None]
        anybody = _person(table, self.rng.choice(seats))
        chance = self.rng.random()
        if table.offered and chance < 0.3:
            substitute = 10_009 + 10 * self.opened.index(table.id)
            if seat_of(table.seats, substitute) is None:
                seat = table.offered[0]
                return "substitute", partial(_take, table.id, seat, substitute)
        if table.away and chance < 0.3:
            return "back", partial(_call, absence.back, table.id, _person(table, table.away[0]))
        if table.asleep_at is not None:
            return "wake", partial(_call, absence.wake, table.id, anybody)
        if table.paused_at is not None:
            return "resume", partial(_call, pausing.resume, table.id, anybody)
        if chance > 0.985:
            return "travel", partial(_call, pausing.travel, table.id, anybody)
        if chance > 0.975 and len(seats) > 1:
            return "leave", partial(_call, absence.leave, table.id, anybody)
        if table.turn is None:
            return "nothing", _nothing
        return "move", partial(_move, table, table.turn.seat)

    def summary(self, tables_now: list[Table]) -> str:
        ended = sum(table.state != "playing" for table in tables_now)
        return (
            f"{len(tables_now)} tables, {ended} series finished, {len(tables_now) - ended} waiting; "
            f"{dict(sorted(self.done.items()))}; {self.reminded.total()} reminders"
        )


def _person(table: Table, seat: int) -> int:
    who = table.seats[seat]
    assert who is not None
    assert who.person is not None
    return who.person


async def _call(
    act: Callable[[Connection, int, int, Moment], Awaitable[None]],
    table_id: int,
    person: int,
    db: Connection,
    moment: Moment,
) -> None:
    await act(db, table_id, person, moment)


async def _take(table_id: int, seat: int, person: int, db: Connection, moment: Moment) -> None:
    await absence.take_over(db, table_id, seat, person, moment)


async def _nothing(db: Connection, moment: Moment) -> None:
    """He looks and puts the phone away."""


async def _move(table: Table, seat: int, db: Connection, moment: Moment) -> None:
    assert table.deal is not None
    state = final(table.deal.record)
    move = moment.rng.choice([move for move in legal_moves(state) if move.seat == seat])
    mask, person = mask_of(state, move), _person(table, seat)
    await play.press(db, table.id, table.deal.id, state.ply, person, move.verb.value, mask, moment)


@dataclass
class OneConnection:
    """Stands in for a pool where one thing happens after the other: thousands of transactions take half the time."""

    connection: Connection

    @asynccontextmanager
    async def acquire(self) -> AsyncIterator[Connection]:
        yield self.connection


async def test_a_fortnight_by_day_leaves_every_series_finished_or_fairly_waiting(hall: Hall) -> None:
    async with hall.pool.acquire() as connection:
        await live_through_a_fortnight(Hall(cast(Pool, OneConnection(connection))))


async def live_through_a_fortnight(hall: Hall) -> None:
    fortnight = Fortnight(hall, random.Random(14))
    await fortnight.seat_everybody(50)
    await fortnight.live(14)
    ended = [await hall.table(table_id) for table_id in fortnight.opened]
    print("\n" + fortnight.summary(ended))
    assert {"move", "back", "travel", "leave", "substitute", "wake", "resume"} <= fortnight.done.keys()
    assert set(fortnight.reminded.values()) == {1}
    for table in ended:
        assert fairly_waiting(table, hall), table
    made = Counter(
        row["made_by"] for row in await hall.fetch("SELECT made_by FROM moves WHERE made_by <> 'computer'")
    )
    assert made["clock"] > 20
    assert made["person"] == fortnight.done["move"]
    standing = await hall.fetch("SELECT chat_id FROM notices WHERE for_turn AND message_id IS NOT NULL")
    assert max(Counter(row["chat_id"] for row in standing).values(), default=0) <= 1
    waited_for = {
        _person(table, table.turn.seat) for table in ended if table.state == "playing" and table.turn
    }
    assert {row["chat_id"] for row in standing} <= waited_for


def fairly_waiting(table: Table, hall: Hall) -> bool:
    """Over; or asleep; or paused; or the house or a present person acts within the time that the pace allows."""
    if table.state != "playing" or table.asleep_at is not None:
        return True
    if table.act_at is None or table.act_at < hall.now:
        return False
    if table.paused_at is not None:
        return table.turn is None or table.turn.since is None
    if table.turn is None:
        return table.act_at - hall.now <= timedelta(seconds=3)
    return (
        table.turn.seat in table.present
        and table.deadline is not None
        and (table.act_at == table.deadline or table.act_at - hall.now <= timedelta(seconds=3))
        and turns.left(table, hall.now) is not None
    )
