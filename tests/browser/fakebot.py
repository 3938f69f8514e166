"""A bot of a few lines, over plain HTTP: it polls for updates and answers as a test tells it to."""

import asyncio
import itertools
from collections.abc import Awaitable, Callable
from typing import Any

import aiohttp

Json = dict[str, Any]
Answer = Callable[["FakeBot", Json], Awaitable[object]]


class Refused(Exception):
    """The sandbox answered with ok: false."""


class FakeBot:
    """`on_message` and `on_press` get what people write and press (a Message, a CallbackQuery) and may call any method."""

    def __init__(self, url: str, token: str) -> None:
        self.base = f"{url}/bot{token}"
        self.on_message: Answer | None = None
        self.on_press: Answer | None = None
        self.seen: list[Json] = []
        self.failure: Exception | None = None
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> "FakeBot":
        self.http = aiohttp.ClientSession()
        self._task = asyncio.create_task(self._poll())
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._task is not None
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
        await self.http.close()
        if self.failure is not None:
            raise self.failure

    async def call(self, method: str, **params: Any) -> Any:
        """Raises Refused with Telegram's description when the sandbox refuses."""
        async with self.http.post(f"{self.base}/{method}", json=params) as response:
            answer = await response.json()
        if not answer["ok"]:
            raise Refused(f"{method}: {answer['description']}")
        return answer["result"]

    async def send(self, chat_id: int, text: str, *rows: list[Json], **params: Any) -> int:
        """Sends a text in Telegram's HTML with rows of buttons; gives the message's id."""
        if rows:
            params["reply_markup"] = {"inline_keyboard": list(rows)}
        sent = await self.call("sendMessage", chat_id=chat_id, text=text, parse_mode="HTML", **params)
        return int(sent["message_id"])

    async def edit(self, chat_id: int, message_id: int, text: str, *rows: list[Json]) -> None:
        markup = {"inline_keyboard": list(rows)}
        place = {"chat_id": chat_id, "message_id": message_id}
        await self.call("editMessageText", **place, text=text, parse_mode="HTML", reply_markup=markup)

    async def answer(self, press: Json, text: str | None = None, **params: Any) -> None:
        if text is not None:
            params["text"] = text
        await self.call("answerCallbackQuery", callback_query_id=press["id"], **params)

    async def heard(self, what: Callable[[Json], bool]) -> Json:
        """The first update that fits, waiting for it up to twenty seconds."""
        async with asyncio.timeout(20):
            while True:
                for update in self.seen:
                    if what(update):
                        return update
                await asyncio.sleep(0.02)

    async def _poll(self) -> None:
        offset = 0
        try:
            while True:
                updates = await self.call("getUpdates", offset=offset, timeout=20)
                for update in updates:
                    offset = update["update_id"] + 1
                    self.seen.append(update)
                    await self._handle(update)
        except Exception as failure:  # a test that ends must say so: __aexit__ raises it
            self.failure = failure

    async def _handle(self, update: Json) -> None:
        if "text" in update.get("message", {}) and self.on_message:
            await self.on_message(self, update["message"])
        if "callback_query" in update and self.on_press:
            await self.on_press(self, update["callback_query"])


_numbers = itertools.count()


def press(text: str, **more: Any) -> Json:
    """A callback button with data of its own."""
    return {"text": text, "callback_data": f"b{next(_numbers)}", **more}
