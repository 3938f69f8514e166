"""Whole deals played by playout players: for tuning, where a million deals matter more than who may see what.

These players read only what their seat knows, so it is the same play as over views (there is a test).
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from core.computer.playout import Position, dealt
from core.computer.steady import Steady
from core.shuffle import shuffle
from core.state import Pack


def play_out(position: Position, players: Sequence[Steady]) -> None:
    """Plays to the end, changing the position. `players`: per seat."""
    while not position.over:
        for seat in position.claimants():
            if players[seat].claims(position, seat):
                position.claim(seat)
                break
        else:
            chosen = players[position.turn].best(position)
            position.put(chosen.cards, chosen.face_up)


def margin(pack: Pack, one: Steady, other: Steady) -> float:
    """Points a deal by which `one` is better on this pack: both sit in both teams."""
    first, second = dealt(pack), dealt(pack)
    play_out(first, (one, other, one, other))
    play_out(second, (other, one, other, one))
    return (first.gain - second.gain) / 2


def packs(seed: int, count: int) -> list[Pack]:
    """Dealers and leaders go round, so that no team leads more often."""
    rng = random.Random(seed)  # noqa: S311 - no secret, must repeat
    return [shuffle(rng, number % 4, (number + 1) % 4) for number in range(count)]
