"""What every test may ask for: a database of its own, on a server that is started when the first one asks.

Each pytest process has its own server in a folder of its own, so that workers share nothing and none has to
outlive another. The server ends with its process, however that ends.
"""

import fcntl
import os
import shutil
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from itertools import count
from pathlib import Path

import asyncpg
import pytest
from hypothesis import HealthCheck, settings

from db import embedded, migrate
from db.pool import OwnConnection, Pool, open_pool

# CI tries many more examples, and always the same ones: a red run there is due to the change that it tests.
settings.register_profile(
    "here", deadline=None, max_examples=200, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile(
    "ci",
    deadline=None,
    max_examples=2000,
    derandomize=True,
    database=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("ci" if os.environ.get("CI") else "here")

YOUNG = 120.0
"""Seconds: a run that has just begun may not hold its lock yet."""

TEMPLATE = "goat_template"
numbers = count(1)


@pytest.fixture(scope="session")
def postgres() -> Iterator[embedded.Server]:
    """A server whose data nobody needs tomorrow."""
    remove_what_killed_runs_left()
    # Not pytest's tmp_path: that is closed to the account which runs PostgreSQL when we are root.
    folder = Path(tempfile.mkdtemp(prefix="goat-tests-"))
    folder.chmod(0o755)
    try:
        with embedded.start(folder / "postgres", durable=False) as server:
            yield server
    finally:
        shutil.rmtree(folder, ignore_errors=True)  # another run may take it for a killed one's, and help


@pytest.fixture
def place() -> Iterator[Path]:
    """A folder that any account may enter, also the one which runs PostgreSQL when we are root."""
    folder = Path(tempfile.mkdtemp(prefix="goat-embedded-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


def remove_what_killed_runs_left() -> None:
    """The data of servers whose lock nobody holds any more."""
    for folder in Path(tempfile.gettempdir()).glob("goat-tests-*"):
        try:
            if time.time() - folder.stat().st_mtime < YOUNG:
                continue
            with (folder / "postgres" / "lock").open() as lock:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            continue  # in use, just beginning, or somebody else's
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
async def maintenance(postgres: embedded.Server) -> AsyncIterator[OwnConnection]:
    """A connection that makes and drops databases; a migrated one stands ready to be copied."""
    connection = await asyncpg.connect(postgres.dsn_of("postgres"))
    try:
        await connection.execute(f"CREATE DATABASE {TEMPLATE}")
        await migrate.upgrade(postgres.dsn_of(TEMPLATE))
        yield connection
    finally:
        await connection.close()


@pytest.fixture
async def empty_database(postgres: embedded.Server, maintenance: OwnConnection) -> AsyncIterator[str]:
    """The address of a new database without any tables."""
    name = f"empty_{next(numbers)}"
    await maintenance.execute(f"CREATE DATABASE {name}")
    yield postgres.dsn_of(name)
    await maintenance.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
async def database(postgres: embedded.Server, maintenance: OwnConnection) -> AsyncIterator[str]:
    """The address of a new, migrated, empty database."""
    name = f"test_{next(numbers)}"
    await maintenance.execute(f"CREATE DATABASE {name} TEMPLATE {TEMPLATE}")
    yield postgres.dsn_of(name)
    await maintenance.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
async def pool(database: str) -> AsyncIterator[Pool]:
    """Connections to the test's own database."""
    opened = await open_pool(database)
    yield opened
    opened.terminate()
