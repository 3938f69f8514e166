"""One process of many runs the clock and the painter: the one whose connection holds an advisory lock.

PostgreSQL frees the lock when that connection ends, however the process ended; the others try once a second.
Every process listens for NOTIFY, which only wakes up: what there is to do is always read from the tables.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress

import asyncpg

from db.errors import OperatorError
from db.pool import OwnConnection, connect

log = logging.getLogger(__name__)

LOCK = 0x60A7_0002
TRY_EVERY = 1.0
CHANNEL = "goat"

TRY_LOCK = "SELECT pg_try_advisory_lock($1)"


async def lead(dsn: str, duties: Callable[[], Awaitable[None]], wake: Callable[[], None]) -> None:
    """Runs `duties` whenever this process holds the lock, until cancelled.

    A lost connection, or a fault of the database inside the duties, ends them; leadership is then sought again.
    """
    while True:
        try:
            connection = await connect(dsn)
        except OperatorError as error:
            log.warning("%s", error)
            await asyncio.sleep(TRY_EVERY)
            continue
        try:
            await connection.add_listener(CHANNEL, lambda *_: wake())
            # Another process tells nobody that it died: ask again and again.
            while not await connection.fetchval(TRY_LOCK, LOCK):  # noqa: ASYNC110
                await asyncio.sleep(TRY_EVERY)
            log.info("this process leads: it runs the clock and the painter")
            await _while_connected(connection, duties)
        except (asyncpg.PostgresError, asyncpg.InterfaceError, OSError) as error:
            log.warning("leadership lost: %s", type(error).__name__)
            await asyncio.sleep(TRY_EVERY)
        finally:
            # A hung server must not hold up leaving: the lock goes with the connection either way.
            with suppress(asyncpg.PostgresError, asyncpg.InterfaceError, OSError):
                await connection.close(timeout=2)


async def _while_connected(connection: OwnConnection, duties: Callable[[], Awaitable[None]]) -> None:
    async def watch() -> None:
        while True:
            await connection.fetchval("SELECT 1", timeout=5)
            await asyncio.sleep(TRY_EVERY)

    tasks = [asyncio.create_task(watch()), asyncio.ensure_future(duties())]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
