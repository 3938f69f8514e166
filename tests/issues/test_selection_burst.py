"""When a call became free, everybody who waited to see his chosen cards took it: the check and the spending had a query
to the database between them. So the token's limit was broken as soon as many people chose at the same time."""

import asyncio
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from tgbot import selections
from tgbot.callbacks import Pick
from tgbot.pace import Limits, Pace
from tgbot.selections import Selections
from tgbot.services.moment import Moment
from tgbot.texts import texts

MOMENT = Moment(datetime(2026, 11, 30, tzinfo=UTC), Random(1))


async def test_many_who_choose_at_once_keep_to_the_limit_of_the_token(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shown: list[int] = []
    asked = asyncio.Event()

    async def keyboard(*_: Any) -> object:
        await asyncio.sleep(0)  # the database takes its time
        return object()

    async def edit(*, chat_id: int, **_: Any) -> None:
        shown.append(chat_id)
        asked.set()

    @asynccontextmanager
    async def acquire() -> Any:
        yield None

    monkeypatch.setattr(selections, "_keyboard", keyboard)
    pool: Any = SimpleNamespace(acquire=acquire)
    bot: Any = SimpleNamespace(edit_message_reply_markup=edit)
    choosing = Selections(pool, bot, Pace(Limits(a_second=3)), lambda: 100.0, lambda: None)
    for person in range(1, 41):
        press = Pick(table=1, deal=1, ply=0, mask=1)
        choosing.choose(press, 0, person, (person, 7), texts("en"), MOMENT)
    async with asyncio.timeout(20):
        await asked.wait()
    for _ in range(10):
        await asyncio.sleep(0)
    assert len(shown) == 3
    await choosing.close()
