"""A PostgreSQL for one benchmark: durable, as in service, and gone afterwards."""

import asyncio
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import asyncpg

from db import embedded, migrate


@contextmanager
def database() -> Iterator[embedded.Server]:
    """A server with an empty database. Blocks while it starts. Raises OperatorError."""
    folder = Path(tempfile.mkdtemp(prefix="goat-bench-"))
    folder.chmod(0o755)
    try:
        with embedded.start(folder / "postgres") as server:
            yield server
    finally:
        shutil.rmtree(folder)


def fresh(server: embedded.Server, name: str) -> str:
    """The address of a new, migrated, empty database of this name."""

    async def create() -> None:
        connection = await asyncpg.connect(server.dsn_of("postgres"))
        try:
            await connection.execute(f"CREATE DATABASE {name}")
        finally:
            await connection.close()
        await migrate.upgrade(server.dsn_of(name))

    asyncio.run(create())
    return server.dsn_of(name)
