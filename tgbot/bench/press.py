"""`goat bench press`: button presses over HTTP, from the update to the committed answer.

The yardsticks: an aiogram webhook whose handler does nothing, pressed by the same load, and the locked transaction
that a move can't do without. All of them in turns, each on tables that nobody else plays at meanwhile.
"""

import gc
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import count, islice

import uvloop

from tgbot.bench import locked
from tgbot.bench.hall import Hall, Seated, in_turns
from tgbot.bench.load import Pressed
from tgbot.bench.report import Options, Report, Row, Target, at_least, at_most, compared
from tgbot.bench.stage import Bot, Stage, bot, stage

NOTHING, LOCKED = "aiogram doing nothing", "the locked transaction"
LOWER = "the lower of both"
FASTEST = 3000
"""Presses a second that are made ready; who is faster is done before the time is over."""

UPDATE_IDS = 50_000_000
"""Where the updates of the locked transactions begin, far from those of presses."""

Presses = Callable[[Hall, Sequence[Seated]], Iterable[bytes]]


@dataclass(frozen=True, slots=True)
class Size:
    rounds: int = 3
    seconds: float = 2.0
    tables: int = 128
    connections: tuple[int, ...] = (1, 16, 64)


QUICK = Size(rounds=1, seconds=0.2, tables=4, connections=(1, 4))


@dataclass(slots=True)
class Measured:
    """By what was measured and the number of connections: a Pressed of each round."""

    rounds: dict[tuple[str, int], list[Pressed]] = field(default_factory=lambda: defaultdict(list))

    def rates(self, what: str, connections: int) -> list[float]:
        return [one.rate for one in self.rounds[what, connections]]

    def delays(self, what: str, connections: int, percent: int) -> list[float]:
        return [one.percentile(percent) for one in self.rounds[what, connections]]


def run(options: Options) -> Report:
    size = QUICK if options.quick else Size()
    return uvloop.run(_run(size, options))


async def _run(size: Size, options: Options) -> Report:
    measured = Measured()
    options.tell(f"press: furnishing {size.tables} tables")
    async with (
        stage(size.tables) as on,
        bot(on, "tgbot.bench.goat") as goat,
        bot(on, "tgbot.bench.nothing") as nothing,
    ):
        gc.collect()
        gc.freeze()
        numbers = count(UPDATE_IDS)
        # Once before it counts: pools open their connections, servers plan their statements.
        for number, connections in enumerate((max(size.connections), *size.connections * size.rounds)):
            lanes = in_turns(on.hall.seated, connections)
            turn = {
                "toggle": await _press(on, goat, lanes, Hall.toggles, size.seconds),
                "move": await _move(on, goat, lanes, size.seconds),
                "stale press": await _press(on, goat, lanes, Hall.stale, size.seconds),
                NOTHING: await _press(on, nothing, lanes, Hall.toggles, size.seconds),
                LOCKED: await _lock(on, lanes, size.seconds, numbers),
            }
            options.tell(
                f"press: {connections} connections, "
                + ", ".join(f"{what} {one.rate:.0f}/s" for what, one in turn.items())
            )
            if number:
                for what, one in turn.items():
                    measured.rounds[what, connections].append(one)
    return _report(measured, size)


async def _press(
    on: Stage, target: Bot, lanes: Sequence[Sequence[Seated]], presses: Presses, seconds: float
) -> Pressed:
    most = int(FASTEST * seconds / len(lanes)) + 1
    made = [list(islice(presses(on.hall, lane), most)) for lane in lanes if lane]
    pressed = await target.pressed(made, seconds)
    await on.rewind()
    return pressed


async def _move(on: Stage, goat: Bot, lanes: Sequence[Sequence[Seated]], seconds: float) -> Pressed:
    """Raises RuntimeError when a press that was answered is not in the record: then nothing was measured."""
    pressed = await goat.pressed([list(on.hall.moves(lane)) for lane in lanes if lane], seconds)
    await _must_be_recorded(on, pressed)
    return pressed


async def _lock(
    on: Stage, lanes: Sequence[Sequence[Seated]], seconds: float, numbers: "count[int]"
) -> Pressed:
    pressed = await locked.moves(on.pool, lanes, seconds, numbers)
    await _must_be_recorded(on, pressed)
    return pressed


async def _must_be_recorded(on: Stage, pressed: Pressed) -> None:
    recorded = await on.pool.fetchval("SELECT count(*) FROM moves")
    if recorded != len(pressed.delays):
        raise RuntimeError(f"{len(pressed.delays)} moves were made, {recorded} are recorded")
    await on.rewind()


def _report(measured: Measured, size: Size) -> Report:
    judged = sorted(size.connections)[len(size.connections) // 2]
    rows = [
        row for connections in size.connections for row in _rows(measured, connections, connections == judged)
    ]
    return Report(
        "Press: updates of button presses over HTTP, PostgreSQL with fsync on, one process, the load beside it",
        tuple(rows),
    )


def _rows(measured: Measured, connections: int, judged: bool) -> list[Row]:
    """`judged`: here the targets apply, and delays go into README."""
    at = f"{connections} connection{'s' * (connections > 1)}"
    nothing, lock = measured.rates(NOTHING, connections), measured.rates(LOCKED, connections)
    lower = [min(pair) for pair in zip(nothing, lock, strict=True)]

    def rate(what: str, yardstick: str, yard: Sequence[float], target: Target | None) -> Row:
        rates = measured.rates(what, connections)
        return compared(f"{what}, {at}", "presses/s", rates, yardstick, yard, target if judged else None)

    def delay(what: str, percent: int, target: Target | None) -> Row:
        delays = measured.delays(what, connections, percent)
        yard = measured.delays(NOTHING, connections, percent)
        name = f"{what}, {at}, p{percent}"
        return compared(name, "ms", delays, NOTHING, yard, target if judged else None, detail=not judged)

    rows = [
        rate("toggle", NOTHING, nothing, at_least(0.7)),
        rate("move", LOWER, lower, at_least(0.5)),
        rate("stale press", NOTHING, nothing, None),
        Row(f"{NOTHING}, {at}", "presses/s", tuple(nothing)),
        Row(f"{LOCKED}, {at}", "presses/s", tuple(lock)),
    ]
    for percent in (50, 99):
        rows += [
            delay("toggle", percent, None),
            delay("move", percent, at_most(3) if percent == 99 else None),
            delay("stale press", percent, None),
        ]
        name = f"{NOTHING}, {at}, p{percent}"
        rows.append(Row(name, "ms", tuple(measured.delays(NOTHING, connections, percent)), detail=not judged))
    return rows
