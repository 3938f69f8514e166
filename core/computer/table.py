"""A whole deal played by computer players over views, as at a real table."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from time import process_time
from typing import Final

from core import computer
from core.deal import holders, play
from core.moves import Move, Verb
from core.rules import Rules
from core.state import Deal, Pack, Phase, start
from core.view import view

Watch = Callable[[str, float], None]

_NO_RULES: Final = Rules()


def play_deal(
    pack: Pack, levels: Sequence[str], seed: int, rules: Rules = _NO_RULES, watch: Watch | None = None
) -> Deal:
    """The finished deal. `levels`: per seat. `watch` is told whose level used how many CPU seconds for a move."""
    deal = start(pack, rules)
    while deal.phase is not Phase.OVER:
        deal = play(deal, next_move(deal, levels, seed, watch))
    return deal


def next_move(deal: Deal, levels: Sequence[str], seed: int, watch: Watch | None = None) -> Move:
    """What happens next when only computers play: holders of a molodka are asked first, nearest to the leader."""
    if deal.phase is not Phase.OFFER:
        for holder in sorted(holders(deal), key=lambda seat: (seat - deal.leader) % 4):
            if computer.declares(view(deal, holder), _dice(seed, deal, holder), levels[holder]):
                return Move(holder, Verb.MOLODKA)
    seat = deal.turn
    assert seat is not None
    seen = view(deal, seat)
    begun = process_time()
    move = computer.choose(seen, _dice(seed, deal, seat), levels[seat])
    if watch:
        watch(levels[seat], process_time() - begun)
    assert move is not None
    return move


def _dice(seed: int, deal: Deal, seat: int) -> random.Random:
    return random.Random(f"{seed}/{deal.ply}/{seat}")  # noqa: S311 - no secret, must repeat
