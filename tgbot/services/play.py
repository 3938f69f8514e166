"""The one door of a table in play: a person's press and the house's step both enter here, with the ply that they
were made for."""

from core.errors import TableError
from core.moves import Move, Verb
from core.record import final
from core.table import seat_of
from db import screens, tables
from db.connection import Connection
from db.deals import MadeBy
from db.tables import Table
from tgbot.selection import chosen
from tgbot.services import absence, lobby, pausing
from tgbot.services.deals import (
    NOTHING,
    Thoughts,
    fall_asleep,
    house_move,
    patience,
    play_move,
    played_by,
    schedule,
    start_series,
)
from tgbot.services.moment import Moment

PRESENT: dict[str, screens.Kind] = {"lobby": "lobby", "playing": "table", "between": "series"}
"""Which screen of a table is the one to look at, by the table's state."""


async def press(
    db: Connection,
    table_id: int,
    deal_id: int,
    ply: int,
    player_id: int,
    verb: str,
    mask: int,
    moment: Moment,
) -> Move:
    """A person plays; returns his move. Who moves is back, and a sleeping table awake.

    Raises TableError: "not_your_table", "old_buttons" (another deal or ply, or no deal at all), "paused",
    "bad_button"; IllegalMove when the rules forbid it.
    """
    table = await tables.lock(db, table_id)
    if table is None:
        raise TableError("old_buttons")
    seat = seat_of(table.seats, player_id)
    if seat is None:
        raise TableError("not_your_table")
    deal = table.deal
    if deal is None or deal.id != deal_id or len(deal.record.moves) != ply:
        raise TableError("old_buttons")
    if table.paused_at is not None:
        raise TableError("paused")
    if verb not in set(Verb):
        raise TableError("bad_button")
    table = await absence.is_here(db, table, seat, moment)
    state = final(deal.record)
    move = Move(seat, Verb(verb), chosen(state.hands[seat], mask))
    await play_move(db, table, move, "person", player_id, moment)
    return move


async def house_acts(db: Connection, table_id: int, moment: Moment, thoughts: Thoughts = NOTHING) -> bool:
    """What is due at this table, if anything still is: a late alarm finds nothing to do.

    `thoughts`: what slow computer players have answered; without them steady ones play. The caller holds the table's
    lock (tables.claim_due). Returns whether something happened.
    """
    table = await tables.read(db, table_id)
    if table is None or table.act_at is None or table.act_at > moment.now:
        return False
    if table.state == "lobby":
        await lobby.expire(db, table, moment)
        return True
    if table.paused_at is not None:
        await pausing.over(db, table, moment)
        return True
    if table.deal is None:
        raise RuntimeError(f"table {table_id} has a clock but no deal")
    state = final(table.deal.record)
    move = house_move(played_by(table), state, thoughts)
    if move is not None:
        made_by: MadeBy = "clock" if move.seat in table.away else "computer"
        await play_move(db, table, move, made_by, None, moment)
    elif patience(table, moment) > moment.now:
        await schedule(db, table, state, moment, asked=True)
    elif table.turn is not None:
        await absence.time_is_up(db, table, state, moment)
    else:
        await fall_asleep(db, table, moment)
    return True


async def show_table(db: Connection, table_id: int, moment: Moment) -> None:
    """The present screen of a table to the bottom of its chat."""
    table = await tables.lock(db, table_id)
    if table is None or table.state == "closed":
        raise TableError("no_table")
    await screens.ring(db, table.id, PRESENT[table.state], moment.now, priority=screens.SOON)


async def show_hand(db: Connection, table_id: int, player_id: int, moment: Moment) -> None:
    """A person's hand to the bottom of his private chat. Raises TableError: "no_table", "not_your_table"."""
    table = await tables.lock(db, table_id)
    if table is None or table.state == "closed":
        raise TableError("no_table")
    if seat_of(table.seats, player_id) is None:
        raise TableError("not_your_table")
    if table.state != "playing":
        raise TableError("no_deal")
    await screens.ring(db, table.id, "hand", moment.now, player_id=player_id)


async def again(db: Connection, table_id: int, series_id: int, player_id: int, moment: Moment) -> None:
    """A new series of the same four. Raises TableError as `_between` does."""
    table = await _between(db, table_id, series_id, player_id)
    seat = seat_of(table.seats, player_id)
    assert seat is not None
    await start_series(db, await absence.is_here(db, table, seat, moment), moment)


async def change_seats(db: Connection, table_id: int, series_id: int, player_id: int, moment: Moment) -> None:
    await lobby.reopen(db, await _between(db, table_id, series_id, player_id), moment)


async def _between(db: Connection, table_id: int, series_id: int, player_id: int) -> Table:
    """Raises TableError: "old_buttons" unless this series is the table's latest and over, "not_your_table"."""
    table = await tables.lock(db, table_id)
    if table is None or table.state != "between" or table.series is None or table.series.id != series_id:
        raise TableError("old_buttons")
    if seat_of(table.seats, player_id) is None:
        raise TableError("not_your_table")
    return table
