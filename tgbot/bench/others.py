"""Other people's game engines, played at random from Python as goat's own is: the yardsticks of `goat bench engine`.

They come with goat's extra `bench`; what is not installed is left out. Each function plays for some seconds and returns
how many decisions of a player it made in a second of the processor, dealing and the moves of chance included.
"""

from collections.abc import Callable
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from random import Random
from time import process_time
from typing import Any

Rate = Callable[[Random, float], float]

OPEN_SPIEL = ("tarok", "skat", "spades", "hearts")
"""Its games of tricks."""
RLCARD = ("uno", "bridge", "gin-rummy", "doudizhu")
"""Its card games of more than a handful of moves."""


def chess(rng: Random, seconds: float) -> float:
    board_of = import_module("chess").Board
    moves, begun = 0, process_time()
    while (took := process_time() - begun) < seconds:
        board = board_of()
        while not board.is_game_over():
            legal = list(board.legal_moves)
            board.push(legal[int(rng.random() * len(legal))])
        moves += len(board.move_stack)
    return moves / took


def open_spiel(name: str, rng: Random, seconds: float) -> float:
    game: Any = import_module("pyspiel").load_game(name)
    moves, begun = 0, process_time()
    while (took := process_time() - begun) < seconds:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes = state.chance_outcomes()
                state.apply_action(outcomes[int(rng.random() * len(outcomes))][0])
            else:
                legal = state.legal_actions()
                state.apply_action(legal[int(rng.random() * len(legal))])
                moves += 1
    return moves / took


def rlcard(name: str, rng: Random, seconds: float) -> float:
    env: Any = import_module("rlcard").make(name, config={"seed": rng.randrange(2**32)})
    moves, begun = 0, process_time()
    while (took := process_time() - begun) < seconds:
        state, _ = env.reset()
        while not env.is_over():
            legal = list(state["legal_actions"])
            state, _ = env.step(legal[int(rng.random() * len(legal))])
            moves += 1
    return moves / took


def installed() -> dict[str, dict[str, Rate]]:
    """By library, then by game."""
    known: dict[str, tuple[str, dict[str, Rate]]] = {
        "python-chess": ("chess", {"chess": chess}),
        "OpenSpiel": ("pyspiel", {name: partial(open_spiel, name) for name in OPEN_SPIEL}),
        "RLCard": ("rlcard", {name: partial(rlcard, name) for name in RLCARD}),
    }
    return {library: games for library, (module, games) in known.items() if find_spec(module) is not None}
