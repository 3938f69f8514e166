"""Every statement that the product may run is one that PostgreSQL understands on the migrated schema."""

import importlib
import pkgutil

import asyncpg

import db
from db.pool import Pool

VERBS = ("SELECT", "INSERT", "UPDATE", "DELETE")


def statements() -> dict[str, str]:
    found = {}
    for info in pkgutil.iter_modules(db.__path__):
        if info.name in ("migrations", "embedded", "programs"):
            continue
        module = importlib.import_module(f"db.{info.name}")
        for name, value in vars(module).items():
            if name.isupper() and isinstance(value, str) and value.strip().startswith(VERBS):
                found[f"{info.name}.{name}"] = value
    return found


STATEMENTS = statements()


def test_the_statements_are_found() -> None:
    assert {"tables.READ", "screens.STALE", "deals.APPEND", "updates.REMEMBER"} <= STATEMENTS.keys()


async def test_each_can_be_prepared(pool: Pool) -> None:
    refused = {}
    async with pool.acquire() as connection:
        for name, statement in STATEMENTS.items():
            try:
                await connection.prepare(statement)
            except asyncpg.PostgresError as error:
                refused[name] = str(error)
    assert not refused


SMALL = {"heartbeat"}
"""Tables that never grow."""

RARE = {"screens.PRUNE", "notices.PRUNE", "chats.MOVE_TABLES"}
"""What is asked once an hour, and when a group becomes a supergroup."""


async def test_nothing_is_found_by_reading_a_whole_table_that_grows(pool: Pool) -> None:
    reads_all = {}
    async with pool.acquire() as connection, connection.transaction():
        await connection.execute(
            "SET LOCAL enable_seqscan = off; SET LOCAL plan_cache_mode = force_generic_plan"
        )
        for number, (name, statement) in enumerate(STATEMENTS.items()):
            parameters = len((await connection.prepare(statement)).get_parameters())
            await connection.execute(f"PREPARE s{number} AS {statement}")
            values = f"({', '.join(['NULL'] * parameters)})" if parameters else ""
            plan = [
                row[0] for row in await connection.fetch(f"EXPLAIN (COSTS OFF) EXECUTE s{number}{values}")
            ]
            scans = [line.split(" on ")[1].split()[0] for line in plan if "Seq Scan on" in line]
            if set(scans) - SMALL and name not in RARE:
                reads_all[name] = scans
    assert not reads_all
