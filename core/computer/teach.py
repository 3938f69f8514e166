"""`goat tune --judge`: the judge's weights, by rounds of self-play and fitting.

In the first round steady players teach; in each later one the judge of the round before, who meets positions that
better play leads to, and whose better play says what moves are worth. Each round fits from nothing: the outcomes of
earlier ones are those of weaker players.

The only module that wants numpy, and so imported by nobody who only plays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from importlib import import_module
from math import sqrt
from multiprocessing import get_context
from typing import Any, Final, NamedTuple

from core.computer import inputs
from core.computer.inputs import Inputs
from core.computer.judge import Judge, Net
from core.computer.lessons import Decision, decisions

np: Any = import_module("numpy")
Array = Any

LEADS: Final = (96, 32)
REPLIES: Final = (128, 32)
"""Units of the two layers."""

BATCH: Final = 1024
"""Decisions a step."""

RATE: Final = 3e-3
WARM_UP: Final = 200
"""Steps until the rate is full; from there it goes down to nothing."""

DECAY: Final = 0.02
"""Of the weights between layers, a step, relative to the rate."""

SCALE: Final = 10.0
"""Card points: the size of what is learned. The last layer learns in this unit."""

HELD_OUT: Final = 10
"""One deal of so many is not taught, and says what was learned."""

CHUNK: Final = 50


class Lessons(NamedTuple):
    """Decisions as arrays, moves of all of them in a row. Marks are packed to bits and numbers in half precision."""

    acted: Array
    counts: Array
    moment_marks: Array
    moment_numbers: Array
    move_marks: Array
    move_numbers: Array
    gaps: Array
    outcomes: Array

    def where(self, chosen: Array) -> Lessons:
        """The decisions of which an array says True."""
        moves = np.repeat(chosen, self.counts)
        return Lessons(*[part[chosen] for part in self[:4]], *[part[moves] for part in self[4:]])


class Batch(NamedTuple):
    """Some decisions, inputs in a row of numbers each; `starts`: where the moves of each begin."""

    counts: Array
    starts: Array
    moment: Array
    move: Array
    gaps: Array
    outcomes: Array


class Score(NamedTuple):
    """What a judge makes of lessons: squares of the outcomes around their decision's mean, what it leaves of them,
    and the points that its choices gained on steady's."""

    decisions: int
    squares: float
    left: float
    gained: float


def teach(
    seed: int, deals: int, rounds: int, epochs: int, jobs: int, report: Callable[[str], object]
) -> Judge:
    """`deals`: of each round, 20 or more; `epochs`: how often a fit sees each decision; `jobs`: processes that play, which
    change nothing but the time. `report` gets a line a round."""
    judge: Judge | None = None
    known = deals - max(1, deals // HELD_OUT)
    for number in range(1, rounds + 1):
        play = partial(_chunk, f"{seed}/{number}", judge)
        if jobs == 1:
            taught = pack(map(play, _spans(0, known)))
            held_out = pack(map(play, _spans(known, deals)))
        else:
            with get_context("spawn").Pool(jobs) as pool:
                taught = pack(pool.imap(play, _spans(0, known)))
                held_out = pack(pool.imap(play, _spans(known, deals)))
        nets, scores = [], []
        for units, replies in ((LEADS, False), (REPLIES, True)):
            net, found = fit(
                taught.where((taught.acted > 0) == replies),
                held_out.where((held_out.acted > 0) == replies),
                units,
                epochs,
                seed,
            )
            nets.append(net)
            scores.append(found)
        judge = Judge(*nets)
        report(_line(number, len(taught.counts), scores))
    assert judge is not None
    return judge


def _spans(first: int, end: int) -> list[range]:
    return [range(start, min(start + CHUNK, end)) for start in range(first, end, CHUNK)]


def _chunk(seed: str, judge: Judge | None, numbers: range) -> list[Decision]:
    return [decision for number in numbers for decision in decisions(seed, number, judge)]


def _line(number: int, taught: int, scores: list[Score]) -> str:
    count, squares, left, gained = [sum(column) for column in zip(*scores, strict=True)]
    return (
        f"round {number}: taught from {taught} decisions; of {count} others "
        f"{100 * (1 - left / squares):.1f} % of the variance explained, "
        f"{gained / count:+.3f} points a decision against steady's choice"
    )


def pack(chunks: Iterable[list[Decision]]) -> Lessons:
    parts = [_packed(chunk) for chunk in chunks]
    return Lessons(*[np.concatenate(column) for column in zip(*parts, strict=True)])


def _packed(found: list[Decision]) -> Lessons:
    moments = [decision.moment for decision in found]
    moves = [move for decision in found for move in decision.moves]
    return Lessons(
        np.array([decision.acted for decision in found], np.uint8),
        np.array([len(decision.moves) for decision in found], np.intp),
        _bits(moments, inputs.MOMENT_MARKS),
        np.array([numbers for _, numbers in moments], np.float16),
        _bits(moves, inputs.MOVE_MARKS),
        np.array([numbers for _, numbers in moves], np.float16),
        np.array([gap for decision in found for gap in decision.gaps], np.float32),
        np.array([one for decision in found for one in decision.outcomes], np.float32),
    )


def _bits(seen: list[Inputs], width: int) -> Array:
    rows = np.zeros((len(seen), width), np.uint8)
    for row, (marks, _) in zip(rows, seen, strict=True):
        row[marks] = 1
    return np.packbits(rows, axis=1)


def batch_of(lessons: Lessons, begins: Array, chosen: Array) -> Batch:
    """`begins`: where the moves of each decision begin in the lessons; `chosen`: indices of decisions."""
    counts = lessons.counts[chosen]
    starts = np.cumsum(counts) - counts
    moves = np.arange(counts.sum()) + np.repeat(begins[chosen] - starts, counts)
    return Batch(
        counts,
        starts,
        _numbers(lessons.moment_marks[chosen], lessons.moment_numbers[chosen], inputs.MOMENT_MARKS),
        _numbers(lessons.move_marks[moves], lessons.move_numbers[moves], inputs.MOVE_MARKS),
        lessons.gaps[moves],
        lessons.outcomes[moves],
    )


def _numbers(bits: Array, numbers: Array, width: int) -> Array:
    return np.concatenate([np.unpackbits(bits, axis=1, count=width), numbers], axis=1, dtype=np.float32)


def centred(batch: Batch, values: Array) -> Array:
    """Less the mean of each decision: only differences between its moves mean anything."""
    means = np.add.reduceat(values, batch.starts) / batch.counts.astype(values.dtype)
    return values - np.repeat(means, batch.counts)


class Learner:
    """The weights of a net while they are fitted, by Adam."""

    def __init__(self, units: tuple[int, int], rng: Array) -> None:
        first, second = units

        def drawn(rows: int, columns: int, variance: float) -> Array:
            return rng.normal(0.0, sqrt(variance), (rows, columns)).astype(np.float32)

        self.weights = [
            drawn(inputs.MOMENT_MARKS + inputs.MOMENT_NUMBERS, first, 0.02),
            drawn(inputs.MOVE_MARKS + inputs.MOVE_NUMBERS, first, 0.03),
            np.zeros(first, np.float32),
            drawn(first, second, 2 / first),
            np.zeros(second, np.float32),
            drawn(second, 1, 0.1 / second)[:, 0],
            np.array([0.8], np.float32),
        ]
        self.means = [np.zeros_like(one) for one in self.weights]
        self.squares = [np.zeros_like(one) for one in self.weights]
        self.steps = 0

    def values(self, batch: Batch) -> tuple[Array, Array, Array]:
        """What the moves are worth in points, and both layers."""
        moment, move, bias, second, second_bias, last, steady = self.weights
        common = np.repeat(batch.moment @ moment + bias, batch.counts, axis=0)
        hidden = np.maximum(batch.move @ move + common, 0)
        deeper = np.maximum(hidden @ second + second_bias, 0)
        return SCALE * (deeper @ last) + steady[0] * batch.gaps, hidden, deeper

    def slopes(self, batch: Batch) -> list[Array]:
        """Of the loss, by each of the weights: the mean squared error, in the unit of SCALE, of the moves' values against
        their outcomes, both centred."""
        _, _, _, second, _, last, _ = self.weights
        values, hidden, deeper = self.values(batch)
        error = 2 / len(values) / SCALE**2 * centred(batch, values - batch.outcomes)
        to_deeper = np.outer(SCALE * error, last) * (deeper > 0)
        to_hidden = to_deeper @ second.T * (hidden > 0)
        return [
            batch.moment.T @ np.add.reduceat(to_hidden, batch.starts, axis=0),
            batch.move.T @ to_hidden,
            to_hidden.sum(0),
            hidden.T @ to_deeper,
            to_deeper.sum(0),
            SCALE * (deeper.T @ error),
            np.array([error @ batch.gaps]),
        ]

    def learn(self, batch: Batch, rate: float) -> None:
        """A step down the slopes."""
        self.steps += 1
        for weights, slope, mean, square in zip(
            self.weights, self.slopes(batch), self.means, self.squares, strict=True
        ):
            mean += 0.1 * (slope - mean)
            square += 0.001 * (slope * slope - square)
            if weights.ndim == 2:
                weights *= 1 - rate * DECAY
            weights -= (
                rate * (mean / (1 - 0.9**self.steps)) / (np.sqrt(square / (1 - 0.999**self.steps)) + 1e-8)
            )

    def net(self) -> Net:
        moment, move, bias, second, second_bias, last, steady = self.weights
        return Net(
            moment.tolist(),
            move.tolist(),
            bias.tolist(),
            second.T.tolist(),
            second_bias.tolist(),
            (SCALE * last).tolist(),
            float(steady[0]),
        )


def fit(
    taught: Lessons, held_out: Lessons, units: tuple[int, int], epochs: int, seed: int
) -> tuple[Net, Score]:
    """A net for the lessons, and what it makes of those held out."""
    rng = np.random.default_rng(seed)
    learner = Learner(units, rng)
    total = len(taught.counts)
    begins = np.cumsum(taught.counts) - taught.counts
    steps = epochs * -(-total // BATCH)
    warm_up = min(WARM_UP, steps // 10 + 1)
    for step, chosen in enumerate(_chosen(rng, total, epochs)):
        rate = RATE * min(1.0, (step + 1) / warm_up) * (1 - step / steps)
        learner.learn(batch_of(taught, begins, chosen), rate)
    return learner.net(), score(learner, held_out)


def _chosen(rng: Array, total: int, epochs: int) -> Iterable[Array]:
    """Indices of the decisions of each step."""
    for _ in range(epochs):
        mixed = rng.permutation(total)
        for start in range(0, total, BATCH):
            yield mixed[start : start + BATCH]


def score(learner: Learner, held_out: Lessons) -> Score:
    begins = np.cumsum(held_out.counts) - held_out.counts
    total = len(held_out.counts)
    squares = left = gained = 0.0
    for start in range(0, total, BATCH):
        batch = batch_of(held_out, begins, np.arange(start, min(start + BATCH, total)))
        values, _, _ = learner.values(batch)
        squares += float((centred(batch, batch.outcomes) ** 2).sum())
        left += float((centred(batch, values - batch.outcomes) ** 2).sum())
        for first, count in zip(batch.starts.tolist(), batch.counts.tolist(), strict=True):
            best = first + int(values[first : first + count].argmax())
            gained += float(batch.outcomes[best] - batch.outcomes[first])
    return Score(total, squares, left, gained)
