"""Fits an outlook to positions: to the points that were still to come in each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from core.computer import outlook
from core.computer.fitting import Array, Learner, bits, drawn, joined, np, split, unpacked, weights_of
from core.computer.lessons import Stand
from core.computer.outlook import MARKS, Outlook

UNITS: Final = (96, 32)
"""Of the two layers."""

BATCH: Final = 2048
"""Positions a step."""

DECAY: Final = 0.01


class Stands(NamedTuple):
    """Positions as arrays, marks packed to bits."""

    marks: Array
    linear: Array
    to_come: Array

    def batch(self, chosen: Array) -> Positions:
        linear = self.linear[chosen]
        rows = unpacked(self.marks[chosen], MARKS, linear[:, None] / outlook.SCALE)
        return Positions(rows, linear, self.to_come[chosen])


class Positions(NamedTuple):
    """Some of them, inputs in a row of numbers each; `given`: their linear values."""

    rows: Array
    given: Array
    to_come: Array

    def reached(self, parts: Sequence[Array]) -> Array:
        (first,) = parts
        return self.rows @ first

    def slopes(self, to_hidden: Array) -> list[Array]:
        return [self.rows.T @ to_hidden]

    def errors(self, values: Array) -> Array:
        return values - self.to_come


class Score(NamedTuple):
    """Of positions that were not taught: squares of the points to come around their mean, and what the linear values
    and an outlook leave of them."""

    positions: int
    squares: float
    linear: float
    left: float


def fit(
    taught: Stands, held_out: Stands, epochs: int, seed: int, start: Outlook | None = None
) -> tuple[Outlook, Score]:
    """An outlook for the positions, and what it makes of those held out. `start`: the outlook to go on from."""
    rng = np.random.default_rng(seed)
    learner = learner_at_random(UNITS, rng) if start is None else Learner(weights_of(start), DECAY)
    learner.fit(taught.batch, len(taught.linear), BATCH, epochs, rng)
    return Outlook(*learner.net()), score(learner, held_out)


def learner_at_random(units: tuple[int, int], rng: Array) -> Learner:
    return Learner(drawn(rng, [(MARKS + 1, 0.02)], units, given=0.9), DECAY)


def pack(chunks: Iterable[list[Stand]]) -> Stands:
    return Stands(*joined(map(_packed, chunks)))


def _packed(found: list[Stand]) -> Stands:
    return Stands(
        bits([stand.marks for stand in found], MARKS),
        np.array([stand.linear for stand in found], np.float32),
        np.array([stand.to_come for stand in found], np.float32),
    )


def score(learner: Learner, held_out: Stands) -> Score:
    total = len(held_out.linear)
    left = 0.0
    for chosen in split(np.arange(total), BATCH):
        batch = held_out.batch(chosen)
        values, _, _ = learner.values(batch)
        left += float((batch.errors(values) ** 2).sum())
    return Score(
        total,
        float(held_out.to_come.var(dtype=np.float64)) * total,
        float(((held_out.linear - held_out.to_come) ** 2).sum()),
        left,
    )
