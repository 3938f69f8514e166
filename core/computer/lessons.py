"""What the outlook and the judge are taught from: positions of self-play with what was still to come, and decisions
with what came of each move in the world that was there.

The outcome of one deal is mostly luck; of very many, it tells what positions and moves are worth.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from core.computer import inputs, outlook, values
from core.computer.judge import CANDIDATES, Judge
from core.computer.memory import Laid, Memory
from core.computer.net import Inputs
from core.computer.outlook import Judges, Outlook
from core.computer.playout import POINTS_OF, Position, dealt
from core.computer.steady import STEADY, Option
from core.computer.strong import worth_with
from core.shuffle import shuffle

ASTRAY: Final = 0.12
"""Share of moves made at random in half of the deals, so that positions come up which good players avoid."""

TRICKS: Final = 8
"""Where an outlook is taught, the random moves of such a deal end before one of its first so many tricks."""

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


class Stand(NamedTuple):
    """A position between tricks before the draw: its marks (`core.computer.outlook`), its linear value, and the points
    that its leader's team won from there on, less the other's."""

    marks: list[int]
    linear: float
    to_come: int


class Watched:
    """A deal in the playout, with what its seats remember and know of the count. `drawn`: how many cards came from the
    stock at the end of the last trick."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.memory = Memory()
        self.laid: list[Laid] = []
        self.drawn = 0
        self.open_gain = 0
        self.own_gain = [0, 0, 0, 0]

    def copy(self) -> Watched:
        twin = Watched(self.position.copy())
        twin.memory = self.memory.copy()
        twin.laid = self.laid[:]
        twin.drawn = self.drawn
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
            self.drawn = position.top - before
            self._count(won=-1 if position.turn & 1 else 1)
            self.memory.trick(self.laid, self.drawn // 4)
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


class Game(NamedTuple):
    """A deal in play. `astray`: the share of moves that are made at random."""

    deal: Watched
    players: Players
    astray: float
    rng: random.Random


def stands(seed: str, number: int, judge: Judge | None) -> list[Stand]:
    """Plays the deal of that number to its end: its positions between tricks, from where on no move is made at random:
    what is still to come must be what these players make of it.

    `seed`, `number`: equal ones give equal positions. Numbers in a row go round who deals and which team is judge.
    """
    game = _game(seed, number, judge)
    sober = game._replace(astray=0.0)
    first = game.rng.randrange(TRICKS) if game.astray else 1
    position = game.deal.position
    seated = judges(game.players)
    between: list[tuple[int, int, list[int], float]] = []
    while not position.over:
        played = sum(position.tricks)
        if not position.acted and played and played >= first:
            undrawn = position.undrawn(game.deal.drawn)
            marks = outlook.marks(undrawn, seated)
            between.append((position.turn, position.gain, marks, values.kept_to_come(undrawn)))
        if not _claimed(game.deal):
            _go_on(game if played < first else sober, candidates(position))
    end = position.gain
    return [
        Stand(marks, linear, gain - end if leader & 1 else end - gain)
        for leader, gain, marks, linear in between
    ]


def decisions(seed: str, number: int, judge: Judge | None, ahead: Outlook) -> Iterator[Decision]:
    """Plays the deal of that number to its end; in half of the deals some moves are random, up to the last. Without a
    judge steady players teach; with one, only its seats do. `ahead`: what judges the positions that moves lead to."""
    game = _game(seed, number, judge)
    deal, players, _, rng = game
    position = deal.position
    while not position.over:
        if _claimed(deal):
            continue
        options = candidates(position)
        taught = judge is None or players[position.turn] is not None
        if taught and len(options) > 1 and (position.acted < 3 or rng.random() < LAST):
            yield decision(deal, options, players, ahead)
        _go_on(game, options)


def judges(players: Players) -> Judges:
    return players[0] is not None, players[1] is not None


def candidates(position: Position) -> list[Option]:
    """The moves that are judged, steady's best first."""
    return sorted(STEADY.options(position, every=True), reverse=True)[:CANDIDATES]


def outcome(deal: Watched, option: Option, players: Players, ahead: Outlook) -> float:
    """What the move is worth to team 0 when these players finish the trick: by the outlook, as strong counts it. In which
    order the stock lies does not matter."""
    twin = deal.copy()
    position = twin.position
    twin.put(option.cards, option.face_up)
    while position.acted:
        _claimed(twin)
        player = players[position.turn]
        chosen = _choice(twin, candidates(position), player) if player else STEADY.best(position)
        twin.put(chosen.cards, chosen.face_up)
    return worth_with(position, ahead.to_come(position.undrawn(twin.drawn), judges(players)))


def _game(seed: str, number: int, judge: Judge | None) -> Game:
    rng = random.Random(f"{seed}/{number}")  # noqa: S311 - no secret, must repeat
    deal = Watched(dealt(shuffle(rng, number % 4, (number + 1) % 4)))
    team = number >> 2 & 1
    both = rng.random() >= AGAINST_STEADY
    players = [judge if both or seat & 1 == team else None for seat in range(4)]
    return Game(deal, players, ASTRAY if number & 8 else 0.0, rng)


def _go_on(game: Game, options: list[Option]) -> None:
    """The seat to act makes one of the moves."""
    deal, players, astray, rng = game
    chosen = _choice(deal, options, players[deal.position.turn])
    if rng.random() < astray:
        chosen = rng.choice([option for option in options if option.value > options[0].value - NEAR])
    deal.put(chosen.cards, chosen.face_up)


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


def decision(deal: Watched, options: Sequence[Option], players: Players, ahead: Outlook) -> Decision:
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
        [sign * outcome(deal, option, players, ahead) for option in options],
    )
