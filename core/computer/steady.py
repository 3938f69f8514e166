"""The steady player: the expected value of every move, as far as one trick tells it.

For each move: the chance that the team takes the trick (`core.computer.chances` over the unseen cards, and a
guess at who would beat), times the points that lie and will lie there; what the trick and the next lead are
worth; and what the cards that are kept are worth, to a leader or somebody else, by a table that was learned
(`core.computer.values`). It knows only what its seat may know, so the same player also
plays all four hands in the playouts of the strong one.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Final, NamedTuple, TypeAlias

from core.cards import FULL, CardSet
from core.computer.chances import CAN
from core.computer.playout import ABOVE, BEATS, LEADS, PASSES, POINTS_OF, Position, relabel
from core.computer.seen import position_of
from core.computer.values import KEPT, Worths
from core.computer.weights import TUNED, Weights
from core.moves import Move, Verb
from core.view import SeatView

_HAND_AND_NEED: Final = (1 << 39) - 1
_SPARE_ENTRIES: Final = 40_000


class Option(NamedTuple):
    """Cards to put, face up or down, and their value in card points; only differences mean anything."""

    value: float
    cards: CardSet
    face_up: bool


_Valued: TypeAlias = tuple[float, CardSet, bool]
"""An option before it leaves here: plain tuples take a third of the time."""


class _Useful(dict[int, tuple[tuple[float, float, CardSet], ...]]):
    """`hand << 3 | need` -> the passes that are best for some chance `ours` of the team's taking the trick, as
    (x, y, cards): the pass is worth `ours * x + y`. All but the upper hull of (x, y) can be left out."""

    def __init__(self, worths: list[Worths]) -> None:
        super().__init__()
        self.worths = worths

    def __missing__(self, key: int) -> tuple[tuple[float, float, CardSet], ...]:
        hull: list[tuple[float, float, int]] = []
        for x, y, cards in sorted(self.every(key)):
            if hull and hull[-1][0] == x:
                hull.pop()
            while len(hull) > 1 and (hull[-1][1] - hull[-2][1]) * (x - hull[-1][0]) <= (y - hull[-1][1]) * (
                hull[-1][0] - hull[-2][0]
            ):
                hull.pop()
            hull.append((x, y, cards))
        if len(self) > _SPARE_ENTRIES:
            self.clear()
        self[key] = useful = tuple(hull)
        return useful

    def every(self, key: int) -> list[tuple[float, float, CardSet]]:
        stage, hand = key >> 39, key >> 3 & FULL
        worths = self.worths[stage]
        found = []
        for cards in PASSES[key & _HAND_AND_NEED]:
            points = POINTS_OF[cards]
            _, partner, opponent = worths[hand ^ cards]
            found.append((2 * points + partner - opponent, opponent - points, cards))
        return found


class Steady:
    """The player with some weights. It remembers what hands are worth, never what happened."""

    def __init__(self, weights: Weights = TUNED) -> None:
        self.weights = weights
        self.worths = [Worths(table, weights.kept) for table in KEPT]
        self.useful = _Useful(self.worths)

    def best(self, position: Position) -> Option:
        """What the seat to act plays."""
        return Option(*max(self._valued(position, every=False)))

    def options(self, position: Position, every: bool = False) -> list[Option]:
        """The moves of the seat to act with their values. Unless `every`, without passes that can't be best."""
        return [Option(*valued) for valued in self._valued(position, every)]

    def _valued(self, position: Position, every: bool) -> list[_Valued]:
        if position.acted:
            return self._replies(position, every)
        return self._leads(position, position.turn, LEADS[position.hands[position.turn]])

    def _leads(self, position: Position, seat: int, leads: Iterable[CardSet]) -> list[_Valued]:
        will, will_point, rescue, again, fat, lean, trick, lead, *_ = self.weights
        hand = position.hands[seat]
        unseen = FULL & ~(position.seen | hand | position.passed[seat])
        size = hand.bit_count()
        base = unseen.bit_count() << 3 | size
        size += (len(position.stock) - position.top) >> 2
        found = []
        for cards in leads:
            key = base
            above = ABOVE[cards]
            need = len(above)
            for higher in above:
                key = key << 5 | (unseen & higher).bit_count()
            can = CAN[need][key]
            stake = float(POINTS_OF[cards])
            wills = will + will_point * (stake + need)
            lost = can * wills if wills < 1.0 else can
            hold = (1.0 - lost) * (1.0 - lost)
            saved = lost * rescue * can * (1.0 - again * lost)
            theirs = 1.0 - hold - saved
            stake += trick + need * (fat + lean)
            leader, partner, opponent = self.worths[size - need][hand ^ cards]
            value = (
                (hold + saved) * (stake + need * lean)
                - theirs * stake
                + hold * (leader + lead)
                + saved * partner
                + theirs * opponent
            )
            found.append((value, cards, True))
        return found

    def _replies(self, position: Position, every: bool) -> list[_Valued]:
        will, will_point, rescue, _, fat, lean, trick, lead, *_ = self.weights
        seat, need, acted = position.turn, position.need, position.acted
        hand = position.hands[seat]
        size = hand.bit_count()
        unseen = FULL & ~(position.seen | hand | position.passed[seat])
        base = unseen.bit_count() << 3 | size
        stage = size + ((len(position.stock) - position.top) >> 2) - need
        worths = self.worths[stage]
        stake = position.open_stake + fat * position.fat + lean * position.lean + trick
        more_won = need * ((fat + lean) if acted == 1 else lean if acted == 2 else 0.0)
        more_lost = need * ((fat + lean) if acted == 1 else fat if acted == 2 else 0.0)
        found = []
        for cards in BEATS[hand << 36 | position.standing]:
            mine = stake + POINTS_OF[cards]
            leader, partner, opponent = worths[hand ^ cards]
            if acted == 3:
                found.append((mine + lead + leader, cards, True))
                continue
            key = base
            for higher in ABOVE[cards]:
                key = key << 5 | (unseen & higher).bit_count()
            can = CAN[need][key]
            wills = will + will_point * mine
            lost = can * wills if wills < 1.0 else can
            saved = lost * rescue * can if acted == 1 else 0.0
            value = (
                (1.0 - lost) * (mine + more_won + lead + leader)
                + saved * (mine + more_won + partner)
                - (lost - saved) * (mine + more_lost - opponent)
            )
            found.append((value, cards, True))
        ours = self._ours_after_pass(position, unseen, base, stake)
        value = ours * (stake + more_won) - (1.0 - ours) * (stake + more_lost)
        passes = stage << 39 | hand << 3 | need
        for x, y, cards in self.useful.every(passes) if every else self.useful[passes]:
            found.append((value + ours * x + y, cards, False))
        return found

    def _ours_after_pass(self, position: Position, unseen: CardSet, base: int, stake: float) -> float:
        """The chance that the team takes the trick when this seat passes."""
        w = self.weights
        acted = position.acted
        partners = not (position.turn ^ position.best) & 1
        if acted == 3 or (acted == 2 and not partners):
            return 1.0 if partners else 0.0
        key = base
        for higher in ABOVE[position.standing]:
            key = key << 5 | (unseen & higher).bit_count()
        can = CAN[position.need][key]
        if acted == 1:
            return w.rescue * can
        return 1.0 - can * min(1.0, w.will + w.will_point * stake)

    def claims(self, position: Position, seat: int) -> bool:
        """Whether a seat that may claim its four gains by it, against playing on as it is."""
        w = self.weights
        [(claimed, _, _)] = self._leads(position, seat, [position.hands[seat]])
        leader = position.leader
        if position.acted:
            later = position.copy()
            later.turn, later.acted = seat, (seat - leader) & 3
            return claimed > self.best(later).value + w.claim
        return claimed > w.claim_early


STEADY: Final = Steady()


def choose(view: SeatView, rng: random.Random) -> Move:
    """The best of `view.legal` by value; of equal ones always the same."""
    if view.offered:
        return answer(view, declares(view, rng))
    option = STEADY.best(position_of(view))
    return move_of(view, option)


def declares(view: SeatView, rng: random.Random) -> bool:  # noqa: ARG001 - the signature of every level
    """Whether to claim the molodka that the seat holds."""
    assert view.seat is not None
    return STEADY.claims(position_of(view), view.seat)


def answer(view: SeatView, accepts: bool) -> Move:
    """A seat that is asked about its molodka says yes or no."""
    wanted = Verb.MOLODKA if accepts else Verb.DECLINE
    return next(move for move in view.legal if move.verb is wanted)


def move_of(view: SeatView, option: Option) -> Move:
    """The option as a move of the seat whose view it is."""
    assert view.seat is not None
    verb = (Verb.BEAT if view.table else Verb.LEAD) if option.face_up else Verb.PASS
    return Move(view.seat, verb, relabel(option.cards, view.trump))
