"""A seat's view as a position of the playout core: what that seat knows, and nothing where it knows nothing."""

from __future__ import annotations

from core.cards import CardSet
from core.computer.playout import POINTS_OF, Position, relabel
from core.moves import Verb
from core.view import SeatView, SeenMove


def position_of(view: SeatView) -> Position:
    """Other hands, the stock's cards and others' hidden passes are empty sets; sizes and counts are true.

    `turn` is the seat that plays the next cards, also while holders of a molodka are asked. `gain` counts
    only what lay open or came from this seat. The view must be a seat's, of a deal that is not over.
    """
    if view.seat is None:
        raise ValueError("the view of the group is nobody's to play")
    trump = view.trump
    hands = [0, 0, 0, 0]
    hands[view.seat] = relabel(view.hand, trump)
    position = Position(hands, (0,) * view.stock, view.leader, view.rules.open_passes, view.rules.molodka)
    position.tricks = list(view.tricks)
    for trick in view.past:
        worth = 0
        for move in trick.recalled:
            _show(position, move, trump)
        for move in trick.moves:
            cards = _show(position, move, trump)
            worth += POINTS_OF[cards]
            if move.verb is Verb.PASS:
                position.passed[move.seat] |= cards
        position.gain += worth if trick.winner % 2 == 0 else -worth
    for move in view.recalled:
        _show(position, move, trump)
    _lay(position, view)
    return position


def _show(position: Position, move: SeenMove, trump: int) -> CardSet:
    cards = relabel(move.cards or 0, trump)
    if move.verb is not Verb.PASS or position.open_passes:
        position.seen |= cards
    return cards


def _lay(position: Position, view: SeatView) -> None:
    """This trick's table."""
    for move in view.table:
        cards = _show(position, move, view.trump)
        position.table[move.seat] = cards
        position.stake += POINTS_OF[cards]
        if move.verb is not Verb.PASS:
            position.need = move.count
            position.standing = cards
            position.best = move.seat
            position.open_stake += POINTS_OF[cards]
        else:
            position.passed[move.seat] |= cards
            if position.open_passes:
                position.open_stake += POINTS_OF[cards]
            elif (move.seat ^ position.best) & 1:
                position.lean += move.count
            else:
                position.fat += move.count
    position.acted = len(view.table)
    position.turn = (view.leader + position.acted) & 3
