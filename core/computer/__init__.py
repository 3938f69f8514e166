"""Computer players. They get a view, never a deal, and all chance from the generator that they are given:
the same view, level and generator state give the same move."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import NamedTuple

from core.computer import easy, rules, steady, strong
from core.errors import GoatError
from core.moves import Move, Verb
from core.view import SeatView

__all__ = ["LEVELS", "PLAYERS", "choose", "declares"]


class Player(NamedTuple):
    choose: Callable[[SeatView, random.Random], Move]
    declares: Callable[[SeatView, random.Random], bool]


LEVELS: tuple[str, ...] = ("easy", "steady", "strong")
"""What people choose from."""

PLAYERS = {
    "easy": Player(easy.choose, easy.declares),
    "steady": Player(steady.choose, steady.declares),
    "strong": Player(strong.choose, strong.declares),
    "rules": Player(rules.choose, rules.declares),
}
"""The levels and the arena's fixed opponent."""


def choose(view: SeatView, rng: random.Random, level: str) -> Move | None:
    """The move of a seat whose turn it is, one of `view.legal`; None when it is not this seat's turn.

    `strong` thinks for some hundredths of a second: ask it in another process. Raises GoatError(unknown_level).
    """
    player = _player(level)
    if view.turn is None or view.turn != view.seat:
        return None
    return player.choose(view, rng)


def declares(view: SeatView, rng: random.Random, level: str) -> bool:
    """Whether a seat that may say `molodka`, in or out of turn, wants to; False when it may not.

    Raises GoatError(unknown_level).
    """
    player = _player(level)
    return any(move.verb is Verb.MOLODKA for move in view.legal) and player.declares(view, rng)


def _player(level: str) -> Player:
    try:
        return PLAYERS[level]
    except KeyError:
        raise GoatError("unknown_level", level=level) from None
