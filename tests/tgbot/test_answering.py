"""The answer to a press travels in the response to its update; without one, and afterwards, it is a call."""

import asyncio
from typing import Any

from aiogram import Bot
from aiogram.methods import AnswerCallbackQuery, SendChatAction, TelegramMethod

from tgbot.answering import AnswerInResponse, replying

BOT = Bot("42:TOKEN")


async def calls_made_for(*methods: TelegramMethod[Any]) -> list[TelegramMethod[Any]]:
    called: list[TelegramMethod[Any]] = []

    async def call(_: Bot, method: TelegramMethod[Any]) -> Any:
        called.append(method)
        return True

    for method in methods:
        assert bool(await AnswerInResponse()(call, BOT, method))
    return called


def answer(text: str | None = None) -> AnswerCallbackQuery:
    return AnswerCallbackQuery(callback_query_id="7", text=text)


async def test_an_answer_waits_for_the_response_and_a_later_one_takes_its_place() -> None:
    with replying() as reply:
        assert reply.to_json() is None
        assert await calls_made_for(answer("You led."), answer("Something went wrong.")) == []
    assert reply.to_json() == {
        "method": "answerCallbackQuery",
        "callback_query_id": "7",
        "text": "Something went wrong.",
    }


async def test_an_answer_without_words_leaves_the_words_that_were_said() -> None:
    with replying() as reply:
        await calls_made_for(answer("You led."), answer())
    assert reply.answer == answer("You led.")


async def test_everything_else_is_called_at_once() -> None:
    typing = SendChatAction(chat_id=1, action="typing")
    with replying() as reply:
        assert await calls_made_for(typing) == [typing]
    assert reply.to_json() is None


async def test_without_a_response_to_come_an_answer_is_a_call() -> None:
    assert await calls_made_for(answer()) == [answer()]


async def test_a_task_that_outlives_the_response_calls_too() -> None:
    over = asyncio.Event()

    async def late() -> list[TelegramMethod[Any]]:
        await over.wait()
        return await calls_made_for(answer())

    with replying() as reply:
        task = asyncio.create_task(late())
    over.set()
    assert await task == [answer()]
    assert reply.to_json() is None
