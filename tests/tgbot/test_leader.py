"""Whoever changes something tells the process that leads, be it this one or another."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from db.pool import Pool
from tgbot.leader import Bell, lead


@asynccontextmanager
async def leading(dsn: str, bell: Bell) -> AsyncIterator[None]:
    begun = asyncio.Event()

    async def duties() -> None:
        begun.set()
        await asyncio.Event().wait()

    task = asyncio.create_task(lead(dsn, duties, bell))
    try:
        async with asyncio.timeout(20):
            await begun.wait()
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def test_the_leader_wakes_its_own_parts_without_asking_anybody(pool: Pool, database: str) -> None:
    woken = asyncio.Event()
    bell = Bell(pool, woken.set)
    async with leading(database, bell):
        pool.terminate()
        bell.ring()
        assert woken.is_set()
    assert not bell.leads


async def test_another_process_is_heard_by_the_leader(pool: Pool, database: str) -> None:
    woken, other = asyncio.Event(), asyncio.Event()
    here, there = Bell(pool, woken.set), Bell(pool, other.set)
    async with leading(database, here):
        there.ring()
        there.ring()
        assert not other.is_set()
        async with asyncio.timeout(20):
            await woken.wait()
    await there.close()


async def test_a_bell_that_nobody_can_hear_is_a_line_in_the_log(
    pool: Pool, caplog: pytest.LogCaptureFixture
) -> None:
    """The database is away: the leader looks by itself when it is back."""
    bell = Bell(pool, lambda: None)
    pool.terminate()
    bell.ring()
    async with asyncio.timeout(20):
        while "the leader is not notified" not in caplog.text:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    await bell.close()
