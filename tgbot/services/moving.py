"""A group becomes a supergroup, and what stands in it goes along."""

import logging

from db import chats, tables
from db.connection import Connection
from db.faults import PASSING
from tgbot.services import lobby
from tgbot.services.moment import Moment

log = logging.getLogger(__name__)


async def move(db: Connection, old: int, new: int, moment: Moment) -> None:
    """Somebody may have opened a table in the new chat before we heard of the move: one of the two then closes.

    Raises ValueError when `old` is no group.
    """
    await chats.hold(db, old, new)
    for table_id in await chats.give_way(db, old, new):
        try:
            async with db.transaction():
                table = await tables.lock(db, table_id)
                if table is not None and table.state != "closed":
                    await lobby.give_way(db, table, moment)
        except PASSING:
            raise
        except Exception:
            # The other tables of the group must not stay behind for it.
            log.exception("table %s could not be closed in its own way", table_id)
            await tables.put_away(db, table_id, moment.now)
    await chats.move(db, old, new)
