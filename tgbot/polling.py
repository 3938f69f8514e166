"""Telegram is asked for updates, where it has no address to send them to.

Not by aiogram's own polling: that reads all updates of an answer or none, so one that it can't read keeps all others
away for ever, and it writes them into the log.
"""

import asyncio
import logging
from collections.abc import Coroutine, Sequence
from typing import Any

from aiogram import Bot
from aiogram.exceptions import TelegramRetryAfter
from aiogram.methods import TelegramMethod
from aiogram.utils.backoff import Backoff, BackoffConfig
from pydantic import BaseModel, ConfigDict

from tgbot.webhook import Feed, parsed

log = logging.getLogger(__name__)

ANSWER_WITHIN = 10
"""Seconds for which Telegram keeps a call open when there is no update."""

PAUSES = BackoffConfig(min_delay=1.0, max_delay=5.0, factor=1.3, jitter=0.1)
"""Before Telegram is asked again after a failure."""


class Unread(BaseModel):
    """An update of which only the number is known to be right."""

    model_config = ConfigDict(extra="allow")

    update_id: int


class GetUnread(TelegramMethod[list[Unread]]):
    __returning__ = list[Unread]
    __api_method__ = "getUpdates"

    offset: int | None = None
    timeout: int = ANSWER_WITHIN
    allowed_updates: list[str]


async def poll(bot: Bot, feed: Feed, allowed: list[str], grace: float) -> None:
    """Until cancelled; an update under way then gets `grace` seconds.

    One after the other: Telegram forgets an update when the next ones are asked for, so it must be done.
    """
    backoff = Backoff(PAUSES)
    ask = GetUnread(allowed_updates=allowed)
    while True:
        for unread in await _next(bot, ask, backoff):
            await _to_its_end(_hand_over(bot, feed, unread), grace)
            ask.offset = unread.update_id + 1


async def _next(bot: Bot, ask: GetUnread, backoff: Backoff) -> Sequence[Unread]:
    """None of them, after a pause, while Telegram can't be asked."""
    try:
        updates = await bot(ask, request_timeout=int(bot.session.timeout) + ask.timeout)
    except Exception as error:
        pause = next(backoff)
        if isinstance(error, TelegramRetryAfter):
            pause = max(pause, error.retry_after)
        log.error("no updates: %s: %s; again in %.1f s", type(error).__name__, error, pause)
        await asyncio.sleep(pause)
        return ()
    if backoff.counter:
        log.info("updates come again")
        backoff.reset()
    return updates


async def _hand_over(bot: Bot, feed: Feed, unread: Unread) -> None:
    try:
        update = parsed(unread.model_dump(), bot)
    except (ValueError, RecursionError) as error:
        log.warning("update %s can't be read: %s", unread.update_id, type(error).__name__)
        return
    try:
        await feed(update)
    except Exception:
        log.exception("update %s failed", unread.update_id)


async def _to_its_end(work: Coroutine[Any, Any, None], grace: float) -> None:
    task = asyncio.create_task(work)
    try:
        await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait([task], timeout=grace)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        raise
