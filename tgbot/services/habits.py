"""A person's own settings of time: his zone, his quiet hours, whether he is reminded."""

from zoneinfo import ZoneInfoNotFoundError

from core.errors import TableError
from core.pace import Quiet
from core.record import final
from db import players, reminders, screens, tables
from db.connection import Connection
from tgbot.services import turns
from tgbot.services.deals import acts_at
from tgbot.services.moment import Moment


async def set_zone(db: Connection, player_id: int, zone: str, moment: Moment) -> None:
    """Raises TableError "no_such_zone"."""
    player = await players.get(db, player_id)
    assert player is not None
    await _set(db, player_id, zone, player.quiet_start, player.quiet_end, moment)


async def set_quiet(
    db: Connection, player_id: int, start: int | None, end: int | None, moment: Moment
) -> None:
    """Hours by his own clock, or none. Raises TableError: "no_zone" before a zone is chosen, "too_quiet"."""
    player = await players.get(db, player_id)
    assert player is not None
    if player.zone is None:
        raise TableError("no_zone")
    await _set(db, player_id, player.zone, start, end, moment)


async def set_reminders(db: Connection, player_id: int, wanted: bool) -> None:
    """From his next turn on; what was to come is void."""
    await players.set_reminders(db, player_id, wanted)
    if not wanted:
        await reminders.void_of_player(db, player_id)


async def _set(
    db: Connection, player_id: int, zone: str, start: int | None, end: int | None, moment: Moment
) -> None:
    """His running turns go on with what is left of them: until now by the old hours, from now by the new ones.

    What is shown of his deadlines is then wrong in the groups, and by a wrong clock in his hands.
    """
    try:
        Quiet(zone, start or 0, end or 0)
    except (ZoneInfoNotFoundError, ValueError) as error:
        raise TableError(
            "no_such_zone" if isinstance(error, ZoneInfoNotFoundError) else "too_quiet"
        ) from None
    stopped = []
    for table_id in await tables.of_player(db, player_id):
        table = await tables.lock(db, table_id)
        if table is None or table.turn is None or table.turn.since is None:
            continue
        who = table.seats[table.turn.seat]
        if who is not None and who.person == player_id:
            stopped.append(await turns.stop(db, table, moment))
    # After the tables, as every move has it: who locks in another order waits for himself.
    await screens.touch_chat(db, player_id, moment.now)
    await players.set_zone(db, player_id, zone)
    await players.set_quiet(db, player_id, start, end)
    for before in stopped:
        table = await tables.read(db, before.id)
        turn = before.turn
        assert table is not None
        assert table.deal is not None
        assert turn is not None
        state = final(table.deal.record)
        table = await turns.run(db, table, turn.seat, turn.budget, moment)
        await tables.change(db, table, act_at=acts_at(table, state, moment), turn=table.turn)
        await screens.touch(db, table.id, "table", moment.now)
