"""The answer to a button press goes back in the response to its update, which spares a call of its own.

Telegram takes one method from a webhook's response, and tells nobody how it went
(https://core.telegram.org/bots/api#making-requests-when-getting-updates): right for an answer that is either in time
or of no use. While updates are asked for by polling there is no response, and answers are calls as any other.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, cast

from aiogram import Bot
from aiogram.client.session.middlewares.base import BaseRequestMiddleware, NextRequestMiddlewareType
from aiogram.methods import AnswerCallbackQuery, Response, TelegramMethod
from aiogram.methods.base import TelegramType


@dataclass(slots=True)
class Reply:
    """What will stand in the response. A later answer to the same press takes the place of the one before, but none
    without words of one with words: that one was true when it was said."""

    answer: AnswerCallbackQuery | None = None
    open: bool = True

    def to_json(self) -> dict[str, Any] | None:
        if self.answer is None:
            return None
        return {"method": self.answer.__api_method__, **self.answer.model_dump(exclude_none=True)}


_REPLY: ContextVar[Reply | None] = ContextVar("_REPLY", default=None)


@contextmanager
def replying() -> Iterator[Reply]:
    """Answers given in this context are kept in the reply; those of tasks that outlive it are calls."""
    reply = Reply()
    token = _REPLY.set(reply)
    try:
        yield reply
    finally:
        reply.open = False
        _REPLY.reset(token)


class AnswerInResponse(BaseRequestMiddleware):
    """Keeps an answer for the response, where there is one to come."""

    async def __call__(
        self,
        make_request: NextRequestMiddlewareType[TelegramType],
        bot: Bot,
        method: TelegramMethod[TelegramType],
    ) -> Response[TelegramType]:
        reply = _REPLY.get()
        if isinstance(method, AnswerCallbackQuery) and reply is not None and reply.open:
            if reply.answer is None or method.text:
                reply.answer = method
            # aiogram hands on the result itself, whatever its types say.
            return cast("Response[TelegramType]", True)
        return await make_request(bot, method)
