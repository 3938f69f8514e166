"""`goat explain FILE --ply K`: what each level would play at a moment of a deal, and what every move is worth.

A level sees what the seat saw, nothing else: the record's hidden cards don't help it.
"""

from __future__ import annotations

import argparse
import random
import sys
from itertools import islice
from typing import NamedTuple, TextIO

from core import computer
from core.cards import show_cards
from core.computer import steady, strong
from core.computer.arguments import at_least
from core.computer.seen import position_of
from core.computer.steady import move_of
from core.deal import play
from core.errors import GoatError, RecordError
from core.moves import Move
from core.record import read_head, read_move
from core.replay import documents, opened, parse
from core.state import Deal, Phase, start
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
    parser.add_argument(
        "file", metavar="FILE", help="a record of a deal, or a file of them; - is standard input"
    )
    parser.add_argument("--ply", type=int, required=True, help="after how many moves of the record")
    parser.add_argument(
        "--record", type=at_least(1), default=1, dest="number", help="which record of the file (%(default)s)"
    )
    parser.add_argument("--seed", type=int, default=1, help="the players' chance (%(default)s)")


def run(args: argparse.Namespace, out: TextIO | None = None, err: TextIO | None = None) -> int:
    """Prints the table; 1 when the record can't be read or nobody is to act there."""
    out, err = out or sys.stdout, err or sys.stderr
    try:
        text = show(explain(deal_at(parse(_record(args.file, args.number)), args.ply), args.seed))
    except (OSError, ValueError, GoatError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        err.write(f"goat explain: {args.file}: {reason}\n")
        return 1
    out.write(text)
    return 0


def _record(path: str, number: int) -> bytes:
    """The text of that record of a file, from 1 on. Raises OSError, RecordError(no_such_record)."""
    with opened(path, sys.stdin) as source:
        found = list(islice(documents(source), number))
    if len(found) < number:
        held = f"only {len(found)}" if found else "no record"
        raise RecordError("no_such_record", f"it holds {held}", number=number)
    return found[-1]


def deal_at(record: object, ply: int) -> Deal:
    """The deal of a parsed record after so many of its moves; those that follow are not looked at.

    Raises RecordError: no_such_ply, what `core.record.read_head` raises, or the code of a move that is malformed or
    illegal, with `ply`.
    """
    pack, rules, moves = read_head(record)
    if not 0 <= ply <= len(moves):
        raise RecordError(
            "no_such_ply", f"the record has {len(moves)} moves: ply must be from 0 to {len(moves)}", ply=ply
        )
    deal = start(pack, rules)
    for done, move in enumerate(moves[:ply]):
        try:
            deal = play(deal, read_move(move))
        except GoatError as error:
            raise RecordError(error.code, f"move {done + 1}: {error}", ply=done) from None
    return deal


def explain(deal: Deal, seed: int) -> Explanation:
    """Raises RecordError(deal_over)."""
    if deal.phase is Phase.OVER:
        raise RecordError("deal_over", "the deal is over there: nobody is to act", ply=deal.ply)
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
