"""Waiting for a wake-up or for time to pass."""

import asyncio
from contextlib import suppress


async def until_set(event: asyncio.Event, seconds: float) -> None:
    """Returns when the event is set or the seconds are over.

    Not asyncio.wait_for: before Python 3.12 it may lose a cancellation that comes in the same moment as the event,
    and then the task that was to end goes on for ever.
    """
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await event.wait()
