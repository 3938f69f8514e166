"""`goat bench engine`: how many random moves a second the rules, and the playout core, make on one core.

The rules (core/deal.py) list every legal move and play one. The playout core (core/computer/playout.py) plays the same
game for the computer players, millions of times. Yardsticks are other people's engines (others.py), and a fixed loop of
plain Python: that one never changes, so old figures can be compared.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from statistics import median
from time import process_time

from core.computer.playout import ABOVE, BEATS, LEADS, PASSES, Position, dealt
from core.deal import legal_moves, play
from core.shuffle import shuffle
from core.state import start
from tgbot.bench.others import Rate, installed
from tgbot.bench.report import Options, Report, Row, at_least, compared

ROUNDS = 9
SECONDS = 0.2
"""How long one of them plays in a round."""
DEALS = 100
"""Between two looks at the clock."""

PLAYOUTS = 8
"""From one world: the strong player tries so many moves in each."""

LOOP = "loops of plain Python"


def run(options: Options) -> Report:
    rounds, seconds = (2, 0.01) if options.quick else (ROUNDS, SECONDS)
    others = installed()
    players: dict[str, Rate] = {
        "rules": moves_a_second(play_random_deals),
        "playouts": moves_a_second(play_out),
        LOOP: yardstick,
        **{f"{library}: {game}": rate for library, games in others.items() for game, rate in games.items()},
    }
    measured: dict[str, list[float]] = {name: [] for name in players}
    for number in range(rounds):
        for name, rate in players.items():
            measured[name].append(rate(random.Random(number), seconds))  # noqa: S311 - must repeat
    fastest = {
        library: max((f"{library}: {game}" for game in games), key=lambda name: median(measured[name]))
        for library, games in others.items()
    }
    rules, playouts = measured["rules"], measured["playouts"]
    rows = [compared("the rules", "moves/s", rules, LOOP, measured[LOOP], detail=True)]
    if (chess := fastest.get("python-chess")) is not None:
        rows.append(compared("the rules", "moves/s", rules, chess, measured[chess], at_least(6)))
    rows.append(compared("the playout core", "moves/s", playouts, LOOP, measured[LOOP], detail=True))
    for library, bound in (("OpenSpiel", at_least(1)), ("RLCard", None)):
        if (other := fastest.get(library)) is not None:
            rows.append(compared("the playout core", "moves/s", playouts, other, measured[other], bound))
    rows += [
        Row(name, "loops/s" if name == LOOP else "moves/s", tuple(rates), detail=name not in fastest.values())
        for name, rates in measured.items()
        if name not in ("rules", "playouts")
    ]
    return Report(
        "Engine: random deals on one core, each move chosen among all legal ones", tuple(rows), notes(others)
    )


def notes(others: dict[str, dict[str, Rate]]) -> tuple[str, ...]:
    missing = [name for name in ("python-chess", "OpenSpiel", "RLCard") if name not in others]
    if not missing:
        return ()
    return (f"Left out, since not installed: {', '.join(missing)}. `make bench` installs them.",)


def moves_a_second(deals: Callable[[random.Random, int], int]) -> Rate:
    """Moves a second of a function that plays so many deals and returns their moves."""

    def rate(rng: random.Random, seconds: float) -> float:
        moves, begun = 0, process_time()
        while (took := process_time() - begun) < seconds:
            moves += deals(rng, DEALS)
        return moves / took

    return rate


def play_random_deals(rng: random.Random, deals: int) -> int:
    """Plays so many deals by random legal moves; returns how many moves that took."""
    moves = 0
    for number in range(deals):
        deal = start(shuffle(rng, dealer=number % 4, leader=(number + 1) % 4))
        while legal := legal_moves(deal):
            deal = play(deal, legal[int(rng.random() * len(legal))])
        moves += deal.ply
    return moves


def play_out(rng: random.Random, deals: int) -> int:
    """The same in the playout core, in which a molodka is claimed at once, each deal as often as a search would."""
    return sum([play_to_the_end(deal.copy(), rng) for deal in worlds(rng, deals) for _ in range(PLAYOUTS)])


def worlds(rng: random.Random, deals: int) -> Iterator[Position]:
    for number in range(deals):
        yield dealt(shuffle(rng, dealer=number % 4, leader=(number + 1) % 4))


def play_to_the_end(position: Position, rng: random.Random) -> int:
    """Changes the position; returns how many moves that took."""
    moves, chance, put, claimants_of = 0, rng.random, position.put, position.claimants
    while hand := position.hands[position.turn]:
        if position.acted:
            standing, need = position.standing, position.need
            useful = hand & ABOVE[standing][0]
            face_up = BEATS[useful << 36 | standing] if useful.bit_count() >= need else ()
            face_down = PASSES[hand << 3 | need]
        else:
            face_up, face_down = LEADS[hand], ()
        claimants = claimants_of()
        up, down = len(face_up), len(face_down)
        which = int(chance() * (up + down + len(claimants)))
        if which < up:
            put(face_up[which], True)
        elif (which := which - up) < down:
            put(face_down[which], False)
        else:
            position.claim(claimants[which - down])
        moves += 1
    return moves


def yardstick(_: random.Random, seconds: float) -> float:
    """Integers, a list, a dict and a call in a loop: never changed, or old figures lose their meaning."""
    counts: dict[int, int] = {}
    window = [0] * 16
    state, loops, begun = 1, 0, process_time()
    while (took := process_time() - begun) < seconds:
        for step in range(10_000):
            state = state * 1103515245 + 12345 & 0x7FFFFFFF
            window[step & 15] = state
            counts[state & 255] = max(counts.get(state & 255, 0), window[state & 15])
        loops += 10_000
    return loops / took
