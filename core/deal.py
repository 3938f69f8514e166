"""The rules of one deal: the legal moves and playing a move. Nothing else decides what is allowed.

A state is a frozen fact; `play` returns the next one. Numbers in brackets are the rules of docs/rules.md.
"""

from __future__ import annotations

from core.cards import (
    SUIT_SETS,
    CardSet,
    beats_in,
    leads_in,
    one_suit,
    points_of,
    set_beats,
    subsets,
)
from core.errors import DealError, IllegalMove
from core.moves import Move, Verb
from core.state import HAND, Deal, Pack, Phase, Trick, start

__all__ = [
    "REASONS",
    "Deal",
    "Move",
    "Pack",
    "Phase",
    "Trick",
    "Verb",
    "check",
    "holders",
    "is_molodka",
    "legal_moves",
    "legal_moves_of",
    "loss",
    "next_leader",
    "play",
    "start",
]

MOLODKAS: frozenset[CardSet] = frozenset(four for suit in SUIT_SETS for four in subsets(suit, HAND))

REASONS = {
    "deal_over": "the deal is over",
    "not_your_turn": "it is another seat's turn",
    "answer_first": "this seat is asked about its molodka: accept or decline",
    "must_lead": "nothing lies on the table yet: lead",
    "already_led": "the trick is already led: beat or pass",
    "not_your_cards": "the seat does not hold these cards",
    "wrong_count": "a wrong number of cards",
    "not_one_suit": "a lead is of one suit",
    "does_not_beat": "these cards do not beat what stands",
    "unexpected_cards": "this is said without cards",
    "not_asked": "nobody asked this seat about a molodka",
    "molodka_off": "the house plays without molodka",
    "no_molodka": "the seat has no molodka",
    "already_acted": "the seat has already acted in this trick",
    "four_led": "a four-card lead lies on the table",
    "just_lead": "the leader does not declare, he leads his four",
    "unknown_move": "no such seat or verb",
}
"""Every code of IllegalMove with its technical text."""

# Reading a member off an Enum class takes ten times as long as reading a name, and a list of legal moves does
# it once for each move.
_LEAD, _BEAT, _PASS, _MOLODKA, _DECLINE = Verb
_LEADING, _REPLYING, _OFFERING, _OVER = Phase


def is_molodka(hand: CardSet) -> bool:
    """Exactly four cards, all of one suit, trumps included (16)."""
    return hand in MOLODKAS


def holders(deal: Deal) -> tuple[int, ...]:
    """The seats that may say `molodka` now: to declare it, or to accept when asked. Ascending."""
    if deal.phase is _OFFERING:
        return (deal.turn,) if deal.turn is not None else ()
    if not deal.rules.molodka or deal.need == HAND:
        return ()
    if MOLODKAS.isdisjoint(deal.hands):
        return ()
    return tuple([seat for seat in range(4) if _why_no_molodka(deal, seat) is None])


def _why_no_molodka(deal: Deal, seat: int) -> str | None:
    """The reason why a seat may not declare now, or None. Outside an offer only."""
    if not deal.rules.molodka:
        return "molodka_off"
    # 20: over a four-card lead, declared or ordinary, nobody declares.
    if deal.need == HAND:
        return "four_led"
    # 16: the right lasts from the refill until the own play; the first len(table) seats have acted.
    if _nearness(deal, seat) < len(deal.table):
        return "already_acted"
    if deal.hands[seat] not in MOLODKAS:
        return "no_molodka"
    # 20: a leader who holds four of a suit simply leads them. A seat whose turn it is to reply may declare
    # like any other that has not acted.
    if deal.phase is _LEADING and seat == deal.leader:
        return "just_lead"
    return None


def _nearness(deal: Deal, seat: int) -> int:
    """How far clockwise from the trick's leader, who is the nearest of all (19)."""
    return (seat - deal.leader) % 4


def legal_moves(deal: Deal) -> list[Move]:
    """Every move that `play` accepts now, of every seat that may act: first the turn's, then molodkas."""
    seat = deal.turn
    if seat is None:
        return []
    if deal.phase is _OFFERING:
        return [Move(seat, _MOLODKA), Move(seat, _DECLINE)]
    moves = _leads(deal, seat) if deal.phase is _LEADING else _replies(deal, seat)
    for holder in holders(deal):
        moves.append(Move(holder, _MOLODKA))
    return moves


def legal_moves_of(deal: Deal, seat: int) -> list[Move]:
    """The legal moves of one seat, in or out of turn."""
    return [move for move in legal_moves(deal) if move.seat == seat]


def _leads(deal: Deal, seat: int) -> list[Move]:
    leads = _LEADS[seat]
    return [leads[cards] for cards in leads_in(deal.hands[seat])]


def _replies(deal: Deal, seat: int) -> list[Move]:
    hand, need = deal.hands[seat], deal.need
    beats, passes = _BEATS[seat], _PASSES[seat]
    moves = [beats[cards] for cards in beats_in(hand, deal.standing, need, deal.trump)]
    moves += [passes[cards] for cards in subsets(hand, need)]
    return moves


class _Moves(dict[CardSet, Move]):
    """Cards -> the move with which a seat leads, beats or passes them.

    Making a move takes five times as long as finding it again.
    """

    def __init__(self, seat: int, verb: Verb) -> None:
        super().__init__()
        self.seat = seat
        self.verb = verb

    def __missing__(self, cards: CardSet) -> Move:
        if len(self) > _SPARE_MOVES:
            self.clear()
        self[cards] = move = Move(self.seat, self.verb, cards)
        return move


_SPARE_MOVES = 1 << 12
_LEADS, _BEATS, _PASSES = [[_Moves(seat, verb) for seat in range(4)] for verb in (_LEAD, _BEAT, _PASS)]


def check(deal: Deal, move: Move) -> None:
    """Raises IllegalMove when the rules don't allow the move now; its code is a key of REASONS."""
    reason = _why_not(deal, move)
    if reason is not None:
        raise IllegalMove(reason, REASONS[reason])


def _why_not(deal: Deal, move: Move) -> str | None:
    seat, verb, cards = move
    phase = deal.phase
    if phase is _OVER:
        return "deal_over"
    if seat not in (0, 1, 2, 3):
        return "unknown_move"
    if verb is _MOLODKA or verb is _DECLINE:
        if cards:
            return "unexpected_cards"
        if phase is _OFFERING:
            # 19: while nearer holders are asked nobody else may act, not even by declaring too.
            return None if seat == deal.turn else "not_your_turn"
        return _why_no_molodka(deal, seat) if verb is _MOLODKA else "not_asked"
    if seat != deal.turn:
        return "not_your_turn"
    if phase is _OFFERING:
        return "answer_first"
    if verb is _LEAD:
        return _why_no_lead(deal, seat, cards)
    if verb is _BEAT or verb is _PASS:
        return _why_no_reply(deal, seat, verb, cards)
    return "unknown_move"


def _why_no_lead(deal: Deal, seat: int, cards: CardSet) -> str | None:
    if deal.phase is not _LEADING:
        return "already_led"
    if cards & ~deal.hands[seat]:
        return "not_your_cards"
    if not cards:
        return "wrong_count"
    if not one_suit(cards):
        return "not_one_suit"
    return None


def _why_no_reply(deal: Deal, seat: int, verb: Verb, cards: CardSet) -> str | None:
    if deal.phase is not _REPLYING:
        return "must_lead"
    if cards & ~deal.hands[seat]:
        return "not_your_cards"
    if cards.bit_count() != deal.need:
        return "wrong_count"
    if verb is _BEAT and not set_beats(cards, deal.standing, deal.trump):
        return "does_not_beat"
    return None


def play(deal: Deal, move: Move) -> Deal:
    """The state after the move. Raises IllegalMove (see `check`); for legal moves it is total."""
    check(deal, move)
    seat, verb, _ = move
    if verb is _MOLODKA:
        if deal.phase is _OFFERING:
            return _lead_four(deal, seat)
        # 19: the first len(table) seats have acted and may not claim their four any more.
        return _ask(deal, seat, len(deal.table))
    if verb is _DECLINE:
        assert deal.declarer is not None
        return _ask(deal, deal.declarer, _nearness(deal, seat) + 1)
    return _put(deal, move)


def _ask(deal: Deal, declarer: int, nearness: int) -> Deal:
    """Asks the nearest holder from that nearness up to the declarer; without one he leads (19).

    Nothing else changes in an offer: the table, `need` and `best` stand as they were.
    """
    for distance in range(nearness, _nearness(deal, declarer)):
        seat = (deal.leader + distance) % 4
        if deal.hands[seat] in MOLODKAS:
            return deal._replace(ply=deal.ply + 1, phase=_OFFERING, turn=seat, declarer=declarer)
    return _lead_four(deal, declarer)


def _lead_four(deal: Deal, seat: int) -> Deal:
    """The cards on the table go back to their owners' hands and the seat leads its four (17, 18)."""
    hands = list(deal.hands)
    for move in deal.table:
        hands[move.seat] |= move.cards
    lead = Move(seat, _LEAD, hands[seat])
    hands[seat] = 0
    return deal._replace(
        ply=deal.ply + 1,
        phase=_REPLYING,
        turn=(seat + 1) % 4,
        need=HAND,
        hands=(hands[0], hands[1], hands[2], hands[3]),
        table=(lead,),
        best=seat,
        leader=seat,
        recalled=deal.table,
        declarer=None,
    )


# Nearly every move ends in one of the next two functions. Naming the fields of the new state would take a tenth of all
# the time, so the old state is taken apart, what changes is put under its name, and all goes back in the same order.
def _put(deal: Deal, move: Move) -> Deal:
    """Cards go from a hand to the table: a lead or a reply."""
    pack, rules, ply, _, _, trump, _, _, stock, table, best, tricks, points, leader, past, recalled, _ = deal
    seat, verb, cards = move
    left = list(deal.hands)
    left[seat] ^= cards
    table = (*table, move)
    if verb is not _PASS:
        best = seat
    if len(table) == 4:
        return _finish_trick(deal, left, table, leader if best is None else best)
    phase, turn, need, declarer = _REPLYING, (seat + 1) % 4, cards.bit_count(), None
    hands = (left[0], left[1], left[2], left[3])
    return Deal(
        pack, rules, ply + 1, phase, turn, trump, need, hands, stock,
        table, best, tricks, points, leader, past, recalled, declarer,
    )  # fmt: skip


def _finish_trick(deal: Deal, left: list[CardSet], table: tuple[Move, ...], winner: int) -> Deal:
    """The pile goes to the winner's team (13), the hands are refilled and the winner leads (14)."""
    pack, rules, ply, _, _, trump, _, _, stock, _, _, tricks, points, leader, past, recalled, _ = deal
    worth = points_of(table[0].cards | table[1].cards | table[2].cards | table[3].cards)
    if winner % 2 == 0:
        tricks, points = (tricks[0] + 1, tricks[1]), (points[0] + worth, points[1])
    else:
        tricks, points = (tricks[0], tricks[1] + 1), (points[0], points[1] + worth)
    past = (*past, Trick(table, winner, leader, recalled))
    # Hands are even between tricks (15), so the winner's tells how many cards are drawn in all, if so many are left.
    drawn = stock[: 4 * (HAND - left[winner].bit_count())]
    for place, card in enumerate(drawn, winner):
        left[place % 4] |= 1 << card
    hands, stock = (left[0], left[1], left[2], left[3]), stock[len(drawn) :]
    phase, turn = (_LEADING, winner) if left[winner] else (_OVER, None)
    need, best, leader, declarer = 0, None, winner, None
    return Deal(
        pack, rules, ply + 1, phase, turn, trump, need, hands, stock,
        (), best, tricks, points, leader, past, (), declarer,
    )  # fmt: skip


def next_leader(deal: Deal) -> int:
    """Who leads the next deal: the winner of the last trick (8). Raises DealError(deal_not_over)."""
    if deal.phase is not _OVER:
        raise DealError("deal_not_over")
    return deal.leader


def loss(deal: Deal) -> tuple[int, int]:
    """Loss points per team of a finished deal (22, 23), never doubled: doubling belongs to the series.

    Raises DealError(deal_not_over).
    """
    if deal.phase is not _OVER:
        raise DealError("deal_not_over")
    return loss_of(deal.points, deal.tricks)


def loss_of(points: tuple[int, int], tricks: tuple[int, int]) -> tuple[int, int]:
    """The count alone (22, 23): `points` and `tricks` per team at the end of a deal."""
    if points[0] == points[1]:
        return (0, 0)
    loser = 0 if points[0] < points[1] else 1
    if points[loser] >= 31:
        award = 2
    elif tricks[loser]:
        award = 4
    else:
        award = 6
    return (award, 0) if loser == 0 else (0, award)
