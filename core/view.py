"""What a seat, or the group, may know of a deal. The only source for screens and computer players.

Nothing in a view may depend on a card that is hidden from it (12): other hands, the stock, others' passes.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, fields, is_dataclass
from typing import NamedTuple

from core.cards import FULL, Card, CardSet
from core.deal import legal_moves_of, loss, next_leader
from core.moves import Move, Verb
from core.rules import Rules
from core.state import Deal, Phase


@dataclass(frozen=True, slots=True, repr=False)
class SeenMove:
    """A lead, beat or pass on somebody's table. `cards` is None when they lie face down for him."""

    seat: int
    verb: Verb
    cards: CardSet | None
    count: int

    def __repr__(self) -> str:
        return f"<SeenMove {self.seat} {self.verb} x{self.count}>"


class SeenTrick(NamedTuple):
    """A finished trick; `recalled` are the moves that a molodka took back before it was led."""

    moves: tuple[SeenMove, ...]
    winner: int
    leader: int
    recalled: tuple[SeenMove, ...]


class DealOutcome(NamedTuple):
    """The count of a finished deal, per team; `loss` is not doubled."""

    points: tuple[int, int]
    tricks: tuple[int, int]
    loss: tuple[int, int]
    next_leader: int


@dataclass(frozen=True, slots=True, repr=False)
class SeatView:
    """A deal through the eyes of `seat`, or of the group when that is None.

    `turn`: the seat to act. While nearer holders are asked about their molodka (`offered`) only that seat
    sees its own number there, and nobody is told who declared: `declared` is true for the declarer alone.
    `table`, `need` and `best` are as in `Deal`. `legal`: this seat's moves, in or out of turn.
    `recalled`: what a molodka took back in this trick. `known`: per seat, cards that everybody knows to be in
    that hand, because they lay face up before they were taken back.
    `result` is there when the deal is over; then all cards lie open, the passed ones too.
    """

    seat: int | None
    phase: Phase
    ply: int
    trump: int
    shown: Card
    turn: int | None
    need: int
    hand: CardSet
    hand_sizes: tuple[int, int, int, int]
    stock: int
    table: tuple[SeenMove, ...]
    best: int | None
    tricks: tuple[int, int]
    past: tuple[SeenTrick, ...]
    leader: int
    dealer: int
    legal: tuple[Move, ...]
    rules: Rules
    offered: bool
    declared: bool
    recalled: tuple[SeenMove, ...]
    known: tuple[CardSet, CardSet, CardSet, CardSet]
    result: DealOutcome | None

    def __repr__(self) -> str:
        return f"<SeatView seat={self.seat} ply={self.ply} phase={self.phase}>"

    def to_bytes(self) -> bytes:
        """A canonical serialisation of every field: equal bytes, equal views."""
        return json.dumps(_plain(self), separators=(",", ":"), sort_keys=True).encode()

    @property
    def unseen(self) -> CardSet:
        """The cards whose place this seat does not know: other hands, the stock, others' passes."""
        seen = self.hand
        moves = [*self.table, *self.recalled]
        for trick in self.past:
            moves += (*trick.moves, *trick.recalled)
        for move in moves:
            seen |= move.cards or 0
        return FULL & ~seen


def view(deal: Deal, seat: int | None) -> SeatView:
    """Removes everything that the seat may not know; `None` is what lies open for everybody."""
    offered = deal.phase is Phase.OFFER
    sizes = [hand.bit_count() for hand in deal.hands]
    recalled = tuple([_seen(deal, move, seat) for move in deal.recalled])
    known = _known(deal)
    return SeatView(
        seat=seat,
        phase=deal.phase,
        ply=deal.ply,
        trump=deal.trump,
        shown=deal.pack.shown,
        turn=None if offered and deal.turn != seat else deal.turn,
        need=deal.need,
        hand=0 if seat is None else deal.hands[seat],
        hand_sizes=(sizes[0], sizes[1], sizes[2], sizes[3]),
        stock=len(deal.stock),
        table=tuple([_seen(deal, move, seat) for move in deal.table]),
        best=deal.best,
        tricks=deal.tricks,
        past=tuple(
            [
                SeenTrick(
                    tuple([_seen(deal, move, seat) for move in trick.moves]),
                    trick.winner,
                    trick.leader,
                    tuple([_seen(deal, move, seat) for move in trick.recalled]),
                )
                for trick in deal.tricks_done
            ]
        ),
        leader=deal.leader,
        dealer=deal.pack.dealer,
        legal=() if seat is None else tuple(legal_moves_of(deal, seat)),
        rules=deal.rules,
        offered=offered,
        declared=offered and deal.declarer == seat,
        recalled=recalled,
        known=known,
        result=_outcome(deal),
    )


def _seen(deal: Deal, move: Move, seat: int | None) -> SeenMove:
    open_to_him = (
        move.verb is not Verb.PASS
        or move.seat == seat
        or deal.rules.open_passes
        or deal.phase is Phase.OVER  # the piles are turned up for the count
    )
    return SeenMove(move.seat, move.verb, move.cards if open_to_him else None, move.cards.bit_count())


def _known(deal: Deal) -> tuple[CardSet, CardSet, CardSet, CardSet]:
    """The face-up cards that went back into hands (17). A seat's reply takes all four: then none are left."""
    known = [0, 0, 0, 0]
    acted = {move.seat for move in deal.table}
    for move in deal.recalled:
        if move.seat not in acted:
            known[move.seat] |= _seen(deal, move, None).cards or 0
    return (known[0], known[1], known[2], known[3])


def _outcome(deal: Deal) -> DealOutcome | None:
    if deal.phase is not Phase.OVER:
        return None
    return DealOutcome(deal.points, deal.tricks, loss(deal), next_leader(deal))


def _plain(value: object) -> object:
    if is_dataclass(value):
        return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return value
