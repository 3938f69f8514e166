"""Updates that the bot asks for itself, because Telegram has no address to send them to."""

import asyncio
import random
from typing import Any

import pytest
from aiogram import Bot
from aiogram.exceptions import ClientDecodeError
from aiogram.methods import GetMe, Response, TelegramMethod
from aiogram.types import Update, User

from tests.tgbot.club import CARD, Club, Scripted, bot_for, club_of
from tests.tgbot.test_telegrams_life import a_turn
from tgbot.polling import Unread, poll
from tgbot.telegram import QuoteNothing

UNREADABLE = {"type": "hologram", "date": 1}
"""Where a message was forwarded from, as a later Telegram may say it."""


def forwards_what_no_bot_can_read(club: Club, person: str) -> None:
    club.world.say(person, club.group, "/help")
    club.world.data.updates[-1].body["message"]["forward_origin"] = UNREADABLE


async def test_an_update_that_cannot_be_read_keeps_no_other_away(database: str) -> None:
    async with club_of(database) as club, bot_for(club, webhook_url=None):
        await club.all_start("You")
        forwards_what_no_bot_can_read(club, "Anna")
        await club.open_lobby("You")
        await club.press("You", club.group, "Play now with computers")


async def test_no_card_gets_into_the_log_by_an_update_beside_one_that_cannot_be_read(
    database: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with club_of(database) as club, bot_for(club, webhook_url=None):
        await club.all_start("You")
        await club.open_lobby()
        await club.press("You", club.group, "Play now with computers")
        players = Scripted(club, ("You",), random.Random(1))
        await a_turn(club, players)
        hand = players.hand("You")
        assert hand is not None
        card = next(b for b in club.buttons(hand) if b["callback_data"].startswith(CARD))
        forwards_what_no_bot_can_read(club, "Anna")  # and in the same breath:
        await players.press("You", hand, card)
    assert "can't be read: ValidationError" in caplog.text
    assert "Your cards" not in caplog.text
    assert "hologram" not in caplog.text


@pytest.mark.parametrize("kind", ["429", "500", "502"])
async def test_a_telegram_that_fails_is_asked_again(
    database: str, kind: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", "tgbot.polling")
    async with club_of(database) as club:
        club.sandbox.faults.add(kind, "getUpdates", count=1)
        async with bot_for(club, webhook_url=None):
            await club.all_start("You")
    assert "no updates" in caplog.text
    assert "updates come again" in caplog.text


async def test_an_answer_that_cannot_be_read_is_not_quoted() -> None:
    async def call(bot: Bot, method: TelegramMethod[User]) -> Response[User]:
        raise ClientDecodeError("Failed to deserialize object", ValueError("Your cards"), "Your cards")

    with pytest.raises(ClientDecodeError) as raised:
        await QuoteNothing()(call, Bot("42:TOKEN"), GetMe())
    assert str(raised.value) == "an answer to getMe that can't be read"


class Telegram(Bot):
    """Has two updates, and notes from where on it is asked for them."""

    def __init__(self) -> None:
        super().__init__("42:TOKEN")
        self.offsets: list[Any] = []
        self.asked_again = asyncio.Event()

    async def __call__(self, method: TelegramMethod[Any], request_timeout: int | None = None) -> Any:
        offset = getattr(method, "offset", None)
        if self.offsets:
            self.asked_again.set()
        self.offsets.append(offset)
        await asyncio.sleep(0)
        return [Unread(update_id=number) for number in (7, 8) if number >= (offset or 0)]


async def test_a_stop_lets_the_update_under_way_come_to_its_end_and_begins_no_other() -> None:
    begun, done = [], []
    under_way = asyncio.Event()

    async def feed(update: Update) -> None:
        begun.append(update.update_id)
        under_way.set()
        await asyncio.sleep(0.05)
        done.append(update.update_id)

    polling = asyncio.create_task(poll(Telegram(), feed, ["message"], grace=5))
    await under_way.wait()
    polling.cancel()
    with pytest.raises(asyncio.CancelledError):
        await polling
    assert begun == done == [7]


async def test_telegram_may_forget_what_was_handed_over_and_nothing_else() -> None:
    telegram = Telegram()
    fed = asyncio.Queue[int]()

    async def feed(update: Update) -> None:
        assert telegram.offsets == [None]
        await fed.put(update.update_id)
        raise ValueError  # a handler's fault is no reason to get the update again

    polling = asyncio.create_task(poll(telegram, feed, ["message"], grace=5))
    assert [await fed.get(), await fed.get()] == [7, 8]
    await telegram.asked_again.wait()
    polling.cancel()
    assert telegram.offsets[1] == 9
