"""`goat bench engine`: how many random deals and moves a second the rules manage on one core.

A figure from one machine says nothing on another, or on the same one when it is busy. So a fixed loop of
plain Python, the yardstick, runs between the measurements, and their ratio is what can be compared.
"""

from __future__ import annotations

import random
import sys
from statistics import median
from time import perf_counter
from typing import NamedTuple, TextIO

from core.deal import legal_moves, play
from core.shuffle import shuffle
from core.state import start

ROUNDS = 15
DEALS_A_ROUND = 600
LOOPS = 200_000


class Round(NamedTuple):
    """One measurement: deals, moves and yardstick loops per second."""

    deals: float
    moves: float
    yardstick: float

    @property
    def ratio(self) -> float:
        """Moves per thousand loops of the yardstick."""
        return 1000 * self.moves / self.yardstick


def run(
    out: TextIO | None = None, rounds: int = ROUNDS, deals: int = DEALS_A_ROUND, loops: int = LOOPS
) -> int:
    """Measures and prints medians and ranges; returns the exit status 0."""
    measured = [measure(number, deals, loops) for number in range(rounds)]
    out = out or sys.stdout
    for name, unit, figures in (
        ("deals", "deals/s", [one.deals for one in measured]),
        ("moves", "moves/s, each with the full list of legal moves", [one.moves for one in measured]),
        (
            "yardstick",
            "loops/s of plain Python on this machine, in between",
            [one.yardstick for one in measured],
        ),
        ("ratio", "moves per 1000 yardstick loops", [one.ratio for one in measured]),
    ):
        low, middle, high = min(figures), median(figures), max(figures)
        out.write(f"{name:<10}{middle:>12,.1f}  [{low:,.1f} .. {high:,.1f}]  {unit}\n")
    return 0


def measure(seed: int, deals: int, loops: int) -> Round:
    """Random deals from that seed, with `loops` of the yardstick before and after them."""
    before = _yardstick_seconds(loops)
    begun = perf_counter()
    moves = play_random_deals(random.Random(seed), deals)  # noqa: S311 - no secret, must repeat
    took = perf_counter() - begun
    after = _yardstick_seconds(loops)
    return Round(deals / took, moves / took, 2 * loops / (before + after))


def play_random_deals(rng: random.Random, deals: int) -> int:
    """Plays so many deals by random legal moves; returns how many moves that took."""
    moves = 0
    for number in range(deals):
        deal = start(shuffle(rng, dealer=number % 4, leader=(number + 1) % 4))
        while legal := legal_moves(deal):
            deal = play(deal, legal[int(rng.random() * len(legal))])
        moves += deal.ply
    return moves


def _yardstick_seconds(loops: int) -> float:
    """Integers, a list, a dict and a call in a loop: never changed, or old figures lose their meaning."""
    begun = perf_counter()
    counts: dict[int, int] = {}
    window = [0] * 16
    state = 1
    for step in range(loops):
        state = state * 1103515245 + 12345 & 0x7FFFFFFF
        window[step & 15] = state
        counts[state & 255] = max(counts.get(state & 255, 0), window[state & 15])
    return perf_counter() - begun
