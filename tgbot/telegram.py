"""Telegram's refusals in our words, and the middleware through which every call goes."""

import asyncio
import logging
from collections.abc import Callable
from contextvars import ContextVar
from typing import Any

from aiogram import Bot
from aiogram.client.session.middlewares.base import BaseRequestMiddleware, NextRequestMiddlewareType
from aiogram.exceptions import (
    ClientDecodeError,
    TelegramAPIError,
    TelegramBadRequest,
    TelegramNetworkError,
    TelegramNotFound,
    TelegramRetryAfter,
    TelegramServerError,
    TelegramUnauthorizedError,
)
from aiogram.methods import (
    DeleteMessage,
    EditMessageReplyMarkup,
    EditMessageText,
    Response,
    SendMessage,
    TelegramMethod,
)
from aiogram.methods.base import TelegramType

from tgbot.pace import NO_ROOM, TURN_ROOM, Pace

log = logging.getLogger(__name__)

TROUBLE = (
    TelegramNetworkError,
    TelegramServerError,
    ClientDecodeError,
    TelegramUnauthorizedError,
    TelegramNotFound,
)
"""Telegram, or the way to it, does not work: nothing is known about whether the call had its effect. The last two are
what a token gets that Telegram doesn't know: until its operator has mended that, no call can work."""

ACCOUNTED: ContextVar[bool] = ContextVar("ACCOUNTED", default=False)
"""True where the caller keeps to the pace himself: the painter and the selections."""

TYPED: ContextVar[bool] = ContextVar("TYPED", default=False)
"""True where the words of a person are answered, of which anybody can write more than there is room to answer."""

LONGEST_WAIT = 4.0
"""Seconds that an answer in words waits for Telegram's limits, a little more than the room of a group's minute takes to
come by once. Then it goes anyway, but for an answer to typed words in a group: that is dropped."""

KEPT = tuple(Response[method.__returning__] for method in (SendMessage, EditMessageText, DeleteMessage))  # type: ignore[name-defined]
"""pydantic forgets a type that nobody holds, and takes milliseconds to make it anew for each response."""

GONE = (
    "message to edit not found",
    "message can't be edited",
    "message_id_invalid",
    "message identifier is not specified",
)
MUTE = (
    "not enough rights",
    "have no rights to send",
    "chat_write_forbidden",
    "chat_restricted",
    "chat_send_plain_forbidden",
    "user_is_blocked",
    "chat not found",
)


def _says(error: TelegramBadRequest, *words: str) -> bool:
    message = error.message.lower()
    return any(one in message for one in words)


def gone(error: TelegramBadRequest) -> bool:
    """The message to edit was deleted, or is too old."""
    return _says(error, *GONE)


def unchanged(error: TelegramBadRequest) -> bool:
    return _says(error, "message is not modified")


def mute(error: TelegramBadRequest) -> bool:
    """We may not write in that chat."""
    return _says(error, *MUTE)


def topic_gone(error: TelegramBadRequest) -> bool:
    return _says(error, "message thread not found", "topic_deleted")


def topic_closed(error: TelegramBadRequest) -> bool:
    return _says(error, "topic_closed")


class Unreadable(ClientDecodeError):
    """An answer of Telegram that can't be read. aiogram's own error quotes the answer, and so cards that are hidden."""

    def __init__(self, method: str) -> None:
        super().__init__(f"an answer to {method} that can't be read", ValueError(), None)

    def __str__(self) -> str:
        return self.message


class QuoteNothing(BaseRequestMiddleware):
    """Whoever logs an error, or its traceback, finds no answer of Telegram in it."""

    async def __call__(
        self,
        make_request: NextRequestMiddlewareType[TelegramType],
        bot: Bot,
        method: TelegramMethod[TelegramType],
    ) -> Response[TelegramType]:
        try:
            return await make_request(bot, method)
        except ClientDecodeError:
            raise Unreadable(method.__api_method__) from None


class NoRoom(TelegramAPIError):
    """A group takes no answer in the time in which it would be one, so it was not sent."""

    def __init__(self, method: TelegramMethod[Any]) -> None:
        super().__init__(method, "no room for an answer in this group")


class KeepPace(BaseRequestMiddleware):
    """Answers in words keep to Telegram's limits too, and everybody hears of its `retry_after`.

    Answers to button presses count towards nothing and never wait.
    """

    def __init__(self, pace: Pace, ticks: Callable[[], float]) -> None:
        self._pace = pace
        self._ticks = ticks

    async def __call__(
        self,
        make_request: NextRequestMiddlewareType[TelegramType],
        bot: Bot,
        method: TelegramMethod[TelegramType],
    ) -> Response[TelegramType]:
        chat_id = getattr(method, "chat_id", None)
        if not isinstance(chat_id, int):
            return await make_request(bot, method)
        counts = isinstance(method, SendMessage | EditMessageText | EditMessageReplyMarkup)
        answer = counts and not ACCOUNTED.get()
        if answer:
            await self._room_for_an_answer(chat_id, method)
        try:
            return await make_request(bot, method)
        except TelegramRetryAfter as error:
            if counts:
                self._pace.hold(chat_id, self._ticks(), error.retry_after)
            if not answer or error.retry_after > LONGEST_WAIT:
                raise
            await asyncio.sleep(error.retry_after)
            return await make_request(bot, method)

    async def _room_for_an_answer(self, chat_id: int, method: TelegramMethod[Any]) -> None:
        """Raises NoRoom. It is taken in the same breath in which it is found."""
        room = TURN_ROOM if chat_id > 0 else NO_ROOM
        until = self._ticks() + LONGEST_WAIT
        while (delay := self._pace.delay(chat_id, now := self._ticks(), room, answer=True)) > 0:
            if chat_id < 0 and TYPED.get() and now + delay > until:
                raise NoRoom(method)
            if now >= until:
                break
            await asyncio.sleep(min(delay, until - now))
        self._pace.spend(chat_id, self._ticks(), room, answer=True)
