"""`goat bench calls`: what a game costs in calls to Telegram, and how many tables one token holds.

Scripted people play whole series over the sandbox, which enforces Telegram's limits, in time that is left out where
nobody does anything (skipping.py).
"""

import asyncio
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from tgbot.bench import skipping
from tgbot.bench.crowd import EPOCH, Crowd, Ply, crowd_at
from tgbot.bench.report import Options, Report, Row, at_most
from tgbot.bench.scratch import database, fresh
from tgbot.bench.skipping import SkippingLoop
from tgbot.pace import Limits
from tgbot.sandbox.limits import COUNTED

SEED = 1
JUDGED = "5 s a move"
SERIES = (
    ("1 s a move", 1.0, 4),
    (JUDGED, 5.0, 4),
    ("60 s a move", 60.0, 4),
    ("5 s a move against computers", 5.0, 1),
)
"""Name, seconds that a person takes for a move, people at the table. Four computers alone never play: a table without
people falls asleep."""

SMOKE = 5.0
"""Moves' times after which a smoke run has seen enough."""

TABLES = 100
WARM_UP, BUSY = 60.0, 40.0
"""Seconds: until all tables have begun, one after the other, and of play that counts."""

PRICE = 0.25
"""Of a second of work at a hundred tables: there sandbox and people, too, work in the bot's process, and Telegram's
limits are to be seen, not those of one core."""

MADE_AT = "SELECT deal_id, ply + 1 AS ply, at FROM moves UNION ALL SELECT id, 0, started_at FROM deals"
DEALS = "SELECT count(*) FROM deals WHERE ended_at IS NOT NULL"


class Call(NamedTuple):
    """`at` in the loop's seconds."""

    at: float
    method: str
    chat_id: int
    code: int

    @property
    def kind(self) -> str:
        return f"{self.method} {'in a group' if self.chat_id < 0 else 'in private'}"


@dataclass(frozen=True, slots=True)
class Played:
    """`lags`: seconds from a move to the next person's hand; `taps`: from a tapped card to its button to play it.
    `work`: the share of a core that the bot, the sandbox and the people took, at the machine's real price."""

    calls: Sequence[Call]
    moves: int
    deals: int
    lags: Sequence[float]
    taps: Sequence[float]
    seconds: float
    work: float

    @property
    def counted(self) -> list[Call]:
        """What Telegram's limits are about."""
        return [call for call in self.calls if call.method in COUNTED]

    @property
    def a_move(self) -> float:
        return len(self.counted) / self.moves

    @property
    def refused(self) -> int:
        return sum(call.code == 429 for call in self.calls)

    def busiest_minute(self) -> int:
        """Of any group."""
        most = 0
        for chat_id in {call.chat_id for call in self.counted if call.chat_id < 0}:
            times = [call.at for call in self.counted if call.chat_id == chat_id]
            most = max(most, *(sum(at <= other < at + 60 for other in times) for at in times))
        return most


async def play_series(loop: SkippingLoop, dsn: str, pace: float, people: int, brief: bool) -> Played:
    """One table, from the first deal to the goats; a smoke run ends before."""
    async with crowd_at(loop, dsn, SEED) as crowd:
        calls = _listen(crowd)
        begun, worked = loop.time(), time.process_time()
        group = await crowd.seat(pace, people)
        try:
            async with asyncio.timeout(SMOKE * pace if brief else None):
                await crowd.until_over(group)
        except TimeoutError:
            pass
        return await _tally(crowd, calls, begun, worked)


async def play_many(loop: SkippingLoop, dsn: str, pace: float, tables: int, brief: bool) -> Played:
    """So many tables at once; what counts begins when all are at play."""
    async with crowd_at(loop, dsn, SEED) as crowd:
        calls = _listen(crowd)
        for _ in range(tables):
            await crowd.seat(pace)
            await asyncio.sleep(WARM_UP / TABLES)
        await asyncio.sleep(pace)
        crowd.waited.clear()
        calls.clear()
        begun, worked = loop.time(), time.process_time()
        await asyncio.sleep(SMOKE * pace if brief else BUSY)
        return await _tally(crowd, calls, begun, worked)


def _listen(crowd: Crowd) -> list[Call]:
    calls: list[Call] = []

    def heard(kind: str, what: dict[str, object]) -> None:
        if kind == "call":
            chat_id, code = what["chat_id"], what["code"]
            assert isinstance(code, int)
            calls.append(
                Call(crowd.loop.time(), str(what["method"]), chat_id if isinstance(chat_id, int) else 0, code)
            )

    crowd.world.listeners.append(heard)
    return calls


async def _tally(crowd: Crowd, calls: list[Call], begun: float, worked: float) -> Played:
    """Raises what a person ran into."""
    crowd.fail()
    seconds = crowd.loop.time() - begun
    work = (time.process_time() - worked) / seconds
    made_at: dict[Ply, float] = {
        (row["deal_id"], row["ply"]): (row["at"] - EPOCH).total_seconds()
        for row in await crowd.pool.fetch(MADE_AT)
    }
    return Played(
        calls=tuple(calls),
        moves=sum(begun <= at for (_, ply), at in made_at.items() if ply),
        deals=await crowd.pool.fetchval(DEALS),
        lags=[at - made_at[ply] for ply, at in crowd.shown.items() if made_at[ply] >= begun],
        taps=crowd.waited,
        seconds=seconds,
        work=work,
    )


def run(options: Options) -> Report:
    rows: list[Row] = []
    with database() as server:
        for number, (name, pace, people) in enumerate(SERIES):
            options.tell(f"calls: a series, {name}")
            scene = partial(
                play_series,
                dsn=fresh(server, f"series_{number}"),
                pace=pace,
                people=people,
                brief=options.quick,
            )
            rows += series_rows(name, skipping.run(scene, server.port), judged=name == JUDGED)
        tables = 3 if options.quick else TABLES
        options.tell(f"calls: {tables} tables at once")
        scene = partial(play_many, dsn=fresh(server, "hall"), pace=5.0, tables=tables, brief=options.quick)
        rows += busy_rows(tables, skipping.run(scene, server.port, PRICE))
    return Report(
        "Calls: what people at a table cost in calls to Telegram, whose limits count sends and edits",
        tuple(rows),
        (
            "Time in which nobody does anything is left out, work costs its real time. With many tables a second of "
            f"work costs {PRICE} s, since the sandbox and the people work in the bot's process.",
        ),
    )


def series_rows(name: str, played: Played, judged: bool) -> list[Row]:
    by_kind = Counter(call.kind for call in played.calls)
    holds = Limits().a_second * 5 / played.a_move
    return [
        *([Row("tables at 5 s a move that one token serves in full", "tables", (holds,))] if judged else []),
        Row(f"{name}: sends and edits", "a move", (played.a_move,), target=at_most(2.2) if judged else None),
        *(
            Row(f"{name}: {kind}", "a move", (count / played.moves,), detail=True)
            for kind, count in sorted(by_kind.items())
        ),
        Row(f"{name}: all calls", "a deal", (len(played.calls) / max(1, played.deals),), detail=True),
        Row(
            f"{name}: the group's busiest minute",
            "sends and edits",
            (played.busiest_minute(),),
            target=at_most(18),
        ),
        Row(f"{name}: refused with 429", "calls", (played.refused,), target=at_most(0)),
        Row(f"{name}: the next hand is there after, p95", "s", (percentile(played.lags, 95),), detail=True),
    ]


def busy_rows(tables: int, played: Played) -> list[Row]:
    a_second = len(played.counted) / played.seconds
    groups = [call for call in played.counted if call.chat_id < 0]
    return [
        Row(
            f"{tables} tables: the next hand is there after, p95",
            "s",
            (percentile(played.lags, 95),),
            target=at_most(1.5),
        ),
        Row(f"{tables} tables: a chosen card shows after, p95", "s", (percentile(played.taps, 95),)),
        Row(
            f"{tables} tables: a group's table is painted every",
            "s",
            (tables * played.seconds / max(1, len(groups)),),
        ),
        Row(f"{tables} tables: a move every", "s", (tables * played.seconds / played.moves,)),
        Row(f"{tables} tables: sends and edits", "a second", (a_second,)),
        Row(f"{tables} tables: refused with 429", "calls", (played.refused,), target=at_most(0)),
        Row(f"{tables} tables: bot, sandbox and people", "of a core", (played.work,)),
    ]


def percentile(values: Sequence[float], of_100: int) -> float:
    """0 where nothing was measured."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, len(ordered) * of_100 // 100)] if ordered else 0.0
