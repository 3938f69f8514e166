"""What the hidden cards could be: hands that agree with all that a seat has seen."""

from __future__ import annotations

import random
from typing import TypeAlias

from core.cards import CardSet, card_set, cards_of
from core.view import SeatView

World: TypeAlias = tuple[CardSet, CardSet, CardSet, CardSet]
"""The four hands, the own one included."""


def worlds(view: SeatView, rng: random.Random, count: int) -> list[World]:
    """`count` random ways to deal the unseen cards to the other three seats.

    The hands have their true sizes and hold the cards that everybody knows to be there; what is left over is
    the stock and the passed cards. The view must be a seat's, not the group's.
    """
    unseen = cards_of(view.unseen)
    known = view.known
    missing = [
        0 if seat == view.seat else view.hand_sizes[seat] - known[seat].bit_count() for seat in range(4)
    ]
    dealt = []
    for _ in range(count):
        drawn = rng.sample(unseen, sum(missing))
        hands = [view.hand if seat == view.seat else known[seat] for seat in range(4)]
        place = 0
        for seat, size in enumerate(missing):
            hands[seat] |= card_set(drawn[place : place + size])
            place += size
        dealt.append((hands[0], hands[1], hands[2], hands[3]))
    return dealt
