"""The easy player: steady's eyes, a beginner's mistakes.

He forgets much of what has been played, misjudges what a move is worth by a few points, and now and then plays
what first comes to mind. He never errs in the rules, and never throws a trick away that he clearly holds.
"""

from __future__ import annotations

import random
from typing import Final

from core.computer.playout import Position
from core.computer.seen import position_of
from core.computer.steady import STEADY, answer, move_of
from core.moves import Move
from core.view import SeatView

REMEMBERS: Final = 0.4
"""Share of the cards of earlier tricks that he still has in mind."""

MISJUDGES: Final = 7.0
"""Standard deviation, in points, of how wrong he sees a move."""

ONE_BY_ONE: Final = 0.25
"""How often he leads a single card because he does not look for more."""


def choose(view: SeatView, rng: random.Random) -> Move:
    """The move that looks best to him."""
    if view.offered:
        return answer(view, declares(view, rng))
    position = position_of(view)
    _forget(position, rng)
    options = STEADY.options(position)
    if not position.acted and rng.random() < ONE_BY_ONE:
        options = [option for option in options if option.cards.bit_count() == 1]
    seen = [(option.value + rng.gauss(0.0, MISJUDGES), option) for option in options]
    return move_of(view, max(seen)[1])


def declares(view: SeatView, rng: random.Random) -> bool:
    """He sees his four most of the time, and then always says so. Not seen is not seen for this whole trick."""
    assert view.seat is not None
    return rng.random() < 0.8


def _forget(position: Position, rng: random.Random) -> None:
    """Cards of this trick lie before him; of the earlier ones he remembers some, the own ones too."""
    here = 0
    for cards in position.table:
        here |= cards
    kept = 0
    left = position.seen & ~here
    while left:
        card = left & -left
        left ^= card
        if rng.random() < REMEMBERS:
            kept |= card
    position.seen = kept | position.seen & here
