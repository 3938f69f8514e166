"""The yardstick of presses, as a process of its own: a webhook as aiogram's documentation builds it, whose handler
of button presses does nothing. Its settings are goat's; the port comes in PORT.
"""

import asyncio
import gc

import uvloop
from aiogram import Bot, Dispatcher
from aiogram.types import CallbackQuery
from aiogram.webhook.aiohttp_server import SimpleRequestHandler
from aiohttp import web

from tgbot import settings


async def nothing(_: CallbackQuery) -> None:
    return


async def serve(given: settings.Settings) -> None:
    """Until it is killed."""
    dispatcher = Dispatcher()
    dispatcher.callback_query.register(nothing)
    handler = SimpleRequestHandler(
        dispatcher, Bot(given.token), handle_in_background=False, secret_token=given.secret_token
    )
    app = web.Application()
    handler.register(app, path=settings.WEBHOOK_PATH)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, given.host, given.port).start()
    gc.collect()
    gc.freeze()
    await asyncio.Event().wait()


if __name__ == "__main__":
    uvloop.run(serve(settings.load()))
