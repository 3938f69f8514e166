"""Connections: what they are set to, and what is said when there is none."""

from datetime import UTC, datetime

import asyncpg
import pytest

from db import embedded
from db.pool import DatabaseUnavailable, Pool, connect, open_pool, where


async def test_json_arrives_and_leaves_as_objects(pool: Pool) -> None:
    value = {"rules": {"length": 12}, "name": "Козёл 🐐", "list": [1, None, True]}
    assert await pool.fetchval("SELECT $1::jsonb", value) == value
    assert await pool.fetchval("SELECT $1::jsonb ->> 'name'", value) == "Козёл 🐐"


async def test_times_are_utc(pool: Pool) -> None:
    assert await pool.fetchval("SHOW timezone") == "UTC"
    moment = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    assert await pool.fetchval("SELECT $1::timestamptz", moment) == moment


async def test_what_is_stuck_ends_by_itself(pool: Pool) -> None:
    names = ("statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout")
    assert [await pool.fetchval(f"SHOW {name}") for name in names] == ["10s", "5s", "15s"]
    async with pool.acquire() as connection:
        await connection.execute("SET statement_timeout = '50ms'")
        with pytest.raises(asyncpg.QueryCanceledError):
            await connection.execute("SELECT pg_sleep(5)")


async def test_a_single_connection_is_set_the_same_way(database: str) -> None:
    connection = await connect(database)
    assert await connection.fetchval("SELECT '{\"a\": 1}'::jsonb") == {"a": 1}
    assert await connection.fetchval("SHOW lock_timeout") == "5s"
    await connection.close()


async def test_a_missing_database_is_named(postgres: embedded.Server) -> None:
    with pytest.raises(DatabaseUnavailable) as caught:
        await open_pool(postgres.dsn_of("nowhere"))
    assert str(caught.value) == (
        f"the database at 127.0.0.1:{postgres.port}/nowhere doesn't exist on that server: create it with "
        "createdb, or correct DATABASE_URL"
    )


async def test_a_wrong_password_is_not_repeated(postgres: embedded.Server) -> None:
    with pytest.raises(DatabaseUnavailable, match="refuses this user or password") as caught:
        await open_pool(f"postgresql://goat:topsecret@127.0.0.1:{postgres.port}/goat")
    assert "topsecret" not in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("dsn", "said"),
    [
        ("postgresql://goat:topsecret@127.0.0.1:1/goat", "refuses the connection"),
        ("postgresql://goat:topsecret@host.invalid/goat", "host.invalid/goat can't be reached"),
        ("postgresql://goat:topsecret@127.0.0.1:port/goat", "DATABASE_URL isn't an address"),
        ("mysql://goat:topsecret@127.0.0.1/goat", "DATABASE_URL isn't an address"),
        ("topsecret", "DATABASE_URL isn't an address"),
    ],
)
async def test_an_unusable_address_is_explained_in_a_line(dsn: str, said: str) -> None:
    for opening in (open_pool, connect):
        with pytest.raises(DatabaseUnavailable, match=said) as caught:
            await opening(dsn)
        assert "topsecret" not in str(caught.value)


@pytest.mark.parametrize(
    ("dsn", "place"),
    [
        ("postgresql://user:word@db.example.org:5433/goat?sslmode=require", "db.example.org:5433/goat"),
        ("postgresql://user:word@[::1]/goat", "[::1]/goat"),
        ("postgresql:///goat", "the local socket/goat"),
        ("postgresql://user:word@host:x/goat", "DATABASE_URL"),
    ],
)
def test_an_address_is_shown_without_its_secrets(dsn: str, place: str) -> None:
    assert where(dsn) == place


async def test_a_database_that_cannot_hold_every_name_is_refused(postgres: embedded.Server) -> None:
    connection = await asyncpg.connect(postgres.dsn_of("postgres"))
    await connection.execute("CREATE DATABASE latin TEMPLATE template0 ENCODING LATIN1 LOCALE 'C'")
    try:
        with pytest.raises(DatabaseUnavailable, match="encoding is LATIN1, people's names need UTF8"):
            await open_pool(postgres.dsn_of("latin"))
    finally:
        await connection.execute("DROP DATABASE latin WITH (FORCE)")
        await connection.close()
