"""How likely it is that a hand of unseen cards beats what stands."""

from __future__ import annotations

from functools import lru_cache
from math import comb
from typing import Final


class _Can(dict[int, float]):
    def __init__(self, need: int) -> None:
        super().__init__()
        self.need = need

    def __missing__(self, key: int) -> float:
        need = self.need
        counts = [key >> 5 * (need - 1 - place) & 31 for place in range(need)]
        base = key >> 5 * need
        unseen, size = base >> 3, base & 7
        self[key] = chance = can_beat(unseen, min(size, unseen), tuple(counts))
        return chance


CAN: Final = tuple([_Can(need) for need in range(5)])
"""`CAN[need][key]`: the chance of `can_beat`. The key is `unseen << 3 | size`, then five bits for each count."""


@lru_cache(maxsize=1 << 14)
def can_beat(unseen: int, size: int, higher: tuple[int, ...]) -> float:
    """The chance that `size` cards drawn from `unseen` ones beat a set of cards.

    `higher`: for each card of the set, ascending, how many of the unseen cards beat it; so the numbers fall.
    The hand beats the set if it holds at least one card above the highest, two above the next, and so on (11).
    """
    ways = _ways(size, tuple(reversed(higher)), 0, 0, unseen)
    return ways / comb(unseen, size)


def _ways(size: int, higher: tuple[int, ...], place: int, held: int, unseen: int) -> int:
    """Ways to draw the rest of the hand from the cards that are not above `higher[place - 1]`."""
    above = higher[place - 1] if place else 0
    if place == len(higher):
        return comb(unseen - above, size - held)
    band = higher[place] - above
    return sum(
        comb(band, more) * _ways(size, higher, place + 1, held + more, unseen)
        for more in range(max(0, place + 1 - held), min(band, size - held) + 1)
    )
