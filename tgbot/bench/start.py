"""`goat bench start`: from exec to the first press that is answered, and memory, beside an aiogram webhook that does
nothing. The memory after many presses is that of the very processes that took them.
"""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import islice

import uvloop

from tgbot.bench import load
from tgbot.bench.hall import Hall, in_turns
from tgbot.bench.report import Options, Report, Row, at_most, compared
from tgbot.bench.stage import Bot, Stage, bot, stage

NOTHING = "aiogram doing nothing"
GOAT_RUN = ("tgbot", "run")
GOAT, IDLE = ("tgbot.bench.goat",), ("tgbot.bench.nothing",)

LANES = 16
A_BATCH = 5_000
"""Toggles between two looks at the memory; moves and stale presses come on top."""

TOGGLES_A_MOVE, TOGGLES_A_STALE = 20, 40

LONGEST = 600.0
"""Seconds that one batch may take."""

GRAIN = 1.02
"""What counts as no growth: the allocator's own pages come and go."""


@dataclass(frozen=True, slots=True)
class Size:
    """`within`: seconds for all presses; those that were not made by then are left out, and the rows say so."""

    rounds: int = 3
    tables: int = 64
    presses: int = 100_000
    within: float = 150.0


QUICK = Size(rounds=1, tables=4, presses=200, within=10.0)


@dataclass(slots=True)
class Grown:
    """Memory in MB after so many presses."""

    at: list[tuple[int, float]] = field(default_factory=list)

    def after(self, presses: int) -> float:
        """At the first look when so many, or more, were made."""
        return next(memory for made, memory in self.at if made >= presses)


def run(options: Options) -> Report:
    return uvloop.run(_run(QUICK if options.quick else Size(), options))


async def _run(size: Size, options: Options) -> Report:
    times: dict[tuple[str, ...], list[float]] = {GOAT_RUN: [], IDLE: []}
    fresh: dict[tuple[str, ...], list[float]] = {GOAT_RUN: [], IDLE: []}
    async with stage(size.tables) as on:
        for _ in range(size.rounds):
            for command in (GOAT_RUN, IDLE):
                seconds, memory = await _started(on, command)
                times[command].append(seconds)
                fresh[command].append(memory)
        options.tell(
            f"start: {times[GOAT_RUN][-1]:.1f} s and {times[IDLE][-1]:.1f} s; now {size.presses} presses"
        )
        async with bot(on, *GOAT) as goat, bot(on, *IDLE) as idle:
            # Side by side: nothing is timed here, and one after the other would take as long again.
            grown, idle_grown = await asyncio.gather(
                _grow(on, goat, size, everything=True), _grow(on, idle, size, everything=False)
            )
    made = min(grown.at[-1][0], idle_grown.at[-1][0])
    options.tell(f"start: {made} presses made")
    half = grown.after(made // 2)
    rows = (
        compared(
            "from exec to the first press answered", "s", times[GOAT_RUN], NOTHING, times[IDLE], at_most(1.3)
        ),
        compared("memory at the start", "MB", fresh[GOAT_RUN], NOTHING, fresh[IDLE], at_most(1.3)),
        compared(
            f"memory after {made:,} presses",
            "MB",
            [grown.after(made)],
            NOTHING,
            [idle_grown.after(made)],
            at_most(1.3),
        ),
        compared(
            f"memory after {made:,} presses",
            "MB",
            [grown.after(made)],
            f"after {made // 2:,}",
            [half],
            at_most(GRAIN),
        ),
        Row(f"{NOTHING}: the first press answered", "s", tuple(times[IDLE]), detail=True),
        Row(f"{NOTHING}: memory at the start", "MB", tuple(fresh[IDLE]), detail=True),
    )
    return Report("Start and memory: one process, presses mixed of toggles, moves and stale ones", rows)


async def _started(on: Stage, command: Sequence[str]) -> tuple[float, float]:
    """Seconds from exec to the first press answered, and the memory then."""
    first = [list(islice(on.hall.toggles(on.hall.seated), 1))]
    begun = time.perf_counter()
    async with bot(on, *command) as target:
        await load.press(target.plan(first, LONGEST))
        return time.perf_counter() - begun, target.memory


async def _grow(on: Stage, target: Bot, size: Size, *, everything: bool) -> Grown:
    """Looks at the memory now and then while it is pressed; `everything`: moves and stale presses too."""
    grown = Grown()
    until = time.monotonic() + size.within
    made = 0
    lanes = in_turns(on.hall.seated, min(LANES, len(on.hall.seated)))
    while made < size.presses and time.monotonic() < until:
        batch = min(A_BATCH, size.presses) // len(lanes)
        kinds = [[list(islice(Hall.toggles(on.hall, lane), batch)) for lane in lanes]]
        if everything:
            for presses, rarely in ((Hall.moves, TOGGLES_A_MOVE), (Hall.stale, TOGGLES_A_STALE)):
                kinds.append([list(islice(presses(on.hall, lane), batch // rarely + 1)) for lane in lanes])
        for kind in kinds:
            made += len((await target.pressed(kind, LONGEST)).delays)
        if everything:
            await on.rewind()
        grown.at.append((made, target.memory))
    return grown
