"""Several bots on one database behind one webhook address, with everything between them and the world breakable."""

import asyncio
import json
import os
import random
import signal
import sys
import time
from asyncio.subprocess import PIPE, Process
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import aiohttp
from aiohttp import web

from tests.tgbot.clocks import FastClock, ManualClock
from tests.tgbot.club import Club, free_port
from tgbot.sandbox import server

FREE = {"a_second": 100_000, "chat_gap": 0.0, "group_a_minute": 100_000, "group_answers_a_minute": 100_000}


class Relay:
    """The wire to PostgreSQL, which can be cut, and led to another port."""

    def __init__(self, upstream: int) -> None:
        self.upstream = upstream
        self.port = free_port()
        self._server: asyncio.Server | None = None
        self._writers: set[asyncio.StreamWriter] = set()

    async def open(self) -> None:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", self.port)

    def cut(self) -> None:
        """All connections end without a word."""
        for writer in list(self._writers):
            writer.transport.abort()

    async def refuse(self) -> None:
        """All connections end, and new ones are refused until it is opened again."""
        if self._server is not None:
            self._server.close()
            self._server = None
        self.cut()
        await asyncio.sleep(0)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self.upstream)
        except OSError:
            writer.transport.abort()
            return
        self._writers |= {writer, far_writer}
        try:
            await asyncio.gather(_pump(reader, far_writer), _pump(far_reader, writer))
        finally:
            self._writers -= {writer, far_writer}
            for one in (writer, far_writer):
                one.transport.abort()


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    writer.close()


def through(dsn: str, port: int) -> str:
    """The address of a database, by way of a relay."""
    parts = urlsplit(dsn)
    login = parts.netloc.rpartition("@")[0]
    return urlunsplit(parts._replace(netloc=f"{login}@127.0.0.1:{port}"))


@dataclass
class Balancer:
    """A web server before the bots, as deploy/nginx.conf: round robin, the next one when one is down.

    Mischief, all by `rng`: an update is delivered twice, later once more, or late.
    """

    upstreams: list[int]
    port: int
    rng: random.Random
    twice: float = 0.0
    late: float = 0.0
    latest: float = 0.5
    delivered: int = 0
    duplicates: int = 0
    answers: dict[int, int] = field(default_factory=dict)
    taken: Counter[int] = field(default_factory=Counter)
    """How many updates the bot of each port has taken."""
    _turn: int = 0
    _tasks: set["asyncio.Task[Any]"] = field(default_factory=set)
    _session: aiohttp.ClientSession | None = None
    _runner: web.AppRunner | None = None

    async def start(self) -> None:
        self._session = aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=30))
        app = web.Application()
        app.router.add_post("/webhook", self._receive)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", self.port).start()

    async def stop(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._runner is not None:
            await self._runner.cleanup()
        if self._session is not None:
            await self._session.close()

    async def _receive(self, request: web.Request) -> web.Response:
        body = await request.read()
        headers = {
            name: request.headers[name]
            for name in ("Content-Type", "X-Telegram-Bot-Api-Secret-Token")
            if name in request.headers
        }
        if self.rng.random() < self.late:
            await asyncio.sleep(self.rng.uniform(0, self.latest))
        if self.rng.random() < self.twice:
            self.duplicates += 1
            again = self._forward(body, headers, self.rng.choice((0.0, self.rng.uniform(0, 2.0))))
            task = asyncio.create_task(again)
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        response = await self._forward(body, headers, 0.0)
        self.delivered += 1
        return response

    async def _forward(self, body: bytes, headers: dict[str, str], after: float) -> web.Response:
        """The bot's response, with the answer to a press in it."""
        assert self._session is not None
        await asyncio.sleep(after)
        status, answer, kind = 502, b"", "text/plain"
        for _ in self.upstreams:
            self._turn += 1
            port = self.upstreams[self._turn % len(self.upstreams)]
            try:
                url = f"http://127.0.0.1:{port}/webhook"
                async with self._session.post(url, data=body, headers=headers) as response:
                    status, kind = response.status, response.content_type
                    answer = await response.read()
            except (aiohttp.ClientError, TimeoutError):
                continue
            if status < 500:
                self.taken[port] += 1
                break
        self.answers[status] = self.answers.get(status, 0) + 1
        return web.Response(status=status, body=answer, content_type=kind)


@dataclass
class Zygote:
    """What bots are forked from (zygote.py); it begins when the first one is wanted, and they end with it."""

    _process: Process | None = None

    async def fork(self, order: dict[str, Any]) -> int:
        """The pid of a new bot."""
        if self._process is None:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "tests.tgbot.zygote", stdin=PIPE, stdout=PIPE
            )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(order).encode() + b"\n")
        await self._process.stdin.drain()
        return int(await self._process.stdout.readline())

    async def close(self) -> None:
        if self._process is not None and self._process.stdin is not None:
            self._process.stdin.close()
            await self._process.wait()
            self._process = None


@dataclass
class Fleet:
    """Bots that are started and killed."""

    sandbox: server.Running
    dsn: str
    folder: Path
    public: int
    ports: list[int]
    clock: FastClock | ManualClock
    zygote: Zygote
    timeout: float
    limits: dict[str, Any] = field(default_factory=lambda: dict(FREE))
    pids: dict[int, int] = field(default_factory=dict)
    starts: int = 0

    async def start(self, slot: int) -> None:
        self.starts += 1
        order = {
            "token": self.sandbox.token,
            "dsn": self.dsn,
            "webhook_url": f"http://127.0.0.1:{self.public}",
            "port": self.ports[slot],
            "telegram": self.sandbox.url,
            "limits": self.limits,
            "timeout": self.timeout,
            "clock": self.clock.order(),
            "seed": self.starts,
            "log": str(self.log(slot)),
        }
        self.pids[slot] = await self.zygote.fork(order)

    def log(self, slot: int) -> Path:
        return self.folder / f"bot{slot}.log"

    def alive(self, slot: int) -> bool:
        pid = self.pids.get(slot)
        if pid is None:
            return False
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return False
        return True

    def signal(self, slot: int, number: signal.Signals) -> None:
        if self.alive(slot):
            os.kill(self.pids[slot], number)

    async def kill(self, slot: int) -> None:
        self.signal(slot, signal.SIGKILL)
        await self.gone(slot)

    async def gone(self, slot: int, within: float = 15.0) -> float:
        """Waits for the end of a process; the seconds that took."""
        begin = time.monotonic()
        async with asyncio.timeout(within):
            while self.alive(slot):  # noqa: ASYNC110
                await asyncio.sleep(0.02)
        self.pids.pop(slot, None)  # the number may soon be somebody else's
        return time.monotonic() - begin

    async def healthy(self, slot: int, within: float = 20.0) -> None:
        async with asyncio.timeout(within), aiohttp.ClientSession() as session:
            while True:
                with suppress(aiohttp.ClientError):
                    async with session.get(f"http://127.0.0.1:{self.ports[slot]}/health") as response:
                        if response.status == 200:
                            return
                await asyncio.sleep(0.05)


@asynccontextmanager
async def fleet_of(
    sandbox: server.Running,
    dsn: str,
    folder: Path,
    clock: FastClock | ManualClock,
    *,
    bots: int = 2,
    seed: int = 1,
    public: int | None = None,
    zygote: Zygote | None = None,
    timeout: float = 2.0,
) -> AsyncIterator[tuple[Fleet, Balancer]]:
    """`bots` processes at work on one database, behind one address: the port `public`. `timeout`: seconds that a call
    to Telegram may take."""
    ports = [free_port() for _ in range(bots)]
    balancer = Balancer(ports, public or free_port(), random.Random(seed))
    fleet = Fleet(sandbox, dsn, folder, balancer.port, ports, clock, zygote or Zygote(), timeout)
    await balancer.start()
    try:
        for slot in range(bots):
            await fleet.start(slot)
        for slot in range(bots):
            await fleet.healthy(slot)
        yield fleet, balancer
    finally:
        for slot in list(fleet.pids):
            await fleet.kill(slot)
        if zygote is None:
            await fleet.zygote.close()
        await balancer.stop()


@asynccontextmanager
async def colleagues(club: Club, zygote: Zygote, folder: Path, bots: int) -> AsyncIterator[None]:
    """That many processes at work in a club, killed in the end; none of them may have met a fault of ours."""
    work = fleet_of(
        club.sandbox,
        club.dsn,
        folder,
        club.clock,
        bots=bots,
        public=club.port,
        zygote=zygote,
        timeout=10.0,  # as in one process: a busy machine is no fault of Telegram's
    )
    async with work as (fleet, balancer):
        yield
    assert len(balancer.taken) == bots or balancer.taken.total() < 4 * bots, "one has done all the work"
    for slot in range(bots):
        log = fleet.log(slot).read_text()
        assert "Traceback" not in log, log


async def eventually(true: Callable[[], Awaitable[object]], within: float = 20.0) -> None:
    """Asks again and again. Raises TimeoutError."""
    async with asyncio.timeout(within):
        while not await true():  # noqa: ASYNC110
            await asyncio.sleep(0.1)
