"""Cards, sets of cards, their notation, points and strength.

A card is an int 0..35 (`suit * 9 + rank`), so cards sort as they are printed: clubs, diamonds, hearts,
spades, then 6 7 8 9 J Q K 10 A. A set of cards is a 36-bit int with bit `1 << card`; within one suit a
stronger card is the larger bit. Sets make the rules short (`cards & ~hand` is what somebody does not hold)
and fast.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache
from itertools import combinations
from typing import TypeAlias

from core.errors import NotationError

Card: TypeAlias = int
CardSet: TypeAlias = int

SUITS = "CDHS"
RANKS = ("6", "7", "8", "9", "J", "Q", "K", "10", "A")
CARDS = 36
FULL: CardSet = (1 << CARDS) - 1
SUIT_SETS: tuple[CardSet, ...] = tuple(0b111111111 << 9 * suit for suit in range(4))

# Rule 4, by rank in the order of RANKS.
RANK_POINTS = (0, 0, 0, 0, 2, 3, 4, 10, 11)
POINTS: tuple[int, ...] = RANK_POINTS * 4
_POINT_SETS: tuple[tuple[int, CardSet], ...] = tuple(
    (worth, sum(1 << 9 * suit + rank for suit in range(4))) for rank, worth in enumerate(RANK_POINTS) if worth
)

NAMES: tuple[str, ...] = tuple(rank + suit for suit in SUITS for rank in RANKS)
_BY_NAME = {name: card for card, name in enumerate(NAMES)}


def suit_of(card: Card) -> int:
    return card // 9


def rank_of(card: Card) -> int:
    """0 for a six .. 8 for an ace: the strength within the suit (rule 3)."""
    return card % 9


def beats(x: Card, y: Card, trump: int) -> bool:
    """Rule 5: whether x beats y. Cards of two different plain suits never compare."""
    if x // 9 == y // 9:
        return x > y
    return x // 9 == trump


BEATEN_BY: tuple[tuple[CardSet, ...], ...] = tuple(
    tuple(sum(1 << x for x in range(CARDS) if beats(x, y, trump)) for y in range(CARDS)) for trump in range(4)
)
"""BEATEN_BY[trump][y]: the set of all cards that beat y."""


def set_beats(candidate: CardSet, standing: CardSet, trump: int) -> bool:
    """Rule 11: whether a one-to-one pairing exists in which each candidate beats a different standing card.

    No search is needed. A plain card can only be paired within its suit, and it loses nothing by taking the
    weakest card that is free there. What is left over is for the trumps: the standing trumps take the
    strongest of them, and a spare trump beats any plain card.
    """
    need = candidate.bit_count()
    if need != standing.bit_count():
        return False
    if need == 1:
        return candidate & BEATEN_BY[trump][standing.bit_length() - 1] != 0
    for suit in range(4):
        mine = candidate & SUIT_SETS[suit]
        theirs = standing & SUIT_SETS[suit]
        if suit == trump:
            spare = mine.bit_count() - theirs.bit_count()
            if spare < 0:
                return False
            for _ in range(spare):
                mine &= mine - 1
        while mine:
            weakest, target = mine & -mine, theirs & -theirs
            if not target or weakest <= target:
                return False
            mine ^= weakest
            theirs ^= target
    return True


def points_of(cards: CardSet) -> int:
    """Card points of a set: 120 for the whole pack."""
    return sum([worth * (cards & which).bit_count() for worth, which in _POINT_SETS])


def cards_of(cards: CardSet) -> tuple[Card, ...]:
    """The cards of a set, ascending."""
    found = []
    while cards:
        lowest = cards & -cards
        found.append(lowest.bit_length() - 1)
        cards ^= lowest
    return tuple(found)


def card_set(cards: Iterable[Card]) -> CardSet:
    union = 0
    for card in cards:
        union |= 1 << card
    return union


def one_suit(cards: CardSet) -> bool:
    """Whether a set that is not empty is of one suit."""
    lowest = (cards & -cards).bit_length() - 1
    return not cards & ~SUIT_SETS[lowest // 9]


def subsets(cards: CardSet, size: int) -> list[CardSet]:
    """All subsets of that size, the ones with the lowest cards first."""
    if cards.bit_count() == size:
        return [cards]
    bits = []
    while cards:
        lowest = cards & -cards
        bits.append(lowest)
        cards ^= lowest
    if size == 1:
        return bits
    return list(map(sum, combinations(bits, size)))


def leads_in(hand: CardSet) -> list[CardSet]:
    """Every set of cards of one suit of a hand, suit by suit (rule 9)."""
    clubs, diamonds, hearts, spades = SUIT_SETS
    return [*_parts(hand & clubs), *_parts(hand & diamonds), *_parts(hand & hearts), *_parts(hand & spades)]


@cache
def _parts(of_suit: CardSet) -> tuple[CardSet, ...]:
    """Every subset but the empty one of cards of one suit, ascending as numbers. There are 2,045 such keys at most."""
    found = []
    cards = of_suit & -of_suit
    while cards:
        found.append(cards)
        cards = (cards - of_suit) & of_suit
    return tuple(found)


def beats_in(hand: CardSet, standing: CardSet, need: int, trump: int) -> list[CardSet]:
    """Every set of `need` cards of a hand that beats what stands."""
    beaters = BEATEN_BY[trump]
    if need == 1:
        return subsets(hand & beaters[standing.bit_length() - 1], 1)
    # Only a card that beats something of what stands can be part of a beat: mostly that leaves too few.
    useful, left = 0, standing
    while left:
        lowest = left & -left
        useful |= beaters[lowest.bit_length() - 1]
        left ^= lowest
    useful &= hand
    if useful.bit_count() < need:
        return []
    return [cards for cards in subsets(useful, need) if set_beats(cards, standing, trump)]


def card_name(card: Card) -> str:
    return NAMES[card]


def parse_card(text: str) -> Card:
    """`"10H"` -> card. Raises NotationError(bad_card); only ASCII capitals and digits are a card's name."""
    try:
        return _BY_NAME[text]
    except KeyError:
        raise NotationError("bad_card", f"no card is called {text[:12]!a}", text=text[:12]) from None


@lru_cache(maxsize=1 << 14)
def show_cards(cards: CardSet) -> str:
    """`"6C 9C AS"`, sorted; the empty set is the empty string."""
    return " ".join([NAMES[card] for card in cards_of(cards)])


def parse_cards(text: str) -> CardSet:
    """Names between spaces, in any order. Raises NotationError: bad_card, duplicate_card."""
    cards = 0
    for name in text.split(" "):
        if name:
            bit = 1 << parse_card(name)
            if cards & bit:
                raise NotationError("duplicate_card", "a card is named twice")
            cards |= bit
    return cards
