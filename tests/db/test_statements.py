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
