"""What Telegram refuses because of the token or the chat is not lost: it is painted when Telegram takes it again."""

import asyncio
import random
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, cast

import pytest
from aiogram import Bot
from aiogram.exceptions import (
    TelegramAPIError,
    TelegramBadRequest,
    TelegramNotFound,
    TelegramUnauthorizedError,
)
from aiogram.methods import SendMessage

from db import notices
from tests.tgbot.club import UNLIMITED
from tests.tgbot.hall import DAY, SECOND, Hall
from tgbot.pace import Pace
from tgbot.painter import PROBE_EVERY, Painter
from tgbot.rendering import Renderer

CALL = SendMessage(chat_id=1, text="x")


@dataclass
class Telegram:
    """Refuses every message for the same reason, or takes it."""

    refusal: TelegramAPIError | None
    calls: int = 0
    taken: list[int] = field(default_factory=list)

    async def send_message(self, chat_id: int, *_: Any, **__: Any) -> Any:
        self.calls += 1
        if self.refusal is not None:
            raise self.refusal
        self.taken.append(chat_id)
        return SimpleNamespace(message_id=len(self.taken))

    async def edit_message_text(self, *_: Any, **__: Any) -> Any:
        return await self.send_message(0)


@dataclass
class House:
    """A painter whose time is moved by hand."""

    hall: Hall
    telegram: Telegram
    ticks: float = 0.0

    def __post_init__(self) -> None:
        self.painter = Painter(
            self.hall.pool,
            cast("Bot", self.telegram),
            Renderer("goat_bot", "en"),
            Pace(UNLIMITED),
            lambda: self.hall.now,
            lambda: self.ticks,
            random.Random(1),
            asyncio.Event(),
        )

    async def paints_for(self, seconds: float, step: float) -> None:
        busy: dict[int, asyncio.Task[None]] = {}
        until = self.ticks + seconds
        while self.ticks <= until:
            await self.painter._round(busy)
            if busy:
                await asyncio.wait(busy.values())
                await asyncio.sleep(0)
            else:
                self.ticks += step
                self.hall.now += step * SECOND

    async def behind(self) -> int:
        rows = await self.hall.fetch(
            "SELECT FROM screens WHERE wanted > shown UNION ALL SELECT FROM notices WHERE sent_at IS NULL"
        )
        return len(rows)


async def refused(hall: Hall, refusal: TelegramAPIError) -> House:
    """A house with a table, and something to say beside it, whose messages are refused."""
    chat_id = (await hall.table(await hall.open("table"))).chat_id
    async with hall.act() as db:
        await notices.say(db, chat_id, "asleep", hall.now)
    return House(hall, Telegram(refusal))


@pytest.mark.parametrize(
    "refusal",
    [TelegramUnauthorizedError(CALL, "Unauthorized"), TelegramNotFound(CALL, "Not Found")],
    ids=lambda refusal: refusal.message,
)
async def test_a_token_that_telegram_does_not_know_for_a_day_costs_no_screen(
    hall: Hall, refusal: TelegramAPIError
) -> None:
    house = await refused(hall, refusal)
    behind = await house.behind()
    await house.paints_for(DAY.total_seconds(), step=600)
    assert await house.behind() == behind
    house.telegram.refusal = None
    await house.paints_for(60, step=10)
    assert await house.behind() == 0


async def test_a_revoked_token_is_not_hammered(hall: Hall) -> None:
    house = await refused(hall, TelegramUnauthorizedError(CALL, "Unauthorized"))
    await house.paints_for(600, step=1)
    chats = 5
    assert house.telegram.calls < chats * 60


async def test_a_group_that_forbids_text_sees_its_table_when_it_allows_it_again(hall: Hall) -> None:
    house = await refused(hall, TelegramBadRequest(CALL, "Bad Request: CHAT_SEND_PLAIN_FORBIDDEN"))
    group = (await hall.fetch("SELECT id FROM chats"))[0]["id"]
    await house.paints_for(DAY.total_seconds(), step=600)
    assert not (await hall.fetch("SELECT writable FROM chats"))[0]["writable"]
    house.telegram.refusal = None
    await house.paints_for(2 * PROBE_EVERY, step=10)
    assert group in house.telegram.taken
    assert not await hall.fetch("SELECT FROM screens WHERE chat_id = $1 AND wanted > shown", group)
