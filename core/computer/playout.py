"""A deal for playing on millions of times: the same rules as core.deal, less talk.

Cards are relabelled so that trumps are the top nine bits (`relabel`). A lead is of one suit, so whatever
stands is of the led suit and trumps; among those the larger bit always beats the smaller one, and rule 11
becomes an element-wise comparison of sorted cards. Passes, beats and leads are not checked here: callers take
them from `LEADS`, `BEATS` and `PASSES`. tests/core/computer/test_playout.py holds both engines together.
"""

from __future__ import annotations

from typing import Final

from core.cards import FULL, POINTS, SUIT_SETS, CardSet, cards_of, leads_in, subsets
from core.state import HAND, Pack

TRUMPS: Final = SUIT_SETS[3]
_SPARE_ENTRIES: Final = 60_000


def relabel(cards: CardSet, trump: int) -> CardSet:
    """Swaps the trump suit with the top one. It is its own inverse."""
    if trump == 3:
        return cards
    shift = 9 * (3 - trump)
    here, top = SUIT_SETS[trump], TRUMPS
    return cards & ~here & ~top | (cards & here) << shift | (cards & top) >> shift


class _Points(dict[CardSet, int]):
    def __missing__(self, cards: CardSet) -> int:
        self[cards] = worth = sum([POINTS[card] for card in cards_of(cards)])
        return worth


POINTS_OF: Final = _Points()
"""Card points of what one seat puts: at most 66,711 different sets."""


class _Leads(dict[CardSet, tuple[CardSet, ...]]):
    def __missing__(self, hand: CardSet) -> tuple[CardSet, ...]:
        self[hand] = leads = tuple(leads_in(hand))
        return leads


LEADS: Final = _Leads()
"""Hand -> every lead (9)."""


class _Above(dict[CardSet, tuple[CardSet, ...]]):
    def __missing__(self, standing: CardSet) -> tuple[CardSet, ...]:
        lowest = cards_of(standing)[0]
        compared = SUIT_SETS[lowest // 9] | TRUMPS
        self[standing] = above = tuple([compared & ~((2 << card) - 1) for card in cards_of(standing)])
        return above


ABOVE: Final = _Above()
"""What stands -> for each of its cards, ascending, the cards that beat it."""


class _Beats(dict[int, tuple[CardSet, ...]]):
    def __missing__(self, key: int) -> tuple[CardSet, ...]:
        hand, standing = key >> 36, key & FULL
        above = ABOVE[standing]
        useful = hand & above[0]
        need = len(above)
        beats: tuple[CardSet, ...] = ()
        if need == 1:
            beats = tuple(subsets(useful, 1))
        elif useful.bit_count() >= need:
            beats = tuple([cards for cards in subsets(useful, need) if _dominates(cards, above)])
        if len(self) > _SPARE_ENTRIES:
            self.clear()
        self[key] = beats
        return beats


def _dominates(cards: CardSet, above: tuple[CardSet, ...]) -> bool:
    for higher in above:
        lowest = cards & -cards
        if not lowest & higher:
            return False
        cards ^= lowest
    return True


BEATS: Final = _Beats()
"""`hand << 36 | standing` -> every set of the hand that beats what stands (11)."""


class _Passes(dict[int, tuple[CardSet, ...]]):
    def __missing__(self, key: int) -> tuple[CardSet, ...]:
        hand, need = key >> 3, key & 7
        if len(self) > _SPARE_ENTRIES:
            self.clear()
        self[key] = passes = tuple(subsets(hand, need))
        return passes


PASSES: Final = _Passes()
"""`hand << 3 | need` -> every set that may be passed (10)."""

FOURS: Final = frozenset([four for suit in SUIT_SETS for four in subsets(suit, HAND)])
"""The molodkas (16)."""


class Position:
    """A deal in one possible world, changed in place. All cards are relabelled.

    `stock`: single-card sets, `top` of which are drawn. `turn`: the seat to act, of no meaning when `over`.
    `acted`: how many have acted in this trick. `table`: per seat what it put in this trick. `seen`: all cards
    that ever lay face up. `passed`: per seat all it passed in the deal. `stake`: card points on the table;
    `open_stake`: those that everybody sees. `fat`, `lean`: how many cards were passed in this trick face down
    on a partner's or on an opponent's trick. `gain`: points of team 0 less those of team 1. `tricks`: per
    team.
    """

    __slots__ = (
        "acted",
        "best",
        "fat",
        "gain",
        "hands",
        "lean",
        "molodka",
        "need",
        "open_passes",
        "open_stake",
        "passed",
        "seen",
        "stake",
        "standing",
        "stock",
        "table",
        "top",
        "tricks",
        "turn",
    )

    def __init__(
        self, hands: list[CardSet], stock: tuple[CardSet, ...], leader: int, open_passes: bool, molodka: bool
    ) -> None:
        self.hands = hands
        self.stock = stock
        self.top = 0
        self.turn = leader
        self.acted = 0
        self.need = 0
        self.standing = 0
        self.best = leader
        self.table = [0, 0, 0, 0]
        self.seen = 0
        self.passed = [0, 0, 0, 0]
        self.stake = 0
        self.open_stake = 0
        self.fat = 0
        self.lean = 0
        self.gain = 0
        self.tricks = [0, 0]
        self.open_passes = open_passes
        self.molodka = molodka

    def copy(self) -> Position:
        twin = Position(self.hands[:], self.stock, self.turn, self.open_passes, self.molodka)
        twin.top = self.top
        twin.acted = self.acted
        twin.need = self.need
        twin.standing = self.standing
        twin.best = self.best
        twin.table = self.table[:]
        twin.seen = self.seen
        twin.passed = self.passed[:]
        twin.stake = self.stake
        twin.open_stake = self.open_stake
        twin.fat = self.fat
        twin.lean = self.lean
        twin.gain = self.gain
        twin.tricks = self.tricks[:]
        return twin

    def undrawn(self, cards: int) -> Position:
        """A position between tricks as it was before the last so many cards of the stock were drawn."""
        twin = self.copy()
        twin.top -= cards
        drawn = sum(self.stock[twin.top : self.top])
        twin.hands = [hand & ~drawn for hand in self.hands]
        return twin

    @property
    def leader(self) -> int:
        """Of this trick."""
        return (self.turn - self.acted) & 3

    @property
    def stage(self) -> int:
        """How many cards the seat to act will still play."""
        return self.hands[self.turn].bit_count() + ((len(self.stock) - self.top) >> 2)

    @property
    def over(self) -> bool:
        return self.acted == 0 and not self.hands[self.turn]

    def put(self, cards: CardSet, face_up: bool) -> None:
        """The seat to act leads or beats (face up) or passes (face down)."""
        seat, acted = self.turn, self.acted
        self.hands[seat] ^= cards
        self.table[seat] = cards
        worth = POINTS_OF[cards]
        self.stake += worth
        if face_up:
            if not acted:
                self.need = cards.bit_count()
            self.standing = cards
            self.best = seat
            self.seen |= cards
            self.open_stake += worth
        else:
            self.passed[seat] |= cards
            if self.open_passes:
                self.seen |= cards
                self.open_stake += worth
            elif (seat ^ self.best) & 1:
                self.lean += self.need
            else:
                self.fat += self.need
        if acted == 3:
            self._finish_trick()
        else:
            self.acted = acted + 1
            self.turn = (seat + 1) & 3

    def _finish_trick(self) -> None:
        winner = self.best
        if winner & 1:
            self.gain -= self.stake
            self.tricks[1] += 1
        else:
            self.gain += self.stake
            self.tricks[0] += 1
        stock, top = self.stock, self.top
        if top < len(stock):
            hands = self.hands
            drawn = stock[top : top + 4 * self.need]
            for place, card in enumerate(drawn, winner):
                hands[place & 3] |= card
            self.top = top + len(drawn)
        self.turn = winner
        self.acted = 0
        self._clear_table()

    def _clear_table(self) -> None:
        self.need = 0
        self.standing = 0
        self.table = [0, 0, 0, 0]
        self.stake = 0
        self.open_stake = 0
        self.fat = 0
        self.lean = 0

    def claimants(self) -> list[int]:
        """The seats that may claim a molodka now, nearest to the leader first (16, 19, 20)."""
        if not self.molodka or self.need == HAND or FOURS.isdisjoint(self.hands):
            return []
        leader = (self.turn - self.acted) & 3
        first = self.acted or 1
        order = [(leader + place) & 3 for place in range(first, 4)]
        return [seat for seat in order if self.hands[seat] in FOURS]

    def claim(self, seat: int) -> None:
        """The seat leads its four; what lies on the table goes back (17, 18). Nearer holders are not asked."""
        hands, table, passed = self.hands, self.table, self.passed
        for other in range(4):
            hands[other] |= table[other]
            passed[other] &= ~table[other]
        self.turn = seat
        self.acted = 0
        self._clear_table()
        self.put(hands[seat], True)


def dealt(pack: Pack, *, open_passes: bool = False, molodka: bool = True) -> Position:
    """The start of a deal."""
    trump = pack.trump
    cards = [relabel(1 << card, trump) for card in pack.cards]
    hands = [0, 0, 0, 0]
    for place in range(4 * HAND):
        hands[(pack.dealer + 1 + place) & 3] |= cards[place]
    return Position(hands, tuple(cards[4 * HAND :]), pack.leader, open_passes, molodka)
