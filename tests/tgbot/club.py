"""A club for tests: the sandbox as Telegram, the real bot over HTTP, and people who press what they see."""

import asyncio
import random
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from db.connection import Connection
from db.pool import Pool, open_pool
from tests.tgbot.clocks import ManualClock
from tgbot.app import Config, Running, running
from tgbot.handlers.flood import Rate
from tgbot.leader import CHANNEL
from tgbot.pace import Limits
from tgbot.sandbox import server
from tgbot.sandbox.model import Chat, Message
from tgbot.sandbox.world import World

GROUP = "Goat club"
PEOPLE = ("You", "Anna", "Борис", "Chidi")
UNLIMITED = Limits(a_second=100_000, chat_gap=0.0, group_a_minute=100_000, group_answers_a_minute=100_000)
PATIENCE = 20.0

BEHIND = """
SELECT EXISTS (SELECT FROM screens WHERE wanted > shown) OR EXISTS (SELECT FROM notices WHERE sent_at IS NULL)
"""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@dataclass
class Club:
    """Everything that a test does, it does as a person: by what stands in the chats."""

    sandbox: server.Running
    dsn: str
    clock: ManualClock
    rng: random.Random
    staff: "Staff"
    bot: Running | None = None
    port: int = field(default_factory=free_port)
    _pool: Pool | None = None

    @property
    def world(self) -> World:
        return self.sandbox.world

    @property
    def group(self) -> Chat:
        return self.world.chat(GROUP)

    def config(self, **changes: Any) -> Config:
        settings = {
            "token": self.sandbox.token,
            "dsn": self.dsn,
            "webhook_url": f"http://127.0.0.1:{self.port}",
            "secret": "s3cret",
            "port": self.port,
            "telegram": self.sandbox.url,
            "limits": UNLIMITED,
            "rate": Rate(1000, 1000),
            "clock": self.clock,
            "rng": self.rng,
        }
        return Config(**{**settings, **changes})

    def messages(self, chat: Chat | str | int) -> list[Message]:
        """The bot's messages that stand in a chat, the oldest first."""
        where = self.world.chat(chat)
        return [message for message in where.messages.values() if message.sender_id == self.world.bot.id]

    def private(self, person: str) -> Chat:
        return self.world.chat(self.world.person(person).id)

    def texts(self, chat: Chat | str | int) -> list[str]:
        return [message.text or "" for message in self.messages(chat)]

    def last(self, chat: Chat | str | int) -> str:
        return self.texts(chat)[-1]

    def buttons(self, message: Message) -> list[dict[str, Any]]:
        rows = (message.reply_markup or {}).get("inline_keyboard", [])
        return [button for row in rows for button in row]

    def find(self, chat: Chat | str | int, label: str) -> tuple[Message, dict[str, Any]] | None:
        """The lowest message of a chat with a button whose text has `label` in it."""
        for message in reversed(self.messages(chat)):
            for button in self.buttons(message):
                if label in button["text"]:
                    return message, button
        return None

    async def press(self, person: str, chat: Chat | str | int, label: str) -> dict[str, Any]:
        """Presses a button by its text; returns the bot's answer."""
        where = self.world.chat(chat)
        await self.until(lambda: self.find(where, label) is not None)
        found = self.find(where, label)
        assert found is not None
        query = self.world.press(person, where, found[0].message_id, found[1]["callback_data"])
        return await self.world.answer_to(query, PATIENCE)

    async def until(self, true: Callable[[], object]) -> None:
        await self.world.until(true, PATIENCE)

    async def say(self, person: str, text: str, *, thread: int | None = None) -> None:
        self.world.say(person, self.group, text, thread=thread)

    def at_work(self) -> AbstractAsyncContextManager[object]:
        """The bot at work here: in this process, or in as many of its own as the test run wants."""
        return self.staff(self)

    @asynccontextmanager
    async def look(self) -> AsyncIterator[Connection]:
        """What the bot remembers, for what no chat tells."""
        if self._pool is None:
            self._pool = await open_pool(self.dsn, size=2)
        async with self._pool.acquire() as db:
            yield db

    async def pass_time(self, seconds: float) -> None:
        """The clock moves on, for Telegram too, and the house looks at once."""
        self.clock.advance(seconds)
        self.world.advance(seconds)
        async with self.look() as db:
            await db.execute(f"NOTIFY {CHANNEL}")

    async def all_painted(self) -> None:
        """Until every chat shows what the bot remembers; for a bot on which time alone has no more to do."""
        async with asyncio.timeout(PATIENCE), self.look() as db:
            while True:
                if not await db.fetchval(BEHIND):
                    return
                await asyncio.sleep(0.05)

    async def close(self) -> None:
        if self._pool is not None:
            self._pool.terminate()
        self.clock.remove()
        await self.sandbox.stop()

    async def all_start(self, *people: str) -> None:
        for person in people or PEOPLE:
            self.world.start(person)
            await self.until(partial(self.messages, self.private(person)))

    async def open_lobby(self, person: str = "You") -> None:
        await self.say(person, "/goat")
        await self.until(lambda: self.find(self.group, "Sit here"))

    async def four_sit_down(self) -> None:
        """You and Борис against Anna and Chidi, everybody reachable, the series begun."""
        await self.all_start()
        await self.open_lobby()
        for index, person in enumerate(PEOPLE):
            await self.press(person, self.group, f"{'🔵🟠'[index % 2]} Sit here")
        await self.press("You", self.group, "Start")
        await self.until(lambda: all("trump" in self.hand_text(person).lower() for person in ("You", "Anna")))

    def hand_text(self, person: str) -> str:
        hands = [text for text in self.texts(self.private(person)) if "·" in text]
        return hands[-1] if hands else ""


@asynccontextmanager
async def bot_for(club: Club, **changes: Any) -> AsyncIterator[Running]:
    """The bot at work in this process."""
    async with running(club.config(**changes)) as bot:
        club.bot = bot
        try:
            yield bot
        finally:
            club.bot = None


Staff = Callable[[Club], AbstractAsyncContextManager[object]]


@asynccontextmanager
async def club_of(dsn: str, seed: int = 1, staff: Staff = bot_for) -> AsyncIterator[Club]:
    sandbox = await server.start(retry_unit=0.05)
    club = Club(sandbox, dsn, ManualClock(), random.Random(seed), staff)
    try:
        yield club
    finally:
        await club.close()


CARD, MOVE = "h:", "m:"
"""How the data of card buttons and of action buttons begin."""


@dataclass
class Scripted:
    """People who play by pressing what they see, at random."""

    club: Club
    people: tuple[str, ...]
    rng: random.Random
    presses: int = 0
    moves: int = 0

    def hand(self, person: str) -> Message | None:
        """The lowest message of his private chat that offers something to play."""
        for message in reversed(self.club.messages(self.club.private(person))):
            if any(self._data(button).startswith((MOVE, CARD)) for button in self.club.buttons(message)):
                return message
        return None

    def to_act(self) -> list[str]:
        """Who sees cards to choose from, or a question to answer."""
        return [
            person
            for person in self.people
            if (hand := self.hand(person)) is not None
            and any(
                self._data(button).startswith(CARD) or ":decline:" in self._data(button)
                for button in self.club.buttons(hand)
            )
        ]

    async def series(self) -> None:
        """To the goats."""
        while not self.club.find(self.club.group, "Play again"):
            actors = self.to_act()
            if actors:
                await self.act(self.rng.choice(actors))
            else:
                await self.wait_for_a_turn()

    async def wait_for_a_turn(self) -> None:
        """The others are computers: their pauses pass."""
        await self.club.pass_time(3)
        try:
            async with asyncio.timeout(0.2):
                await self.club.world.until(
                    lambda: self.to_act() or self.club.find(self.club.group, "Play again"), PATIENCE
                )
        except TimeoutError:
            return

    async def act(self, person: str) -> None:
        """Chooses cards until something can be done with them, and does it; now and then a molodka."""
        club = self.club
        chat = club.private(person)
        hand = self.hand(person)
        assert hand is not None
        buttons = club.buttons(hand)
        actions = [button for button in buttons if self._data(button).startswith(MOVE)]
        # Beside the cards there may be a button that only says what is missing.
        cards = [button for button in buttons if any(suit in button["text"] for suit in "♠♥♦♣")]
        acts = actions and (not cards or self.rng.random() < 0.7)
        before = hand.reply_markup
        await self.press(person, hand, self.rng.choice(actions if acts else cards))
        self.moves += bool(acts)
        await club.until(lambda: hand.message_id not in chat.messages or hand.reply_markup != before)

    async def press(self, person: str, hand: Message, button: dict[str, Any]) -> dict[str, Any]:
        self.presses += 1
        query = self.club.world.press(
            person, self.club.private(person), hand.message_id, button["callback_data"]
        )
        return await self.club.world.answer_to(query, PATIENCE)

    @staticmethod
    def _data(button: dict[str, Any]) -> str:
        return str(button.get("callback_data", ""))
