"""`goat tune --judge`: the judge's weights, by rounds of self-play and fitting.

A round first plays deals for an outlook (`core.computer.outlook`), which says what a position is worth when these
players go on; then others, in which each move is tried to the end of its trick and the outlook says what came of it.
In the first round steady players teach; in each later one the judge of the round before, who meets positions that
better play leads to, and whose better play says what moves are worth. Its nets and the outlook are fitted on from
there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Final, TypeVar

from core.computer import fit_judge, fit_outlook
from core.computer.judge import Judge
from core.computer.lessons import Decision, Stand, decisions, stands
from core.computer.outlook import Outlook
from core.computer.spread import Spread, processes

FORESEEN: Final = 4
"""Deals that an outlook is taught from for each one that the judge is: nothing is tried in them, so one takes a twentieth
of the time when steady plays, a seventh with a judge. It wants many: of 15,000, 30,000 and 60,000 deals of steady it
learned to explain 1.3, 1.5 and 3.1 % more of the variance than linear values, which explain 20 to 24 % of it; much of the
rest is the order of the stock."""

HELD_OUT: Final = 10
"""One deal of so many is not taught, and says what was learned."""

CHUNK: Final = 50

Found = TypeVar("Found")
Packed = TypeVar("Packed")


def teach(
    seed: int, deals: int, rounds: int, epochs: int, jobs: int, report: Callable[[str], object]
) -> Judge:
    """`deals`: of each round, 20 or more; `epochs`: how often a fit sees each decision and each position; `jobs`: processes
    that play, which change nothing but the time. `report` gets a line a round."""
    judge: Judge | None = None
    outlook: Outlook | None = None
    with processes(jobs) as spread:
        for number in range(1, rounds + 1):
            name = f"{seed}/{number}"
            play_on = partial(_stands, f"{name}/outlook", judge)
            seen = _gathered(spread, play_on, FORESEEN * deals, fit_outlook.pack)
            outlook, foreseen = fit_outlook.fit(*seen, epochs, seed, outlook)
            decide = partial(_decisions, name, judge, outlook)
            taught, held_out = _gathered(spread, decide, deals, fit_judge.pack)
            judge, scores = fit_judge.fit_judge(taught, held_out, epochs, seed, judge)
            report(_line(number, foreseen, len(taught.counts), scores))
    assert judge is not None
    return judge


def _gathered(
    spread: Spread,
    play: Callable[[range], list[Found]],
    deals: int,
    pack: Callable[[Iterable[list[Found]]], Packed],
) -> tuple[Packed, Packed]:
    """What is taught, and what is held out."""
    known = deals - max(1, deals // HELD_OUT)
    return pack(spread(play, _spans(0, known))), pack(spread(play, _spans(known, deals)))


def _spans(first: int, end: int) -> list[range]:
    return [range(start, min(start + CHUNK, end)) for start in range(first, end, CHUNK)]


def _stands(seed: str, judge: Judge | None, numbers: range) -> list[Stand]:
    return [stand for number in numbers for stand in stands(seed, number, judge)]


def _decisions(seed: str, judge: Judge | None, outlook: Outlook, numbers: range) -> list[Decision]:
    return [decision for number in numbers for decision in decisions(seed, number, judge, outlook)]


def _line(number: int, foreseen: fit_outlook.Score, taught: int, scores: list[fit_judge.Score]) -> str:
    count, squares, left, gained = [sum(column) for column in zip(*scores, strict=True)]
    return (
        f"round {number}: the outlook explains {_explained(foreseen.left, foreseen.squares)} of the variance of points "
        f"to come, linear values {_explained(foreseen.linear, foreseen.squares)}; "
        f"taught from {taught} decisions; of {count} others {_explained(left, squares)} explained, "
        f"{gained / count:+.3f} points a decision against steady's choice"
    )


def _explained(left: float, squares: float) -> str:
    return f"{100 * (1 - left / squares):.1f} %"
