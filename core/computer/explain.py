"""`goat explain RECORD --ply K`: what each level would play at a moment of a deal, and what every move is worth.

A level sees what the seat saw, nothing else: the record's hidden cards don't help it.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from pathlib import Path
from typing import NamedTuple, TextIO

from core import computer
from core.cards import show_cards
from core.computer import steady, strong
from core.computer.seen import position_of
from core.computer.steady import move_of
from core.errors import GoatError, RecordError
from core.moves import Move
from core.record import Record, replay
from core.state import Deal, Phase
from core.view import SeatView, view


class Worth(NamedTuple):
    """Values in card points for the seat's team: steady's by one trick's chances, strong's by its judge and by playing
    on. Only differences within a column mean anything."""

    move: Move
    steady: float
    strong: float


class Explanation(NamedTuple):
    """`choices`: level -> its move. `worths`: every legal move with cards, best for strong first; empty while
    the seat is asked about a molodka."""

    view: SeatView
    choices: dict[str, Move]
    worths: list[Worth]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("record", metavar="RECORD", help="a record of a deal; - is standard input")
    parser.add_argument("--ply", type=int, required=True, help="after how many moves of the record")
    parser.add_argument("--seed", type=int, default=1, help="the players' chance (%(default)s)")


def run(args: argparse.Namespace, out: TextIO | None = None, err: TextIO | None = None) -> int:
    """Prints the table; 1 when the record can't be read or nobody is to act there."""
    out, err = out or sys.stdout, err or sys.stderr
    try:
        text = sys.stdin.read() if args.record == "-" else Path(args.record).read_text(encoding="utf-8")
        out.write(show(explain(Record.from_json(json.loads(text)), args.ply, args.seed)))
    except (OSError, ValueError, GoatError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        err.write(f"goat explain: {args.record}: {reason}\n")
        return 1
    return 0


def explain(record: Record, ply: int, seed: int) -> Explanation:
    """Raises RecordError(no_such_ply, deal_over), IllegalMove when the record breaks the rules before."""
    deal = _at(record, ply)
    if deal.phase is Phase.OVER:
        raise RecordError("deal_over", "the deal is over there: nobody is to act", ply=ply)
    assert deal.turn is not None
    seen = view(deal, deal.turn)
    choices = {}
    for level in computer.LEVELS:
        move = computer.choose(seen, random.Random(seed), level)  # noqa: S311 - no secret, must repeat
        assert move is not None
        choices[level] = move
    worths = []
    if not seen.offered:
        quick = {
            move_of(seen, one): one.value for one in steady.STEADY.options(position_of(seen), every=True)
        }
        rng = random.Random(seed)  # noqa: S311 - no secret, must repeat
        deep = [(move_of(seen, one), one.value) for one in strong.values(seen, rng)]
        worths = [Worth(move, quick[move], value) for move, value in deep]
    return Explanation(seen, choices, worths)


def _at(record: Record, ply: int) -> Deal:
    for deal in replay(record):
        if deal.ply == ply:
            return deal
    raise RecordError("no_such_ply", f"the record has {len(record.moves)} moves", ply=ply)


def show(explanation: Explanation) -> str:
    """The table as text."""
    seen, choices, worths = explanation
    lines = [f"seat {seen.seat} holds {show_cards(seen.hand)}"]
    lines += [f"{level:<7} {move}" for level, move in choices.items()]
    if worths:
        lines.append("")
        lines.append(f"{'move':<26}{'strong':>8}{'steady':>8}   points, compared with the best")
        best_deep = max(one.strong for one in worths)
        best_quick = max(one.steady for one in worths)
        lines += [
            f"{one.move!s:<26}{one.strong - best_deep:>8.1f}{one.steady - best_quick:>8.1f}" for one in worths
        ]
    return "\n".join(lines) + "\n"
