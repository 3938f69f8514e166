"""The lobby: from /goat to the first deal. Every function is one transaction's worth, its caller commits.

All raise core.errors.TableError; then nothing has changed.
"""

from datetime import timedelta

from core.computer import LEVELS
from core.errors import RecordError, TableError
from core.pace import NO_LIMIT, PACES
from core.rules import Rules
from core.table import (
    Seats,
    add_computer,
    check_ready,
    fill,
    leave,
    people,
    remove_computer,
    seat_of,
    shuffle_teams,
    sit,
    with_level,
)
from db import proposals, screens, tables
from db import seats as tenures
from db.connection import Connection
from db.tables import Table
from tgbot.services.deals import end_series, start_series
from tgbot.services.moment import Moment

LOBBY_LASTS = timedelta(days=1)


async def open_table(
    db: Connection, chat_id: int, thread_id: int | None, opened_by: int | None, moment: Moment
) -> int:
    """A lobby in this place, or the one that stands there already, shown at the bottom of the chat again.

    A table between two series makes room. Raises TableError "playing" while a series runs here.
    """
    table_id = await tables.at_place(db, chat_id, thread_id)
    table = None if table_id is None else await tables.lock(db, table_id)
    if table is not None and table.state == "playing":
        raise TableError("playing")
    if table is not None and table.state == "lobby":
        await screens.put(db, table.id, "lobby", table.chat_id, moment.now, thread_id=table.thread_id)
        return table.id
    if table is not None:
        await give_way(db, table, moment)
    rules, pace, level = Rules(), NO_LIMIT, tables.LEVEL
    if table is not None:
        rules, pace, level = table.rules, table.pace, table.computers
    opened = await tables.open_lobby(
        db, chat_id, thread_id, opened_by, rules, moment.now, moment.now + LOBBY_LASTS, pace, level
    )
    await screens.put(db, opened, "lobby", chat_id, moment.now, thread_id=thread_id)
    return opened


async def take_seat(db: Connection, table_id: int, player_id: int, team: int, moment: Moment) -> None:
    table = await _lobby(db, table_id)
    if team not in (0, 1):
        raise TableError("no_such_seat")
    await _save(db, table, sit(table.seats, player_id, team), moment)


async def seat_computer(db: Connection, table_id: int, player_id: int, team: int, moment: Moment) -> None:
    table = await _lobby_of(db, table_id, player_id)
    if team not in (0, 1):
        raise TableError("no_such_seat")
    await _save(db, table, add_computer(table.seats, table.computers, team), moment)


async def send_computer_away(
    db: Connection, table_id: int, player_id: int, seat: int, moment: Moment
) -> None:
    table = await _lobby_of(db, table_id, player_id)
    await _save(db, table, remove_computer(table.seats, seat), moment)


async def leave_seat(db: Connection, table_id: int, player_id: int, moment: Moment) -> None:
    table = await _lobby(db, table_id)
    await _save(db, table, leave(table.seats, player_id), moment)


async def draw_teams(db: Connection, table_id: int, player_id: int, moment: Moment) -> None:
    table = await _lobby_of(db, table_id, player_id)
    await _save(db, table, shuffle_teams(table.seats, moment.rng), moment)


async def set_rule(
    db: Connection, table_id: int, player_id: int, rule: str, value: int, moment: Moment
) -> None:
    """`rule` is a key of Rules.to_json(); switches are 0 and 1."""
    table = await _lobby_of(db, table_id, player_id)
    settings = table.rules.to_json()
    if rule not in settings:
        raise TableError("no_such_rule")
    settings[rule] = bool(value) if isinstance(settings[rule], bool) else value
    try:
        rules = Rules.from_json(settings)
    except RecordError:
        raise TableError("no_such_rule") from None
    await tables.change(db, table, rules=rules, act_at=moment.now + LOBBY_LASTS)
    await screens.touch(db, table.id, "lobby", moment.now)


async def set_pace(db: Connection, table_id: int, player_id: int, pace: str, moment: Moment) -> None:
    """`pace` is a key of core.pace.PACES."""
    table = await _lobby_of(db, table_id, player_id)
    if pace not in PACES:
        raise TableError("no_such_rule")
    await tables.change(db, table, pace=PACES[pace], act_at=moment.now + LOBBY_LASTS)
    await screens.touch(db, table.id, "lobby", moment.now)


async def set_level(db: Connection, table_id: int, player_id: int, level: str, moment: Moment) -> None:
    """For the computers that sit there and those to come. `level` is one of core.computer.LEVELS."""
    table = await _lobby_of(db, table_id, player_id)
    if level not in LEVELS:
        raise TableError("no_such_rule")
    await tables.save_seats(db, table, with_level(table.seats, level), moment.now)
    await tables.change(db, table, computers=level, act_at=moment.now + LOBBY_LASTS)
    await screens.touch(db, table.id, "lobby", moment.now)


async def start(db: Connection, table_id: int, player_id: int, moment: Moment) -> None:
    table = await _lobby_of(db, table_id, player_id)
    check_ready(table.seats)
    await start_series(db, table, moment)


async def start_with_computers(db: Connection, table_id: int, player_id: int, moment: Moment) -> None:
    """Computers in all free places, and off. Who finds an empty table is seated by this; a stranger at a
    table where others sit is not ("not_seated")."""
    table = await _lobby(db, table_id)
    seats = table.seats
    if seat_of(seats, player_id) is None:
        if people(seats):
            raise TableError("not_seated")
        seats = sit(seats, player_id, _roomier_team(seats))
    seats = fill(seats, table.computers)
    await tables.save_seats(db, table, seats, moment.now)
    table = await _lobby(db, table_id)
    check_ready(table.seats)
    await start_series(db, table, moment)


async def cancel(db: Connection, table_id: int, player_id: int, admin_of: int | None, moment: Moment) -> None:
    """`admin_of`: the chat in which the person is known to be an admin."""
    table = await _lobby(db, table_id)
    if player_id != table.opened_by and admin_of != table.chat_id:
        raise TableError("not_yours_to_cancel")
    await _close(db, table, "cancelled", moment)


async def expire(db: Connection, table: Table, moment: Moment) -> None:
    """The house's own step: nobody came."""
    await _close(db, table, "expired", moment)


async def give_way(db: Connection, table: Table, moment: Moment) -> None:
    """Another table takes its place in the chat; a series that is played at this one is stopped, and its end shown."""
    if table.state == "playing":
        await end_series(db, table, "stopped", moment)
    await _close(db, table, "replaced", moment)


async def reopen(db: Connection, table: Table, moment: Moment) -> None:
    """Back from the end of a series to choosing seats; computers that stood in for somebody are like the others."""
    await tables.save_seats(db, table, with_level(table.seats, table.computers), moment.now)
    await tenures.keep(db, table.id)
    await tables.change(db, table, state="lobby", act_at=moment.now + LOBBY_LASTS)
    await screens.finish(db, table.id, "series", moment.now)
    await screens.put(db, table.id, "lobby", table.chat_id, moment.now, thread_id=table.thread_id)


async def _lobby(db: Connection, table_id: int) -> Table:
    table = await tables.lock(db, table_id)
    if table is None or table.state != "lobby":
        raise TableError("lobby_gone")
    return table


async def _lobby_of(db: Connection, table_id: int, player_id: int) -> Table:
    """Who sits at a table, or opened it, may set it up."""
    table = await _lobby(db, table_id)
    if seat_of(table.seats, player_id) is None and player_id != table.opened_by:
        raise TableError("not_seated")
    return table


async def _save(db: Connection, table: Table, seats: Seats, moment: Moment) -> None:
    await tables.save_seats(db, table, seats, moment.now)
    await tables.change(db, table, act_at=moment.now + LOBBY_LASTS)
    await screens.touch(db, table.id, "lobby", moment.now)


async def _close(db: Connection, table: Table, because: str, moment: Moment) -> None:
    await tables.change(db, table, state="closed", closed_because=because)
    await proposals.settle_all(db, table.id, moment.now)
    for kind in screens.KINDS:
        await screens.finish(db, table.id, kind, moment.now)


def _roomier_team(seats: Seats) -> int:
    free = [sum(seats[seat] is None for seat in (team, team + 2)) for team in (0, 1)]
    return 0 if free[0] >= free[1] else 1
