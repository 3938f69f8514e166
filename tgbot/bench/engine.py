"""`goat bench engine`: how many random deals and moves a second the rules manage on one core.

A figure from one machine says nothing on another, or on the same one when it is busy. So a fixed loop of
plain Python, the yardstick, runs between the measurements, and their ratio is what can be compared.
"""

from __future__ import annotations

import random
from time import perf_counter
from typing import NamedTuple

from core.deal import legal_moves, play
from core.shuffle import shuffle
from core.state import start
from tgbot.bench.report import Options, Report, Row, compared

ROUNDS = 15
DEALS_A_ROUND = 600
LOOPS = 200_000


class Round(NamedTuple):
    """One measurement: deals, moves and yardstick loops per second."""

    deals: float
    moves: float
    loops: float


def run(options: Options) -> Report:
    rounds, deals, loops = (2, 20, 2_000) if options.quick else (ROUNDS, DEALS_A_ROUND, LOOPS)
    measured = [measure(number, deals, loops) for number in range(rounds)]
    yard = [one.loops for one in measured]
    loop = "loops of plain Python"
    return Report(
        "Engine: random deals by the rules alone, each move chosen from the full list of legal ones",
        (
            compared("deals", "deals/s", [one.deals for one in measured], loop, yard, detail=True),
            compared("moves", "moves/s", [one.moves for one in measured], loop, yard),
            Row(loop, "loops/s", tuple(yard)),
        ),
    )


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
