"""What the judge is taught from: decisions of self-play, with what came of each move in the world that was there.

The outcome of one decision is mostly luck; of very many, it tells what moves are worth.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from core.computer import inputs
from core.computer.inputs import Inputs
from core.computer.judge import CANDIDATES, Judge
from core.computer.memory import Laid, Memory
from core.computer.playout import POINTS_OF, Position, dealt
from core.computer.steady import STEADY, Option
from core.computer.strong import AHEAD, worth
from core.shuffle import shuffle

ASTRAY: Final = 0.12
"""Share of moves made at random in half of the deals, so that positions come up which good players avoid."""

NEAR: Final = 8.0
"""Points that such a move is worth less than the best one at most."""

AGAINST_STEADY: Final = 0.65
"""Share of deals in which a judge's opponents are steady players."""

LAST: Final = 0.5
"""Share of the decisions of the last player of a trick that are kept: they teach little."""


class Decision(NamedTuple):
    """Of a seat that had a choice: what it knew, its moves and by how much steady values each less than its best, and
    what came of each for its team."""

    acted: int
    moment: Inputs
    moves: list[Inputs]
    gaps: list[float]
    outcomes: list[float]


class Watched:
    """A deal in the playout, with what its seats remember and know of the count."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.memory = Memory()
        self.laid: list[Laid] = []
        self.open_gain = 0
        self.own_gain = [0, 0, 0, 0]

    def copy(self) -> Watched:
        twin = Watched(self.position.copy())
        twin.memory = self.memory.copy()
        twin.laid = self.laid[:]
        twin.open_gain = self.open_gain
        twin.own_gain = self.own_gain[:]
        return twin

    def known(self) -> Position:
        """The position with the gain that the seat to act knows: open cards', and of its own passes. Nothing else that
        steady or the judge look at depends on hidden cards."""
        position = self.position.copy()
        position.gain = self.open_gain + self.own_gain[position.turn]
        return position

    def put(self, cards: int, face_up: bool) -> None:
        position = self.position
        before = position.top
        self.laid.append((position.turn, face_up, cards))
        position.put(cards, face_up)
        if not position.acted:
            self._count(won=-1 if position.turn & 1 else 1)
            self.memory.trick(self.laid, (position.top - before) // 4)
            self.laid = []

    def _count(self, won: int) -> None:
        for seat, face_up, cards in self.laid:
            if face_up or self.position.open_passes:
                self.open_gain += won * POINTS_OF[cards]
            else:
                self.own_gain[seat] += won * POINTS_OF[cards]

    def claim(self, seat: int) -> None:
        self.position.claim(seat)
        self.laid = [(seat, True, self.position.standing)]


Players = Sequence[Judge | None]
"""Per seat; None is a steady player."""


def decisions(seed: str, number: int, judge: Judge | None) -> Iterator[Decision]:
    """Plays the deal of that number to its end. Without a judge steady players teach; with one, only its seats do.

    `seed`, `number`: equal ones give equal decisions. Numbers in a row go round who deals and which team is judge.
    """
    rng = random.Random(f"{seed}/{number}")  # noqa: S311 - no secret, must repeat
    deal = Watched(dealt(shuffle(rng, number % 4, (number + 1) % 4)))
    players = _seated(number, judge, rng)
    wanders = number & 8
    while not deal.position.over:
        if _claimed(deal):
            continue
        position = deal.position
        player = players[position.turn]
        options = candidates(position)
        taught = judge is None or player is not None
        if taught and len(options) > 1 and (position.acted < 3 or rng.random() < LAST):
            yield decision(deal, options, players)
        chosen = _choice(deal, options, player)
        if wanders and rng.random() < ASTRAY:
            chosen = rng.choice([option for option in options if option.value > options[0].value - NEAR])
        deal.put(chosen.cards, chosen.face_up)


def candidates(position: Position) -> list[Option]:
    """The moves that are judged, steady's best first."""
    return sorted(STEADY.options(position, every=True), reverse=True)[:CANDIDATES]


def outcome(deal: Watched, option: Option, players: Players) -> float:
    """What the move is worth to team 0 when these players go on, as `strong.outcome` tells it."""
    twin = deal.copy()
    position = twin.position
    end = sum(position.tricks) + AHEAD
    twin.put(option.cards, option.face_up)
    while sum(position.tricks) < end and not position.over:
        _claimed(twin)
        player = players[position.turn]
        chosen = _choice(twin, candidates(position), player) if player else STEADY.best(position)
        twin.put(chosen.cards, chosen.face_up)
    return worth(position)


def _seated(number: int, judge: Judge | None, rng: random.Random) -> Players:
    team = number >> 2 & 1
    both = rng.random() >= AGAINST_STEADY
    return [judge if both or seat & 1 == team else None for seat in range(4)]


def _claimed(deal: Watched) -> bool:
    """Whether a seat led its molodka."""
    for seat in deal.position.claimants():
        if STEADY.claims(deal.position, seat):
            deal.claim(seat)
            return True
    return False


def _choice(deal: Watched, options: Sequence[Option], player: Judge | None) -> Option:
    if player is None or len(options) == 1:
        return options[0]
    values = player.values(deal.known(), deal.memory, options)
    return options[values.index(max(values))]


def decision(deal: Watched, options: Sequence[Option], players: Players) -> Decision:
    """Of the seat to act, between these options."""
    known, memory = deal.known(), deal.memory
    order = inputs.suits(known)
    gaps = [option.value - options[0].value for option in options]
    sign = -1.0 if known.turn & 1 else 1.0
    return Decision(
        known.acted,
        inputs.moment(known, memory, order),
        [
            inputs.move(known, memory, order, gap, option.cards, option.face_up)
            for gap, option in zip(gaps, options, strict=True)
        ],
        gaps,
        [sign * outcome(deal, option, players) for option in options],
    )
