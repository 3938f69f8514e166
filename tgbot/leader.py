"""One process of many runs the clock and the painter: the one whose connection holds an advisory lock.

PostgreSQL frees the lock when that connection ends, however the process ended; the others try once a second.
The leader listens for NOTIFY, which only wakes up: what there is to do is always read from the tables.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass

from db.faults import PASSING
from db.pool import OwnConnection, Pool, connect

log = logging.getLogger(__name__)

LOCK = 0x60A7_0002
TRY_EVERY = 1.0
CHANNEL = "goat"

TRY_LOCK = "SELECT pg_try_advisory_lock($1)"


NOTIFY = f"SELECT pg_notify('{CHANNEL}', '')"


@dataclass(slots=True)
class Bell:
    """Tells the leader, in whatever process, that there is something to do. `wake` wakes the parts of this one.

    Rung after a commit and not within the transaction: commits that notify wait for each other in PostgreSQL. A bell
    that is lost with its process costs the seconds until the leader looks by itself.
    """

    pool: Pool
    wake: Callable[[], None]
    leads: bool = False
    _again: bool = False
    _task: "asyncio.Task[None] | None" = None

    def ring(self) -> None:
        """Returns at once; what is rung while a notification is under way is put together in the next."""
        if self.leads:
            self.wake()
            return
        self._again = True
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._notify(), name="bell")

    async def _notify(self) -> None:
        while self._again:
            self._again = False
            try:
                await self.pool.execute(NOTIFY)
            except PASSING as error:
                log.warning("the leader is not notified: %s", type(error).__name__)

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)


async def lead(dsn: str, duties: Callable[[], Awaitable[None]], bell: Bell) -> None:
    """Runs `duties` whenever this process holds the lock, until cancelled.

    A lost connection ends them at once, for another process may lead by then; leadership is then sought again.
    """
    while True:
        try:
            connection = await connect(dsn)
        except PASSING as error:
            log.warning("%s", error)
            await asyncio.sleep(TRY_EVERY)
            continue
        try:
            await connection.add_listener(CHANNEL, lambda *_: bell.wake())
            # Another process tells nobody that it died: ask again and again.
            while not await connection.fetchval(TRY_LOCK, LOCK):  # noqa: ASYNC110
                await asyncio.sleep(TRY_EVERY)
            log.info("this process leads: it runs the clock and the painter")
            bell.leads = True
            await _while_connected(connection, duties)
        except PASSING as error:
            log.warning("leadership lost: %s", type(error).__name__)
            await asyncio.sleep(TRY_EVERY)
        finally:
            bell.leads = False
            # A hung server must not hold up leaving: the lock goes with the connection either way.
            with suppress(*PASSING):
                await connection.close(timeout=1)


async def _while_connected(connection: OwnConnection, duties: Callable[[], Awaitable[None]]) -> None:
    cut = asyncio.Event()
    connection.add_termination_listener(lambda _: cut.set())

    async def watch() -> None:
        """A server that is gone without a word is found out by asking."""
        while not connection.is_closed() and not cut.is_set():
            await connection.fetchval("SELECT 1", timeout=5)
            with suppress(TimeoutError):
                async with asyncio.timeout(TRY_EVERY):
                    await cut.wait()
        raise ConnectionResetError

    tasks = [asyncio.create_task(watch()), asyncio.ensure_future(duties())]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
