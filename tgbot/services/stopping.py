"""Stopping a series: by agreement of both teams, or by a chat admin."""

from core.errors import TableError
from core.table import seat_of, teams_missing
from db import proposals, screens, tables
from db.connection import Connection
from db.tables import Table
from tgbot.services.deals import end_series
from tgbot.services.moment import Moment


async def propose(
    db: Connection, table_id: int, player_id: int, admin_of: int | None, moment: Moment
) -> None:
    """Asks the table; nothing stops before somebody agrees. Proposing again shows the question again.

    `admin_of`: the chat in which the person is known to be an admin.
    Raises TableError: "no_series", "not_your_table" for who neither sits here nor is a chat admin.
    """
    table = await _playing(db, table_id)
    seat = seat_of(table.seats, player_id)
    if seat is None and admin_of != table.chat_id:
        raise TableError("not_your_table")
    running = await proposals.running(db, table.id, "stop")
    if running is None:
        agreed = () if seat is None else (seat,)
        proposal_id = await proposals.open_proposal(db, table.id, "stop", player_id, agreed, moment.now)
    else:
        proposal_id = running.id
    await screens.put(
        db,
        table.id,
        "proposal",
        table.chat_id,
        moment.now,
        thread_id=table.thread_id,
        proposal_id=proposal_id,
    )


async def vote(
    db: Connection, proposal_id: int, player_id: int, admin_of: int | None, yes: bool, moment: Moment
) -> None:
    """One player of each team, or an admin alone, stops the series; one "no" of the table keeps it going.

    Raises TableError: "old_buttons", "not_your_table".
    """
    proposal = await proposals.get(db, proposal_id)
    if proposal is None:
        raise TableError("old_buttons")
    table = await _playing(db, proposal.table_id)
    proposal = await proposals.get(db, proposal_id)
    if proposal is None or proposal.accepted is not None:
        raise TableError("old_buttons")
    seat = seat_of(table.seats, player_id)
    if seat is None and admin_of != table.chat_id:
        raise TableError("not_your_table")
    if not yes:
        await proposals.settle(db, proposal.id, False, moment.now)
        await screens.finish(db, table.id, "proposal", moment.now)
        return
    agreed = proposal.agreed if seat is None else tuple(sorted({*proposal.agreed, seat}))
    await proposals.agree(db, proposal.id, agreed)
    if admin_of == table.chat_id or not teams_missing(table.seats, agreed):
        await proposals.settle(db, proposal.id, True, moment.now)
        await screens.finish(db, table.id, "proposal", moment.now)
        await end_series(db, table, "stopped", moment)
    else:
        await screens.touch(db, table.id, "proposal", moment.now)


async def _playing(db: Connection, table_id: int) -> Table:
    table = await tables.lock(db, table_id)
    if table is None or table.state != "playing":
        raise TableError("no_series")
    return table
