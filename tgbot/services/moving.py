"""A group becomes a supergroup, and what stands in it goes along."""

from db import chats, tables
from db.connection import Connection
from tgbot.services import lobby
from tgbot.services.moment import Moment


async def move(db: Connection, old: int, new: int, moment: Moment) -> None:
    """Somebody may have opened a table in the new chat before we heard of the move: one of the two then closes.

    Raises ValueError when `old` is no group.
    """
    for table_id in await chats.give_way(db, old, new):
        table = await tables.lock(db, table_id)
        if table is not None and table.state != "closed":
            await lobby.give_way(db, table, moment)
    await chats.move(db, old, new)
