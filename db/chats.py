"""The chats in which tables stand."""

from dataclasses import dataclass

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

# Where both ids are known already (a late second service message), the old one has nothing left to move.
MOVE = "UPDATE chats SET id = $2, kind = 'supergroup' WHERE id = $1 AND NOT EXISTS (SELECT FROM chats WHERE id = $2)"
MOVE_TABLES = "UPDATE tables SET chat_id = $2 WHERE chat_id = $1"
MOVE_SCREENS = """
UPDATE screens SET chat_id = $2, message_id = NULL, sent_at = NULL, digest = NULL,
    wanted = wanted + 1, ring = wanted + 1
WHERE chat_id = $1 AND NOT final
"""
MOVE_NOTICES = "UPDATE notices SET chat_id = $2 WHERE chat_id = $1 AND sent_at IS NULL"


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


async def move(db: Connection, old: int, new: int) -> None:
    """A group became a supergroup: its tables, live screens and unsent notices go with it.

    Messages don't move with a group, so live screens are sent anew.
    """
    for statement in (MOVE, MOVE_TABLES, MOVE_SCREENS, MOVE_NOTICES):
        await db.execute(statement, old, new)
