import os
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path

import pytest

from db import embedded
from db.pool import OwnConnection, Pool, open_pool
from tests.conftest import TEMPLATE, numbers
from tests.tgbot.club import Club, Staff, bot_for, club_of
from tests.tgbot.fleet import Zygote, colleagues
from tests.tgbot.hall import Hall

EMPTY = "TRUNCATE players, chats, tables, notices, seen_updates, heartbeat RESTART IDENTITY CASCADE"


PROCESSES = int(os.environ.get("GOAT_PROCESSES", "1"))
"""Of the bot in each club, on one database and behind one address."""


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "on_two: always runs with two processes of the bot, too")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "processes" in metafunc.fixturenames and metafunc.definition.get_closest_marker("on_two"):
        metafunc.parametrize("processes", sorted({PROCESSES, 2}), ids=lambda n: f"{n} at work")


@pytest.fixture
def processes() -> int:
    """How many of the bot are at work in a club."""
    return PROCESSES


@pytest.fixture(scope="session")
async def zygote() -> AsyncIterator[Zygote]:
    mother = Zygote()
    yield mother
    await mother.close()


@pytest.fixture
def staff(processes: int, zygote: Zygote, tmp_path: Path, request: pytest.FixtureRequest) -> Staff:
    if processes == 1:
        return bot_for
    if {"monkeypatch", "caplog"} & set(request.fixturenames):
        pytest.skip("reaches into the bot's process")
    return partial(colleagues, zygote=zygote, folder=tmp_path, bots=processes)


@pytest.fixture
async def closed_club(database: str, staff: Staff) -> AsyncIterator[Club]:
    """The sandbox's club before the bot is at work in it."""
    async with club_of(database, staff=staff) as opened:
        yield opened


@pytest.fixture
async def club(closed_club: Club) -> AsyncIterator[Club]:
    """The sandbox's club with the bot at work in it."""
    async with closed_club.at_work():
        await closed_club.until(lambda: closed_club.messages(closed_club.group))  # it has greeted the group
        yield closed_club


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
