"""`goat arena A B`: which of two computer players is better, and by how much.

Duplicate deals: every pack is played twice, A in team 0 and then A in team 1, so the luck of the cards cancels.
The two plays of a pack are not independent: the pair is the unit of the confidence interval.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterable
from functools import partial
from math import sqrt
from statistics import fmean, stdev
from typing import NamedTuple, TextIO

from core.computer import PLAYERS
from core.computer.arguments import at_least
from core.computer.spread import MOST, processes
from core.computer.table import play_deal
from core.deal import loss
from core.rules import Rules
from core.shuffle import shuffle
from core.state import Deal

CONFIDENT = 1.96
CHUNK = 25


class Played(NamedTuple):
    """One pack, both ways round, as A sees it: its points less B's, its loss points and B's."""

    points: tuple[int, int]
    lost: tuple[int, int]
    charged: tuple[int, int]


class Chunk(NamedTuple):
    played: list[Played]
    seconds: dict[str, list[float]]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("a", choices=sorted(PLAYERS), help="a computer player")
    parser.add_argument("b", choices=sorted(PLAYERS), help="its opponent")
    parser.add_argument(
        "--deals",
        type=at_least(1, 10_000_000),
        default=400,
        help="packs, each played both ways (%(default)s)",
    )
    parser.add_argument("--seed", type=int, default=1, help="what cards come (%(default)s)")
    parser.add_argument("--jobs", type=at_least(1, MOST), default=1, help="processes (%(default)s)")


def run(args: argparse.Namespace, out: TextIO | None = None) -> int:
    """Plays and prints a table; returns the exit status 0."""
    firsts = range(0, args.deals, CHUNK)
    with processes(min(args.jobs, len(firsts))) as spread:
        results = list(spread(partial(_play_from, args.a, args.b, args.seed, args.deals), firsts))
    (out or sys.stdout).write(report(args.a, args.b, results))
    return 0


def _play_from(a: str, b: str, seed: int, deals: int, first: int) -> Chunk:
    return play_chunk(a, b, seed, first, min(CHUNK, deals - first))


def play_chunk(a: str, b: str, seed: int, first: int, count: int) -> Chunk:
    """The packs `first` and so on of a seed. What comes does not depend on how they are cut into chunks."""
    seconds: dict[str, list[float]] = {a: [], b: []}

    def watch(level: str, took: float) -> None:
        seconds[level].append(took)

    played = []
    for number in range(first, first + count):
        rng = random.Random(f"arena/{seed}/{number}")  # noqa: S311 - no secret, must repeat
        pack = shuffle(rng, number % 4, (number + 1) % 4)
        one = play_deal(pack, (a, b, a, b), number, watch=watch)
        other = play_deal(pack, (b, a, b, a), number, watch=watch)
        played.append(_as_a_sees(one, other))
    return Chunk(played, seconds)


def _as_a_sees(one: Deal, other: Deal) -> Played:
    first, second = loss(one), loss(other)
    return Played(
        (one.points[0] - one.points[1], other.points[1] - other.points[0]),
        (first[0], second[1]),
        (first[1], second[0]),
    )


def report(a: str, b: str, chunks: Iterable[Chunk]) -> str:
    """The table. Points and loss points are A's less B's, a deal."""
    chunks = list(chunks)
    played = [one for chunk in chunks for one in chunk.played]
    points = [fmean(one.points) for one in played]
    spared = [fmean(one.charged) - fmean(one.lost) for one in played]
    deals = [fmean([0.5 + (point > 0) / 2 - (point < 0) / 2 for point in one.points]) for one in played]
    won, series = series_won(played)
    lines = [
        f"{a} against {b}: {len(played)} packs, each played both ways",
        f"points a deal      {_interval(points)}   (own less theirs)",
        f"loss points a deal {_interval(spared)}   (theirs less own)",
        f"deals won          {_interval([100 * one for one in deals])} %",
        f"series won         {100 * won / series:+7.1f} % of {series}"
        if series
        else "series won         none ended",
    ]
    for level in dict.fromkeys((a, b)):
        times = sorted([took for chunk in chunks for took in chunk.seconds[level]])
        p50, p95, p99 = [1000 * times[int(len(times) * share)] for share in (0.5, 0.95, 0.99)]
        lines.append(f"CPU a move, {level:<7} p50 {p50:.2f} ms, p95 {p95:.2f} ms, p99 {p99:.2f} ms")
    return "\n".join(lines) + "\n"


def _interval(values: list[float]) -> str:
    spread = CONFIDENT * stdev(values) / sqrt(len(values)) if len(values) > 1 else float("nan")
    return f"{fmean(values):+7.2f} ± {spread:.2f}"


def series_won(played: list[Played]) -> tuple[int, int]:
    """Series that A wins, and all that ended: loss points of consecutive packs, once for each way round."""
    length = Rules().series_length
    won = ended = 0
    for way in (0, 1):
        lost = charged = 0
        for one in played:
            lost += one.lost[way]
            charged += one.charged[way]
            if max(lost, charged) >= length:
                won += charged >= length
                ended += 1
                lost = charged = 0
    return won, ended
