"""Worlds that agree with what a seat has seen: hidden hands, hidden passes and the order of the stock.

Passed cards and hands are drawn by what players pass and keep (`core.computer.beliefs`), and the card that the
dealer showed is in the stock as long as it may be. Worlds in which a steady player would not have made the moves
of the present trick are mostly thrown away.
"""

from __future__ import annotations

import random
from typing import Final, NamedTuple

from core.cards import CardSet, cards_of
from core.computer.beliefs import HELD, PASSED, holding, older, passing
from core.computer.playout import POINTS_OF, Position, relabel
from core.computer.seen import position_of
from core.computer.steady import STEADY
from core.moves import Verb
from core.state import DEALT, HAND
from core.view import SeatView, SeenMove

TRIES: Final = 6
"""Worlds that are tried to find one in which this trick's moves make sense."""

DOUBT: Final = 0.25
"""How likely it is that somebody plays what a steady player would not."""

_ANY: Final = (1.0,) * 36
"""Odds where nobody had a choice."""


def _stock_after(used: int) -> int:
    """The cards left to draw when each player has used so many (15)."""
    return 4 * max(0, 5 - used)


class _Hidden(NamedTuple):
    """Cards that somebody passed face down. `sure`: those of them that lay open before a molodka took them back;
    `many`: the others. `sign`: +1 if team 0 took that trick, -1 if team 1 did, 0 while it lies there."""

    seat: int
    sure: CardSet
    many: int
    likely: tuple[float, ...]
    sign: int


class Guess:
    """What a view leaves open. `world` fills it in."""

    def __init__(self, view: SeatView) -> None:
        self.known = position_of(view)
        trump = view.trump
        self.unseen = [1 << card for card in cards_of(relabel(view.unseen, trump))]
        self.hidden: list[_Hidden] = []
        used = 0
        ages = (0,) * HAND
        for trick in view.past:
            self._hide(trick.moves, trick.recalled, trump, used, 1 if trick.winner % 2 == 0 else -1)
            need = trick.moves[0].count
            ages = older(ages, need, min(need, _stock_after(used) // 4))
            used += need
        self._hide(view.table, view.recalled, trump, used, 0)
        self.held = HELD[holding(ages, _stock_after(used))]
        self.hands = [relabel(cards, trump) for cards in view.known]
        assert view.seat is not None
        self.hands[view.seat] = self.known.hands[view.seat]
        self.missing = [
            size - hand.bit_count() for size, hand in zip(view.hand_sizes, self.hands, strict=True)
        ]
        self.stock = view.stock
        self.leader = view.leader
        # After a molodka what people hold is known in part, and they have no choice of what to pass.
        self.replay: list[tuple[int, CardSet, bool]] = []
        if not view.recalled:
            self.replay = [
                (move.seat, relabel(move.cards or 0, trump), move.verb is not Verb.PASS)
                for move in view.table
            ]
        shown = relabel(1 << view.shown, trump)
        self.shown = shown if shown in self.unseen else 0
        drawn = 3 * (36 - DEALT - view.stock) // 4
        elsewhere = min(drawn, sum(self.missing) + sum([one.many for one in self.hidden]))
        self.in_stock = view.stock / (view.stock + elsewhere) if view.stock else 0.0

    @property
    def certain(self) -> bool:
        """Whether there is only one world: all that is unseen lies in one place, and nothing is drawn."""
        places = sum([one.many > 0 for one in self.hidden]) + sum([number > 0 for number in self.missing])
        return not self.stock and places <= 1

    def _hide(
        self, moves: tuple[SeenMove, ...], recalled: tuple[SeenMove, ...], trump: int, used: int, sign: int
    ) -> None:
        # A molodka makes everybody play his whole hand: what he took back is in it (17, 18).
        open_before = {move.seat: relabel(move.cards, trump) for move in recalled if move.cards is not None}
        best = 0
        for acted, move in enumerate(moves):
            if move.verb is not Verb.PASS:
                best = move.seat
            elif move.cards is None:
                spare = min(HAND, 9 - used) - move.count
                friendly = not (move.seat ^ best) & 1
                likely = PASSED[passing(friendly, acted, _stock_after(used), spare)] if spare else _ANY
                sure = open_before.get(move.seat, 0)
                self.hidden.append(_Hidden(move.seat, sure, move.count - sure.bit_count(), likely, sign))

    def world(self, rng: random.Random) -> Position:
        """One way how everything may lie, as a position to play on."""
        world = self._any_world(rng)
        if not self.replay:
            return world
        for _ in range(TRIES):
            doubts = self._explain(world)
            if not doubts or rng.random() < DOUBT**doubts:
                return world
            world = self._any_world(rng)
        self._explain(world)
        return world

    def _explain(self, world: Position) -> int:
        """How many moves of this trick a steady player would not have made with those cards.

        What he would pass, where somebody passed face down, becomes what was passed.
        """
        then = world.copy()
        hands, table, passed = then.hands, then.table, then.passed
        then.turn, then.acted, then.need, then.standing = self.leader, 0, 0, 0
        then.stake = then.open_stake = then.fat = then.lean = 0
        for seat, cards, face_up in self.replay:
            hands[seat] |= table[seat]
            passed[seat] &= ~table[seat]
            if face_up:
                then.seen &= ~cards
            table[seat] = 0
        doubts = 0
        for seat, cards, face_up in self.replay:
            _, wanted, up = STEADY.best(then)
            if face_up:
                doubts += wanted != cards or not up
                then.put(cards, True)
            elif up:
                doubts += 1
                then.put(world.table[seat], False)
            else:
                then.put(cards or wanted, False)
        world.hands, world.table, world.passed, world.stake = hands, table, passed, then.stake
        return doubts

    def _any_world(self, rng: random.Random) -> Position:
        chance = rng.random
        pool = self.unseen[:]
        position = self.known.copy()
        below = 0
        if self.shown and chance() < self.in_stock:
            pool.remove(self.shown)
            below = self.shown
        for seat, sure, many, likely, sign in self.hidden:
            cards = sure
            left = many
            while left:
                place = int(chance() * len(pool))
                card = pool[place]
                if chance() < likely[card.bit_length() - 1]:
                    pool[place] = pool[-1]
                    pool.pop()
                    cards |= card
                    left -= 1
            position.passed[seat] |= cards
            if sign:
                position.gain += sign * POINTS_OF[cards]
            else:
                position.table[seat] = cards
                position.stake += POINTS_OF[cards]
        hands = self.hands[:]
        held = self.held if self.stock else _ANY
        for seat, count in enumerate(self.missing):
            while count:
                place = int(chance() * len(pool))
                card = pool[place]
                if chance() < held[card.bit_length() - 1]:
                    pool[place] = pool[-1]
                    pool.pop()
                    hands[seat] |= card
                    count -= 1
        position.hands = hands
        if below:
            pool.append(below)
        position.stock = tuple(sorted(pool, key=lambda _: chance()))
        return position
