"""The one door of a table in play: a person's press and the house's step both enter here, with the ply that they
were made for."""

from core.errors import TableError
from core.moves import Move, Verb
from core.record import final
from core.table import seat_of
from db import screens, tables
from db.connection import Connection
from db.tables import Table
from tgbot.selection import chosen
from tgbot.services import lobby
from tgbot.services.deals import house_move, play_move, start_series
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
    """A person plays; returns his move.

    Raises TableError: "not_your_table", "old_buttons" (another deal or ply, or no deal at all), "bad_button";
    IllegalMove when the rules forbid it.
    """
    table = await tables.lock(db, table_id)
    if table is None:
        raise TableError("old_buttons")
    seat = seat_of(table.seats, player_id)
    if seat is None:
        raise TableError("not_your_table")
    if table.deal is None or table.deal.id != deal_id or len(table.deal.record.moves) != ply:
        raise TableError("old_buttons")
    if verb not in set(Verb):
        raise TableError("bad_button")
    state = final(table.deal.record)
    move = Move(seat, Verb(verb), chosen(state.hands[seat], mask))
    await play_move(db, table, move, "person", player_id, moment)
    return move


async def house_acts(db: Connection, table_id: int, moment: Moment) -> bool:
    """What is due at this table, if anything still is: a late alarm finds nothing to do.

    The caller holds the table's lock (tables.claim_due). Returns whether something happened.
    """
    table = await tables.read(db, table_id)
    if table is None or table.act_at is None or table.act_at > moment.now:
        return False
    if table.state == "lobby":
        await lobby.expire(db, table, moment)
        return True
    if table.deal is None:
        raise RuntimeError(f"table {table_id} has a clock but no deal")
    move = house_move(table.seats, final(table.deal.record))
    if move is None:
        raise RuntimeError(f"table {table_id} has a clock but waits for a person")
    await play_move(db, table, move, "computer", None, moment)
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
    await start_series(db, await _between(db, table_id, series_id, player_id), moment)


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
