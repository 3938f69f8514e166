"""The strong player: a learned judge of moves (`core.computer.judge`), and a search where it helps.

The judge decides leads. Replies are tried as well, in many worlds that agree with what the seat has seen: all in the
same worlds (`core.computer.guess`), so that their differences are not the luck of the cards. It is a race: a move
that clearly trails the best is out, so the simulations go to those that may be best, and the search stops when one
is left. In each simulation two tricks are played on by steady players, then the hands are worth what they were
worth in self-play.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from math import sqrt, tanh
from statistics import fmean
from typing import Final

from core.computer.guess import Guess
from core.computer.judge import CANDIDATES, learned
from core.computer.memory import remembered
from core.computer.playout import FOURS, Position
from core.computer.solve import solvable, solved
from core.computer.steady import STEADY, Option, answer, move_of
from core.computer.values import to_come
from core.deal import loss_of
from core.moves import Move
from core.view import SeatView

BUDGET: Final = 1000
"""Simulations a move."""

AHEAD: Final = 2
"""Tricks that are played on, the present one included."""

TRUST: Final = 1000
"""How many worlds the judgement of a move counts for."""

WORLDS: Final = 96
"""How many worlds a move is tried in at most. More would only make the search surer than its guesses are good."""

CLAIM: Final = 50
"""How many worlds a molodka is tried in at least, however small the budget: nothing else judges it."""

BATCH: Final = 12
"""Worlds between two looks at which moves are out."""

CLEAR: Final = 2.0
"""By how many standard errors a move is out when it trails the best."""

DOUBT: Final = 20.0
"""Variance, in square points, that even moves may have that came out alike in the worlds so far."""

LOSS: Final = 2.0
"""Card points that a loss point is worth."""

_SPREAD: Final = [1.0, 18.0, 25.0, 30.0, 34.0, 38.0, 42.0, 45.0, 48.0, 50.0]
"""Per stage, the standard deviation of the points still to come."""


def play_on(position: Position, tricks: int) -> None:
    """Steady players finish so many tricks, or the deal."""
    best, claims = STEADY.best, STEADY.claims
    end = position.tricks[0] + position.tricks[1] + tricks
    while True:
        if not FOURS.isdisjoint(position.hands):
            for seat in position.claimants():
                if claims(position, seat):
                    position.claim(seat)
                    break
        _, cards, face_up = best(position)
        position.put(cards, face_up)
        if not position.acted and (
            position.tricks[0] + position.tricks[1] >= end or not position.hands[position.turn]
        ):
            return


def worth(position: Position) -> float:
    """What a position between tricks is worth to team 0, in points and loss points, by the linear values of hands."""
    return worth_with(position, to_come(position))


def worth_with(position: Position, coming: float) -> float:
    """The same when the leader's team is to win so many points more than the other of those still to come."""
    margin = float(position.gain)
    if position.over:
        half = (120 + position.gain) // 2
        losses = loss_of((half, 120 - half), (position.tricks[0], position.tricks[1]))
        return margin + LOSS * (losses[1] - losses[0])
    margin += -coming if position.turn & 1 else coming
    spread = 0.8 * _SPREAD[position.stage]
    return margin + LOSS * (
        tanh(margin / spread) + tanh((margin + 60) / spread) / 2 + tanh((margin - 60) / spread) / 2
    )


class _Tried:
    """A move, and what came of it for its team in each world so far."""

    __slots__ = ("option", "results", "total")

    def __init__(self, option: Option, judged: float) -> None:
        self.option = option
        self.results: list[float] = []
        self.total = judged * TRUST

    def add(self, result: float) -> None:
        self.results.append(result)
        self.total += result

    def score(self) -> float:
        return self.total / (TRUST + len(self.results))

    def trails(self, first: _Tried) -> bool:
        """Whether it is clearly worse than `first`, which was tried in the same worlds."""
        worlds = len(self.results)
        gaps = [ahead - behind for ahead, behind in zip(first.results, self.results, strict=True)]
        mean = sum(gaps) / worlds
        variance = (sum([gap * gap for gap in gaps]) - mean * mean * worlds) / (worlds - 1) + DOUBT
        return first.score() - self.score() > CLEAR * sqrt(variance / (TRUST + worlds))


def best(view: SeatView, rng: random.Random, budget: int = BUDGET) -> Option:
    """The move to play."""
    guess = Guess(view)
    options = sorted(STEADY.options(guess.known, every=True), reverse=True)[:CANDIDATES]
    if len(options) == 1:
        return options[0]
    if guess.certain:
        world = guess.world(rng)
        if solvable(world):
            return solved(world)[0]
    sign = -1.0 if guess.known.turn & 1 else 1.0
    left = [_Tried(option, value) for option, value in _judged(guess, view, options)]
    first = max(left, key=_Tried.score)
    if not guess.known.acted:
        # Tried leads tell no more than judged ones: too much of what comes depends on three hidden hands.
        return first.option
    worlds = 0
    while len(left) > 1 and budget > 0 and worlds < WORLDS:
        worlds += BATCH
        for _ in range(BATCH):
            world = guess.world(rng)
            for tried in left:
                tried.add(sign * outcome(world, tried.option))
        budget -= BATCH * len(left)
        first = max(left, key=_Tried.score)
        left = [tried for tried in left if tried is first or not tried.trails(first)]
    return first.option


def outcome(world: Position, option: Option) -> float:
    """What the move is worth to team 0 in that world."""
    position = world.copy()
    position.put(option.cards, option.face_up)
    if position.acted:
        play_on(position, AHEAD)
    elif not position.over:
        play_on(position, AHEAD - 1)
    return worth(position)


def values(view: SeatView, rng: random.Random) -> list[Option]:
    """Every move of the seat to act with its value as `best` weighs it, none left out early, the best first: for
    explaining."""
    guess = Guess(view)
    options = sorted(STEADY.options(guess.known, every=True), reverse=True)
    tried = [_Tried(option, value) for option, value in _judged(guess, view, options)]
    if guess.known.acted:
        sign = -1.0 if guess.known.turn & 1 else 1.0
        for _ in range(WORLDS):
            world = guess.world(rng)
            for one in tried:
                one.add(sign * outcome(world, one.option))
    found = [Option(one.score(), one.option.cards, one.option.face_up) for one in tried]
    return sorted(found, key=lambda option: -option.value)


def _judged(guess: Guess, view: SeatView, options: list[Option]) -> Iterable[tuple[Option, float]]:
    return zip(options, learned().values(guess.known, remembered(view), options), strict=True)


def choose(view: SeatView, rng: random.Random, budget: int = BUDGET) -> Move:
    """The move of the seat whose turn it is."""
    if view.offered:
        return answer(view, declares(view, rng, budget))
    return move_of(view, best(view, rng, budget))


def declares(view: SeatView, rng: random.Random, budget: int = BUDGET) -> bool:
    """Whether claiming the four gains, against the trick as steady players would go on with it."""
    assert view.seat is not None
    guess = Guess(view)
    sign = -1.0 if view.seat & 1 else 1.0
    gains = []
    for _ in range(max(CLAIM, budget // 4)):
        claimed = guess.world(rng)
        waited = claimed.copy()
        claimed.claim(view.seat)
        play_on(claimed, AHEAD)
        _wait(waited, view.seat)
        gains.append(sign * (worth(claimed) - worth(waited)))
    return fmean(gains) > 0


def _wait(position: Position, seat: int) -> None:
    """The seat does not claim in this trick; others do as they like."""
    end = sum(position.tricks) + 1
    while sum(position.tricks) < end:
        for other in position.claimants():
            if other != seat and STEADY.claims(position, other):
                position.claim(other)
                break
        _, cards, face_up = STEADY.best(position)
        position.put(cards, face_up)
    if not position.over:
        play_on(position, AHEAD - 1)
