"""Which updates had their effect: Telegram sends again what was not answered in time."""

from datetime import datetime

from db.connection import Connection


class SeenBefore(Exception):
    """This update had its effect in an earlier transaction."""


REMEMBER = "INSERT INTO seen_updates (update_id, seen_at) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING 1"

SEEN = "SELECT true FROM seen_updates WHERE update_id = $1"

FORGET = """
DELETE FROM seen_updates WHERE update_id IN (SELECT update_id FROM seen_updates WHERE seen_at < $1 LIMIT $2)
"""


async def remember(db: Connection, update_id: int, now: datetime) -> None:
    """Belongs into the transaction of the update's effect. Raises SeenBefore.

    Two deliveries of one update at the same moment: the second waits here for the first one's commit.
    """
    if await db.fetchval(REMEMBER, update_id, now) is None:
        raise SeenBefore


async def seen(db: Connection, update_id: int) -> bool:
    return bool(await db.fetchval(SEEN, update_id))


async def forget(db: Connection, before: datetime, limit: int = 5000) -> int:
    """Telegram keeps undelivered updates for 24 hours; older ids are of no use. Returns how many, at most `limit`."""
    return int((await db.execute(FORGET, before, limit)).split()[-1])
