"""`goat tune --values`: the linear value of a position between tricks, by least squares over self-play.

What is learned: the card points that the leader's team will win from here on, less the opponents', when steady
players go on. The hands of leader, partner and opponents have weights of their own, for each stage of a deal.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import NamedTuple

from core.cards import CardSet
from core.computer.features import FEATURES, STAGES, features
from core.computer.playout import Position, dealt
from core.computer.steady import Steady
from core.shuffle import shuffle

SIZE = 3 * FEATURES + 1


class Sample(NamedTuple):
    """`counts`: feature -> how often, with opponents counted negative; `gain`: points still to be won."""

    counts: dict[int, float]
    gain: int


class Learned(NamedTuple):
    """Weights for each stage 0..9, `3 * FEATURES` and a constant: of full hands before a lead, and of what
    hands keep after a trick before they draw."""

    hands: list[list[float]]
    kept: list[list[float]]


def learn(seed: int, deals: int, player: Steady, astray: float = 0.1) -> Learned:
    """`astray`: share of moves made at random in half of the deals, so that positions come up which steady
    players avoid."""
    rng = random.Random(seed)  # noqa: S311 - no secret, must repeat
    full, kept = _systems(), _systems()
    for number in range(deals):
        position = dealt(shuffle(rng, number % 4, (number + 1) % 4))
        for stage, before, after in samples(position, player, rng, astray):
            _add(full[stage], before)
            _add(kept[stage], after)
    return Learned([solve(system) for system in full], [solve(system) for system in kept])


def _systems() -> list[list[list[float]]]:
    return [[[0.0] * (SIZE + 1) for _ in range(SIZE)] for _ in range(STAGES + 1)]


def samples(
    position: Position, player: Steady, rng: random.Random, astray: float
) -> list[tuple[int, Sample, Sample]]:
    """Plays a deal to its end; for each trick but the first its stage, the full hands and the kept ones."""
    between: list[tuple[int, int, dict[int, float], dict[int, float], int]] = []
    wanders = rng.random() < 0.5
    while not position.over:
        for seat in position.claimants():
            if player.claims(position, seat):
                position.claim(seat)
                break
        else:
            if wanders and rng.random() < astray:
                chosen = rng.choice(player.options(position, every=True))
            else:
                chosen = player.best(position)
            kept = position.hands[:]
            kept[position.turn] ^= chosen.cards
            position.put(chosen.cards, chosen.face_up)
            if not position.acted and not position.over:
                seat = position.turn
                counts = counts_of(position.hands, seat), counts_of(kept, seat)
                between.append((position.stage, seat, *counts, position.gain))
    end = position.gain
    found = []
    for stage, leader, full, left, gain in between:
        to_come = (end - gain) * (-1 if leader & 1 else 1)
        found.append((stage, Sample(full, to_come), Sample(left, to_come)))
    return found


def counts_of(hands: list[CardSet], leader: int) -> dict[int, float]:
    counts: dict[int, float] = {3 * FEATURES: 1.0}
    for place, (offset, sign) in enumerate(
        ((0, 1.0), (2 * FEATURES, -1.0), (FEATURES, 1.0), (2 * FEATURES, -1.0))
    ):
        for feature in features(hands[(leader + place) & 3]):
            counts[offset + feature] = counts.get(offset + feature, 0.0) + sign
    return counts


def _add(system: list[list[float]], sample: Sample) -> None:
    items = list(sample.counts.items())
    for feature, count in items:
        row = system[feature]
        for other, times in items:
            row[other] += count * times
        row[SIZE] += count * sample.gain


def solve(system: Sequence[Sequence[float]], ridge: float = 30.0) -> list[float]:
    """Least squares with a little pull towards zero, by Gaussian elimination (the matrix is positive)."""
    size = len(system)
    rows = [list(row) for row in system]
    for place in range(size):
        rows[place][place] += ridge
    for place in range(size):
        pivot = rows[place]
        for below in range(place + 1, size):
            factor = rows[below][place] / pivot[place]
            if factor:
                row = rows[below]
                for column in range(place, size + 1):
                    row[column] -= factor * pivot[column]
    found = [0.0] * size
    for place in reversed(range(size)):
        row = rows[place]
        known = sum(row[column] * found[column] for column in range(place + 1, size))
        found[place] = (row[size] - known) / row[place]
    return found


def show(name: str, learned: list[list[float]]) -> str:
    """The table as it stands in values.py: tenths of points, a line for each role and one for the constant."""
    lines = []
    for stage, weights in enumerate(learned):
        rows = [weights[role * FEATURES : (role + 1) * FEATURES] for role in range(3)] + [weights[-1:]]
        lines += [f"{stage}: " + " ".join([str(round(10 * weight)) for weight in row]) for row in rows]
    return f'{name}: Final = _read("""\n' + "\n".join(lines) + '\n""")\n'
