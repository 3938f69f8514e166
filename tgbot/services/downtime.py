"""Nobody's clock runs while the house itself is away: after downtime, running turns get it back."""

import logging
from datetime import datetime, timedelta

from core.record import final
from db import heartbeat, screens, tables
from db.connection import Connection
from db.faults import PASSING
from db.pool import Pool
from db.tables import Table
from tgbot.services import turns
from tgbot.services.deals import acts_at
from tgbot.services.moment import Moment

log = logging.getLogger(__name__)

UNNOTICED = timedelta(seconds=15)
"""A shorter gap is none: the clock's own pauses, or another process that took over."""

BATCH = 200


async def make_up(pool: Pool, moment: Moment) -> int:
    """Gives running turns back what the house was away for; returns how many tables that were.

    To be called before anything is done by the clock. Doing it twice, or in two processes at once, gives nothing
    twice: a clock that was set anew began to run long after the last heartbeat.
    """
    async with pool.acquire() as db:
        last = await heartbeat.last(db)
    if last is None or moment.now - last < UNNOTICED:
        return 0
    mended = after = 0
    while True:
        async with pool.acquire() as db:
            found = await tables.clocks_since_before(db, last + UNNOTICED, BATCH, after)
        for table_id in found:
            mended += await _make_up_at(pool, table_id, last, moment)
            after = table_id
        if not found:
            return mended


async def _make_up_at(pool: Pool, table_id: int, last: datetime, moment: Moment) -> bool:
    """In a transaction of its own: a fault at one table keeps no other from its time, and the bot from no start."""
    try:
        async with pool.acquire() as db, db.transaction():
            table = await tables.lock(db, table_id)
            return table is not None and await _give_back(db, table, last, moment)
    except PASSING:
        raise
    except Exception:
        log.exception("table %s does not get the time back that the bot was away", table_id)
        return False


async def _give_back(db: Connection, table: Table, last: datetime, moment: Moment) -> bool:
    """What was left at the last heartbeat is left now: never more than the pace allows, and nobody's time runs out
    because the bot was away."""
    turn = table.turn
    if turn is None or turn.since is None or turn.since >= last + UNNOTICED:
        return False
    assert table.deal is not None
    # A turn that began between the last heartbeat and the end has used nothing.
    stopped = await turns.stop(db, table, Moment(max(last, turn.since), moment.rng))
    assert stopped.turn is not None
    running = await turns.run(db, stopped, turn.seat, stopped.turn.budget, moment)
    act_at = acts_at(running, final(table.deal.record), moment)
    await tables.change(db, running, act_at=act_at, turn=running.turn)
    await screens.touch(db, table.id, "table", moment.now)
    await screens.touch(db, table.id, "hand", moment.now, priority=screens.LATER)
    return True
