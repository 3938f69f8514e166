"""Stopping a series: by agreement of both teams, or by a chat admin."""

from db.connection import Connection
from tgbot.services import agreements
from tgbot.services.agreements import vote
from tgbot.services.moment import Moment

__all__ = ["propose", "vote"]


async def propose(
    db: Connection, table_id: int, player_id: int, admin_of: int | None, moment: Moment
) -> None:
    """Asks the table; nothing stops before somebody agrees."""
    await agreements.propose(db, table_id, player_id, admin_of, "stop", moment)
