"""Notices: what is said once in a chat. A row holds a code and arguments, never a sentence and never a card."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from db.connection import Connection


@dataclass(frozen=True, slots=True)
class Notice:
    id: int
    chat_id: int
    thread_id: int | None
    code: str
    args: dict[str, Any]
    failures: int


SAY = "INSERT INTO notices (chat_id, thread_id, code, args, created_at, send_at) VALUES ($1, $2, $3, $4, $5, $5)"

REMOVE = """
INSERT INTO notices (chat_id, code, args, created_at, send_at) VALUES ($1, 'remove', $2, $3, $3) RETURNING id
"""

UNSENT = """
SELECT * FROM (
    SELECT DISTINCT ON (n.chat_id) n.id, n.chat_id, n.thread_id, n.code, n.args, n.failures FROM notices n
    WHERE n.sent_at IS NULL AND n.send_at <= $1
        AND coalesce((SELECT reachable FROM players WHERE id = n.chat_id),
            (SELECT writable FROM chats WHERE id = n.chat_id), true)
        AND NOT (n.chat_id = ANY($2::bigint[]))
    ORDER BY n.chat_id, n.id
) first
ORDER BY id
LIMIT $3
"""

NEXT = "SELECT min(send_at) FROM notices WHERE sent_at IS NULL AND send_at > $1"

SENT = "UPDATE notices SET sent_at = $2 WHERE id = $1"

PRUNE = """
DELETE FROM notices WHERE id IN (SELECT id FROM notices WHERE sent_at < $1 OR created_at < $2 LIMIT $3)
"""

FAILED = "UPDATE notices SET failures = least(failures + 1, 1000), send_at = $2 WHERE id = $1"


async def say(
    db: Connection,
    chat_id: int,
    code: str,
    now: datetime,
    args: Mapping[str, Any] | None = None,
    *,
    thread_id: int | None = None,
) -> None:
    await db.execute(SAY, chat_id, thread_id, code, dict(args or {}), now)


async def remove(db: Connection, chat_id: int, message_id: int, now: datetime) -> Notice:
    """A message that a newer one replaces is to be removed. It is done at once, this row is for a crash before."""
    args = {"message": message_id}
    return Notice(int(await db.fetchval(REMOVE, chat_id, args, now)), chat_id, None, "remove", args, 0)


async def unsent(
    db: Connection, now: datetime, *, not_in: Sequence[int] = (), limit: int = 100
) -> Sequence[Notice]:
    """Of each chat that can be written to, the first that is still to be said or removed, oldest first."""
    return [Notice(**row) for row in await db.fetch(UNSENT, now, list(not_in), limit)]


async def next_send(db: Connection, now: datetime) -> datetime | None:
    return await db.fetchval(NEXT, now)  # type: ignore[no-any-return]


async def sent(db: Connection, notice_id: int, now: datetime) -> None:
    """Said, or given up: it isn't tried again."""
    await db.execute(SENT, notice_id, now)


async def failed(db: Connection, notice_id: int, retry_at: datetime) -> None:
    await db.execute(FAILED, notice_id, retry_at)


async def prune(db: Connection, said_before: datetime, made_before: datetime, limit: int = 1000) -> int:
    """Forgets what was said, and what nobody could be told for long; returns how many, at most `limit`."""
    return int((await db.execute(PRUNE, said_before, made_before, limit)).split()[-1])
