from collections.abc import AsyncIterator

import pytest

from db import embedded
from db.pool import OwnConnection, Pool, open_pool
from tests.conftest import TEMPLATE, numbers
from tests.tgbot.club import Club, bot_for, club_of
from tests.tgbot.hall import Hall

EMPTY = "TRUNCATE players, chats, tables, notices, seen_updates, heartbeat RESTART IDENTITY CASCADE"


@pytest.fixture
async def club(database: str) -> AsyncIterator[Club]:
    """The sandbox's club with the bot at work in it."""
    async with club_of(database) as opened, bot_for(opened):
        await opened.until(lambda: opened.messages(opened.group))  # the bot has greeted the group
        yield opened


@pytest.fixture(scope="module")
async def hall_pool(postgres: embedded.Server, maintenance: OwnConnection) -> AsyncIterator[Pool]:
    """A database for all tests of a module, each of which begins by emptying it: that is faster than a new one."""
    name = f"hall_{next(numbers)}"
    await maintenance.execute(f"CREATE DATABASE {name} TEMPLATE {TEMPLATE}")
    pool = await open_pool(postgres.dsn_of(name), size=20)
    yield pool
    pool.terminate()
    await maintenance.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
async def hall(hall_pool: Pool) -> Hall:
    async with hall_pool.acquire() as db:
        await db.execute(EMPTY)
    return Hall(hall_pool)
