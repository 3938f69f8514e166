"""The rule player: plain card sense, and nothing else. The arena keeps it as a fixed opponent.

It looks at the table and at its own hand. It leads as many plain cards as it can, takes a trick with the cheapest
cards that do when the points are worth the trumps, feeds points to a trick that its partner is winning, throws
worthless cards on any other, and spares its trumps.
"""

from __future__ import annotations

import random
from typing import Final

from core.cards import SUIT_SETS, cards_of, points_of, rank_of
from core.moves import Move, Verb
from core.view import SeatView

POINTS_A_TRUMP: Final = 2
"""How many points must lie on the table for each trump that the trick costs."""

HIDDEN_POINTS: Final = 2
"""What a passed card is supposed to count."""


def declares(view: SeatView, rng: random.Random) -> bool:  # noqa: ARG001 - the signature of every level
    """Always: four cards of a suit are beaten rarely, and they win all sixteen cards."""
    return any(move.verb is Verb.MOLODKA for move in view.legal)


def choose(view: SeatView, rng: random.Random) -> Move:  # noqa: ARG001 - the signature of every level
    """The move of the seat whose turn it is; of equally good ones the first of `view.legal`."""
    if view.offered:
        return next(move for move in view.legal if move.verb is Verb.MOLODKA)
    if view.best is None:
        return max(view.legal, key=lambda move: _lead(view, move))
    passes = [move for move in view.legal if move.verb is Verb.PASS]
    if (view.best - passes[0].seat) % 2 == 0:
        return min(passes, key=lambda move: (_trumps(view, move), -points_of(move.cards)))
    beats = [move for move in view.legal if move.verb is Verb.BEAT]
    if beats:
        cheapest = min(beats, key=lambda move: (_trumps(view, move), _strength(move)))
        if _stake(view) >= POINTS_A_TRUMP * _trumps(view, cheapest):
            return cheapest
    return min(passes, key=lambda move: (_trumps(view, move), points_of(move.cards), _strength(move)))


def _lead(view: SeatView, move: Move) -> tuple[bool, bool, int, int]:
    """Four of a suit before all; then plain before trump, many before few, low before high."""
    many = move.cards.bit_count()
    return many == 4, not _trumps(view, move), many, -_strength(move)


def _stake(view: SeatView) -> int:
    return sum(
        [HIDDEN_POINTS * seen.count if seen.cards is None else points_of(seen.cards) for seen in view.table]
    )


def _trumps(view: SeatView, move: Move) -> int:
    return (move.cards & SUIT_SETS[view.trump]).bit_count()


def _strength(move: Move) -> int:
    return sum([rank_of(card) for card in cards_of(move.cards)])
