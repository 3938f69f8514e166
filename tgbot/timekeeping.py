"""Where the time comes from: this machine, or for a try-out the sandbox, whose clock can be moved on."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta

import aiohttp

log = logging.getLogger(__name__)

ASK_EVERY = 0.5
"""Seconds between two looks at the sandbox's clock."""


def system_time() -> datetime:
    return datetime.now(UTC)


@asynccontextmanager
async def following(url: str) -> AsyncIterator[Callable[[], datetime]]:
    """The system's time plus the offset that `url` tells: JSON with "offset" in seconds.

    It is asked once before the first time is told: a clock that jumps after the start would look as if that time had
    passed while the bot was at work. While it doesn't answer, the last offset holds.
    """
    offset = timedelta()

    async def ask(session: aiohttp.ClientSession) -> None:
        nonlocal offset
        try:
            async with session.get(url) as response:
                offset = timedelta(seconds=float((await response.json())["offset"]))
        except (aiohttp.ClientError, TimeoutError, ValueError, KeyError, TypeError) as error:
            log.debug("the clock at %s does not answer: %s", url, type(error).__name__)

    async def follow(session: aiohttp.ClientSession) -> None:
        while True:
            await asyncio.sleep(ASK_EVERY)
            await ask(session)

    async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=2)) as session:
        await ask(session)
        task = asyncio.create_task(follow(session))
        try:
            yield lambda: system_time() + offset
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
