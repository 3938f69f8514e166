"""The state of one deal: what is shuffled, dealt, held, played and won. What may happen is in `core.deal`."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from core.cards import CARDS, Card, CardSet, suit_of
from core.errors import RecordError
from core.moves import Move
from core.rules import Rules

HAND = 4
DEALT = 4 * HAND
_ALL_CARDS = frozenset(range(CARDS))


class Phase(StrEnum):
    LEAD = "lead"
    REPLY = "reply"
    OFFER = "offer"
    OVER = "over"


@dataclass(frozen=True, slots=True, repr=False)
class Pack:
    """A shuffled pack and where it is dealt.

    `cards` in the order they come off the pack; `indicator`: the place in the stock (0..19) of the card that
    was shown. Raises RecordError: bad_deck, bad_indicator, bad_dealer, bad_leader.
    """

    cards: tuple[Card, ...]
    indicator: int
    dealer: int
    leader: int

    def __post_init__(self) -> None:
        if len(self.cards) != CARDS or set(self.cards) != _ALL_CARDS:
            raise RecordError("bad_deck", "the deck is not the 36 cards, each once")
        if type(self.indicator) is not int or not 0 <= self.indicator < CARDS - DEALT:
            raise RecordError("bad_indicator", "indicator must be an integer from 0 to 19")
        for name in ("dealer", "leader"):
            seat = getattr(self, name)
            if type(seat) is not int or not 0 <= seat < 4:
                raise RecordError(f"bad_{name}", f"{name} must be a seat from 0 to 3")

    def __repr__(self) -> str:
        return f"<Pack dealer={self.dealer} leader={self.leader}>"

    @property
    def shown(self) -> Card:
        """The card that the dealer showed (7)."""
        return self.cards[DEALT + self.indicator]

    @property
    def trump(self) -> int:
        return suit_of(self.shown)


class Trick(NamedTuple):
    """A finished trick: four moves in order of play, and the moves that a molodka took back before them."""

    moves: tuple[Move, ...]
    winner: int
    leader: int
    recalled: tuple[Move, ...] = ()


class Deal(NamedTuple):
    """The whole state of a deal, hidden cards included. Give people and computer players a view instead.
    A tuple, because one is made for each move.

    `turn`: the seat to act, in an offer the seat that is asked, None when over. `need`: how many cards a
    reply takes, 0 before the lead. `table`: this trick's moves in order of play; an accepted or unopposed
    molodka stands there as its lead. `best`: the seat that wins the trick as it stands. `tricks`, `points`:
    per team, of finished tricks. `leader`: of this trick. `recalled`: what a molodka took back in this trick.
    `declarer`: who declared, while nearer holders are asked.
    """

    pack: Pack
    rules: Rules
    ply: int
    phase: Phase
    turn: int | None
    trump: int
    need: int
    hands: tuple[CardSet, CardSet, CardSet, CardSet]
    stock: tuple[Card, ...]
    table: tuple[Move, ...]
    best: int | None
    tricks: tuple[int, int]
    points: tuple[int, int]
    leader: int
    tricks_done: tuple[Trick, ...]
    recalled: tuple[Move, ...]
    declarer: int | None

    def __repr__(self) -> str:
        return f"<Deal ply={self.ply} phase={self.phase} turn={self.turn}>"

    @property
    def standing(self) -> CardSet:
        """What a beat must beat: the lead or the latest beat; the empty set before the lead."""
        if self.best is None:
            return 0
        return self.table[(self.best - self.leader) % 4].cards


def start(pack: Pack, rules: Rules | None = None) -> Deal:
    """Deals the first sixteen cards one at a time from the player after the dealer (6)."""
    hands = [0, 0, 0, 0]
    for place, card in enumerate(pack.cards[:DEALT], pack.dealer + 1):
        hands[place % 4] |= 1 << card
    return Deal(
        pack=pack,
        rules=rules or Rules(),
        ply=0,
        phase=Phase.LEAD,
        turn=pack.leader,
        trump=pack.trump,
        need=0,
        hands=(hands[0], hands[1], hands[2], hands[3]),
        stock=pack.cards[DEALT:],
        table=(),
        best=None,
        tricks=(0, 0),
        points=(0, 0),
        leader=pack.leader,
        tricks_done=(),
        recalled=(),
        declarer=None,
    )
