"""The sandbox as one HTTP server: Bot API, page and clock on one port.

running = await start(first_world(), "127.0.0.1", 0)
session = AiohttpSession(api=TelegramAPIServer.from_base(running.url))
bot = Bot(running.world.bot.token, session=session)
…
await running.stop()
"""

import asyncio
import logging
from dataclasses import dataclass, field
from pathlib import Path

from aiohttp import web

from tgbot.sandbox import store
from tgbot.sandbox.api import MAX_BODY, Api
from tgbot.sandbox.faults import Faults
from tgbot.sandbox.limits import Limits
from tgbot.sandbox.pageapi import PageApi, Supervisor
from tgbot.sandbox.recorder import Recorder
from tgbot.sandbox.world import World, first_world

log = logging.getLogger(__name__)

PAGE_API = web.AppKey("page_api", PageApi)


@dataclass
class Running:
    """A sandbox that serves. `url` is both the page's address and the Bot API's base."""

    world: World
    url: str
    api: Api
    page: PageApi
    recorder: Recorder
    _runner: web.AppRunner
    _clock: asyncio.Task[None]
    _store: store.Store | None
    _stopped: asyncio.Event = field(default_factory=asyncio.Event)
    _stopping: bool = False

    @property
    def token(self) -> str:
        return self.world.bot.token

    @property
    def faults(self) -> Faults:
        return self.api.faults

    @property
    def limits(self) -> Limits:
        return self.api.limits

    async def stop(self) -> None:
        """Ends all connections, and saves the world if it has a folder. Further calls wait for the first."""
        if self._stopping:
            await self._stopped.wait()
            return
        self._stopping = True
        try:
            await self._end()
        finally:
            self._stopped.set()

    async def _end(self) -> None:
        self._clock.cancel()
        await asyncio.gather(self._clock, return_exceptions=True)
        self.api.stopping.set()
        self.page.stop()
        await self.api.delivery.stop()
        await self._runner.cleanup()
        self.recorder.stop()
        if self._store:
            await self._store.stop()


def create_app(api: Api, page: PageApi) -> web.Application:
    app = web.Application(client_max_size=MAX_BODY)
    app[PAGE_API] = page
    app.add_routes(api.routes())
    app.add_routes(page.routes())
    return app


async def start(
    world: World | None = None,
    host: str = "127.0.0.1",
    port: int = 0,
    supervisor: Supervisor | None = None,
    folder: Path | None = None,
    retry_unit: float = 1.0,
) -> Running:
    """Starts to serve; port 0 takes a free one.

    Without a world it goes on with the one saved in the folder, or with the first world. `retry_unit` is how long a
    second of waiting before another try of a webhook lasts. Raises OSError when the port is taken,
    store.NotReadable when the folder can't be read.
    """
    if world is None:
        saved = await asyncio.to_thread(store.load, folder) if folder else None
        world = World(saved) if saved else first_world()
    faults, recorder, limits = Faults(), Recorder(world), Limits(world)
    api = Api(world, faults, limits, retry_unit)
    page = PageApi(world, faults, limits, recorder, supervisor)
    runner = web.AppRunner(create_app(api, page), shutdown_timeout=1.0, access_log=None)
    await runner.setup()
    try:
        await web.TCPSite(runner, host, port).start()
    except OSError:
        await runner.cleanup()
        raise
    await api.delivery.start()
    keeper = store.Store(world, folder) if folder else None
    if keeper:
        keeper.start()
    shown = "127.0.0.1" if host in ("", "0.0.0.0", "::") else host  # noqa: S104 - what was asked for
    url = f"http://{shown}:{runner.addresses[0][1]}"
    return Running(world, url, api, page, recorder, runner, asyncio.create_task(tick(world)), keeper)


async def tick(world: World) -> None:
    """Lets presses expire that the bot never answers."""
    while True:
        await asyncio.sleep(1)
        world.expire_queries()


async def serve(
    world: World | None,
    host: str,
    port: int,
    supervisor: Supervisor | None = None,
    folder: Path | None = None,
) -> None:
    """Serves until it is cancelled."""
    running = await start(world, host, port, supervisor, folder)
    log.info("the sandbox is at %s", running.url)
    try:
        await asyncio.Event().wait()
    finally:
        await running.stop()
