"""`goat tune`: the steady player's weights by self-play; with `--values`, what hands are worth; with `--beliefs`,
what players pass and keep; with `--judge`, the judge's weights.

An evolution strategy with mirrored samples: in each duel the weights plus a random step play the weights
minus it, on duplicate deals that both play with the same cards; the mean of the steps, weighted by their
margins, is the way to go. Duels cancel the luck of the cards twice, so a few dozen pairs are enough for one.
"""

from __future__ import annotations

import argparse
import random
import sys
from importlib.util import find_spec
from statistics import fmean
from typing import TextIO

from core.computer import beliefs, judge
from core.computer.arguments import at_least, positive
from core.computer.learn import learn
from core.computer.learn import show as show_table
from core.computer.selfplay import margin, packs
from core.computer.spread import MOST
from core.computer.steady import STEADY, Steady
from core.computer.weights import TUNED, Weights

DUELS = 12
"""Duels a round."""

LESSONS = 20
"""Deals that a judge is taught from at least: fewer say nothing, neither to it nor about it."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--rounds",
        type=at_least(1),
        help="steps of the evolution strategy (40), or rounds of a judge's teaching (3)",
    )
    parser.add_argument(
        "--deals", type=at_least(1), default=60, help="duplicate deals in a duel (%(default)s)"
    )
    parser.add_argument("--seed", type=int, default=1, help="what cards and steps come (%(default)s)")
    parser.add_argument(
        "--step", type=positive, default=0.2, help="size of a step, relative to each weight (%(default)s)"
    )
    other = parser.add_mutually_exclusive_group()
    other.add_argument(
        "--values",
        type=at_least(1),
        metavar="DEALS",
        help="learn the values of hands from so many deals instead",
    )
    other.add_argument(
        "--beliefs",
        type=at_least(1),
        metavar="DEALS",
        help="count what is passed and kept in so many deals instead",
    )
    other.add_argument(
        "--judge",
        type=at_least(LESSONS),
        metavar="DEALS",
        help="teach a judge from so many deals a round instead",
    )
    parser.add_argument(
        "--epochs", type=at_least(1), default=6, help="how often it is shown each decision (%(default)s)"
    )
    parser.add_argument(
        "--jobs", type=at_least(1, MOST), default=1, help="processes that play for it (%(default)s)"
    )


def run(args: argparse.Namespace, out: TextIO | None = None, err: TextIO | None = None) -> int:
    """Prints the weights after every tenth round and at the end, or what else was asked for; returns the exit status."""
    out, err = out or sys.stdout, err or sys.stderr
    if args.judge:
        return _teach(args, out, err)
    if args.values:
        learned = learn(args.seed, args.values, STEADY)
        out.write(show_table("HANDS", learned.hands) + show_table("KEPT", learned.kept))
        return 0
    if args.beliefs:
        passed, held = beliefs.count(packs(args.seed, args.beliefs), STEADY)
        out.write(beliefs.show("PASSED", passed) + beliefs.show("HELD", held))
        return 0
    start = TUNED
    weights = start
    pace = [0.0] * len(weights)
    rng = random.Random(args.seed)  # noqa: S311 - no secret, must repeat
    rounds = args.rounds or 40
    for number in range(rounds):
        weights, pace = improve(weights, pace, rng, args.deals, args.step)
        if number % 10 == 9 or number + 1 == rounds:
            against = fmean(
                [margin(pack, Steady(weights), Steady(start)) for pack in packs(-args.seed, 10 * args.deals)]
            )
            out.write(f"# round {number + 1}: {against:+.2f} points a deal against the start\n")
            out.write(show(weights))
            out.flush()
    return 0


def _teach(args: argparse.Namespace, out: TextIO, err: TextIO) -> int:
    """Prints judge.txt; how it goes is said on `err`."""
    if find_spec("numpy") is None:
        err.write(
            "goat tune --judge wants numpy, which is there only in a developer's clone: `make setup` brings it\n"
        )
        return 1
    from core.computer.teach import teach

    rounds = args.rounds or 3

    def report(line: str) -> None:
        err.write(line + "\n")
        err.flush()

    taught = teach(args.seed, args.judge, rounds, args.epochs, args.jobs, report)
    out.write(
        f"# goat tune --judge {args.judge} --seed {args.seed} --rounds {rounds} --epochs {args.epochs}\n"
    )
    out.write(judge.show(taught))
    return 0


def improve(
    weights: Weights, pace: list[float], rng: random.Random, deals: int, step: float
) -> tuple[Weights, list[float]]:
    """One round: the next weights and the momentum."""
    sizes = [step * max(0.4, abs(weight)) for weight in weights]
    slope = [0.0] * len(weights)
    for _ in range(DUELS):
        steps = [rng.gauss(0.0, 1.0) for _ in weights]
        plus = Weights(*[w + size * s for w, size, s in zip(weights, sizes, steps, strict=True)])
        minus = Weights(*[w - size * s for w, size, s in zip(weights, sizes, steps, strict=True)])
        one, other = Steady(plus), Steady(minus)
        won = fmean([margin(pack, one, other) for pack in packs(rng.getrandbits(40), deals)])
        slope = [total + won * s / DUELS for total, s in zip(slope, steps, strict=True)]
    # A duel's margin is a few points, so a slope of one is a clear direction: go half a step there.
    pace = [0.6 * before + 0.4 * now for before, now in zip(pace, slope, strict=True)]
    moved = [w + 0.5 * size * p for w, size, p in zip(weights, sizes, pace, strict=True)]
    return Weights(*moved), pace


def show(weights: Weights) -> str:
    """The table as it stands in weights.py."""
    lines = [f"    {name}={value:.3f},\n" for name, value in weights._asdict().items()]
    return "TUNED: Final = Weights(\n" + "".join(lines) + ")\n"
