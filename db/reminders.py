"""Reminders of a turn: notices for later that are void when the turn is over, and whose message is removed then."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from db import notices
from db.connection import Connection

REMIND = """
INSERT INTO notices (chat_id, table_id, code, args, created_at, send_at, for_turn)
VALUES ($1, $2, 'reminder', $3, $4, $5, true)
"""

VOID = "DELETE FROM notices WHERE table_id = $1 AND for_turn AND sent_at IS NULL"

VOID_OF_PLAYER = "DELETE FROM notices WHERE chat_id = $1 AND for_turn AND sent_at IS NULL"

STANDING_OF_TABLE = """
UPDATE notices SET message_id = NULL
FROM (SELECT id, chat_id, message_id FROM notices WHERE table_id = $1 AND for_turn AND message_id IS NOT NULL
      FOR UPDATE) before
WHERE notices.id = before.id
RETURNING before.chat_id, before.message_id
"""

STANDING_IN_CHAT = """
UPDATE notices SET message_id = NULL
FROM (SELECT id, message_id FROM notices WHERE chat_id = $1 AND for_turn AND message_id IS NOT NULL
      FOR UPDATE) before
WHERE notices.id = before.id
RETURNING before.message_id
"""

STANDS = "UPDATE notices SET message_id = $2 WHERE id = $1 RETURNING id"


async def remind(
    db: Connection, player_id: int, table_id: int, send_at: datetime, args: Mapping[str, Any], now: datetime
) -> None:
    """To be said to a person in private at `send_at`, unless the turn is over by then."""
    await db.execute(REMIND, player_id, table_id, dict(args), now, send_at)


async def void_of_player(db: Connection, player_id: int) -> None:
    """He wants none."""
    await db.execute(VOID_OF_PLAYER, player_id)


async def take_back(db: Connection, table_id: int, now: datetime) -> None:
    """The turn does not end when they say: those to come are void, and what stands in a chat is removed."""
    await db.execute(VOID, table_id)
    for row in await db.fetch(STANDING_OF_TABLE, table_id):
        await notices.remove(db, row["chat_id"], row["message_id"], now)


async def stands(db: Connection, notice_id: int, chat_id: int, message_id: int, now: datetime) -> None:
    """A reminder was sent: the one that stood in this chat goes, for one at a time is enough. So does this one if
    the turn was over before it arrived."""
    for row in await db.fetch(STANDING_IN_CHAT, chat_id):
        await notices.remove(db, chat_id, row["message_id"], now)
    if await db.fetchval(STANDS, notice_id, message_id) is None:
        await notices.remove(db, chat_id, message_id, now)
