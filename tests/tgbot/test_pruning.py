"""What was only needed for some days goes; the record of a deal stays."""

from datetime import UTC, datetime, timedelta

from db import notices, screens, updates
from db.pool import Pool
from tests.tgbot.test_services import CHAT, four_at_a_table
from tgbot.pruning import Pruner

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


async def test_seen_updates_finished_screens_and_said_notices_are_pruned(pool: Pool) -> None:
    async with pool.acquire() as db:
        table_id = await four_at_a_table(db)
        for days, number in ((3, 1), (1, 2)):
            await updates.remember(db, number, NOW - timedelta(days=days))
        for _ in range(3):
            await notices.say(db, CHAT, "reachable", NOW - timedelta(days=10), {"name": "x"})
        for notice in await notices.unsent(db, NOW):
            await notices.sent(db, notice.id, NOW - timedelta(days=9))
        await screens.finish(db, table_id, "table", NOW - timedelta(days=9))
        await db.execute(
            "UPDATE screens SET shown = wanted, sent_at = $1 WHERE kind = 'table'", NOW - timedelta(days=9)
        )
        live = await db.fetchval("SELECT count(*) FROM screens WHERE NOT final")
    assert await Pruner(pool, lambda: NOW).prune() == 3
    async with pool.acquire() as db:
        assert [row["update_id"] for row in await db.fetch("SELECT update_id FROM seen_updates")] == [2]
        assert await db.fetchval("SELECT count(*) FROM screens WHERE kind = 'table'") == 0
        assert await db.fetchval("SELECT count(*) FROM screens WHERE NOT final") == live
        assert await db.fetchval("SELECT count(*) FROM notices WHERE sent_at IS NULL") == 2
        assert await db.fetchval("SELECT count(*) FROM deals") == 1
