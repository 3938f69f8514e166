"""The chats in which tables stand."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from db.connection import Connection


@dataclass(frozen=True, slots=True)
class Chat:
    """A chat as an update shows it. `kind` is private, group or supergroup."""

    id: int
    kind: str
    title: str


@dataclass(frozen=True, slots=True)
class KnownChat:
    id: int
    kind: str
    title: str
    language: str | None
    writable: bool


COLUMNS = "id, kind, title, language, writable"

MEET = """
INSERT INTO chats (id, kind, title, language) VALUES ($1, $2, $3, $4)
ON CONFLICT (id) DO UPDATE SET kind = $2, title = $3
WHERE (chats.kind, chats.title) IS DISTINCT FROM ($2, $3)
"""

GET = f"SELECT {COLUMNS} FROM chats WHERE id = $1"  # noqa: S608

SET_LANGUAGE = "UPDATE chats SET language = $2 WHERE id = $1"

SET_WRITABLE = "UPDATE chats SET writable = $2 WHERE id = $1 AND writable <> $2"

# The new id may be known before the move is told of: its row then takes what the old one knew.
INHERIT = """
UPDATE chats SET language = coalesce(before.language, chats.language)
FROM chats before WHERE chats.id = $2 AND before.id = $1
"""
MOVE = """
UPDATE chats SET id = $2, kind = 'supergroup', writable = true
WHERE id = $1 AND NOT EXISTS (SELECT FROM chats WHERE id = $2)
"""
HOLD = "SELECT FROM chats WHERE id = ANY ($1::bigint[]) ORDER BY id FOR NO KEY UPDATE"

# Only where a series began in the new chat and none runs in the old one is the old table the one that goes.
GIVES_WAY = """
SELECT CASE WHEN here.state = 'playing' OR there.state <> 'playing' THEN there.id ELSE here.id END AS id
FROM tables here JOIN tables there ON coalesce(here.thread_id, 0) = coalesce(there.thread_id, 0)
WHERE here.chat_id = $1 AND there.chat_id = $2 AND here.state <> 'closed' AND there.state <> 'closed'
ORDER BY 1
"""
MOVE_TABLES = "UPDATE tables SET chat_id = $2 WHERE chat_id = $1"
MOVE_SCREENS = """
UPDATE screens SET chat_id = $2, message_id = NULL, sent_at = NULL, digest = NULL, failures = 0,
    wanted = wanted + 1, ring = wanted + 1
WHERE chat_id = $1 AND (NOT final OR message_id IS NULL)
"""
# What can't be edited any more stays as it is.
LEAVE_SCREENS = "UPDATE screens SET shown = wanted WHERE chat_id = $1"
# Numbers of messages don't move with the group: what was to be removed there is another message here.
DROP_REMOVALS = "DELETE FROM notices WHERE chat_id = $1 AND code = 'remove' AND sent_at IS NULL"
MOVE_NOTICES = "UPDATE notices SET chat_id = $2 WHERE chat_id = $1 AND sent_at IS NULL"

# A topic was deleted, or the group has none any more: its table goes to the group's main place if that is free.
TABLE_LEAVES_TOPIC = """
UPDATE tables SET thread_id = NULL WHERE chat_id = $1 AND thread_id = $2 AND state <> 'closed'
    AND NOT EXISTS (SELECT FROM tables o WHERE o.chat_id = $1 AND o.thread_id IS NULL AND o.state <> 'closed')
"""
SCREENS_LEAVE_TOPIC = """
UPDATE screens SET thread_id = NULL, message_id = NULL, sent_at = NULL, digest = NULL, failures = 0,
    wanted = wanted + 1, ring = wanted + 1
WHERE chat_id = $1 AND thread_id = $2 AND NOT final
"""
FINAL_SCREENS_STAY = "UPDATE screens SET shown = wanted WHERE chat_id = $1 AND thread_id = $2 AND final"
NOTICES_LEAVE_TOPIC = (
    "UPDATE notices SET thread_id = NULL WHERE chat_id = $1 AND thread_id = $2 AND sent_at IS NULL"
)

RING_TOPIC = """
UPDATE screens SET wanted = wanted + 1, ring = wanted + 1, digest = NULL, failures = 0, paint_at = $3
WHERE chat_id = $1 AND thread_id = $2 AND NOT final
"""

MUTE_WITH_WORK = """
SELECT DISTINCT s.chat_id FROM screens s WHERE s.wanted > s.shown AND NOT s.final
    AND NOT (SELECT writable FROM chats WHERE id = s.chat_id)
"""


async def meet(db: Connection, chat: Chat, language: str | None) -> KnownChat:
    """Remembers a chat; `language` counts only the first time, /language changes it."""
    await db.execute(MEET, chat.id, chat.kind, chat.title, language)
    met = await get(db, chat.id)
    assert met is not None
    return met


async def get(db: Connection, chat_id: int) -> KnownChat | None:
    row = await db.fetchrow(GET, chat_id)
    return None if row is None else KnownChat(**row)


async def set_language(db: Connection, chat_id: int, language: str) -> None:
    await db.execute(SET_LANGUAGE, chat_id, language)


async def set_writable(db: Connection, chat_id: int, writable: bool) -> None:
    await db.execute(SET_WRITABLE, chat_id, writable)


async def hold(db: Connection, *chat_ids: int) -> None:
    """Locks what is known of the chats, before their tables: that is the order of everybody who comes from a chat."""
    await db.execute(HOLD, list(chat_ids))


async def give_way(db: Connection, old: int, new: int) -> Sequence[int]:
    """Before a group moves: where a table stands in the same place of both chats, the one of them that is to close."""
    return [row["id"] for row in await db.fetch(GIVES_WAY, old, new)]


async def move(db: Connection, old: int, new: int) -> None:
    """A group became a supergroup: its tables, live screens and unsent notices go with it. Again: nothing is left.

    In no place may a table stand in both chats (`give_way`).
    Messages don't move with a group, so live screens are sent anew. Raises ValueError when `old` is no group.
    """
    if old >= 0:
        raise ValueError("only a group becomes a supergroup")
    if old == new:
        return
    await db.execute(INHERIT, old, new)
    await db.execute(MOVE, old, new)
    for statement in (MOVE_TABLES, MOVE_SCREENS):
        await db.execute(statement, old, new)
    await db.execute(LEAVE_SCREENS, old)
    await db.execute(DROP_REMOVALS, old)
    await db.execute(MOVE_NOTICES, old, new)


async def leave_topic(db: Connection, chat_id: int, thread_id: int) -> None:
    """What stood in a topic that is no more goes on outside of it."""
    for statement in (TABLE_LEAVES_TOPIC, SCREENS_LEAVE_TOPIC, FINAL_SCREENS_STAY, NOTICES_LEAVE_TOPIC):
        await db.execute(statement, chat_id, thread_id)


async def ring_topic(db: Connection, chat_id: int, thread_id: int, now: datetime) -> None:
    """A closed topic is open again: what lives there is sent anew."""
    await db.execute(RING_TOPIC, chat_id, thread_id, now)


async def mute_with_work(db: Connection) -> Sequence[int]:
    """Groups that could not be written to when last tried, and for which something live is out of date."""
    return [row["chat_id"] for row in await db.fetch(MUTE_WITH_WORK)]
