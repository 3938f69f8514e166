"""Judges and outlooks for tests, and deals that chance leads through in the playout, watched."""

import random
from collections.abc import Iterator

from core.computer import inputs
from core.computer.judge import Judge, Net
from core.computer.lessons import Watched
from core.computer.net import Row
from core.computer.outlook import MARKS, Outlook
from core.computer.playout import Position, dealt, relabel
from core.deal import Phase, play, start
from core.moves import Verb
from core.state import Deal
from tests.core.scenes import random_move, random_pack, random_rules


def rows(rng: random.Random, count: int, size: int) -> list[Row]:
    return [[rng.gauss(0.0, 0.5) for _ in range(size)] for _ in range(count)]


def judge_at_random(rng: random.Random) -> Judge:
    """Small, and of strong opinions."""

    def net() -> Net:
        return Net(
            moment=rows(rng, inputs.MOMENT_MARKS + inputs.MOMENT_NUMBERS, 6),
            move=rows(rng, inputs.MOVE_MARKS + inputs.MOVE_NUMBERS, 6),
            bias=rows(rng, 1, 6)[0],
            second=rows(rng, 4, 6),
            second_bias=rows(rng, 1, 4)[0],
            last=rows(rng, 1, 4)[0],
            steady=0.75,
        )

    return Judge(net(), net())


def steady_judge() -> Judge:
    """Adds nothing to steady's values."""
    net = judge_at_random(random.Random(1)).leads
    plain = net._replace(last=[0.0] * len(net.last), steady=1.0)
    return Judge(plain, plain)


def outlook_at_random(rng: random.Random) -> Outlook:
    return Outlook(
        first=rows(rng, MARKS + 1, 6),
        bias=rows(rng, 1, 6)[0],
        second=rows(rng, 4, 6),
        second_bias=rows(rng, 1, 4)[0],
        last=rows(rng, 1, 4)[0],
        linear=0.75,
    )


def linear_outlook() -> Outlook:
    """Adds nothing to the linear value."""
    return outlook_at_random(random.Random(1))._replace(last=[0.0] * 4, linear=1.0)


def outlook_that_says(points: float) -> Outlook:
    """The same of every position."""
    silent = outlook_at_random(random.Random(1))
    return silent._replace(
        second=[[0.0] * 6] * 4, second_bias=[1.0, 0.0, 0.0, 0.0], last=[points, 0.0, 0.0, 0.0], linear=0.0
    )


def between_tricks(seed: int) -> Iterator[Position]:
    """Positions of a random deal before the draw, its start and its end too."""
    tricks = -1
    for _, deal in watched(seed):
        if sum(deal.position.tricks) > tricks and not deal.position.acted:
            tricks = sum(deal.position.tricks)
            yield deal.position.undrawn(deal.drawn)
    yield deal.position.undrawn(deal.drawn)


def watched(seed: int) -> Iterator[tuple[Deal, Watched]]:
    """A random deal by the rules, with the same one in the playout, whenever a seat is to lead, beat or pass."""
    rng = random.Random(seed)
    rules = random_rules(rng)
    deal = start(random_pack(rng), rules)
    fast = Watched(dealt(deal.pack, open_passes=rules.open_passes, molodka=rules.molodka))
    while deal.turn is not None:
        if deal.phase is not Phase.OFFER:
            yield deal, fast
        move = random_move(deal, rng)
        deal = play(deal, move)
        if move.verb not in (Verb.MOLODKA, Verb.DECLINE):
            fast.put(relabel(move.cards, deal.trump), move.verb is not Verb.PASS)
        elif deal.phase is not Phase.OFFER:
            fast.claim(deal.leader)
