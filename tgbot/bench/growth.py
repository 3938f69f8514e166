"""`goat bench growth`: whether anything takes longer once the database has seen years.

The same acts are measured in turns on a small, a middling and a big database of one server; start and memory are those
of the real process.
"""

import asyncio
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

import aiohttp
import asyncpg

from core.cards import cards_of
from core.deal import legal_moves
from core.record import final
from db import chats, deals, heartbeat, notices, screens, tables
from db.pool import Pool, open_pool
from tgbot.bench.archive import ASLEEP, FOUR, NOW, fill, open_table, play_a_series
from tgbot.bench.report import Options, Report, Row, at_most, compared
from tgbot.bench.scratch import database, fresh
from tgbot.play import OWN, free_port
from tgbot.sandbox import server as sandbox_server
from tgbot.sandbox.world import World
from tgbot.services import people, play
from tgbot.services.moment import Moment
from tgbot.settings import HEALTH_PATH

SIZES = {"small": (100, 100), "middling": (10_000, 10_000), "big": (1_000_000, 100_000)}
SMOKE_SIZES = {"small": (100, 10), "middling": (200, 20), "big": (400, 40)}
"""Finished deals and sleeping tables."""

ROUNDS, TIMES = 9, 40
"""Of each act so many times in a round, of which the median counts."""

STARTS = 3
START_WITHIN = 60.0
NO_WORSE = at_most(1.2)


@dataclass
class House:
    """One database, with a table at play."""

    pool: Pool
    dsn: str
    chance: random.Random
    table: int = 0
    series: int = 0
    seconds: dict[str, list[float]] = field(default_factory=dict)

    @property
    def moment(self) -> Moment:
        return Moment(NOW, self.chance)

    async def move(self) -> Callable[[], Awaitable[object]]:
        """A random move of whose turn it is, as his press makes it; a series that is over begins anew."""
        async with self.pool.acquire() as db:
            table = await tables.read(db, self.table)
            if table is not None and table.deal is None and table.series is not None:
                async with db.transaction():
                    await play.again(db, self.table, table.series.id, FOUR[0], self.moment)
                table = await tables.read(db, self.table)
        if table is None or table.deal is None:
            raise RuntimeError("nothing is played at the table")
        deal, state = table.deal, final(table.deal.record)
        move = self.chance.choice(legal_moves(state))
        who = table.seats[move.seat]
        assert who is not None
        assert who.person is not None
        person, verb = who.person, move.verb.value
        mask = sum(
            1 << bit for bit, card in enumerate(cards_of(state.hands[move.seat])) if move.cards >> card & 1
        )

        async def act() -> None:
            async with self.pool.acquire() as db, db.transaction():
                await play.press(db, self.table, deal.id, state.ply, person, verb, mask, self.moment)

        return act

    async def my_tables(self) -> Callable[[], Awaitable[object]]:
        """What /tables asks, of somebody who sits at four of those that sleep."""

        async def act() -> None:
            async with self.pool.acquire() as db:
                if len(await people.my_tables(db, ASLEEP + 1)) != 4:
                    raise RuntimeError("he sits at four tables")

        return act

    async def result(self) -> Callable[[], Awaitable[object]]:
        """What the result of a series asks: its score, all its deals, and the record of the last one."""

        async def act() -> None:
            async with self.pool.acquire() as db:
                await deals.series_state(db, self.series)
                finished = await deals.finished(db, self.series)
                await deals.record_of(db, finished[-1].id)

        return act

    async def tick(self) -> Callable[[], Awaitable[object]]:
        """What the clock asks when nothing is due."""

        async def act() -> None:
            async with self.pool.acquire() as db, db.transaction():
                await heartbeat.beat(db, NOW)
                await tables.claim_due(db, NOW - timedelta(days=1), 1)
            async with self.pool.acquire() as db:
                await tables.next_due(db)

        return act

    async def look(self) -> Callable[[], Awaitable[object]]:
        """What the painter asks in a round."""

        async def act() -> None:
            async with self.pool.acquire() as db:
                await chats.mute_with_work(db)
                await screens.stale(db, NOW - timedelta(days=1))
                await notices.unsent(db, NOW - timedelta(days=1))
                await screens.next_paint(db, NOW)
                await notices.next_send(db, NOW)

        return act


ACTS: dict[str, Callable[[House], Awaitable[Callable[[], Awaitable[object]]]]] = {
    "a move": House.move,
    "/tables": House.my_tables,
    "the result of a series": House.result,
    "a tick of the clock": House.tick,
    "a look of the painter": House.look,
}

PLANS = {
    "tables.READ": (tables.READ, 1),
    "tables.OF_PLAYER": (tables.OF_PLAYER, ASLEEP + 1),
    "deals.FINISHED": (deals.FINISHED, 1),
    "deals.RECORD": (deals.RECORD, 1),
}
"""Statements whose plans are shown, with a number that each of them may be asked for."""


def run(options: Options) -> Report:
    sizes = SMOKE_SIZES if options.quick else SIZES
    with database() as server:
        dsns = {size: fresh(server, size) for size in sizes}
        return asyncio.run(_measured(dsns, sizes, options))


async def _measured(dsns: dict[str, str], sizes: dict[str, tuple[int, int]], options: Options) -> Report:
    rounds, times, starts = (2, 3, 1) if options.quick else (ROUNDS, TIMES, STARTS)
    async with AsyncExitStack() as stack:
        houses = {}
        for size, (finished, asleep) in sizes.items():
            begun = time.monotonic()
            houses[size] = await _furnished(stack, dsns[size], finished, asleep)
            options.tell(f"growth: {size}, {finished:,} deals, took {time.monotonic() - begun:.0f} s to fill")
        for _ in range(rounds):
            for name, act in ACTS.items():
                for house in houses.values():
                    house.seconds.setdefault(name, []).append(await _median(act, house, times))
        options.tell("growth: starts and memory")
        sandbox = await sandbox_server.start(World())
        try:
            for _ in range(starts):
                for house in houses.values():
                    seconds, memory = await _started(house.dsn, sandbox)
                    house.seconds.setdefault("start", []).append(seconds)
                    house.seconds.setdefault("memory", []).append(memory)
        finally:
            await sandbox.stop()
        plans = await _plans(houses["big"].pool)
    rows: list[Row] = []
    yard = houses["small"].seconds
    for size, house in houses.items():
        finished, asleep = sizes[size]
        for name, values in house.seconds.items():
            unit, factor = {"start": ("s", 1.0), "memory": ("MB", 1.0)}.get(name, ("ms", 1000.0))
            scaled = [value * factor for value in values]
            title = f"{name}, {finished:,} deals and {asleep:,} sleeping tables"
            if size == "small":
                rows.append(Row(title, unit, tuple(scaled)))
                continue
            small = [value * factor for value in yard[name]]
            rows.append(compared(title, unit, scaled, "small", small, NO_WORSE, detail=size == "middling"))
    rows.sort(key=lambda row: [*ACTS, "start", "memory"].index(row.name.split(", ")[0]))
    return Report("Growth: the same acts on a small database and on big ones", tuple(rows), plans)


async def _furnished(stack: AsyncExitStack, dsn: str, finished: int, asleep: int) -> House:
    pool = await open_pool(dsn)
    stack.push_async_callback(pool.close)
    chance = random.Random(1)  # noqa: S311 - must repeat
    async with pool.acquire() as db, db.transaction():
        pattern = await play_a_series(db, chance)
    # A connection without goat's timeouts: filling takes longer than a statement in service may.
    filling = await asyncpg.connect(dsn)
    try:
        await fill(filling, pattern, finished, asleep)
    finally:
        await filling.close()
    assert pattern.series is not None
    async with pool.acquire() as db:
        table = await open_table(db, -2, Moment(NOW, chance))
    return House(pool, dsn, chance, table, pattern.series.id)


async def _median(
    make: Callable[[House], Awaitable[Callable[[], Awaitable[object]]]], house: House, times: int
) -> float:
    """Seconds of one act; what prepares it doesn't count."""
    took = []
    for _ in range(times):
        act = await make(house)
        begun = time.perf_counter()
        await act()
        took.append(time.perf_counter() - begun)
    return sorted(took)[len(took) // 2]


async def _started(dsn: str, sandbox: sandbox_server.Running) -> tuple[float, float]:
    """`goat run` on this database: seconds until it is healthy, and its resident MB then."""
    port = free_port()
    environment = {name: value for name, value in os.environ.items() if name not in OWN} | {
        "BOT_TOKEN": sandbox.token,
        "DATABASE_URL": dsn,
        "TELEGRAM_API_URL": sandbox.url,
        "WEBHOOK_URL": f"http://127.0.0.1:{port}",
        "PORT": str(port),
        "LOG_LEVEL": "WARNING",
    }
    begun = time.perf_counter()
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tgbot", "run", env=environment, stdin=subprocess.DEVNULL
    )
    try:
        async with asyncio.timeout(START_WITHIN), aiohttp.ClientSession() as session:
            while not await _healthy(session, port):
                if process.returncode is not None:
                    raise RuntimeError("the bot did not start; what it says stands above")
                await asyncio.sleep(0.01)
        seconds = time.perf_counter() - begun
        return seconds, _resident(process.pid)
    finally:
        if process.returncode is None:
            process.send_signal(signal.SIGTERM)
            await process.wait()


def _resident(pid: int) -> float:
    """MB of memory that the process holds."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    resident = next(line for line in status.splitlines() if line.startswith("VmRSS:"))
    return int(resident.split()[1]) / 1024


async def _healthy(session: aiohttp.ClientSession, port: int) -> bool:
    try:
        async with session.get(f"http://127.0.0.1:{port}{HEALTH_PATH}") as response:
            return response.status == 200
    except aiohttp.ClientError:
        return False


async def _plans(pool: Pool) -> tuple[str, ...]:
    """How the big database finds what it is asked for; a scan of a whole table would stand here."""
    asked: dict[str, tuple[str, Sequence[object]]] = {
        name: (statement, (number,)) for name, (statement, number) in PLANS.items()
    }
    asked["tables.CLAIM_DUE"] = (tables.CLAIM_DUE, (NOW, 1, []))
    asked["screens.MARK"] = (screens.MARK, (1, ["hand"], [FOUR[0]], [screens.NOW], [True], [NOW]))
    asked["notices.UNSENT"] = (notices.UNSENT, (NOW, [], 100))
    asked["screens.STALE"] = (screens.STALE, (NOW, [], 100, []))
    asked["chats.MUTE_WITH_WORK"] = (chats.MUTE_WITH_WORK, ())
    plans = []
    async with pool.acquire() as db, db.transaction():
        for name, (statement, values) in asked.items():
            lines = [row[0] for row in await db.fetch(f"EXPLAIN (COSTS OFF) {statement}", *values)]
            plans.append("\n".join([f"{name}:", *lines]))
    return tuple(plans)
