"""Keeps screens true: renders the current state of what is out of date and sends or edits one message each.

Nothing is queued: a screen that changed five times while Telegram let us wait is painted once, as it is then. One
painting a chat at a time, so order within a chat is kept; chats do not wait for each other.
"""

import asyncio
import logging
import random
from collections.abc import Callable, Sequence
from contextlib import suppress
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial

from aiogram import Bot
from aiogram.exceptions import (
    TelegramAPIError,
    TelegramBadRequest,
    TelegramForbiddenError,
    TelegramMigrateToChat,
    TelegramNetworkError,
    TelegramRetryAfter,
    TelegramServerError,
)

from db import chats, notices, screens
from db.notices import Notice
from db.pool import Pool
from db.screens import Screen
from tgbot.pace import Pace
from tgbot.rendering import Renderer
from tgbot.screens.notices import notice_text
from tgbot.screens.painting import Painting
from tgbot.services import people
from tgbot.services.moment import Moment
from tgbot.waiting import until_set

log = logging.getLogger(__name__)

# Telegram's words for a message that we can't change any more.
LOST = (
    "message to edit not found",
    "message can't be edited",
    "message_id_invalid",
    "message identifier is not specified",
)
UNCHANGED = "message is not modified"
NO_VOICE = (
    "not enough rights",
    "have no rights to send",
    "chat_write_forbidden",
    "topic_closed",
    "chat not found",
)

LONGEST_SLEEP = 5.0
BACKOFF = timedelta(seconds=1)
LONGEST_BACKOFF = timedelta(minutes=5)
TRIES = 12
"""Failures after which a message that Telegram keeps refusing is left alone; the next change tries again."""

Job = Screen | Notice

PAINTING: ContextVar[bool] = ContextVar("PAINTING", default=False)
"""True inside a painting: its call is accounted for before it starts."""


@dataclass(slots=True)
class Painter:
    """`clock` is the house's time (UTC), `ticks` a monotonic clock in seconds for Telegram's limits."""

    pool: Pool
    bot: Bot
    renderer: Renderer
    pace: Pace
    clock: Callable[[], datetime]
    ticks: Callable[[], float]
    rng: random.Random
    wake: asyncio.Event

    async def run(self) -> None:
        """Until cancelled; paintings under way are finished first."""
        busy: dict[int, asyncio.Task[None]] = {}
        try:
            while True:
                self.wake.clear()
                sleep = await self._round(busy)
                await until_set(self.wake, sleep)
        finally:
            if busy:
                await asyncio.wait(busy.values(), timeout=LONGEST_SLEEP)

    async def _round(self, busy: dict[int, "asyncio.Task[None]"]) -> float:
        """Starts what may start now; returns for how many seconds nothing else will be due."""
        now = self.clock()
        async with self.pool.acquire() as db:
            stale = await screens.stale(db, now, not_in=list(busy))
            unsent = await notices.unsent(db, now, not_in=list(busy))
            next_at = [await screens.next_paint(db, now), await notices.next_send(db, now)]
        sleep = min(
            [LONGEST_SLEEP, *(max(0.01, (at - now).total_seconds()) for at in next_at if at is not None)]
        )
        for job in in_order(stale, unsent):
            if job.chat_id in busy:
                continue
            delay = self.pace.delay(job.chat_id, self.ticks())
            if delay > 0:
                sleep = min(sleep, delay)
                continue
            spent_at = self.ticks()
            self.pace.spend(job.chat_id, spent_at)
            task = asyncio.create_task(self._do(job, spent_at), name=f"paint {job.chat_id}")
            busy[job.chat_id] = task
            task.add_done_callback(partial(self._done, busy, job.chat_id))
        return sleep

    def _done(self, busy: dict[int, "asyncio.Task[None]"], chat_id: int, task: "asyncio.Task[None]") -> None:
        busy.pop(chat_id, None)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("painting in chat %s failed", chat_id, exc_info=error)
        self.wake.set()

    async def _do(self, job: Job, spent_at: float) -> None:
        PAINTING.set(True)
        try:
            if isinstance(job, Notice):
                await self._say(job)
            elif not await self._paint(job.id):
                self.pace.refund(job.chat_id, spent_at)
        except TelegramRetryAfter as error:
            self.pace.hold(job.chat_id, self.ticks(), error.retry_after)
        except TelegramMigrateToChat as error:
            async with self.pool.acquire() as db, db.transaction():
                await chats.move(db, job.chat_id, error.migrate_to_chat_id)
        except TelegramForbiddenError:
            await self._cannot_write(job.chat_id)
        except (TelegramNetworkError, TelegramServerError) as error:
            log.warning("chat %s: %s", job.chat_id, type(error).__name__)
            await self._later(job)
        except TelegramBadRequest as error:
            if any(words in error.message.lower() for words in NO_VOICE):
                await self._cannot_write(job.chat_id)
            else:
                log.error("chat %s refuses a message: %s", job.chat_id, error.message)
                await self._later(job)
        except TelegramAPIError as error:
            log.error("chat %s: %s: %s", job.chat_id, type(error).__name__, error.message)
            await self._later(job)
        except Exception:
            await self._later(job)
            raise

    async def _paint(self, screen_id: int) -> bool:
        """Whether Telegram was called: an unchanged look needs no call."""
        async with self.pool.acquire() as db:
            screen = await screens.get(db, screen_id)
            if screen is None or screen.wanted <= screen.shown:
                return False
            painting = await self.renderer.render(db, screen)
            nothing_there = (
                screen.message_id is None and screen.final and screen.kind in ("hand", "lobby", "proposal")
            )
            if painting is None or nothing_there:
                await screens.painted(
                    db, screen.id, screen.wanted, screen.message_id, screen.digest, screen.sent_at
                )
                return False
        digest = painting.digest()
        message_id, sent_at = screen.message_id, screen.sent_at
        called = True
        if message_id is None or (screen.ring > screen.shown and not screen.final):
            sent = await self.bot.send_message(
                screen.chat_id,
                painting.text,
                message_thread_id=screen.thread_id,
                reply_markup=painting.keyboard,
            )
            message_id, sent_at = sent.message_id, self.clock()
        elif digest == screen.digest:
            called = False
        elif not await self._edit(screen.chat_id, message_id, painting):
            async with self.pool.acquire() as db:
                await screens.lost(db, screen.id)
            return True
        async with self.pool.acquire() as db:
            await screens.painted(db, screen.id, screen.wanted, message_id, digest, sent_at)
        if screen.message_id is not None and screen.message_id != message_id:
            with suppress(TelegramBadRequest):
                await self.bot.delete_message(screen.chat_id, screen.message_id)
        return called

    async def _edit(self, chat_id: int, message_id: int, painting: Painting) -> bool:
        """False when the message is gone or too old."""
        try:
            await self.bot.edit_message_text(
                painting.text, chat_id=chat_id, message_id=message_id, reply_markup=painting.keyboard
            )
        except TelegramBadRequest as error:
            words = error.message.lower()
            if UNCHANGED in words:
                return True
            if any(lost in words for lost in LOST):
                return False
            raise
        return True

    async def _say(self, notice: Notice) -> None:
        async with self.pool.acquire() as db:
            t = await self.renderer.texts_of(db, notice.chat_id)
        await self.bot.send_message(
            notice.chat_id, notice_text(notice.code, notice.args, t), message_thread_id=notice.thread_id
        )
        async with self.pool.acquire() as db:
            await notices.sent(db, notice.id, self.clock())

    async def _cannot_write(self, chat_id: int) -> None:
        """Nothing is lost: what is out of date there is painted when the chat can be written to again."""
        async with self.pool.acquire() as db, db.transaction():
            if chat_id > 0:
                await people.cannot_be_written_to(db, chat_id, Moment(self.clock(), self.rng))
            else:
                await chats.set_writable(db, chat_id, False)

    async def _later(self, job: Job) -> None:
        """Exponential backoff with jitter."""
        wait = min(LONGEST_BACKOFF, BACKOFF * 2**job.failures) * self.rng.uniform(0.5, 1.0)
        async with self.pool.acquire() as db:
            if isinstance(job, Notice):
                if job.failures >= TRIES:
                    await notices.sent(db, job.id, self.clock())
                else:
                    await notices.failed(db, job.id, self.clock() + wait)
            elif job.failures >= TRIES:
                await screens.give_up(db, job.id)
            else:
                await screens.failed(db, job.id, self.clock() + wait)


def in_order(stale: Sequence[Screen], unsent: Sequence[Notice]) -> list[Job]:
    """The hand of who is to move, then what is to be said, then the rest as the database ordered it."""
    urgent = [screen for screen in stale if screen.priority == screens.NOW]
    rest = [screen for screen in stale if screen.priority != screens.NOW]
    return [*urgent, *unsent, *rest]
