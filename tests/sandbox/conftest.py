"""A running sandbox for each test, and a judge of all that it says.

Every update sent and every answer given in these tests is held against the Bot API's table: nothing undocumented,
nothing required that is missing, all of its type. aiogram's models must read it, too.
"""

import gc
from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import pytest
from aiogram import Bot
from aiogram.client.session.aiohttp import AiohttpSession
from aiogram.client.telegram import TelegramAPIServer
from aiogram.types import Message, Update

from tgbot.sandbox import schema
from tgbot.sandbox.errors import Refused
from tgbot.sandbox.server import Running, start
from tgbot.sandbox.world import World, first_world

# A full garbage collection with aiogram loaded takes a quarter of a second, and would come in the middle of tests.
gc.collect()
gc.freeze()


class Judge:
    """Listens to a world and keeps what breaks the documented shape."""

    def __init__(self, world: World) -> None:
        self.faults: list[str] = []
        world.listeners.append(self.heard)

    def heard(self, kind: str, what: dict[str, Any]) -> None:
        if kind == "pending":
            update = what["update"]
            body = {"update_id": update.update_id} | update.body
            self.check("Update", body)
            self.read(Update, body)
        elif kind == "call" and what["ok"] and what["answer"]:
            self.check_answer(what["method"], what["answer"]["result"])

    def check_answer(self, method: str, result: Any) -> None:
        returns = schema.table()["methods"][schema.canonical(method)]["returns"]
        try:
            schema.fits(method, returns, result, "")
        except Refused as refused:
            self.faults.append(f"{method}: {refused.description}: {result}")
        if "Message" in returns:
            self.read(Message, result)

    def read(self, model: type[Message] | type[Update], body: Any) -> None:
        try:
            model.model_validate(body)
        except ValueError as error:
            self.faults.append(f"{error}: {body}")

    def check(self, name: str, body: Any) -> None:
        try:
            schema.fits(name, [name], body, "")
        except Refused as refused:
            self.faults.append(f"{name}: {refused.description}: {body}")


class Caller:
    """Calls the Bot API as raw HTTP: `await call("sendMessage", chat_id=…, text=…)` gives (status, answer)."""

    def __init__(self, session: aiohttp.ClientSession, running: Running) -> None:
        self.session = session
        self.running = running

    async def __call__(self, method: str, **params: Any) -> tuple[int, dict[str, Any]]:
        url = f"{self.running.url}/bot{self.running.token}/{method}"
        async with self.session.post(url, json=params) as response:
            answer: dict[str, Any] = await response.json()
            return response.status, answer

    async def result(self, method: str, **params: Any) -> Any:
        status, answer = await self(method, **params)
        assert status == 200, answer
        return answer["result"]

    async def refusal(self, method: str, **params: Any) -> str:
        """Code and description, as "400 Bad Request: …"."""
        status, answer = await self(method, **params)
        assert answer["ok"] is False, f"{method} was not refused: {answer}"
        assert status == answer["error_code"]
        return f"{status} {answer['description']}"

    async def act(self, do: str, **args: Any) -> tuple[int, dict[str, Any]]:
        async with self.session.post(f"{self.running.url}/api/act", json={"do": do} | args) as response:
            answer: dict[str, Any] = await response.json()
            return response.status, answer

    async def get(self, path: str) -> Any:
        async with self.session.get(f"{self.running.url}{path}") as response:
            assert response.status == 200, await response.text()
            return await response.json()


@pytest.fixture
async def session() -> AsyncIterator[aiohttp.ClientSession]:
    async with aiohttp.ClientSession() as session:
        yield session


@pytest.fixture
def world() -> World:
    return first_world()


@pytest.fixture
async def running(world: World) -> AsyncIterator[Running]:
    judge = Judge(world)
    running = await start(world, retry_unit=0.02)
    yield running
    await running.stop()
    assert not judge.faults, judge.faults


@pytest.fixture
def call(session: aiohttp.ClientSession, running: Running) -> Caller:
    return Caller(session, running)


@pytest.fixture(scope="session")
async def bots_session() -> AsyncIterator[AiohttpSession]:
    """One for all tests, because aiogram takes a quarter of a second to close one."""
    session = AiohttpSession()
    yield session
    await session.close()


@pytest.fixture
def bot(running: Running, bots_session: AiohttpSession) -> Bot:
    """An ordinary aiogram bot that talks to the sandbox."""
    bots_session.api = TelegramAPIServer.from_base(running.url)
    return Bot(running.token, session=bots_session)
