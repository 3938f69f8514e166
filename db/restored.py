"""After a backup was restored: messages that were sent after it was made still stand in the chats."""

from db.pool import connect, explained

GAP = 1_000_000

NUMBERED = ("tables", "series", "deals", "proposals")
"""Whose numbers stand in buttons."""

LEAVE_A_GAP = """
SELECT setval(pg_get_serial_sequence(name, 'id'), nextval(pg_get_serial_sequence(name, 'id')) + $2)
FROM unnest($1::text[]) AS name
"""


async def leave_a_gap(dsn: str) -> None:
    """Buttons of what the backup doesn't know must not mean something new: no number is given again.

    Raises DatabaseUnavailable.
    """
    db = await connect(dsn)
    try:
        await explained(dsn, db.execute(LEAVE_A_GAP, list(NUMBERED), GAP))
    finally:
        await db.close()
