"""Fits networks of two layers of rectified sums (`core.computer.net`), by Adam.

With `core.computer.fit_judge` and `core.computer.fit_outlook` the only module that wants numpy: they are imported by
nobody who only plays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib import import_module
from math import sqrt
from typing import Any, Final, Protocol

np: Any = import_module("numpy")
Array = Any

RATE: Final = 3e-3
WARM_UP: Final = 200
"""Steps until the rate is full; from there it goes down to nothing."""

SCALE: Final = 10.0
"""Card points: the size of what is learned. The last layer learns in this unit."""


class Batch(Protocol):
    """Some of what is taught, a row of inputs for each value that a net is to find."""

    @property
    def given(self) -> Array:
        """Values, in points, that the net starts from: it finds a part of them, which it learns too, and the rest."""

    def reached(self, parts: Sequence[Array]) -> Array:
        """What the inputs bring to each unit of the first layer; `parts`: their weights."""

    def slopes(self, to_hidden: Array) -> list[Array]:
        """The slopes by those weights, from those by what reached the first layer."""

    def errors(self, values: Array) -> Array:
        """By how many points the values are wrong."""


def drawn(
    rng: Array, inputs: Sequence[tuple[int, float]], units: tuple[int, int], given: float
) -> list[Array]:
    """Weights to begin with. `inputs`: how many there are in each part and the variance of their weights; `given`: the
    part of what is given."""
    first, second = units

    def normal(rows: int, columns: int, variance: float) -> Array:
        return rng.normal(0.0, sqrt(variance), (rows, columns)).astype(np.float32)

    return [
        *[normal(rows, first, variance) for rows, variance in inputs],
        np.zeros(first, np.float32),
        normal(first, second, 2 / first),
        np.zeros(second, np.float32),
        normal(second, 1, 0.1 / second)[:, 0],
        np.array([given], np.float32),
    ]


def weights_of(net: Iterable[Any]) -> list[Array]:
    """Of a net in plain numbers, to go on from: what `Learner.net` made."""
    *parts, bias, second, second_bias, last, part = [np.array(one, np.float32) for one in net]
    return [*parts, bias, second.T.copy(), second_bias, last / np.float32(SCALE), part[None]]


class Learner:
    """The weights of a net while they are fitted: those of the inputs, in parts; bias of the first layer; weights and
    bias of the second; those of the result; and the part of what is given in it.

    `decay`: of the weights between layers, a step, relative to the rate.
    """

    def __init__(self, weights: Iterable[Array], decay: float) -> None:
        self.weights = list(weights)
        self.decay = decay
        self.means = [np.zeros_like(one) for one in self.weights]
        self.squares = [np.zeros_like(one) for one in self.weights]
        self.steps = 0

    def values(self, batch: Batch) -> tuple[Array, Array, Array]:
        """What the net finds, in points, and both layers."""
        *parts, bias, second, second_bias, last, part = self.weights
        hidden = np.maximum(batch.reached(parts) + bias, 0)
        deeper = np.maximum(hidden @ second + second_bias, 0)
        return SCALE * (deeper @ last) + part[0] * batch.given, hidden, deeper

    def slopes(self, batch: Batch) -> list[Array]:
        """Of the loss, by each of the weights: the mean squared error in the unit of SCALE."""
        *_, second, _, last, _ = self.weights
        values, hidden, deeper = self.values(batch)
        error = 2 / len(values) / SCALE**2 * batch.errors(values)
        to_deeper = np.outer(SCALE * error, last) * (deeper > 0)
        to_hidden = to_deeper @ second.T * (hidden > 0)
        return [
            *batch.slopes(to_hidden),
            to_hidden.sum(0),
            hidden.T @ to_deeper,
            to_deeper.sum(0),
            SCALE * (deeper.T @ error),
            np.array([error @ batch.given]),
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
                weights *= 1 - rate * self.decay
            weights -= (
                rate * (mean / (1 - 0.9**self.steps)) / (np.sqrt(square / (1 - 0.999**self.steps)) + 1e-8)
            )

    def net(self) -> list[Any]:
        """The weights as plain numbers in points, in the same order; those of the second layer, a row for each of its
        units."""
        *parts, bias, second, second_bias, last, part = self.weights
        arrays = [*parts, bias, second.T, second_bias, SCALE * last]
        return [*[one.tolist() for one in arrays], float(part[0])]

    def fit(self, batch_of: Callable[[Array], Batch], total: int, size: int, epochs: int, rng: Array) -> None:
        """Learns everything that is taught, `epochs` times in an order that is mixed anew. `batch_of`: makes a batch of
        `size` of the indices below `total`."""
        steps = epochs * -(-total // size)
        warm_up = min(WARM_UP, steps // 10 + 1)
        pieces = (piece for _ in range(epochs) for piece in split(rng.permutation(total), size))
        for step, chosen in enumerate(pieces):
            rate = RATE * min(1.0, (step + 1) / warm_up) * (1 - step / steps)
            self.learn(batch_of(chosen), rate)


def split(order: Array, size: int) -> Iterator[Array]:
    """The array in pieces."""
    for start in range(0, len(order), size):
        yield order[start : start + size]


def bits(seen: Sequence[Sequence[int]], width: int) -> Array:
    """Marks, a row for each list of them, packed."""
    rows = np.zeros((len(seen), width), np.uint8)
    for row, marks in zip(rows, seen, strict=True):
        row[marks] = 1
    return np.packbits(rows, axis=1)


def unpacked(packed: Array, width: int, numbers: Array) -> Array:
    """Rows of inputs: the marks and the numbers that follow them."""
    return np.concatenate([np.unpackbits(packed, axis=1, count=width), numbers], axis=1, dtype=np.float32)


def joined(parts: Iterable[Sequence[Array]]) -> list[Array]:
    """Each array of the first part with the same one of the others."""
    return [np.concatenate(column) for column in zip(*parts, strict=True)]
