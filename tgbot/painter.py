"""Keeps screens true: renders the current state of what is out of date and sends or edits one message each.

Nothing is queued: a screen that changed five times while Telegram let us wait is painted once, as it is then. One
painting a chat at a time, so order within a chat is kept; chats do not wait for each other.
"""

import asyncio
import logging
import random
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial

from aiogram import Bot
from aiogram.exceptions import (
    TelegramAPIError,
    TelegramBadRequest,
    TelegramForbiddenError,
    TelegramMigrateToChat,
    TelegramRetryAfter,
)

from db import chats, notices, reminders, screens
from db.connection import Connection
from db.faults import PASSING
from db.notices import Notice
from db.pool import Pool
from db.screens import Screen
from tgbot.pace import NO_ROOM, TURN_ROOM, Pace
from tgbot.rendering import Renderer
from tgbot.screens.notices import outdated
from tgbot.screens.painting import Painting
from tgbot.services import moving, people
from tgbot.services.moment import Moment
from tgbot.telegram import ACCOUNTED, TROUBLE, gone, mute, topic_closed, topic_gone, unchanged
from tgbot.waiting import BREATH, until_set

log = logging.getLogger(__name__)

LONGEST_SLEEP = 5.0
FINISH_WITHIN = 4.0
"""Seconds that paintings under way get when the painter is told to stop."""
BACKOFF = 1.0
LONGEST_BACKOFF = 300.0
LONGEST_OUTAGE = 30.0
"""Seconds: how rarely at least a message that is refused, and a Telegram that doesn't work, is tried again."""
TRIES = 12
"""Refusals after which a message is left alone; the next change tries again."""
PROBE_EVERY = 120.0
"""Seconds between two tries to write in a group where we could not: nobody tells a bot that all may write again."""

Job = Screen | Notice


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
    probe_every: float = PROBE_EVERY
    _probed: dict[int, float] = field(default_factory=dict)

    async def run(self) -> None:
        """Until cancelled; paintings under way are finished first."""
        busy: dict[int, asyncio.Task[None]] = {}
        try:
            while True:
                self.wake.clear()
                sleep = await self._round(busy)
                await until_set(self.wake, sleep, BREATH)
        finally:
            if busy:
                await asyncio.wait(busy.values(), timeout=FINISH_WITHIN)
            for task in busy.values():
                task.cancel()

    async def _round(self, busy: dict[int, "asyncio.Task[None]"]) -> float:
        """Starts what may start now; returns for how many seconds nothing else will be due."""
        if (full := self.pace.full(self.ticks())) > 0:
            return full
        now = self.clock()
        held = self.pace.held(self.ticks())
        away = [*busy, *held]
        async with self.pool.acquire() as db:
            probe = await self._to_probe(db)
            stale = await screens.stale(db, now, not_in=away, probe=probe)
            unsent = await notices.unsent(db, now, not_in=away)
            next_at = [await screens.next_paint(db, now), await notices.next_send(db, now)]
        sleep = min(
            [
                LONGEST_SLEEP,
                *(max(0.01, (at - now).total_seconds()) for at in next_at if at is not None),
                *(max(0.01, self.pace.delay(chat_id, self.ticks(), TURN_ROOM)) for chat_id in held),
            ]
        )
        for job in in_order(stale, unsent, share_is_due=self.pace.share_is_due(self.ticks())):
            if job.chat_id in busy:
                continue
            room = room_for(job)
            delay = self.pace.delay(job.chat_id, self.ticks(), room)
            if delay > 0:
                sleep = min(sleep, delay)
                continue
            if job.chat_id in probe:
                self._probed[job.chat_id] = self.ticks()
            spent_at = self.ticks()
            self.pace.spend(job.chat_id, spent_at, room)
            task = asyncio.create_task(self._do(job, spent_at, room), name=f"paint {job.chat_id}")
            busy[job.chat_id] = task
            task.add_done_callback(partial(self._done, busy, job.chat_id))
        return sleep

    async def _to_probe(self, db: Connection) -> list[int]:
        """Groups that may have got their voice back without a word to us."""
        mute_ones = await chats.mute_with_work(db)
        self._probed = {chat_id: at for chat_id, at in self._probed.items() if chat_id in mute_ones}
        now = self.ticks()
        for chat_id in mute_ones:
            self._probed.setdefault(chat_id, now)
        return [chat_id for chat_id, at in self._probed.items() if now - at >= self.probe_every]

    def _done(self, busy: dict[int, "asyncio.Task[None]"], chat_id: int, task: "asyncio.Task[None]") -> None:
        busy.pop(chat_id, None)
        if not task.cancelled() and (error := task.exception()) is not None:
            if isinstance(error, PASSING):
                log.warning("painting in chat %s: %s", chat_id, type(error).__name__)
                self.pace.hold(chat_id, self.ticks(), BACKOFF)
            else:
                log.error("painting in chat %s failed", chat_id, exc_info=error)
        self.wake.set()

    async def _do(self, job: Job, spent_at: float, room: int) -> None:
        ACCOUNTED.set(True)
        try:
            called = await (self._say(job) if isinstance(job, Notice) else self._paint(job.id))
            if called:
                self.pace.worked(job.chat_id)
                await self._voice_is_back(job.chat_id)
            else:
                self.pace.refund(job.chat_id, spent_at, room)
        except TelegramRetryAfter as error:
            log.info("chat %s: retry after %s s", job.chat_id, error.retry_after)  # the pace holds it already
        except TelegramMigrateToChat as error:
            await self._move(job, error.migrate_to_chat_id)
        except TelegramForbiddenError:
            await self._cannot_write(job.chat_id)
        except TROUBLE as error:
            # The chat waits as a whole, so that what was said first is said first.
            failures = self.pace.failed(job.chat_id)
            wait = min(LONGEST_OUTAGE, BACKOFF * 2**failures) * self.rng.uniform(0.5, 1.0)
            log.warning("chat %s: %s, again in %.1f s", job.chat_id, type(error).__name__, wait)
            self.pace.hold(job.chat_id, self.ticks(), wait)
        except TelegramBadRequest as error:
            await self._refused(job, error)
        except TelegramAPIError as error:
            log.error("chat %s: %s: %s", job.chat_id, type(error).__name__, error.message)
            await self._later(job)
        except PASSING:
            raise
        except Exception:
            await self._later(job)
            raise

    async def _refused(self, job: Job, error: TelegramBadRequest) -> None:
        if mute(error):
            await self._cannot_write(job.chat_id)
        elif topic_gone(error) and job.thread_id is not None:
            async with self.pool.acquire() as db, db.transaction():
                await chats.leave_topic(db, job.chat_id, job.thread_id)
        elif topic_closed(error):
            await self._later(job, give_up=False)
        else:
            log.error("chat %s refuses a message: %s", job.chat_id, error.message)
            await self._later(job)

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
                await screens.painted(db, screen, screen.message_id, screen.digest, screen.sent_at)
                return False
        digest = painting.digest()
        if screen.message_id is None or (screen.ring > screen.shown and not screen.final):
            await self._send(screen, painting, digest)
            return True
        called = digest != screen.digest
        if called and not await self._edit(screen.chat_id, screen.message_id, painting):
            async with self.pool.acquire() as db:
                await screens.lost(db, screen)
            return True
        async with self.pool.acquire() as db:
            await screens.painted(db, screen, screen.message_id, digest, screen.sent_at)
        return called

    async def _send(self, screen: Screen, painting: Painting, digest: str) -> None:
        """A new message for the screen; then the one that it replaces goes."""
        sent = await self.bot.send_message(
            screen.chat_id, painting.text, message_thread_id=screen.thread_id, reply_markup=painting.keyboard
        )
        now, leftover = self.clock(), None
        async with self.pool.acquire() as db, db.transaction():
            ours = await screens.painted(db, screen, sent.message_id, digest, now)
            old = screen.message_id if ours else sent.message_id
            if old is not None:
                leftover = await notices.remove(db, screen.chat_id, old, now)
        if leftover is not None:
            await self._say(leftover)

    async def _edit(self, chat_id: int, message_id: int, painting: Painting) -> bool:
        """False when the message is gone or too old."""
        try:
            await self.bot.edit_message_text(
                painting.text, chat_id=chat_id, message_id=message_id, reply_markup=painting.keyboard
            )
        except TelegramBadRequest as error:
            if gone(error):
                return False
            if not unchanged(error):
                raise
        return True

    async def _say(self, notice: Notice) -> bool:
        """Whether that counts towards Telegram's limits: to remove a message doesn't."""
        counts = notice.code != "remove"
        if counts:
            async with self.pool.acquire() as db:
                painting = await self.renderer.notice(db, notice)
            message = await self.bot.send_message(
                notice.chat_id,
                painting.text,
                message_thread_id=notice.thread_id,
                reply_markup=painting.keyboard,
            )
        else:
            try:
                await self._remove(notice.chat_id, int(notice.args["message"]))
            except TelegramRetryAfter as error:
                # Only this waits: screens of the same chat have limits of their own.
                await self._put_off(notice, error.retry_after)
                return False
        async with self.pool.acquire() as db, db.transaction():
            await notices.sent(db, notice.id, self.clock())
            if notice.code == "reminder":
                await reminders.stands(db, notice.id, notice.chat_id, message.message_id, self.clock())
        return counts

    async def _move(self, job: Job, chat_id: int) -> None:
        try:
            async with self.pool.acquire() as db, db.transaction():
                await moving.move(db, job.chat_id, chat_id, Moment(self.clock(), self.rng))
        except PASSING:
            raise
        except Exception:
            log.exception("chat %s could not be moved to %s", job.chat_id, chat_id)
            await self._later(job, give_up=False)

    async def _put_off(self, notice: Notice, seconds: float) -> None:
        log.info("chat %s: retry after %s s, to remove a message", notice.chat_id, seconds)
        async with self.pool.acquire() as db:
            await notices.failed(db, notice.id, self.clock() + timedelta(seconds=seconds))

    async def _remove(self, chat_id: int, message_id: int) -> None:
        """A message too old to be removed keeps neither its buttons nor what it told, which may be cards."""
        try:
            await self.bot.delete_message(chat_id, message_id)
        except TelegramBadRequest as error:
            if "not found" in error.message:
                return
            async with self.pool.acquire() as db:
                painting = outdated(await self.renderer.texts_of(db, chat_id))
            with suppress(TelegramBadRequest):
                await self._edit(chat_id, message_id, painting)

    async def _voice_is_back(self, chat_id: int) -> None:
        if chat_id in self._probed:
            async with self.pool.acquire() as db, db.transaction():
                await people.chat_writable(db, chat_id, True, Moment(self.clock(), self.rng))

    async def _cannot_write(self, chat_id: int) -> None:
        """Nothing is lost: what is out of date there is painted when the chat can be written to again."""
        async with self.pool.acquire() as db, db.transaction():
            if chat_id > 0:
                await people.cannot_be_written_to(db, chat_id, Moment(self.clock(), self.rng))
            else:
                await chats.set_writable(db, chat_id, False)

    async def _later(self, job: Job, *, give_up: bool = True) -> None:
        """Exponential backoff with jitter."""
        wait = timedelta(
            seconds=min(LONGEST_BACKOFF, BACKOFF * 2 ** min(job.failures, 20)) * self.rng.uniform(0.5, 1.0)
        )
        enough = give_up and job.failures >= TRIES
        async with self.pool.acquire() as db:
            if isinstance(job, Notice):
                if enough:
                    await notices.sent(db, job.id, self.clock())
                else:
                    await notices.failed(db, job.id, self.clock() + wait)
            elif enough:
                await screens.give_up(db, job.id)
            else:
                await screens.failed(db, job.id, self.clock() + wait)


def room_for(job: Job) -> int:
    """Who is to move waits for nothing that his own presses caused."""
    return (
        TURN_ROOM if isinstance(job, Screen) and job.priority == screens.NOW and job.chat_id > 0 else NO_ROOM
    )


def in_order(stale: Sequence[Screen], unsent: Sequence[Notice], *, share_is_due: bool) -> list[Job]:
    """The hands of those to move, then what is to be said, then the rest as the database ordered it.

    `share_is_due`: what can wait in other chats than theirs goes first; the pace lets one through.
    """
    urgent: list[Job] = [screen for screen in stale if screen.priority == screens.NOW]
    rest: list[Job] = [*unsent, *(screen for screen in stale if screen.priority != screens.NOW)]
    if not share_is_due:
        return [*urgent, *rest]
    chats_to_move = {job.chat_id for job in urgent}
    return [
        *(job for job in rest if job.chat_id not in chats_to_move),
        *urgent,
        *(job for job in rest if job.chat_id in chats_to_move),
    ]
