"""What an operator does after he restored a backup."""

from datetime import UTC, datetime

from core.rules import Rules
from db import chats, restored, tables
from db.connection import Connection
from db.pool import Pool

BEGIN = datetime(2026, 3, 1, tzinfo=UTC)


async def test_numbers_of_tables_that_the_backup_does_not_know_are_not_given_again(
    pool: Pool, database: str
) -> None:
    async with pool.acquire() as db:
        for thread in (1, 2):
            await chats.meet(db, chats.Chat(-1, "supergroup", "Club"), None)
            last = await tables.open_lobby(db, -1, thread, None, Rules(), BEGIN, BEGIN)
        await restored.leave_a_gap(database)
        assert await tables.open_lobby(db, -1, 3, None, Rules(), BEGIN, BEGIN) > last + restored.GAP


async def test_every_number_that_a_button_carries_gets_a_gap(pool: Pool, database: str) -> None:
    async with pool.acquire() as db:
        before = await numbers(db)
        await restored.leave_a_gap(database)
        after = await numbers(db)
    moved = {name for name in after if after[name] != before[name]}
    assert moved == {"tables_id_seq", "series_id_seq", "deals_id_seq", "proposals_id_seq"}


async def numbers(db: Connection) -> dict[str, int | None]:
    return {
        row["sequencename"]: row["last_value"]
        for row in await db.fetch("SELECT sequencename, last_value FROM pg_sequences")
    }
