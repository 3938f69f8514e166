"""Around every update: build the context, and let no failure out, for Telegram would send the update for ever."""

import logging
from collections.abc import Awaitable, Callable
from typing import Any

import asyncpg
from aiogram import BaseMiddleware
from aiogram.exceptions import TelegramAPIError
from aiogram.types import CallbackQuery, Message, TelegramObject, Update

from core.errors import GoatError
from db.pool import DatabaseUnavailable
from db.updates import SeenBefore
from tgbot.handlers.context import Context, House, load_texts, place_of
from tgbot.services import people
from tgbot.services.moment import Moment
from tgbot.texts.errors import explain, try_again

log = logging.getLogger(__name__)

Handler = Callable[[TelegramObject, dict[str, Any]], Awaitable[Any]]

# What a second try may mend: the transaction left nothing behind.
PASSING = (
    asyncpg.SerializationError,
    asyncpg.DeadlockDetectedError,
    asyncpg.LockNotAvailableError,
    asyncpg.QueryCanceledError,
    asyncpg.PostgresConnectionError,
    asyncpg.CannotConnectNowError,
    asyncpg.InterfaceError,
    asyncpg.TooManyConnectionsError,
    ConnectionError,
    TimeoutError,
    DatabaseUnavailable,
)
TRIES = 3


class Contextual(BaseMiddleware):
    """Outer middleware of the dispatcher's updates. The house comes in with each update's data."""

    async def __call__(self, handler: Handler, event: TelegramObject, data: dict[str, Any]) -> None:
        assert isinstance(event, Update)
        for attempt in range(1, TRIES + 1):
            try:
                await self._once(handler, event, data)
                return
            except SeenBefore:
                log.info("update %s came again", event.update_id)
                return
            except PASSING as error:
                log.warning("update %s, try %s: %s", event.update_id, attempt, type(error).__name__)
            except Exception:
                log.exception("update %s failed", event.update_id)
                break
        await self._apologise(event, data)

    async def _once(self, handler: Handler, event: Update, data: dict[str, Any]) -> None:
        house: House = data["house"]
        user, chat = data.get("event_from_user"), data.get("event_chat")
        async with house.pool.acquire() as db:
            t = await load_texts(db, user, chat, house)
        moment = Moment(now=house.clock(), rng=house.rng)
        context = Context(house=house, update_id=event.update_id, moment=moment, t=t)
        data["context"] = context
        try:
            await handler(event, data)
        except GoatError as refusal:
            await self._refuse(event, context, refusal)
        except TelegramAPIError as error:
            # The effect is committed, only its echo was lost; the painter brings the screens up to date.
            log.warning("update %s: %s: %s", event.update_id, type(error).__name__, error)

    async def _refuse(self, event: Update, context: Context, refusal: GoatError) -> None:
        """A person is told what was wrong; the message that he pressed is brought up to date."""
        answer = explain(refusal, context.t)
        if event.callback_query is not None:
            await event.callback_query.answer(answer, show_alert=len(answer) > SHORT)
            place = place_of(event.callback_query)
            if place is not None:
                async with context.transaction() as db:
                    await people.repaint_hand(db, *place, context.moment)
        elif event.message is not None:
            await event.message.answer(answer)

    async def _apologise(self, event: Update, data: dict[str, Any]) -> None:
        context = data.get("context")
        said = try_again(context.t if context is not None else None)
        target: CallbackQuery | Message | None = event.callback_query or event.message
        try:
            if isinstance(target, CallbackQuery) or (target is not None and target.chat.type == "private"):
                await target.answer(said)
        except TelegramAPIError as error:
            log.warning("update %s: could not say sorry: %s", event.update_id, type(error).__name__)


SHORT = 120
"""Characters that a toast shows at a glance; longer answers come as an alert to be closed."""
