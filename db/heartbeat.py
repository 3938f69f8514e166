"""When the clock was last known to run: what lies between that and now was downtime."""

from datetime import datetime

from db.connection import Connection

BEAT = """
INSERT INTO heartbeat (at) VALUES ($1)
ON CONFLICT (one) DO UPDATE SET at = greatest(heartbeat.at, excluded.at)
"""

LAST = "SELECT at FROM heartbeat"


async def beat(db: Connection, now: datetime) -> None:
    await db.execute(BEAT, now)


async def last(db: Connection) -> datetime | None:
    """None on a database whose clock has never run."""
    return await db.fetchval(LAST)  # type: ignore[no-any-return]
