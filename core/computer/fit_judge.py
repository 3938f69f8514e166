"""Fits the judge's nets to decisions: only differences between the moves of one decision mean anything."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from core.computer import inputs
from core.computer.fitting import Array, Learner, bits, drawn, joined, np, split, unpacked, weights_of
from core.computer.judge import Judge, Net
from core.computer.lessons import Decision

UNITS: Final = (256, 32)
"""Of the two layers."""

BATCH: Final = 1024
"""Decisions a step."""

DECAY: Final = 0.02


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


class Choices(NamedTuple):
    """Some decisions, inputs in a row of numbers each; `starts`: where the moves of each begin; `given`: by how much
    steady values each less than its best."""

    counts: Array
    starts: Array
    moment: Array
    move: Array
    given: Array
    outcomes: Array

    def reached(self, parts: Sequence[Array]) -> Array:
        moment, move = parts
        return self.move @ move + np.repeat(self.moment @ moment, self.counts, axis=0)

    def slopes(self, to_hidden: Array) -> list[Array]:
        return [
            self.moment.T @ np.add.reduceat(to_hidden, self.starts, axis=0),
            self.move.T @ to_hidden,
        ]

    def errors(self, values: Array) -> Array:
        return self.centred(values - self.outcomes)

    def centred(self, values: Array) -> Array:
        """Less the mean of each decision."""
        means = np.add.reduceat(values, self.starts) / self.counts.astype(values.dtype)
        return values - np.repeat(means, self.counts)


class Score(NamedTuple):
    """What a judge makes of lessons: squares of the outcomes around their decision's mean, what it leaves of them,
    and the points that its choices gained on steady's."""

    decisions: int
    squares: float
    left: float
    gained: float


def fit_judge(
    taught: Lessons, held_out: Lessons, epochs: int, seed: int, start: Judge | None
) -> tuple[Judge, list[Score]]:
    """A judge for the lessons, and what each of its nets makes of those held out. `start`: the judge to go on from."""
    nets, scores = [], []
    for replies, before in (
        (False, start.leads if start else None),
        (True, start.replies if start else None),
    ):
        net, found = fit(
            taught.where((taught.acted > 0) == replies),
            held_out.where((held_out.acted > 0) == replies),
            UNITS,
            epochs,
            seed,
            before,
        )
        nets.append(net)
        scores.append(found)
    return Judge(*nets), scores


def fit(
    taught: Lessons,
    held_out: Lessons,
    units: tuple[int, int],
    epochs: int,
    seed: int,
    start: Net | None = None,
) -> tuple[Net, Score]:
    """A net for the lessons, and what it makes of those held out. `start`: the net, of such units, to go on from."""
    rng = np.random.default_rng(seed)
    learner = learner_at_random(units, rng) if start is None else Learner(weights_of(start), DECAY)
    total = len(taught.counts)
    begins = np.cumsum(taught.counts) - taught.counts
    learner.fit(lambda chosen: choices(taught, begins, chosen), total, BATCH, epochs, rng)
    return Net(*learner.net()), score(learner, held_out)


def learner_at_random(units: tuple[int, int], rng: Array) -> Learner:
    parts = [
        (inputs.MOMENT_MARKS + inputs.MOMENT_NUMBERS, 0.02),
        (inputs.MOVE_MARKS + inputs.MOVE_NUMBERS, 0.03),
    ]
    return Learner(drawn(rng, parts, units, given=0.8), DECAY)


def pack(chunks: Iterable[list[Decision]]) -> Lessons:
    return Lessons(*joined(map(_packed, chunks)))


def _packed(found: list[Decision]) -> Lessons:
    moments = [decision.moment for decision in found]
    moves = [move for decision in found for move in decision.moves]
    return Lessons(
        np.array([decision.acted for decision in found], np.uint8),
        np.array([len(decision.moves) for decision in found], np.intp),
        bits([marks for marks, _ in moments], inputs.MOMENT_MARKS),
        np.array([numbers for _, numbers in moments], np.float16),
        bits([marks for marks, _ in moves], inputs.MOVE_MARKS),
        np.array([numbers for _, numbers in moves], np.float16),
        np.array([gap for decision in found for gap in decision.gaps], np.float32),
        np.array([one for decision in found for one in decision.outcomes], np.float32),
    )


def choices(lessons: Lessons, begins: Array, chosen: Array) -> Choices:
    """`begins`: where the moves of each decision begin in the lessons; `chosen`: indices of decisions."""
    counts = lessons.counts[chosen]
    starts = np.cumsum(counts) - counts
    moves = np.arange(counts.sum()) + np.repeat(begins[chosen] - starts, counts)
    return Choices(
        counts,
        starts,
        unpacked(lessons.moment_marks[chosen], inputs.MOMENT_MARKS, lessons.moment_numbers[chosen]),
        unpacked(lessons.move_marks[moves], inputs.MOVE_MARKS, lessons.move_numbers[moves]),
        lessons.gaps[moves],
        lessons.outcomes[moves],
    )


def score(learner: Learner, held_out: Lessons) -> Score:
    begins = np.cumsum(held_out.counts) - held_out.counts
    total = len(held_out.counts)
    squares = left = gained = 0.0
    for chosen in split(np.arange(total), BATCH):
        batch = choices(held_out, begins, chosen)
        values, _, _ = learner.values(batch)
        squares += float((batch.centred(batch.outcomes) ** 2).sum())
        left += float((batch.errors(values) ** 2).sum())
        for first, count in zip(batch.starts.tolist(), batch.counts.tolist(), strict=True):
            best = first + int(values[first : first + count].argmax())
            gained += float(batch.outcomes[best] - batch.outcomes[first])
    return Score(total, squares, left, gained)
