"""When somebody is not there: the house plays for him, he comes back, or somebody else takes the seat.

Every function is one transaction's worth. All raise core.errors.TableError; then nothing has changed.
"""

from collections.abc import Collection
from dataclasses import replace

from core.errors import TableError
from core.moves import Move, Verb
from core.record import final
from core.state import Deal, Phase
from core.table import EMPTY, Occupant, Seats, seat_of
from db import proposals, screens, seats, tables
from db.connection import Connection
from db.tables import Sitter, Table
from tgbot.services import turns
from tgbot.services.deals import (
    STAND_IN,
    end_series,
    house_move,
    play_move,
    say,
    schedule,
)
from tgbot.services.moment import Moment

AWAY_AFTER = 2
"""Turns in a row that the house plays for a person before it plays on without waiting for him."""


async def time_is_up(db: Connection, table: Table, state: Deal, moment: Moment) -> None:
    """The house plays this one turn. Whose molodka right has run out silently is nobody's business."""
    assert table.turn is not None
    seat = table.turn.seat
    if state.phase is Phase.OFFER:
        await play_move(db, table, Move(seat, Verb.DECLINE), "clock", None, moment)
        return
    move = house_move(_with(EMPTY, seat, Occupant(computer=STAND_IN)), state)
    if move is None or move.seat != seat:
        raise RuntimeError(f"table {table.id}: the house has no move for the seat whose time is up")
    await seats.miss(db, table.id, seat, AWAY_AFTER, moment.now)
    who = _sitter(table, seat)
    table = await _again(db, table)
    await say(db, table, "away" if seat in table.away else "time_up", moment, name=who.name)
    await play_move(db, table, move, "clock", None, moment)


async def is_here(db: Connection, table: Table, seat: int, moment: Moment) -> Table:
    """A person has acted himself: turns that he missed are forgotten. The caller goes on with what is returned."""
    tenure = table.tenures[seat]
    if tenure.missed == 0 and tenure.away_since is None:
        return table
    await seats.present(db, table.id, seat)
    if tenure.away_since is not None:
        await say(db, table, "back", moment, name=_sitter(table, seat).name)
        await _no_replacement(db, table, seat, moment)
    return await _again(db, table)


async def back(db: Connection, table_id: int, player_id: int, moment: Moment) -> None:
    """His seat is his own again from the next move on. No other clock changes by that.

    Raises TableError: "no_series", "not_your_table", "not_away".
    """
    table, seat = await at_table(db, table_id, player_id)
    if seat not in table.away:
        raise TableError("not_away")
    table = replace(await is_here(db, table, seat, moment), human_at=moment.now)
    if table.paused_at is not None:
        await _stay_paused(db, table)
    elif table.turn is None:
        await _go_on(db, table, moment, ring=(seat,))
    else:
        await tables.change(db, table, act_at=table.act_at, turn=table.turn)
    await show(db, table, moment)


async def wake(db: Connection, table_id: int, player_id: int, moment: Moment) -> None:
    """A sleeping table goes on; whose turn it is has his whole time.

    Raises TableError: "no_series", "not_your_table", "not_asleep".
    """
    table, seat = await at_table(db, table_id, player_id)
    if table.asleep_at is None:
        raise TableError("not_asleep")
    table = replace(await is_here(db, table, seat, moment), human_at=moment.now, asleep_at=None)
    await say(db, table, "woken", moment, name=_sitter(table, seat).name)
    await _go_on(db, table, moment, ring=table.present)
    await show(db, table, moment)


async def leave(db: Connection, table_id: int, player_id: int, moment: Moment) -> None:
    """Out of a series: a computer sits in until somebody takes the seat. The last person's leaving stops the series.

    Raises TableError: "no_series", "not_your_table".
    """
    table, seat = await at_table(db, table_id, player_id)
    await offer_seat(db, table, seat, moment)


async def offer_seat(db: Connection, table: Table, seat: int, moment: Moment) -> None:
    """The person of a seat leaves it, by his own wish or the others'."""
    who = _sitter(table, seat)
    own_turn = table.turn is not None and table.turn.seat == seat
    if own_turn:
        table = await turns.end(db, table, moment)
    await _hand_over(db, table, seat, Occupant(computer=STAND_IN), moment, offered=True)
    await screens.finish(db, table.id, "hand", moment.now, player_id=who.id)
    table = await _changed(db, table)
    if not any(holder is not None and holder.person is not None for holder in table.seats):
        await end_series(db, table, "stopped", moment)
        return
    await say(db, table, "seat_free", moment, name=who.name, table=table.id, seat=seat)
    if table.paused_at is not None:
        await _stay_paused(db, table)
    elif table.asleep_at is None and table.turn is None:
        await _go_on(db, table, moment)
    await show(db, table, moment)


async def take_over(db: Connection, table_id: int, seat: int, player_id: int, moment: Moment) -> None:
    """A substitute takes an offered seat: its cards ring in his private chat at once.

    Raises TableError: "no_series", "seat_taken", "already_seated".
    """
    table = await playing(db, table_id)
    if seat_of(table.seats, player_id) is not None:
        raise TableError("already_seated")
    if seat not in table.offered:
        raise TableError("seat_taken")
    await _hand_over(db, table, seat, Occupant(person=player_id), moment)
    table = replace(await _changed(db, table), human_at=moment.now)
    await say(db, table, "substitute", moment, name=_sitter(table, seat).name)
    await screens.put(db, table.id, "hand", player_id, moment.now, player_id=player_id, priority=screens.NOW)
    if table.paused_at is not None:
        await _stay_paused(db, table)
    elif table.turn is None:
        await _go_on(db, replace(table, asleep_at=None), moment)
    else:
        await tables.change(db, table, act_at=table.act_at, turn=table.turn)
    await show(db, table, moment)


async def playing(db: Connection, table_id: int) -> Table:
    """The locked table of a running series. Raises TableError "no_series"."""
    table = await tables.lock(db, table_id)
    if table is None or table.state != "playing" or table.deal is None:
        raise TableError("no_series")
    return table


async def at_table(db: Connection, table_id: int, player_id: int) -> tuple[Table, int]:
    """The same, with the seat of a person who sits there. Raises TableError "not_your_table" too."""
    table = await playing(db, table_id)
    seat = seat_of(table.seats, player_id)
    if seat is None:
        raise TableError("not_your_table")
    return table, seat


async def show(db: Connection, table: Table, moment: Moment) -> None:
    """What everybody sees of the table is out of date."""
    await screens.touch(db, table.id, "table", moment.now)
    await screens.touch(db, table.id, "hand", moment.now, priority=screens.LATER)


async def _go_on(db: Connection, table: Table, moment: Moment, *, ring: Collection[int] = ()) -> None:
    """Whom the table waits for is found anew; his phone rings if he sits in one of the seats `ring`."""
    assert table.deal is not None
    state = final(table.deal.record)
    await schedule(db, table, state, moment)
    if state.turn is not None and state.turn in ring:
        await screens.ring(db, table.id, "hand", moment.now, player_id=_sitter(table, state.turn).id)


async def _stay_paused(db: Connection, table: Table) -> None:
    await tables.change(
        db,
        table,
        act_at=table.act_at,
        turn=table.turn,
        paused_at=table.paused_at,
        pause_until=table.pause_until,
    )


async def _hand_over(
    db: Connection, table: Table, seat: int, to: Occupant, moment: Moment, *, offered: bool = False
) -> None:
    await tables.save_seats(db, table, _with(table.seats, seat, to), moment.now, offered=offered)
    await proposals.withdraw(db, table.id, seat)
    await _no_replacement(db, table, seat, moment)
    await screens.touch(db, table.id, "proposal", moment.now)


async def _no_replacement(db: Connection, table: Table, seat: int, moment: Moment) -> None:
    """Whether to replace the holder of this seat is no question any more."""
    asked = await proposals.running(db, table.id, "replace")
    if asked is not None and asked.args["seat"] == seat:
        await proposals.settle(db, asked.id, False, moment.now)
        await screens.finish(db, table.id, "proposal", moment.now)


async def _again(db: Connection, table: Table) -> Table:
    """The table with its tenures as they are now; what the caller changed in his copy stays."""
    read = await tables.read(db, table.id)
    assert read is not None
    return replace(table, tenures=read.tenures)


async def _changed(db: Connection, table: Table) -> Table:
    """The same after a change of seats."""
    read = await tables.read(db, table.id)
    assert read is not None
    return replace(table, seats=read.seats, people=read.people, tenures=read.tenures)


def _with(held: Seats, seat: int, who: Occupant) -> Seats:
    placed = [who if index == seat else other for index, other in enumerate(held)]
    return placed[0], placed[1], placed[2], placed[3]


def _sitter(table: Table, seat: int) -> Sitter:
    who = table.seats[seat]
    assert who is not None
    assert who.person is not None
    return table.people[who.person]
