"""The outlook: the points still to come at the end of a trick, all cards open, by a small network.

It looks before anybody draws, so who gets which card of the stock is a chance in it and no luck in what it says. It
comes nearer than the linear values of hands, which it starts from. Teaching alone looks at it (`goat tune --judge`
makes one anew in each round), because nobody who plays sees all hands and the stock.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from core.computer import inputs, values
from core.computer.net import Row, result, sums
from core.computer.playout import Position
from core.state import HAND

Judges = tuple[bool, bool]
"""Of each team, whether a judge plays it; if not, steady does."""

_STAGE: Final = 5 * 36
_HELD: Final = _STAGE + 10
_JUDGES: Final = _HELD + HAND + 1
MARKS: Final = _JUDGES + 2

SCALE: Final = 10.0
"""The linear value comes in this unit: it is the number that follows the marks."""


class Outlook(NamedTuple):
    """`first`: a row for each input; `second`: a row for each unit of the second layer. `linear`: the part of the
    linear value in the result."""

    first: list[Row]
    bias: Row
    second: list[Row]
    second_bias: Row
    last: Row
    linear: float

    def to_come(self, position: Position, judges: Judges) -> float:
        """The points that the leader's team will win, less the other's, from a position between tricks before the draw
        (`Position.undrawn`); 0 when the deal is over."""
        if not position.stage:
            return 0.0
        linear = values.kept_to_come(position)
        reached = sums(self.first, (marks(position, judges), [linear / SCALE]), self.bias)
        return linear * self.linear + result(reached, self.second, self.second_bias, self.last)


def marks(position: Position, judges: Judges) -> list[int]:
    """What is so in a position between tricks before the draw: whose cards are where, seen from the leader, what lies in
    the stock in whatever order, how far the deal is, how many cards each holds, and who plays."""
    leader, hands = position.turn, position.hands
    order = inputs.suits(position)
    found: list[int] = []
    for place, seat in enumerate((leader, leader ^ 2, (leader + 1) & 3, (leader + 3) & 3)):
        inputs.mark(found, hands[seat], order, 36 * place)
    inputs.mark(found, sum(position.stock[position.top :]), order, 4 * 36)
    found += [_STAGE + position.stage, _HELD + hands[leader].bit_count()]
    team = leader & 1
    found += [_JUDGES + other for other in range(2) if judges[team ^ other]]
    return found
