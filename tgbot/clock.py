"""The house's own hands: acts at every table whose moment has come."""

import asyncio
import logging
import random
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from db import heartbeat, tables
from db.faults import PASSING
from db.pool import Pool
from tgbot.foresight import Foresight
from tgbot.services import downtime, play
from tgbot.services.moment import Moment
from tgbot.waiting import BREATH, until_set

log = logging.getLogger(__name__)

LONGEST_SLEEP = 5.0
BEAT_EVERY = timedelta(seconds=2)
"""How often it is written down that the clock runs, however much there is to do."""
OTHERS_AT_IT = 0.01
"""Seconds to wait for a table that is due and locked by somebody else's press."""
AFTER_A_FAULT = timedelta(seconds=30)


@dataclass(slots=True)
class Clock:
    pool: Pool
    now: Callable[[], datetime]
    rng: random.Random
    wake: asyncio.Event
    painter: asyncio.Event
    foresight: Foresight
    wall: Callable[[], datetime]
    """The machine's own time: the sandbox's may be moved on while everybody is there."""
    _awake_at: datetime | None = None
    _beaten_at: datetime | None = None

    async def run(self) -> None:
        """Until cancelled. What was missed while no process ran the clock is made up for first."""
        await self._make_up()
        try:
            while True:
                self.wake.clear()
                sleep = await self.tick()
                await until_set(self.wake, sleep, BREATH)
        finally:
            await self.foresight.close()

    async def tick(self) -> float:
        """Acts at every table that is due and not thought about; returns the seconds until the next one is."""
        while True:
            await self._prepare()
            async with self.pool.acquire() as db:
                due = await tables.next_due(db, self.foresight.busy)
            if due is None:
                return LONGEST_SLEEP
            if due > self.now():
                return min(LONGEST_SLEEP, max(0.01, (due - self.now()).total_seconds()))
            if not await self._act_at_one():
                return OTHERS_AT_IT
            self.painter.set()

    async def _prepare(self) -> None:
        await self._beat()
        await self.foresight.look()

    async def _make_up(self) -> None:
        mended = await downtime.make_up(self.pool, Moment(now=self.now(), rng=self.rng))
        if mended:
            log.info("the bot was away: %s running turns got that time back", mended)
            self.painter.set()

    async def _beat(self) -> None:
        # A machine that was suspended, or stood still, was away without anything having ended.
        wall = self.wall()
        if self._awake_at is not None and wall - self._awake_at >= downtime.UNNOTICED:
            await self._make_up()
        self._awake_at = wall
        now = self.now()
        if self._beaten_at is None or now - self._beaten_at >= BEAT_EVERY:
            async with self.pool.acquire() as db:
                await heartbeat.beat(db, now)
            self._beaten_at = now

    async def _act_at_one(self) -> bool:
        """One table in one transaction of its own: a fault at one table stops no other."""
        moment = Moment(now=self.now(), rng=self.rng)
        table_id = None
        try:
            async with self.pool.acquire() as db, db.transaction():
                claimed = await tables.claim_due(db, moment.now, 1, self.foresight.busy)
                if not claimed:
                    return False
                table_id = claimed[0]
                await play.house_acts(db, table_id, moment, self.foresight.about(table_id))
        except PASSING:
            raise
        except Exception:
            if table_id is None:
                raise
            log.exception("the house could not act at table %s", table_id)
            async with self.pool.acquire() as db:
                await tables.postpone(db, table_id, moment.now + AFTER_A_FAULT)
        return True
