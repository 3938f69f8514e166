"""Waiting for a wake-up or for time to pass, and duties that outlive their faults."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress

log = logging.getLogger(__name__)

AFTER_A_FAULT = 1.0


BREATH = 0.02
"""Seconds between two looks at what there is to do: what happens meanwhile is seen at once."""


async def until_set(event: asyncio.Event, seconds: float, breath: float = 0.0) -> None:
    """Returns when the event is set, but not within a breath, or the seconds are over.

    Not asyncio.wait_for: before Python 3.12 it may lose a cancellation that comes in the same moment as the event,
    and then the task that was to end goes on for ever.
    """
    breath = min(breath, seconds)
    await asyncio.sleep(breath)
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds - breath):
            await event.wait()


async def enduring(
    name: str, run: Callable[[], Awaitable[None]], passing: tuple[type[Exception], ...]
) -> None:
    """Runs a duty until cancelled; after a fault it begins again. `passing`: faults that need no traceback."""
    while True:
        try:
            await run()
            return
        except passing as error:
            log.warning("%s: %s; it goes on in a second", name, type(error).__name__)
        except Exception:
            log.exception("%s failed; it goes on in a second", name)
        await asyncio.sleep(AFTER_A_FAULT)
