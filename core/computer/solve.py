"""The exact value of an endgame in which all cards are known and nothing is left to draw."""

from __future__ import annotations

from typing import Final

from core.computer.playout import BEATS, FOURS, LEADS, PASSES, Position
from core.computer.steady import Option

ENOUGH: Final = 2
"""Cards a hand up to which an endgame is small enough to be solved while people wait."""


def options(position: Position) -> list[Option]:
    """Every move of the seat to act, of no value yet: beats before passes, as rule 10 tells them."""
    hand = position.hands[position.turn]
    if not position.acted:
        return [Option(0.0, cards, True) for cards in LEADS[hand]]
    beats = [Option(0.0, cards, True) for cards in BEATS[hand << 36 | position.standing]]
    return beats + [Option(0.0, cards, False) for cards in PASSES[hand << 3 | position.need]]


def solve(position: Position, low: int = -240, high: int = 240) -> int:
    """The points of team 0 less those of team 1 at the end, when both teams play perfectly with open cards.

    Alpha-beta between `low` and `high`. Only for an empty stock: what is drawn would be known too. A seat that
    holds four of a suit is supposed not to claim them (no hand of four is left after the first such trick).
    """
    if position.top != len(position.stock):
        raise ValueError("cards are left to draw")
    if position.over:
        return position.gain
    ours = not position.turn & 1
    found = -1000 if ours else 1000
    for option in options(position):
        after = position.copy()
        after.put(option.cards, option.face_up)
        value = solve(after, low, high)
        if ours:
            found = max(found, value)
            low = max(low, found)
        else:
            found = min(found, value)
            high = min(high, found)
        if low >= high:
            break
    return found


def solved(position: Position) -> list[Option]:
    """Every move of the seat to act with the exact margin of its team, the best first."""
    sign = -1 if position.turn & 1 else 1
    found = []
    for option in options(position):
        after = position.copy()
        after.put(option.cards, option.face_up)
        found.append(Option(float(sign * solve(after)), option.cards, option.face_up))
    return sorted(found, key=lambda option: -option.value)


def solvable(position: Position) -> bool:
    """Whether the rest is small enough, and nobody could claim a molodka in it."""
    if position.top != len(position.stock) or not FOURS.isdisjoint(position.hands):
        return False
    return max([hand.bit_count() for hand in position.hands]) <= ENOUGH
