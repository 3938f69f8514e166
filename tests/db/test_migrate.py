"""Migrations: up, down, up again; once, whoever asks; told in a line when they are missing."""

import asyncio
from datetime import UTC, datetime

import pytest
from alembic.script import ScriptDirectory

from core.rules import Rules
from db import chats, migrate, players, screens, tables
from db.pool import DatabaseUnavailable, connect

BEGIN = datetime(2026, 3, 1, tzinfo=UTC)

SCHEMA = """
SELECT table_name, column_name, data_type, is_nullable, column_default
FROM information_schema.columns WHERE table_schema = 'public' ORDER BY 1, ordinal_position
"""
RULES = """
SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint
WHERE connamespace = 'public'::regnamespace ORDER BY 1, 2
"""
INDEXES = "SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1"


async def schema(dsn: str) -> list[list[tuple[object, ...]]]:
    connection = await connect(dsn)
    try:
        return [[tuple(row) for row in await connection.fetch(query)] for query in (SCHEMA, RULES, INDEXES)]
    finally:
        await connection.close()


async def state(dsn: str) -> migrate.State:
    connection = await connect(dsn)
    try:
        return await migrate.state(connection)
    finally:
        await connection.close()


async def test_up_down_and_up_again_gives_the_same_schema(empty_database: str) -> None:
    await migrate.upgrade(empty_database)
    first = await schema(empty_database)
    assert len(first[0]) > 20

    await migrate.downgrade(empty_database, "base")
    left = await schema(empty_database)
    assert {row[0] for row in left[0]} <= {"alembic_version"}
    assert left[2] == [row for row in first[2] if "alembic_version" in str(row)]

    await migrate.upgrade(empty_database)
    assert await schema(empty_database) == first


async def test_each_step_can_be_gone_back(empty_database: str) -> None:
    await migrate.upgrade(empty_database)
    await migrate.downgrade(empty_database, "-1")
    assert not (await state(empty_database)).is_current
    await migrate.upgrade(empty_database)
    assert (await state(empty_database)).is_current


async def test_an_empty_database_is_told_from_a_migrated_one(empty_database: str, database: str) -> None:
    empty, migrated = await state(empty_database), await state(database)
    assert (empty.current, empty.is_current, empty.is_newer) == (None, False, False)
    assert (migrated.current, migrated.is_current, migrated.is_newer) == (migrate.head(), True, False)


async def test_an_unmigrated_database_says_what_to_run(empty_database: str) -> None:
    connection = await connect(empty_database)
    with pytest.raises(migrate.NotMigrated, match=r"the database is empty, .* run `goat migrate`$"):
        await migrate.check(connection)
    await connection.close()


async def test_a_newer_schema_is_allowed_and_left_alone(database: str) -> None:
    connection = await connect(database)
    await connection.execute("UPDATE alembic_version SET version_num = '9999'")
    assert (await migrate.check(connection)).is_newer
    assert (await migrate.upgrade(database)).is_newer
    assert await migrate.current(connection) == "9999"
    await connection.close()


async def test_processes_that_migrate_at_once_do_it_once(empty_database: str) -> None:
    before = await asyncio.gather(*(migrate.upgrade(empty_database) for _ in range(4)))
    assert sorted(state.is_current for state in before) == [False, True, True, True]


async def test_a_failed_migration_leaves_the_database_as_it_was(empty_database: str) -> None:
    connection = await connect(empty_database)
    await connection.execute("CREATE TABLE seen_updates (mine int)")
    with pytest.raises(migrate.MigrationFailed, match="seen_updates"):
        await migrate.upgrade(empty_database)
    assert await migrate.current(connection) is None
    tables = await connection.fetch("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
    assert [row["tablename"] for row in tables] == ["seen_updates"]
    await connection.close()


async def test_migrating_needs_a_database_that_answers() -> None:
    with pytest.raises(DatabaseUnavailable, match="refuses the connection"):
        await migrate.upgrade("postgresql://goat:secret@127.0.0.1:1/goat")


def test_the_migrations_have_one_head() -> None:
    script = ScriptDirectory.from_config(migrate.configuration())
    assert script.get_heads() == [migrate.head()]
    assert [one.revision for one in script.walk_revisions()] == migrate.revisions()[::-1]


async def test_a_hand_in_a_wrong_chat_is_sent_to_its_player_by_the_migration(empty_database: str) -> None:
    await migrate.upgrade(empty_database, "0003")
    db = await connect(empty_database)
    try:
        await chats.meet(db, chats.Chat(-1, "group", "Club"), None)
        for person in (5, 6):
            await players.meet(db, players.Person(person, "Anna"), BEGIN)
        table = await tables.open_lobby(db, -1, None, None, Rules(), BEGIN, BEGIN)
        await screens.put(db, table, "hand", -1, BEGIN, player_id=5)
        await screens.put(db, table, "hand", -1, BEGIN, player_id=6)
        await db.execute("UPDATE screens SET message_id = 7, shown = wanted, final = player_id = 6")
        await migrate.upgrade(empty_database)
        rows = await db.fetch("SELECT chat_id, message_id, wanted > shown AS due FROM screens ORDER BY 1")
        assert [tuple(row) for row in rows] == [(5, None, True), (6, None, False)]
    finally:
        await db.close()
