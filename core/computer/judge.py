"""The judge: what a move is worth beyond what steady sees, by a small network that learned it from self-play.

Two layers of rectified sums; one net judges leads, another replies. The moment is summed once for all its moves.
`judge.txt` holds the weights and the command that made them.
"""

from __future__ import annotations

from array import array
from base64 import b85decode, b85encode
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple

from core.computer import inputs
from core.computer.memory import Memory
from core.computer.net import Row, result, sums
from core.computer.playout import Position
from core.computer.steady import Option

CANDIDATES: Final = 8
"""How many moves are judged, the best for steady: the net has not learned what others are worth."""


class Net(NamedTuple):
    """`moment`, `move`: a row for each input; `second`: a row for each unit of the second layer. `steady`: the part
    of steady's own value in the judgement."""

    moment: list[Row]
    move: list[Row]
    bias: Row
    second: list[Row]
    second_bias: Row
    last: Row
    steady: float


class Judge:
    def __init__(self, leads: Net, replies: Net) -> None:
        self.leads = leads
        self.replies = replies

    def values(self, position: Position, memory: Memory, options: Sequence[Option]) -> list[float]:
        """What each move of the seat to act is worth, in points; only differences mean anything.

        `options`: moves with steady's values, the best first. `position` holds what the seat knows; its gain is that
        of the open cards and the seat's own.
        """
        net = self.replies if position.acted else self.leads
        order = inputs.suits(position)
        common = sums(net.moment, inputs.moment(position, memory, order), net.bias)
        best = options[0].value
        found = []
        for value, cards, face_up in options:
            gap = value - best
            seen = inputs.move(position, memory, order, gap, cards, face_up)
            reached = sums(net.move, seen, common)
            found.append(gap * net.steady + result(reached, net.second, net.second_bias, net.last))
        return found


@cache
def learned() -> Judge:
    """The judge of judge.txt; it is read once."""
    return read(files(__package__).joinpath("judge.txt").read_text(encoding="ascii"))


def read(text: str) -> Judge:
    """The judge that `show` wrote. Raises ValueError when a part is missing."""
    lines = iter([line for line in text.splitlines() if not line.startswith("#")])
    leads, replies = _read_net(lines), _read_net(lines)
    return Judge(leads, replies)


def show(judge: Judge) -> str:
    """The weights as text: a line a row, its unit and its weights in units, in base 85; each to 1/127 of the largest of
    its row."""
    lines = []
    for net in (judge.leads, judge.replies):
        lines.append(f"{len(net.bias)} {len(net.last)} {net.steady:.4f}")
        rows = [*net.moment, *net.move, net.bias, *net.second, net.second_bias, net.last]
        lines += [_show_row(row) for row in rows]
    return "\n".join(lines) + "\n"


def _show_row(row: Row) -> str:
    unit = max([abs(one) for one in row]) / 127 or 1.0
    return f"{unit:.4g} {b85encode(array('b', [round(one / unit) for one in row])).decode()}"


def _read_net(lines: Iterator[str]) -> Net:
    first, second, steady = next(lines, "").split()
    width, units = int(first), int(second)
    return Net(
        moment=[_read_row(lines, width) for _ in range(inputs.MOMENT_MARKS + inputs.MOMENT_NUMBERS)],
        move=[_read_row(lines, width) for _ in range(inputs.MOVE_MARKS + inputs.MOVE_NUMBERS)],
        bias=_read_row(lines, width),
        second=[_read_row(lines, width) for _ in range(units)],
        second_bias=_read_row(lines, units),
        last=_read_row(lines, units),
        steady=float(steady),
    )


def _read_row(lines: Iterator[str], size: int) -> Row:
    unit, _, weights = next(lines, "").partition(" ")
    row = array("b", b85decode(weights))
    if len(row) != size:
        raise ValueError("judge.txt: a row of weights is cut")
    return [float(unit) * one for one in row]
