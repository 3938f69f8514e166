"""Brings a database to the schema of this goat, and tells how far it is.

alembic does the work over SQLAlchemy; nothing else in the project uses either, so both are imported late.
"""

import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import asyncpg

from db.connection import Connection
from db.errors import OperatorError
from db.pool import CONNECT_TIMEOUT, SETTINGS, check_version, connect, explained

if TYPE_CHECKING:
    from alembic.config import Config
    from sqlalchemy.ext.asyncio import AsyncConnection

MIGRATIONS = Path(__file__).parent / "migrations"

# Any number that no other advisory lock of this database has.
LOCK = 0x60A7_0001

# A migration may take long, but waiting for a lock holds up everybody who comes after it.
MIGRATION_SETTINGS = SETTINGS | {
    "application_name": "goat migrate",
    "statement_timeout": "0",
    "lock_timeout": "60s",
    "idle_in_transaction_session_timeout": "0",
}


class NotMigrated(OperatorError):
    """The database's schema is older than this goat."""


class MigrationFailed(OperatorError):
    """A migration couldn't be carried out; the database is as it was before."""


@dataclass(frozen=True, slots=True)
class State:
    """How far a database is. `current` is None in an empty one.

    `known` is False when a newer goat has migrated it further than this one knows.
    """

    current: str | None
    head: str
    known: bool

    @property
    def is_current(self) -> bool:
        return self.current == self.head

    @property
    def is_newer(self) -> bool:
        return self.current is not None and not self.known


def configuration() -> "Config":
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    return config


def revisions() -> list[str]:
    """All that this goat knows, the first one first, by the names of their files: every start asks, and alembic takes
    half a second to import."""
    found = sorted(path.name.partition("_")[0] for path in (MIGRATIONS / "versions").glob("[0-9]*_*.py"))
    if not found:
        raise RuntimeError(f"no migrations in {MIGRATIONS}: the package is incomplete")
    return found


def head() -> str:
    """The revision that this goat needs."""
    return revisions()[-1]


async def current(db: Connection) -> str | None:
    """The revision of a database, None when it was never migrated."""
    if await db.fetchval("SELECT to_regclass('alembic_version')") is None:
        return None
    revision: str | None = await db.fetchval("SELECT version_num FROM alembic_version")
    return revision


async def state(db: Connection) -> State:
    at, known = await current(db), revisions()
    return State(current=at, head=known[-1], known=at in known)


async def check(db: Connection) -> State:
    """Raises NotMigrated unless this goat can work on the database.

    A newer schema is allowed: a migration keeps the version before it working, so that processes can be
    replaced one after the other. The caller may say so in its log.
    """
    found = await state(db)
    if not found.is_current and not found.is_newer:
        at = f"at revision {found.current}" if found.current else "empty"
        raise NotMigrated(f"the database is {at}, this goat needs revision {found.head}: run `goat migrate`")
    return found


async def upgrade(dsn: str, revision: str = "head") -> State:
    """Migrates up to `revision` and returns where the database was before.

    Several processes may do it at once: one works, the others wait for it and find nothing left to do.
    A newer schema than ours is left alone. Raises DatabaseUnavailable, MigrationFailed.
    """
    before = await _run(dsn, "upgrade", revision)
    assert before is not None
    return before


async def downgrade(dsn: str, revision: str) -> None:
    """Migrates down to `revision`, `base` for an empty database. Loses the data of what it removes."""
    await _run(dsn, "downgrade", revision)


async def _run(dsn: str, direction: str, revision: str) -> State | None:
    guard = await connect(dsn)
    try:
        await guard.execute("SET lock_timeout = '120s'; SET statement_timeout = 0")
        try:
            await guard.fetchval("SELECT pg_advisory_lock($1)", LOCK, timeout=125)
        except asyncpg.LockNotAvailableError:
            raise MigrationFailed(
                "another process has been migrating this database for two minutes: wait for it to end"
            ) from None
        before = await state(guard)
        if direction == "upgrade" and (before.is_newer or (revision == "head" and before.is_current)):
            return before
        await _migrate(dsn, direction, revision)
        return before
    finally:
        await guard.close()


async def _migrate(dsn: str, direction: str, revision: str) -> None:
    import sqlalchemy.exc
    from alembic import command
    from alembic.util import CommandError

    def work(connection: Any) -> None:
        config = configuration()
        config.attributes["connection"] = connection
        (command.upgrade if direction == "upgrade" else command.downgrade)(config, revision)

    try:
        async with connected(dsn) as connection:
            await connection.run_sync(work)
            await connection.commit()
    except (sqlalchemy.exc.DBAPIError, CommandError) as error:
        cause = error.orig if isinstance(error, sqlalchemy.exc.DBAPIError) else error
        raise MigrationFailed(f"the {direction} to revision {revision} failed: {cause}") from error


@contextlib.asynccontextmanager
async def connected(dsn: str) -> AsyncIterator["AsyncConnection"]:
    """A connection as alembic wants it, opened by asyncpg so that every form of `dsn` means the same."""
    from sqlalchemy.ext.asyncio import create_async_engine
    from sqlalchemy.pool import NullPool

    async def open_connection() -> Any:
        connection = await asyncpg.connect(
            dsn, server_settings=MIGRATION_SETTINGS, timeout=CONNECT_TIMEOUT, command_timeout=None
        )
        await check_version(connection)
        return connection

    async def creator(*_: Any) -> Any:
        return await explained(dsn, open_connection())

    engine = create_async_engine("postgresql+asyncpg://", async_creator=creator, poolclass=NullPool)
    try:
        async with engine.connect() as connection:
            yield connection
    finally:
        await engine.dispose()
