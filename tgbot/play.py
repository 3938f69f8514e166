"""`goat play`: everything on one machine, for trying it out: a database, the sandbox, and the bot as its own process.

The bot runs as it does in production, by webhook; the sandbox is its Telegram. Killing the bot from the page is real.
"""

import argparse
import asyncio
import contextlib
import os
import signal
import socket
import subprocess
import sys
from asyncio.subprocess import Process
from collections.abc import Callable
from pathlib import Path

import aiohttp

from db import migrate, programs
from db.errors import OperatorError
from tgbot import logs
from tgbot.database import sandbox_database
from tgbot.sandbox import server
from tgbot.sandbox.errors import Impossible
from tgbot.sandbox.store import NotReadable
from tgbot.settings import HEALTH_PATH, Settings, load

START_WITHIN = 60.0
STOP_WITHIN = 10.0


class BotProcess:
    """The bot's process, as the page's drawer controls it."""

    def __init__(self, port: int, on_change: Callable[[], None]) -> None:
        self.environment: dict[str, str] = {}
        self._port = port
        self._on_change = on_change
        self._process: Process | None = None
        self._watch: asyncio.Task[None] | None = None

    def running(self) -> bool:
        return self._process is not None and self._process.returncode is None

    async def start(self) -> None:
        """Raises Impossible when it runs already, OperatorError when it does not come up."""
        if self.running():
            raise Impossible("The bot is running already.")
        self._process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "tgbot", "run", env=self.environment, start_new_session=True
        )
        # However we end, the bot must not go on alone.
        guard = programs.guard(self._process.pid, None, signal.SIGTERM)
        self._watch = asyncio.create_task(self._tell_its_end(self._process, guard))
        await self._until_healthy(self._process)

    async def _tell_its_end(self, process: Process, guard: "subprocess.Popen[bytes]") -> None:
        await process.wait()
        guard.kill()
        guard.communicate()
        self._on_change()

    async def kill(self) -> None:
        await self._end(signal.SIGKILL)

    async def stop(self) -> None:
        if self.running():
            await self._end(signal.SIGTERM)

    async def restart(self) -> None:
        await self.stop()
        await self.start()

    async def _end(self, how: signal.Signals) -> None:
        if self._process is None or not self.running():
            raise Impossible("The bot is not running.")
        self._process.send_signal(how)
        try:
            await asyncio.wait_for(self._process.wait(), STOP_WITHIN)
        except TimeoutError:
            self._process.kill()
            await self._process.wait()

    async def _until_healthy(self, process: Process) -> None:
        url = f"http://127.0.0.1:{self._port}{HEALTH_PATH}"
        async with asyncio.timeout(START_WITHIN), aiohttp.ClientSession() as session:
            while process.returncode is None:
                with contextlib.suppress(aiohttp.ClientError):
                    async with session.get(url) as response:
                        if response.status == 200:
                            return
                await asyncio.sleep(0.1)
        raise OperatorError("the bot did not start; what it says stands above")


OWN = frozenset(name.upper() for name in Settings.model_fields)

PROMPT = """
  Goat is ready. Open {url} in your browser.
  Ctrl-C ends it; everything is kept for the next time.
"""


def main(arguments: argparse.Namespace) -> int:
    """Until Ctrl-C. Raises OperatorError."""
    settings = load()
    logs.configure("WARNING", settings.secrets)
    with sandbox_database(settings) as dsn:
        asyncio.run(_play(settings, dsn, arguments.host, arguments.port))
    return 0


async def _play(settings: Settings, dsn: str, host: str, port: int) -> None:
    await migrate.upgrade(dsn)
    bot_port = free_port()
    changed = asyncio.Event()
    bot = BotProcess(bot_port, changed.set)
    folder = settings.data_folder / "sandbox"
    sandbox = await _sandbox(host, port, bot, folder)
    # A bot of one's own in the environment is not this one's business.
    bot.environment = {name: value for name, value in os.environ.items() if name not in OWN} | {
        "BOT_TOKEN": sandbox.token,
        "DATABASE_URL": dsn,
        "TELEGRAM_API_URL": sandbox.url,
        "CLOCK_URL": f"{sandbox.url}/clock",
        "WEBHOOK_URL": f"http://127.0.0.1:{bot_port}",
        "HOST": "127.0.0.1",
        "PORT": str(bot_port),
        "LOG_LEVEL": "WARNING",
    }
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    tell = asyncio.create_task(_tell_changes(changed, sandbox))
    try:
        await bot.start()
        print(PROMPT.format(url=sandbox.url), flush=True)  # noqa: T201
        await stop.wait()
    finally:
        tell.cancel()
        await bot.stop()
        await sandbox.stop()


async def _sandbox(host: str, port: int, bot: BotProcess, folder: Path) -> server.Running:
    try:
        return await server.start(None, host, port, bot, folder)
    except OSError as error:
        raise OperatorError(
            f"can't serve the page on {host}:{port} ({error.strerror or error}): "
            "choose another port, as in `make play PORT=8090` or `goat play --port 8090`"
        ) from None
    except NotReadable as error:
        raise OperatorError(str(error)) from None


async def _tell_changes(changed: asyncio.Event, sandbox: server.Running) -> None:
    """The page hears when the bot's process has ended, by itself or not."""
    while True:
        await changed.wait()
        changed.clear()
        sandbox.page.process_changed()


def free_port() -> int:
    """A port of this machine on which nobody listens now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
