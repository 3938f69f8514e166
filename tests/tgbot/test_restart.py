"""A killed process loses nothing: what stood before stands after, and everybody plays on."""

import random
from typing import Any

from tests.tgbot.club import PEOPLE, Club, Scripted, club_of
from tgbot.play import BotProcess


def everything(club: Club) -> dict[str, Any]:
    """What stands in the chats: the bot's text and buttons."""
    return {
        name: [(message.text, message.reply_markup) for message in club.messages(chat)]
        for name, chat in [("group", club.group), *((person, club.private(person)) for person in PEOPLE)]
    }


def process_of(club: Club) -> BotProcess:
    process = BotProcess(club.port, lambda: None)
    process.environment = {
        "BOT_TOKEN": club.sandbox.token,
        "DATABASE_URL": club.dsn,
        "TELEGRAM_API_URL": club.sandbox.url,
        "WEBHOOK_URL": f"http://127.0.0.1:{club.port}",
        "PORT": str(club.port),
        "LOG_LEVEL": "WARNING",
    }
    return process


async def test_sigkill_in_mid_trick(database: str) -> None:
    async with club_of(database) as club:
        process = process_of(club)
        await process.start()
        try:
            await club.four_sit_down()
            players = Scripted(club, PEOPLE, random.Random(8))
            while players.moves < 6:
                await club.until(players.to_act)
                await players.act(players.to_act()[0])
            await club.until(players.to_act)
            await club.all_painted()
            before = everything(club)
            await process.kill()
            # What people press while the bot is away is not lost either.
            person = players.to_act()[0]
            hand = players.hand(person)
            assert hand is not None
            card = club.buttons(hand)[0]
            query = club.world.press(person, club.private(person), hand.message_id, card["callback_data"])
            await process.start()
            await club.world.answer_to(query, 20)
            await club.until(lambda: hand.reply_markup is not None and "✅" in str(hand.reply_markup))
            again = club.buttons(hand)[0]
            assert again["text"].startswith("✅")
            await players.press(person, hand, again)
            await club.until(lambda: "✅" not in str(hand.reply_markup))
            await club.all_painted()
            assert everything(club) == before
            while players.moves < 8:
                await club.until(players.to_act)
                await players.act(players.to_act()[0])
        finally:
            await process.stop()
