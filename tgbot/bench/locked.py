"""The other yardstick of a move: what must be written for it, in a transaction that locks the table, and nothing else."""

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import count
from time import perf_counter

from db import deals, tables, updates
from db.pool import Pool
from tgbot.bench.hall import Seated, Turn
from tgbot.bench.load import Pressed

BUMP = "UPDATE tables SET version = version + 1, act_at = $2, human_at = $2 WHERE id = $1"


async def moves(
    pool: Pool, lanes: Sequence[Sequence[Seated]], seconds: float, numbers: "count[int]"
) -> Pressed:
    """As many at the same time as there are lanes, on a pool of goat's size."""
    begun = perf_counter()
    delays: list[float] = []

    async def lane(of: Sequence[Seated]) -> None:
        for ply in count():
            there = [one for one in of if ply < len(one.turns)]
            if not there:
                return
            for one in there:
                at = perf_counter()
                if at >= begun + seconds:
                    return
                await _move(pool, one, ply, one.turns[ply], next(numbers))
                delays.append(1000 * (perf_counter() - at))

    await asyncio.gather(*(lane(of) for of in lanes))
    return Pressed(perf_counter() - begun, delays)


async def _move(pool: Pool, at: Seated, ply: int, turn: Turn, update_id: int) -> None:
    now = datetime.now(UTC)
    async with pool.acquire() as db, db.transaction():
        await updates.remember(db, update_id, now)
        await db.fetchval(tables.LOCK, at.table)
        await deals.append_move(db, at.deal, ply, turn.move, "person", turn.player, now)
        await db.execute(BUMP, at.table, now)
