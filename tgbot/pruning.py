"""Nothing grows for ever: what was only needed for some days is forgotten. Deals keep their record."""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from db import notices, screens, updates
from db.pool import Pool

log = logging.getLogger(__name__)

EVERY = 3600.0
UPDATES_LAST = timedelta(days=2)
"""Telegram itself keeps what it could not deliver for one."""
SCREENS_LAST = NOTICES_LAST = timedelta(days=3)
UNSAID_LASTS = timedelta(days=30)


@dataclass(slots=True)
class Pruner:
    """An hourly duty of the process that leads. `clock` is the house's time (UTC)."""

    pool: Pool
    clock: Callable[[], datetime]

    async def run(self) -> None:
        while True:
            await self.prune()
            await asyncio.sleep(EVERY)

    async def prune(self) -> int:
        """Small batches, each its own transaction, so that no press waits long. Returns how many rows went."""
        now, total = self.clock(), 0
        while True:
            async with self.pool.acquire() as db:
                gone = await updates.forget(db, now - UPDATES_LAST)
                gone += await screens.prune(db, now - SCREENS_LAST)
                gone += await notices.prune(db, now - NOTICES_LAST, now - UNSAID_LASTS)
            total += gone
            if not gone:
                break
        if total:
            log.info("%s old rows pruned", total)
        return total
