"""The people whom the bot has met."""

from dataclasses import dataclass
from datetime import datetime

from db.connection import Connection


@dataclass(frozen=True, slots=True)
class Person:
    """A Telegram user as an update shows him."""

    id: int
    name: str
    username: str | None = None
    telegram_language: str | None = None


@dataclass(frozen=True, slots=True)
class Player:
    id: int
    name: str
    username: str | None
    language: str | None
    telegram_language: str | None
    reachable: bool
    zone: str | None = None
    quiet_start: int | None = None
    quiet_end: int | None = None
    reminders: bool = True


COLUMNS = """
id, name, username, language, telegram_language, reachable, zone, quiet_start, quiet_end, reminders
"""

MEET = """
INSERT INTO players (id, name, username, telegram_language, seen_at) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (id) DO UPDATE SET name = $2, username = $3, telegram_language = $4, seen_at = $5
WHERE (players.name, players.username, players.telegram_language, true)
    IS DISTINCT FROM ($2, $3, $4, players.seen_at > $5::timestamptz - interval '1 day')
"""

GET = f"SELECT {COLUMNS} FROM players WHERE id = $1"  # noqa: S608

SET_REACHABLE = "UPDATE players SET reachable = $2 WHERE id = $1 AND reachable <> $2"

SET_LANGUAGE = "UPDATE players SET language = $2 WHERE id = $1"

SET_ZONE = "UPDATE players SET zone = $2 WHERE id = $1"

SET_QUIET = "UPDATE players SET quiet_start = $2, quiet_end = $3 WHERE id = $1"

SET_REMINDERS = "UPDATE players SET reminders = $2 WHERE id = $1"


async def meet(db: Connection, person: Person, now: datetime) -> Player:
    """Remembers a person's present name; writes only when it changed or a day has passed."""
    await db.execute(MEET, person.id, person.name, person.username, person.telegram_language, now)
    met = await get(db, person.id)
    assert met is not None
    return met


async def get(db: Connection, player_id: int) -> Player | None:
    row = await db.fetchrow(GET, player_id)
    return None if row is None else Player(**row)


async def set_reachable(db: Connection, player_id: int, reachable: bool) -> None:
    """Whether the bot can write to him in private: true from Start until he blocks it."""
    await db.execute(SET_REACHABLE, player_id, reachable)


async def set_language(db: Connection, player_id: int, language: str | None) -> None:
    await db.execute(SET_LANGUAGE, player_id, language)


async def set_zone(db: Connection, player_id: int, zone: str) -> None:
    await db.execute(SET_ZONE, player_id, zone)


async def set_quiet(db: Connection, player_id: int, start: int | None, end: int | None) -> None:
    """Both or none; needs a zone."""
    await db.execute(SET_QUIET, player_id, start, end)


async def set_reminders(db: Connection, player_id: int, wanted: bool) -> None:
    await db.execute(SET_REMINDERS, player_id, wanted)
