"""`goat bench thinking`: how long computer players take for a move, and what strong ones cost those who press.

Fifty tables of strong computers play at a bot that serves people at other tables. In turns they stand still and play:
the delay of presses in the one case is the yardstick of the other.
"""

import asyncio
import gc
import json
import random
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path
from statistics import quantiles
from time import process_time

import uvloop

from core import computer
from core.deal import play
from core.shuffle import shuffle
from core.state import Phase, start
from core.table import Occupant
from core.view import SeatView, view
from db import screens, tables
from db.connection import Connection
from tgbot.bench.hall import Hall, Seated, in_turns
from tgbot.bench.load import Pressed
from tgbot.bench.report import Options, Report, Row, Target, at_most, compared
from tgbot.bench.stage import SETTLE, START_WITHIN, Bot, Stage, bot, stage
from tgbot.services.deals import THINKING

STILL, PLAYING = "the same while they stand still", "fifty tables of strong computers play"

PAUSE = 0.02
"""Seconds between an answer and the next press: people press now and then, and leave the bot time to play."""


@dataclass(frozen=True, slots=True)
class Size:
    """`moves`: of each level in each round. A deal lasts about a minute, so `rounds` of `seconds` must be shorter."""

    rounds: int = 3
    seconds: float = 8.0
    thinking: int = 50
    pressing: int = 8
    moves: dict[str, int] = field(default_factory=lambda: {"easy": 300, "steady": 300, "strong": 150})


QUICK = Size(rounds=1, seconds=0.3, thinking=2, pressing=1, moves={"easy": 5, "steady": 5, "strong": 2})

STEP = 5
"""Of so many turns one is measured. Were it a multiple of a trick's four, it would be leads alone."""

PERCENTILES = (50, 95, 99)

Times = dict[str, list[dict[int, float]]]
"""By what was measured: of each round, milliseconds by percentile."""


def run(options: Options) -> Report:
    return uvloop.run(_run(QUICK if options.quick else Size(), options))


async def _run(size: Size, options: Options) -> Report:
    times: Times = defaultdict(list)
    gc.collect()
    gc.freeze()
    for number in range(size.rounds):
        for level, moves in size.moves.items():
            times[level].append(percentiles(list(move_times(level, moves, number))))
    options.tell("thinking: each level alone is measured")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "thoughts.json"
        async with stage(size.thinking + size.pressing) as on:
            thinking, pressing = on.hall.seated[: size.thinking], on.hall.seated[size.thinking :]
            async with on.pool.acquire() as db, db.transaction():
                for one in thinking:
                    await seat_computers(db, one)
            async with bot(on, "tgbot.bench.thoughtful", str(file)) as goat:
                await _in_turns(on, goat, thinking, pressing, times, size, options)
            gaps = await _gaps(on, thinking)
        told = json.loads(file.read_text(encoding="utf-8"))
    return _report(times, told["answered"], told["missed"], gaps)


async def _in_turns(
    on: Stage,
    goat: Bot,
    thinking: Sequence[Seated],
    pressing: Sequence[Seated],
    times: Times,
    size: Size,
    options: Options,
) -> None:
    await _warm_up(on, thinking)
    for _ in range(size.rounds):
        still = await _press(on, goat, pressing, size.seconds)
        async with on.pool.acquire() as db:
            await go_on(db, thinking)
        playing = await _press(on, goat, pressing, size.seconds)
        async with on.pool.acquire() as db:
            await stand_still(db, thinking)
        await asyncio.sleep(SETTLE)
        times[STILL].append(percentiles(still.delays))
        times[PLAYING].append(percentiles(playing.delays))
        options.tell(
            f"thinking: a press takes {still.percentile(50):.1f} ms, while they play {playing.percentile(50):.1f} ms"
        )


async def _warm_up(on: Stage, thinking: Sequence[Seated]) -> None:
    """Until every table has seen a few moves. Raises TimeoutError when they don't play."""
    async with on.pool.acquire() as db, asyncio.timeout(START_WITHIN):
        await go_on(db, thinking)
        while await db.fetchval(FEWEST, [one.deal for one in thinking]) < 3:  # noqa: ASYNC110
            await asyncio.sleep(0.1)
        await stand_still(db, thinking)
    await asyncio.sleep(SETTLE)


async def _press(on: Stage, goat: Bot, pressing: Sequence[Seated], seconds: float) -> Pressed:
    lanes = in_turns(pressing, 1)
    made = [list(islice(Hall.toggles(on.hall, lane), int(seconds / PAUSE) + 1)) for lane in lanes]
    return await goat.pressed(made, seconds, PAUSE)


def move_times(level: str, moves: int, seed: int) -> Iterator[float]:
    """Milliseconds of CPU that so many moves of a level take, at turns of deals that steady players play."""
    rng = random.Random(seed)  # noqa: S311 - must repeat
    sample = sampled(rng)
    computer.choose(next(sample), rng, level)  # reads what the level has learned
    for seen in islice(sample, moves):
        begun = process_time()
        computer.choose(seen, rng, level)
        yield 1000 * (process_time() - begun)


def sampled(rng: random.Random) -> Iterator[SeatView]:
    """Turns of one deal after the other, from every place in a trick."""
    while True:
        yield from islice(turns(rng), 0, None, STEP)


def turns(rng: random.Random) -> Iterator[SeatView]:
    """What steady players see in a deal, turn by turn, where there is a choice."""
    deal = start(shuffle(rng, 0, 1))
    while deal.turn is not None:
        seen = view(deal, deal.turn)
        if len(seen.legal) > 1 and deal.phase is not Phase.OFFER:
            yield seen
        move = computer.choose(seen, rng, "steady")
        if move is None:
            raise RuntimeError("whose turn it is has no move")
        deal = play(deal, move)


async def seat_computers(db: Connection, one: Seated) -> None:
    """Four strong ones, who stand still."""
    table = await tables.lock(db, one.table)
    if table is None:
        raise RuntimeError(f"table {one.table} is gone")
    strong = Occupant(computer="strong")
    await tables.save_seats(db, table, (strong, strong, strong, strong), datetime.now(UTC))
    await screens.finish(db, one.table, "hand", datetime.now(UTC))
    await stand_still(db, [one])


async def go_on(db: Connection, thinking: Sequence[Seated]) -> None:
    """Each after a pause of its own, as when its last move had just been made."""
    await db.execute(
        "UPDATE tables SET act_at = now() + $2::interval + $3::interval * random(), version = version + 1 "
        "WHERE id = ANY ($1) AND asleep_at IS NULL",
        [one.table for one in thinking],
        timedelta(seconds=THINKING[0]),
        timedelta(seconds=THINKING[1] - THINKING[0]),
    )
    await db.execute("SELECT pg_notify('goat', '')")


async def stand_still(db: Connection, thinking: Sequence[Seated]) -> None:
    await db.execute(
        "UPDATE tables SET act_at = NULL, version = version + 1 WHERE id = ANY ($1)",
        [one.table for one in thinking],
    )


FEWEST = """
SELECT min(moves) FROM (
    SELECT count(m.ply) AS moves FROM unnest($1::bigint[]) deal LEFT JOIN moves m ON m.deal_id = deal GROUP BY deal
) played
"""

GAPS = """
SELECT extract(epoch FROM gap) AS seconds FROM (
    SELECT at - lag(at) OVER (PARTITION BY deal_id ORDER BY ply) AS gap FROM moves WHERE deal_id = ANY ($1)
) gaps WHERE gap < '6 s'
"""


async def _gaps(on: Stage, thinking: Sequence[Seated]) -> list[float]:
    """Seconds between two moves of computers; longer ones lie in between the rounds."""
    async with on.pool.acquire() as db:
        rows = await db.fetch(GAPS, [one.deal for one in thinking])
    return [float(row["seconds"]) for row in rows]


def percentiles(values: Sequence[float]) -> dict[int, float]:
    found = quantiles(values, n=100, method="inclusive")
    return {percent: found[percent - 1] for percent in PERCENTILES}


def _report(times: Times, answered: Sequence[float], missed: int, gaps: Sequence[float]) -> Report:
    def rows(
        name: str, unit: str, rounds: Sequence[dict[int, float]], target: Target | None = None
    ) -> list[Row]:
        return [
            Row(
                f"{name}, p{percent}",
                unit,
                tuple(one[percent] for one in rounds),
                target=target if percent == 95 else None,
                detail=percent == 95 and target is None,
            )
            for percent in PERCENTILES
        ]

    found = []
    for level in computer.LEVELS:
        target = at_most(150) if level == "strong" else None
        found += rows(f"{level}, alone", "ms of CPU", times[level], target)
    found += rows("strong, asked for fifty tables", "ms", [percentiles(answered)])
    in_time = 100 * len(answered) / (len(answered) + missed)
    found.append(Row("strong, asked for fifty tables, answered in time", "%", (in_time,)))
    found += rows("between two moves of computers at one of them", "s", [percentiles(gaps)])
    for percent in PERCENTILES:
        playing, still = ([one[percent] for one in times[what]] for what in (PLAYING, STILL))
        detail = percent == 95
        found.append(
            compared(f"toggle while {PLAYING}, p{percent}", "ms", playing, STILL, still, detail=detail)
        )
    found += rows("toggle while they stand still", "ms", times[STILL])
    return Report(
        "Thinking: a move of each level of computers, and fifty tables of strong ones at the process that people press",
        tuple(found),
    )
