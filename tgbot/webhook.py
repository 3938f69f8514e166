"""Where Telegram's updates come in.

Telegram gets a response of 200 only after the update's transaction is committed, and also for what we can't handle:
that would be sent for ever. The response carries the answer to a press. An update without such a response, or one that
could not be taken because the database is away, is sent again; it counts once.
"""

import hmac
import json
import logging
from collections.abc import Awaitable, Callable
from typing import Any

from aiogram import Bot
from aiogram.types import Update
from aiohttp import web

from tgbot.answering import replying
from tgbot.settings import HEALTH_PATH, WEBHOOK_PATH

log = logging.getLogger(__name__)

SECRET_HEADER = "X-Telegram-Bot-Api-Secret-Token"  # noqa: S105 - a header's name
LARGEST = 1024 * 1024

RETRY_AFTER = "2"


class NotNow(Exception):
    """The update could not be taken now (the database is away) and shall be sent again."""


Feed = Callable[[Update], Awaitable[None]]


def parsed(data: Any, bot: Bot) -> Update:
    """Raises ValueError (ValidationError is one) or RecursionError for what is no update."""
    return Update.model_validate(data, context={"bot": bot})


def application(bot: Bot, secret: str, feed: Feed, healthy: Callable[[], Awaitable[bool]]) -> web.Application:
    """`feed` handles one update, and lets nothing out but NotNow; `healthy` asks the database."""

    async def receive(request: web.Request) -> web.Response:
        given = request.headers.get(SECRET_HEADER, "")
        if not hmac.compare_digest(given.encode(errors="surrogateescape"), secret.encode()):
            return web.Response(status=403)
        if request.content_type != "application/json":
            return web.Response(status=415)
        body = await request.read()
        try:
            update = parsed(json.loads(body), bot)
        except (ValueError, RecursionError) as error:
            log.warning("an update that is none: %s, %s bytes", type(error).__name__, len(body))
            return web.Response()
        with replying() as reply:
            try:
                await feed(update)
            except NotNow:
                return web.Response(status=503, headers={"Retry-After": RETRY_AFTER})
            except Exception:
                log.exception("update %s failed", update.update_id)
        answer = reply.to_json()
        return web.Response() if answer is None else web.json_response(answer)

    async def health(_: web.Request) -> web.Response:
        return (
            web.Response(text="ok\n") if await healthy() else web.Response(text="no database\n", status=503)
        )

    app = web.Application(client_max_size=LARGEST)
    app.router.add_post(WEBHOOK_PATH, receive)
    app.router.add_get(HEALTH_PATH, health)
    return app
