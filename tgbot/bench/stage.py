"""Where presses are measured: a durable PostgreSQL of its own, the sandbox as Telegram, and bots as processes."""

import asyncio
import json
import os
import random
import signal
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from db import migrate, programs
from db.pool import Pool, open_pool
from tgbot.bench.hall import Hall, furnish
from tgbot.bench.load import Plan, Pressed
from tgbot.bench.scratch import database
from tgbot.play import OWN, free_port
from tgbot.sandbox import server
from tgbot.sandbox.world import World
from tgbot.settings import WEBHOOK_PATH

SECRET = "bench"  # noqa: S105 - of a webhook on 127.0.0.1
START_WITHIN = 60.0
SETTLE = 0.3
"""Seconds in which a bot that was pressed finishes what it does afterwards."""


@dataclass(frozen=True, slots=True)
class Stage:
    """`pool` has as many connections as goat's."""

    pool: Pool
    hall: Hall
    sandbox: server.Running
    dsn: str

    async def rewind(self) -> None:
        """Every deal begins again."""
        async with self.pool.acquire() as db:
            await self.hall.rewind(db)
        await asyncio.sleep(SETTLE)


@asynccontextmanager
async def stage(tables: int, seed: int = 1) -> AsyncIterator[Stage]:
    """With so many tables, none of which has seen a move."""
    with database() as postgres:
        dsn = postgres.dsn
        await migrate.upgrade(dsn)
        pool = await open_pool(dsn)
        sandbox = await server.start(World())
        try:
            async with pool.acquire() as db:
                for setting in ("fsync", "synchronous_commit", "full_page_writes"):
                    if await db.fetchval(f"SHOW {setting}") != "on":
                        raise RuntimeError(f"a database with {setting} off would be measured too fast")
                hall = await furnish(db, sandbox.world, tables, random.Random(seed))  # noqa: S311
            yield Stage(pool, hall, sandbox, dsn)
        finally:
            await sandbox.stop()
            await pool.close()


@dataclass(frozen=True, slots=True)
class Bot:
    """A process that serves a webhook."""

    process: Process
    port: int

    @property
    def memory(self) -> float:
        """Resident MB."""
        for line in Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) / 1024
        raise RuntimeError("the kernel tells no memory")

    def plan(self, lanes: Sequence[Sequence[bytes]], seconds: float, pause: float = 0.0) -> Plan:
        bodies = [[one.decode() for one in lane] for lane in lanes]
        return Plan(self.port, WEBHOOK_PATH, SECRET, seconds, bodies, pause)

    async def pressed(self, lanes: Sequence[Sequence[bytes]], seconds: float, pause: float = 0.0) -> Pressed:
        """Presses them all, as far as the seconds reach, by a process of its own."""
        plan = self.plan(lanes, seconds, pause)
        loader = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "tgbot.bench.load", stdin=PIPE, stdout=PIPE
        )
        out, _ = await loader.communicate(json.dumps(asdict(plan)).encode())
        if loader.returncode != 0:
            raise RuntimeError("the load was refused; what it says stands above")
        return Pressed(**json.loads(out))


@asynccontextmanager
async def bot(on: Stage, *command: str) -> AsyncIterator[Bot]:
    """`python -m command…` with goat's settings, once it listens; ended with the context."""
    port = free_port()
    environment = {name: value for name, value in os.environ.items() if name not in OWN} | {
        "BOT_TOKEN": on.sandbox.token,
        "DATABASE_URL": on.dsn,
        "TELEGRAM_API_URL": on.sandbox.url,
        "WEBHOOK_URL": f"http://127.0.0.1:{port}",
        "WEBHOOK_SECRET": SECRET,
        "PORT": str(port),
        "LOG_LEVEL": "WARNING",
    }
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", *command, env=environment, stdin=DEVNULL, start_new_session=True
    )
    guard = programs.guard(process.pid, None, signal.SIGTERM)
    try:
        await _until_it_listens(process, port)
        yield Bot(process, port)
    finally:
        with suppress(ProcessLookupError):
            process.terminate()
        await process.wait()
        guard.kill()
        guard.communicate()


async def _until_it_listens(process: Process, port: int) -> None:
    async with asyncio.timeout(START_WITHIN):
        while process.returncode is None:
            with suppress(OSError):
                _, writer = await asyncio.open_connection("127.0.0.1", port)
                writer.close()
                return
            await asyncio.sleep(0.005)
    raise RuntimeError("the bot did not start; what it says stands above")
