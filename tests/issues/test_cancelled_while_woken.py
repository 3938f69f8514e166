"""A stop that came in the same moment as a wake-up was lost: the process then ignored SIGTERM until it was killed."""

import asyncio

from tgbot.waiting import until_set


async def test_a_cancellation_in_the_moment_of_a_wake_up_is_not_lost() -> None:
    event = asyncio.Event()

    async def work() -> None:
        while True:
            event.clear()
            await until_set(event, 10)

    for _ in range(50):
        task = asyncio.create_task(work())
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        event.set()
        await asyncio.sleep(0)
        task.cancel()
        done, _ = await asyncio.wait([task], timeout=1)
        assert done
