"""All clocks of a table stop, and later go on with exactly what was left."""

from dataclasses import replace
from datetime import timedelta

from core.errors import TableError
from core.record import final
from db import seats, tables
from db.connection import Connection
from db.tables import Table
from tgbot.services import turns
from tgbot.services.absence import at_table, is_here, show
from tgbot.services.deals import acts_at, fall_asleep, say, schedule
from tgbot.services.moment import Moment

TRAVEL_LASTS = timedelta(days=1)
TRAVEL_EVERY = timedelta(days=7)


async def pause(db: Connection, table: Table, moment: Moment, *, days: timedelta | None = None) -> None:
    """Until somebody of the table resumes, or for a while. The caller holds the table's lock.

    Raises TableError "paused" when it is already.
    """
    if table.paused_at is not None:
        raise TableError("paused")
    table = replace(await turns.stop(db, table, moment), human_at=moment.now)
    until = None if days is None else moment.now + days
    await tables.change(
        db,
        table,
        act_at=until or turns.sleeps_at(table, moment.now),
        turn=table.turn,
        paused_at=moment.now,
        pause_until=until,
    )
    await show(db, table, moment)


async def travel(db: Connection, table_id: int, player_id: int, moment: Moment) -> None:
    """A day's pause that nobody else has to agree to, once a week, at tables that play by day.

    Raises TableError: "no_series", "not_your_table", "paused", "only_by_day", "travelled_lately".
    """
    table, seat = await at_table(db, table_id, player_id)
    if not table.pace.respects_quiet:
        raise TableError("only_by_day")
    before = table.tenures[seat].travelled_at
    if before is not None and moment.now < before + TRAVEL_EVERY:
        raise TableError("travelled_lately")
    await pause(db, await is_here(db, table, seat, moment), moment, days=TRAVEL_LASTS)
    await seats.travel(db, table.id, seat, moment.now)
    await say(db, table, "travelling", moment, name=table.people[player_id].name)


async def resume(db: Connection, table_id: int, player_id: int, moment: Moment) -> None:
    """Raises TableError: "no_series", "not_your_table", "not_paused"."""
    table, seat = await at_table(db, table_id, player_id)
    if table.paused_at is None:
        raise TableError("not_paused")
    table = replace(await is_here(db, table, seat, moment), human_at=moment.now)
    await say(db, table, "resumed", moment, name=table.people[player_id].name)
    await _go_on(db, table, moment)


async def over(db: Connection, table: Table, moment: Moment) -> None:
    """The house's own step: the day of travelling is over, or nobody has come for very long."""
    if table.pause_until is None:
        await fall_asleep(db, replace(await turns.end(db, table, moment), paused_at=None), moment)
        return
    await say(db, table, "pause_over", moment)
    await _go_on(db, table, moment)


async def _go_on(db: Connection, table: Table, moment: Moment) -> None:
    turn = table.turn
    table = replace(table, paused_at=None, pause_until=None)
    assert table.deal is not None
    state = final(table.deal.record)
    if turn is None:
        await schedule(db, table, state, moment)
    else:
        table = await turns.run(db, table, turn.seat, turn.budget, moment)
        await tables.change(db, table, act_at=acts_at(table, state, moment), turn=table.turn)
    await show(db, table, moment)
