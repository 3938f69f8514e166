"""What a hand consists of, for linear values of positions between tricks."""

from __future__ import annotations

from typing import Final

from core.cards import CardSet, cards_of

FEATURES: Final = 26
STAGES: Final = 9
"""A stage is how many cards each player will still play: 9 at the start of a deal, 1 before the last trick."""

LEADER, PARTNER, OPPONENT = range(3)
"""Whose hand it is, seen from the leader of the next trick."""

_PAIR, _THREE, _PAIR_LOW, _PAIR_HIGH, _TRUMP_PAIR, _TRUMP_THREE, _NO_TRUMP, _FOUR = range(18, FEATURES)


def features(hand: CardSet) -> tuple[int, ...]:
    """Indices, repeated when they count more than once: 0..8 plain ranks, 9..17 trump ranks, then shapes."""
    found = [card % 9 if card < 27 else card - 18 for card in cards_of(hand)]
    for suit in range(3):
        ranks = hand >> 9 * suit & 511
        many = ranks.bit_count()
        if many >= 2:
            found.append(_PAIR)
            lowest = (ranks & -ranks).bit_length() - 1
            found.extend([_PAIR_LOW] * lowest)
            if ranks >= 128:
                found.append(_PAIR_HIGH)
        if many >= 3:
            found.append(_THREE)
        if many == 4:
            found.append(_FOUR)
    trumps = (hand >> 27).bit_count()
    if not trumps:
        found.append(_NO_TRUMP)
    if trumps >= 2:
        found.append(_TRUMP_PAIR)
    if trumps >= 3:
        found.append(_TRUMP_THREE)
    return tuple(found)
