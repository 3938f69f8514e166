"""The composition root: the only place that builds the bot out of its parts."""

import asyncio
import gc
import logging
import random
import secrets
import signal
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from typing import Any, TypeVar

import asyncpg
import uvloop
from aiogram import Bot, Dispatcher
from aiogram.client.default import DefaultBotProperties
from aiogram.client.session.aiohttp import AiohttpSession
from aiogram.client.telegram import TelegramAPIServer
from aiogram.enums import ParseMode
from aiogram.exceptions import (
    ClientDecodeError,
    TelegramAPIError,
    TelegramBadRequest,
    TelegramNetworkError,
    TelegramRetryAfter,
    TelegramServerError,
    TelegramUnauthorizedError,
)
from aiogram.types import Update
from aiohttp import web

from db import migrate
from db.connection import Connection
from db.errors import OperatorError
from db.faults import AWAY, PASSING
from db.pool import Pool, open_pool
from tgbot.answering import AnswerInResponse
from tgbot.clock import Clock
from tgbot.commands import publish_commands
from tgbot.database import database
from tgbot.foresight import Foresight
from tgbot.handlers import fallback, group, language, lobby, membership, play, private, seat
from tgbot.handlers import settings as own_settings
from tgbot.handlers.context import House
from tgbot.handlers.flood import Flood, Rate
from tgbot.handlers.middleware import Contextual
from tgbot.leader import Bell, lead
from tgbot.pace import Limits, Pace
from tgbot.painter import Painter
from tgbot.polling import poll
from tgbot.pruning import Pruner
from tgbot.rendering import Renderer
from tgbot.selections import Selections
from tgbot.services import downtime
from tgbot.services.moment import Moment
from tgbot.settings import TELEGRAM, WEBHOOK_PATH, Settings, SettingsError
from tgbot.telegram import KeepPace, QuoteNothing
from tgbot.texts import FALLBACK
from tgbot.thinker import Thinker
from tgbot.timekeeping import following, system_time
from tgbot.waiting import enduring
from tgbot.webhook import Feed, application

Result = TypeVar("Result")

log = logging.getLogger(__name__)

UPDATES = ["message", "callback_query", "my_chat_member"]
GRACE = 7.0
"""Seconds that updates under way get when the process is told to stop."""

START_PATIENCE = 8.0
"""Seconds for which Telegram may be out of order when we start."""

ROUTERS = (play, membership, language, own_settings, lobby, seat, private, group, fallback)
"""Asked in this order, so what comes most often stands first; the fallback is asked last."""


@dataclass(frozen=True, slots=True)
class Config:
    """What a running bot needs to know. `webhook_url` is the public address without a path, None: long polling.
    `rate`: what is taken of one person; `telegram_timeout`: seconds; `ticks`: the monotonic clock of Telegram's limits.
    """

    token: str = field(repr=False)
    dsn: str = field(repr=False)
    webhook_url: str | None = None
    secret: str = field(default_factory=lambda: secrets.token_urlsafe(32), repr=False)
    host: str = "127.0.0.1"
    port: int = 8080
    telegram: str | None = None
    language: str = FALLBACK
    limits: Limits = field(default_factory=Limits)
    rate: Rate = field(default_factory=Rate)
    telegram_timeout: float = 10.0
    clock: Callable[[], datetime] = system_time
    ticks: Callable[[], float] = time.monotonic
    rng: random.Random = field(default_factory=random.SystemRandom)
    thinker: Callable[[], Thinker] = Thinker


@dataclass(frozen=True, slots=True)
class Running:
    """A bot at work. `wake` makes clock and painter look now; `failed` ends when a part that must live has died."""

    bot: Bot
    pool: Pool
    port: int
    wake: Callable[[], None]
    failed: "asyncio.Future[Any]"


@asynccontextmanager
async def running(config: Config) -> AsyncIterator[Running]:
    """The whole bot, started and, at the end, stopped in order within 10 s. Raises OperatorError."""
    async with AsyncExitStack() as stack:
        pool = await open_pool(config.dsn)
        stack.push_async_callback(_close, pool)
        try:
            async with pool.acquire() as db:
                await _check_database(db)
        except AWAY as error:
            raise OperatorError(f"the database went away ({type(error).__name__}): try again") from None
        pace = Pace(config.limits)
        bot = _bot(config, pace)
        stack.push_async_callback(bot.session.close)
        username = str((await _patiently(bot.me)).username)
        clock_wake, painter_wake = asyncio.Event(), asyncio.Event()

        def wake() -> None:
            clock_wake.set()
            painter_wake.set()

        bell = Bell(pool, wake)
        stack.push_async_callback(bell.close)
        selections = Selections(pool, bot, pace, config.ticks, bell.ring)
        flood = Flood(config.rate)
        house = House(
            pool,
            config.clock,
            config.rng,
            username,
            config.language,
            bell.ring,
            selections,
            lambda person: flood.take(person, config.ticks()),
            config.webhook_url is not None,
        )
        foresight = Foresight(pool, config.thinker(), config.clock, clock_wake)
        clock = Clock(pool, config.clock, config.rng, clock_wake, painter_wake, foresight, system_time)
        painter = Painter(
            pool,
            bot,
            Renderer(username, config.language),
            pace,
            config.clock,
            config.ticks,
            config.rng,
            painter_wake,
        )
        pruner = Pruner(pool, config.clock)

        async def duties() -> None:
            async with asyncio.TaskGroup() as group:
                for name, run in (("clock", clock.run), ("painter", painter.run), ("pruner", pruner.run)):
                    group.create_task(enduring(name, run, PASSING))

        async def feed(update: Update) -> None:
            await dispatcher().feed_update(bot, update, house=house)

        # Presses that waited for us come at once: by then clocks must have got the downtime back.
        try:
            await downtime.make_up(pool, Moment(config.clock(), config.rng))
        except PASSING as error:
            log.warning("%s: the clock will make up for the downtime when it starts", type(error).__name__)
        # What may still fail comes before we lead: who can't listen must not run anybody's clock.
        runner = None
        port = config.port
        if config.webhook_url is not None:
            runner, port = await _serve_webhook(config, bot, house, feed)
        else:
            await _patiently(bot.delete_webhook)
        tasks: list[asyncio.Task[None]] = []
        stack.push_async_callback(_stop, runner, tasks, selections)
        if runner is not None:
            await _set_webhook(config, bot)
        else:
            tasks.append(asyncio.create_task(poll(bot, feed, UPDATES, GRACE), name="polling"))
        tasks.append(asyncio.create_task(lead(config.dsn, duties, bell), name="leader"))
        await _publish_commands(bot)  # nobody's press waits for menus
        gc.collect()
        gc.freeze()
        yield Running(bot, pool, port, wake, asyncio.ensure_future(_first_end(tasks)))


async def _stop(
    runner: web.AppRunner | None, tasks: list["asyncio.Task[None]"], selections: Selections
) -> None:
    """No new updates, those under way are finished, leadership goes to the next: all at the same time."""
    await asyncio.gather(*([runner.cleanup()] if runner else []), _end(tasks))
    await selections.close()


async def _close(pool: Pool) -> None:
    """A connection that is stuck does not hold up the end."""
    try:
        async with asyncio.timeout(1):
            await pool.close()
    except TimeoutError:
        pool.terminate()


async def _check_database(db: Connection) -> None:
    """Raises OperatorError unless it is goat's, migrated, and ours to use."""
    try:
        await migrate.check(db)
        ours = await db.fetchval("SELECT to_regclass('screens') IS NOT NULL")
    except asyncpg.InsufficientPrivilegeError:
        raise OperatorError(
            "the database's user has no rights on goat's tables: grant them, or correct DATABASE_URL"
        ) from None
    if not ours:
        raise OperatorError("the database belongs to another program: set DATABASE_URL to one of goat's own")


async def _serve_webhook(config: Config, bot: Bot, house: House, feed: Feed) -> tuple[web.AppRunner, int]:
    async def healthy() -> bool:
        try:
            async with house.pool.acquire(timeout=2) as db:
                return bool(await db.fetchval("SELECT true", timeout=2))
        except PASSING as error:
            log.warning("health: %s", type(error).__name__)
            return False

    runner = web.AppRunner(
        application(bot, config.secret, feed, healthy), access_log=None, shutdown_timeout=GRACE
    )
    await runner.setup()
    try:
        await web.TCPSite(runner, config.host, config.port).start()
    except OSError as error:
        await runner.cleanup()
        raise OperatorError(
            f"can't listen on {config.host}:{config.port} ({error.strerror or error}): "
            "set HOST and PORT to a free address of this machine"
        ) from None
    return runner, int(runner.addresses[0][1])


async def _set_webhook(config: Config, bot: Bot) -> None:
    async def set_it() -> bool:
        return await bot.set_webhook(
            f"{config.webhook_url}{WEBHOOK_PATH}", secret_token=config.secret, allowed_updates=UPDATES
        )

    try:
        await _patiently(set_it)
    except TelegramBadRequest as error:
        raise OperatorError(f"Telegram refuses the webhook: {error.message}; correct WEBHOOK_URL") from None


async def _first_end(tasks: list["asyncio.Task[None]"]) -> None:
    done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    for task in done:
        task.result()


async def _end(tasks: list["asyncio.Task[None]"]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def _bot(config: Config, pace: Pace) -> Bot:
    server = TelegramAPIServer.from_base(config.telegram) if config.telegram else None
    session = (
        AiohttpSession(api=server, timeout=config.telegram_timeout)
        if server
        else AiohttpSession(timeout=config.telegram_timeout)
    )
    session.middleware(AnswerInResponse())
    session.middleware(KeepPace(pace, config.ticks))
    session.middleware(QuoteNothing())
    return Bot(
        config.token,
        session=session,
        default=DefaultBotProperties(
            parse_mode=ParseMode.HTML,
            link_preview_is_disabled=True,
            allow_sending_without_reply=True,  # some groups have commands removed at once
        ),
    )


@cache
def dispatcher() -> Dispatcher:
    """A router belongs to one dispatcher for ever, so there is one a process; the house comes with each update."""
    built = Dispatcher(disable_fsm=True)  # what is going on is told by buttons and the database
    built.update.outer_middleware(Contextual())
    for module in ROUTERS:
        built.include_router(module.router)
    return built


async def _patiently(call: Callable[[], Awaitable[Result]]) -> Result:
    """A call without which there is no start: Telegram's bad moments are waited for. Raises OperatorError."""
    until = time.monotonic() + START_PATIENCE
    while True:
        try:
            return await call()
        except TelegramUnauthorizedError:
            raise SettingsError(
                ["Telegram doesn't know this BOT_TOKEN: copy it again from @BotFather"]
            ) from None
        except TelegramRetryAfter as error:
            pause, problem = float(error.retry_after), f"Telegram refuses us: {error.message}"
        except (TelegramServerError, ClientDecodeError):
            pause, problem = 1.0, "Telegram doesn't work at present: try again later"
        except TelegramNetworkError:
            pause = 1.0
            problem = "Telegram can't be reached: check the network, or TELEGRAM_API_URL if it is set"
        except TelegramBadRequest:
            raise
        except TelegramAPIError as error:
            raise OperatorError(f"Telegram refuses us: {error.message}") from None
        if time.monotonic() + pause > until:
            raise OperatorError(problem)
        await asyncio.sleep(pause)


async def _publish_commands(bot: Bot) -> None:
    """Menus are a convenience: without them the bot works all the same."""
    try:
        await publish_commands(bot)
    except (TelegramAPIError, ClientDecodeError) as error:
        log.warning("the command menus are not published: %s", type(error).__name__)


async def serve(config: Config) -> None:
    """Until SIGTERM or SIGINT."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    async with running(config) as bot:
        how = f"webhook on port {bot.port}" if config.webhook_url else "long polling"
        log.info("goat serves Telegram (%s)", how)
        stopping = asyncio.ensure_future(stop.wait())
        waits: list[Awaitable[Any]] = [stopping, bot.failed]
        await asyncio.wait(
            [asyncio.ensure_future(wait) for wait in waits], return_when=asyncio.FIRST_COMPLETED
        )
        stopping.cancel()
        if bot.failed.done():
            bot.failed.result()


def main(settings: Settings) -> int:
    """`goat run`: serves until SIGTERM or SIGINT. Raises OperatorError."""
    with database(settings) as dsn:
        uvloop.run(_run(settings, dsn))
    return 0


async def _run(settings: Settings, dsn: str) -> None:
    async with AsyncExitStack() as stack:
        if settings.database_url is None:
            await migrate.upgrade(dsn)
        clock = system_time
        if settings.clock_url is not None:
            clock = await stack.enter_async_context(following(settings.clock_url))
        await serve(configured(settings, dsn, clock))


def configured(settings: Settings, dsn: str, clock: Callable[[], datetime]) -> Config:
    return Config(
        token=settings.token,
        dsn=dsn,
        webhook_url=settings.webhook_url,
        secret=settings.secret_token,
        host=settings.host,
        port=settings.port,
        telegram=None if settings.telegram_api_url == TELEGRAM else settings.telegram_api_url,
        language=settings.default_language,
        clock=clock,
    )
