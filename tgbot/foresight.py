"""What strong computer players think while their tables wait out the pause before a computer's move.

It happens beside the clock and outside of every transaction: a table is read, the questions go to the thinker, the
answers are kept until the clock acts there. Until then, and for a second beyond its moment at most, the clock leaves
the table alone; then steady players play. A move that changes the table meanwhile makes the answers worthless, and
they are not found any more, since they belong to questions about another view.
"""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from db import tables
from db.faults import PASSING
from db.pool import Pool
from tgbot.services.deals import NOTHING, SLOW, THINKING, Thoughts, slow_questions
from tgbot.thinker import QUEUE, Thinker

log = logging.getLogger(__name__)

AHEAD: Final = timedelta(seconds=THINKING[1])
"""A computer's longest pause: thinking begins with it."""

LATE: Final = 1.0
"""Seconds beyond its moment for which a table waits for an answer."""

IN_VIEW: Final = 200
"""How many of the next tables are looked at."""


@dataclass(slots=True)
class Foresight:
    """Belongs to the clock that it wakes by `ready`. Close it at the end."""

    pool: Pool
    thinker: Thinker
    now: Callable[[], datetime]
    ready: asyncio.Event
    _known: dict[int, tuple[int, Thoughts]] = field(default_factory=dict)
    _running: dict[int, tuple[int, asyncio.Task[None]]] = field(default_factory=dict)

    @property
    def busy(self) -> list[int]:
        """The tables that are being thought about."""
        return list(self._running)

    def about(self, table_id: int) -> Thoughts:
        return self._known.get(table_id, (0, NOTHING))[1]

    async def look(self) -> None:
        """Begins to think about the tables that will be due soon, and forgets what is out of date."""
        now = self.now()
        async with self.pool.acquire() as db:
            coming = await tables.due_with(db, SLOW, now + AHEAD, IN_VIEW)
        versions = {due.table_id: due.version for due in coming}
        self._known = {
            table_id: known for table_id, known in self._known.items() if versions.get(table_id) == known[0]
        }
        await _end(
            [task for table_id, (version, task) in self._running.items() if versions.get(table_id) != version]
        )
        for due in coming:
            if due.table_id in self._known or due.table_id in self._running:
                continue
            if len(self._running) >= QUEUE:
                break
            seconds = max(0.0, (due.act_at - now).total_seconds()) + LATE
            task = asyncio.create_task(self._think(due.table_id, seconds))
            self._running[due.table_id] = due.version, task
            task.add_done_callback(partial(self._done, due.table_id))

    async def close(self) -> None:
        await _end([task for _, task in self._running.values()])
        self._known.clear()
        await self.thinker.close()

    async def _think(self, table_id: int, seconds: float) -> None:
        version = self._running[table_id][0]
        thoughts = NOTHING
        try:
            async with self.pool.acquire() as db:
                table = await tables.read(db, table_id)
            if table is not None:
                thoughts = await self.thinker.think(slow_questions(table), seconds)
        except PASSING as error:
            log.warning("thinking about table %s: %s", table_id, type(error).__name__)
        except Exception:
            log.exception("nobody could think about table %s", table_id)
        self._known[table_id] = version, thoughts

    def _done(self, table_id: int, _: asyncio.Task[None]) -> None:
        del self._running[table_id]
        self.ready.set()


async def _end(tasks: list[asyncio.Task[None]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
