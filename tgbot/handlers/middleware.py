"""Around every update: build the context, and let no failure out, for Telegram would send the update for ever."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

import asyncpg
from aiogram import BaseMiddleware
from aiogram.exceptions import ClientDecodeError, TelegramAPIError, TelegramBadRequest, TelegramMigrateToChat
from aiogram.types import CallbackQuery, Chat, Message, TelegramObject, Update, User

from core.errors import GoatError
from db import chats, players, updates
from db.faults import AWAY, PASSING
from db.updates import SeenBefore
from tgbot.handlers.context import (
    ACQUIRE_WITHIN,
    ANONYMOUS_ADMIN,
    GROUPS,
    Context,
    House,
    person_of,
    place_of,
)
from tgbot.services import moving, people
from tgbot.services.moment import Moment
from tgbot.telegram import TYPED, NoRoom
from tgbot.texts import choose, texts
from tgbot.texts.errors import explain, too_fast, try_again
from tgbot.webhook import NotNow

log = logging.getLogger(__name__)

Handler = Callable[[TelegramObject, dict[str, Any]], Awaitable[Any]]

PAUSES = (0.05, 0.2, 1.0)
"""Seconds before the second, third and fourth try of what a try may mend."""
WAIT_FOR_THE_DATABASE = 1.0


class Contextual(BaseMiddleware):
    """The outermost of the dispatcher's updates. The house comes in with each update's data."""

    async def __call__(self, handler: Handler, event: TelegramObject, data: dict[str, Any]) -> None:
        """Raises NotNow while the database is away and nobody waits for an answer: Telegram shall send it again."""
        assert isinstance(event, Update)
        house: House = data["house"]
        user = data.get("event_from_user")
        if user is not None and (event.callback_query or event.message) and not house.may_act(user.id):
            await self._slow_down(event, user)
            return
        while (trouble := await self._tries(handler, event, data)) is not None:
            if event.callback_query is not None or not isinstance(trouble, AWAY):
                await self._apologise(event, data)
                return
            if house.sends_again:
                raise NotNow
            await asyncio.sleep(WAIT_FOR_THE_DATABASE)

    async def _tries(self, handler: Handler, event: Update, data: dict[str, Any]) -> Exception | None:
        """What stood in the way at last, None when the update is dealt with."""
        for pause in (*PAUSES, None):
            try:
                await self._once(handler, event, data)
            except SeenBefore:
                log.info("update %s came again", event.update_id)
                await self._release(event)
            except asyncpg.DataError as error:
                # Numbers and signs that no Telegram sends.
                log.warning("%s: %s", described(event), type(error).__name__)
                await self._release(event)
            except PASSING as error:
                log.warning("%s: %s", described(event), type(error).__name__)
                if pause is None:
                    return error
                await asyncio.sleep(pause)
                continue
            except Exception as error:
                log.exception("%s failed", described(event))
                return error
            return None
        return None

    async def _once(self, handler: Handler, event: Update, data: dict[str, Any]) -> None:
        house: House = data["house"]
        moment = Moment(now=house.clock(), rng=house.rng)
        context = await _acquainted(house, event, data.get("event_from_user"), data.get("event_chat"), moment)
        data["context"] = context
        TYPED.set(event.message is not None and event.message.text is not None)
        try:
            try:
                await handler(event, data)
            except GoatError as refusal:
                await self._refuse(event, context, refusal)
        except TelegramMigrateToChat as error:
            # Not the update's chat: who writes in private may ask about a group.
            old = getattr(error.method, "chat_id", None)
            if isinstance(old, int) and old < 0:
                await _moved(context, old, error.migrate_to_chat_id)
        except NoRoom as error:
            log.info("%s: %s", described(event), error.message)
            await self._release(event)
        except (TelegramAPIError, ClientDecodeError) as error:
            # After the commit only the echo was lost: the painter brings the screens up to date.
            late = isinstance(error, TelegramBadRequest) and "query is too old" in error.message
            log.log(
                logging.INFO if late else logging.WARNING,
                "%s: %s: %s",
                described(event),
                type(error).__name__,
                error,
            )
            if late:
                return
            if not context.committed:
                await self._apologise(event, data)
                return
            await self._release(event)
        if event.message is not None and not context.committed:
            # Answered in words only: that too is done once.
            async with context.reading() as db:
                with suppress(SeenBefore):
                    await updates.remember(db, event.update_id, moment.now)

    async def _refuse(self, event: Update, context: Context, refusal: GoatError) -> None:
        """A person is told what was wrong; the message that he pressed is brought up to date."""
        answer = explain(refusal, context.t)
        query = event.callback_query
        if query is None:
            if event.message is not None:
                await event.message.answer(answer)
            return
        with suppress(TelegramAPIError):
            await query.answer(answer, show_alert=len(answer) > SHORT)
        place = place_of(query)
        if place is None:
            return
        # Nothing is remembered of it: refused and painted again once more, it comes to the same.
        async with context.reading() as db:
            live = await people.repaint_pressed(db, *place, query.from_user.id, context.moment)
        context.house.ring()
        if not live and place[0] == query.from_user.id and isinstance(query.message, Message):
            with suppress(TelegramAPIError):  # buttons of a hand that another message shows by now
                await query.message.edit_reply_markup(reply_markup=None)

    async def _slow_down(self, event: Update, user: User) -> None:
        """Too many presses: answered, so that the button rests, and otherwise as if they had not been."""
        if event.callback_query is not None:
            with suppress(TelegramAPIError, ClientDecodeError):
                await event.callback_query.answer(too_fast(texts(choose(None, user.language_code))))

    async def _release(self, event: Update) -> None:
        """The press needs no words, but its button shall rest."""
        if event.callback_query is not None:
            with suppress(TelegramAPIError, ClientDecodeError):
                await event.callback_query.answer()

    async def _apologise(self, event: Update, data: dict[str, Any]) -> None:
        context = data.get("context")
        said = try_again(context.t if context is not None else None)
        target: CallbackQuery | Message | None = event.callback_query or event.message
        try:
            if isinstance(target, CallbackQuery) or (target is not None and target.chat.type == "private"):
                await target.answer(said)
        except (TelegramAPIError, ClientDecodeError) as error:
            log.warning("update %s: could not say sorry: %s", event.update_id, type(error).__name__)


SHORT = 120
"""Characters that a toast shows at a glance; longer answers come as an alert to be closed."""


async def _acquainted(
    house: House, event: Update, user: User | None, chat: Chat | None, moment: Moment
) -> Context:
    """The languages to speak; and whoever writes to us, or presses, can be written to.

    Raises SeenBefore for a message that was answered already.
    """
    anonymous = user is not None and user.id == ANONYMOUS_ADMIN
    spoke = event.message is not None or event.callback_query is not None
    async with house.pool.acquire(timeout=ACQUIRE_WITHIN) as db:
        if event.message is not None and await updates.seen(db, event.update_id):
            raise SeenBefore
        player = None if user is None or anonymous else await players.get(db, user.id)
        group = await chats.get(db, chat.id) if chat is not None and chat.type in GROUPS else None
        # What is written in a group is answered there, for everybody; who presses a button is answered alone.
        for_all = group.language if group and event.callback_query is None else None
        own = (player.language if player else None, user.language_code) if user and not anonymous else ()
        t = texts(choose(for_all, *own, house.language))
        back = player is not None and not player.reachable and chat is not None and chat.id == player.id
        if spoke and back and user is not None:
            async with db.transaction():
                await people.can_be_written_to(db, person_of(user), moment)
        if spoke and group is not None and not group.writable:
            # Perhaps it is so again: nobody tells a bot that all may write. The painter finds out.
            async with db.transaction():
                await people.chat_writable(db, group.id, True, moment)
    return Context(house=house, update_id=event.update_id, moment=moment, t=t)


async def _moved(context: Context, old: int, new: int) -> None:
    async with context.reading() as db, db.transaction():
        await moving.move(db, old, new, context.moment)
    context.house.ring()


def described(event: Update) -> str:
    """An update in the log: enough to find table and ply, and nothing that anybody wrote."""
    query = event.callback_query
    if query is not None:
        place = place_of(query)
        return f"update {event.update_id} (press {query.data!r} by {query.from_user.id} at {place})"
    kind = next(iter(event.model_fields_set - {"update_id"}), "nothing")
    chat = event.message.chat.id if event.message is not None else None
    return f"update {event.update_id} ({kind}, chat {chat})"
