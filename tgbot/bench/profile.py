"""`goat bench profile`: where the time of a move goes, by the meter of tgbot.bench.meter; its overhead by plain goat in
turns with it.
"""

import asyncio
import json
import os
import signal
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import uvloop

from tgbot.bench import meter
from tgbot.bench.hall import Seated, in_turns
from tgbot.bench.load import Pressed
from tgbot.bench.report import Options, Report, Row, compared
from tgbot.bench.stage import Stage, bot, stage

ALL = "processor time of a move"
MOVE = "from a press to its response, mean"
SERVER = "HTTP server and event loop"


@dataclass(frozen=True, slots=True)
class Size:
    rounds: int = 3
    tables: int = 96
    seconds: float = 4.0
    warm: float = 1.5
    lanes: int = 1


QUICK = Size(rounds=1, tables=4, seconds=0.5, warm=0.2)


@dataclass(frozen=True, slots=True)
class Profile:
    """Milliseconds for each move. `used` is processor time by part, `waited` from asking to having it."""

    used: dict[str, float]
    waited: dict[str, float]
    process: float
    pressed: Pressed


def run(options: Options) -> Report:
    return uvloop.run(_run(QUICK if options.quick else Size(), options))


async def _run(size: Size, options: Options) -> Report:
    metered: list[Profile] = []
    plain: list[Pressed] = []
    async with stage(size.tables) as on:
        half = len(on.hall.seated) // 4
        warm, measured = on.hall.seated[:half], on.hall.seated[half:]
        for number in range(size.rounds):
            with tempfile.TemporaryDirectory() as folder:
                file = Path(folder, "meter")
                _, profile = await _moves(on, ("tgbot.bench.meter", str(file)), warm, measured, size, file)
            assert profile is not None
            metered.append(profile)
            pressed, _ = await _moves(on, ("tgbot.bench.goat",), warm, measured, size, None)
            plain.append(pressed)
            options.tell(f"profile: round {number + 1}, {profile.process:.2f} ms a move")
    return _report(metered, plain)


async def _moves(
    on: Stage,
    command: Sequence[str],
    warm: Sequence[Seated],
    measured: Sequence[Seated],
    size: Size,
    file: Path | None,
) -> tuple[Pressed, Profile | None]:
    async with bot(on, *command) as target:
        await target.pressed([list(on.hall.moves(lane)) for lane in in_turns(warm, size.lanes)], size.warm)
        lanes = [list(on.hall.moves(lane)) for lane in in_turns(measured, size.lanes)]
        before = await _snapshot(target.process.pid, file)
        pressed = await target.pressed(lanes, size.seconds)
        after = await _snapshot(target.process.pid, file)
    await on.rewind()
    return pressed, None if file is None else _difference(before, after, pressed)


async def _snapshot(pid: int, file: Path | None) -> dict[str, Any]:
    if file is None:
        return {}
    before = len(_lines(file))
    os.kill(pid, signal.SIGUSR1)
    async with asyncio.timeout(10):
        while len(_lines(file)) == before:  # noqa: ASYNC110 - the file is all that we hear of another process
            await asyncio.sleep(0.01)
    return dict(json.loads(_lines(file)[-1]))


def _lines(file: Path) -> list[str]:
    return file.read_text().splitlines() if file.exists() else []


def _difference(before: dict[str, Any], after: dict[str, Any], pressed: Pressed) -> Profile:
    moves = after["presses"] - before["presses"]

    def each(now: dict[str, float], then: dict[str, float]) -> dict[str, float]:
        return {part: 1000 * (seconds - then.get(part, 0.0)) / moves for part, seconds in now.items()}

    return Profile(
        each(after["used"], before["used"]),
        each(after["waited"], before["waited"]),
        1000 * (after["process"] - before["process"]) / moves,
        pressed,
    )


def _report(metered: Sequence[Profile], plain: Sequence[Pressed]) -> Report:
    whole = [profile.process for profile in metered]

    def part(name: str, values: Sequence[float]) -> Row:
        return compared(name, "ms", values, ALL, whole)

    rows = [part(name, [profile.used.get(name, 0.0) for profile in metered]) for name in meter.PARTS]
    rest = [profile.process - sum(profile.used.values()) for profile in metered]
    delays = [_mean(profile.pressed) for profile in metered]
    commits = [profile.waited[meter.COMMIT] for profile in metered]
    others = [profile.waited[meter.DATABASE] - profile.waited[meter.COMMIT] for profile in metered]
    rows += [
        part(SERVER, rest),
        Row(ALL, "ms", tuple(whole)),
        compared(MOVE, "ms", delays, "without the meter", [_mean(one) for one in plain]),
        compared("of that, waiting for begin and commit", "ms", commits, MOVE, delays),
        compared("of that, waiting for other statements", "ms", others, MOVE, delays),
    ]
    title = "Profile: where the time of a move goes, one press at a time, the painter at work beside it"
    return Report(title, tuple(rows))


def _mean(pressed: Pressed) -> float:
    return sum(pressed.delays) / len(pressed.delays)
