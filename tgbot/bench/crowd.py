"""Scripted people: they see what stands in their chats, think, tap cards and press a button.

People, the sandbox and the bot share one loop and its time (skipping.py), and one real PostgreSQL.
"""

import asyncio
import random
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from aiogram.filters.callback_data import CallbackData

from core.cards import cards_of
from core.computer import choose
from core.record import final
from core.table import seat_of
from core.view import view
from db import chats, players, tables
from db.pool import Pool
from tgbot.app import Config, Running, running
from tgbot.bench.skipping import SkippingLoop
from tgbot.callbacks import AgainPress, MovePress, Pick
from tgbot.play import free_port
from tgbot.sandbox import server
from tgbot.sandbox.errors import Impossible
from tgbot.sandbox.model import Chat, Member, Message, Person
from tgbot.sandbox.world import World
from tgbot.services import lobby
from tgbot.services.moment import Moment

EPOCH = datetime(2026, 1, 1, tzinfo=UTC)
BETWEEN_TAPS = 0.4
PATIENCE = 10.0
"""Seconds between two taps of one person, and how long he waits for a button before he looks anew."""

NAMES = ("Anna", "Boris", "Chidi", "Dana")

Ply = tuple[int, int]
"""(deal, ply)."""


@dataclass
class Crowd:
    """All who play, with what they saw. Times are the loop's, in seconds.

    `shown`: when the hand for a ply first stood in the chat of whom it asks. `waited`: from the last tap of a card until
    the button to play it stood there. `missed`: presses on what had just been replaced.
    """

    loop: SkippingLoop
    sandbox: server.Running
    pool: Pool
    bot: Running
    rng: random.Random
    shown: dict[Ply, float] = field(default_factory=dict)
    waited: list[float] = field(default_factory=list)
    played: set[Ply] = field(default_factory=set)
    missed: int = 0
    over: set[int] = field(default_factory=set)
    _players: dict[int, "Player"] = field(default_factory=dict)
    _tasks: list["asyncio.Task[None]"] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.world.listeners.append(self._heard)

    @property
    def world(self) -> World:
        return self.sandbox.world

    def _heard(self, kind: str, what: dict[str, Any]) -> None:
        """Wakes whose chat changed; a group in which a series may be played again has ended its own."""
        if kind not in ("message", "edit"):
            return
        message: Message = what["message"]
        if (player := self._players.get(message.chat_id)) is not None:
            if (asked := question(message)) is not None:
                self.shown.setdefault((asked.deal, asked.ply), self.loop.time())
            player.changed.set()
        elif any(data.startswith(f"{AgainPress.__prefix__}:") for data in buttons(message)):
            self.over.add(message.chat_id)

    async def seat(self, pace: float, people: int = 4) -> int:
        """A group of so many people who begin a series with computers on the other seats; returns its chat."""
        world, moment = self.world, Moment(EPOCH + timedelta(seconds=self.loop.time()), self.rng)
        persons = [world.new_person(name) for name in NAMES[:people]]
        group = world.new_chat("Goat club", persons[0])
        group.members |= {person.id: Member("member") for person in persons[1:]}
        group.members[world.bot.id] = Member("member")
        for person in persons:
            world.private_chat(person).started = True
            world.data.met.add(person.id)
        async with self.pool.acquire() as db, db.transaction():
            await chats.meet(db, chats.Chat(group.id, group.type, group.title), "en")
            for person in persons:
                await players.meet(db, players.Person(person.id, person.first_name), moment.now)
                await players.set_reachable(db, person.id, True)
            table_id = await lobby.open_table(db, group.id, None, persons[0].id, moment)
            for index, person in enumerate(persons):
                await lobby.take_seat(db, table_id, person.id, index % 2, moment)
            await lobby.start_with_computers(db, table_id, persons[0].id, moment)
        for person in persons:
            chat = world.private_chat(person)
            player = self._players[chat.id] = Player(self, person, chat, pace)
            self._tasks.append(self.loop.create_task(player.play(), name=f"person {person.id}"))
        self.bot.wake()
        return group.id

    async def until_over(self, chat_id: int) -> None:
        """Until the series of that group has ended. Raises what a person ran into."""
        while chat_id not in self.over:
            self.fail()
            await asyncio.sleep(1)

    def fail(self) -> None:
        """Raises what a person ran into, if any did."""
        for task in self._tasks:
            if task.done():
                task.result()

    async def leave(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self.world.listeners.remove(self._heard)


@dataclass
class Player:
    """One person. `pace`: the seconds that he takes for a move, on average, from when he sees his hand."""

    crowd: Crowd
    who: Person
    chat: Chat
    pace: float
    changed: asyncio.Event = field(default_factory=asyncio.Event)

    async def play(self) -> None:
        """Until cancelled."""
        crowd = self.crowd
        while True:
            hand, asked = await self._turn()
            press = await self._decide(asked)
            if press is None:  # the table moved on before he looked
                await self._change()
                continue
            taps = press.mask.bit_count()
            thinks = self.pace * crowd.rng.uniform(0.5, 1.5)
            await asyncio.sleep(max(0.0, thinks - taps * BETWEEN_TAPS))
            await self._do(hand, press)

    async def _turn(self) -> tuple[Message, Pick | MovePress]:
        """Waits for a hand that asks for what he hasn't done yet."""
        while True:
            for message in reversed(self.chat.messages.values()):
                asked = question(message)
                if asked is not None and (asked.deal, asked.ply) not in self.crowd.played:
                    return message, asked
            await self._change()

    async def _change(self) -> None:
        self.changed.clear()
        await self.changed.wait()

    async def _decide(self, asked: Pick | MovePress) -> MovePress | None:
        """The button that he wants to press in the end: he plays as the easy computer player would."""
        async with self.crowd.pool.acquire() as db:
            table = await tables.read(db, asked.table)
        deal = None if table is None else table.deal
        if table is None or deal is None or (deal.id, len(deal.record.moves)) != (asked.deal, asked.ply):
            return None
        seat = seat_of(table.seats, self.who.id)
        assert seat is not None
        own = view(final(deal.record), seat)
        move = choose(own, self.crowd.rng, "easy")
        assert move is not None
        mask = sum(1 << bit for bit, card in enumerate(cards_of(own.hand)) if move.cards >> card & 1)
        return MovePress(table=asked.table, deal=asked.deal, ply=asked.ply, verb=move.verb.value, mask=mask)

    async def _do(self, hand: Message, press: MovePress) -> None:
        """Taps each card that is to be chosen and is not, or the other way, then the button to play them."""
        crowd, tapped = self.crowd, None
        for bit in range(4):
            tap = pick_of(hand, press, bit)
            if tap is not None and (tap.mask ^ press.mask) >> bit & 1 == 0:
                if tapped is not None:
                    await asyncio.sleep(BETWEEN_TAPS)
                self._press(hand, tap)
                tapped = crowd.loop.time()
        with suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE):
                while press.pack() not in buttons(hand):
                    await self._change()
            if tapped is not None:
                crowd.waited.append(crowd.loop.time() - tapped)
                await asyncio.sleep(BETWEEN_TAPS)
            crowd.played.add((press.deal, press.ply))
            self._press(hand, press)

    def _press(self, hand: Message, data: CallbackData) -> None:
        try:
            self.crowd.world.press(self.who, self.chat, hand.message_id, data.pack())
        except Impossible:
            self.crowd.missed += 1


def buttons(message: Message) -> Iterator[str]:
    """The data of a message's buttons."""
    for row in (message.reply_markup or {}).get("inline_keyboard", []):
        for button in row:
            if "callback_data" in button:
                yield button["callback_data"]


def question(hand: Message) -> Pick | MovePress | None:
    """A button of a hand that asks for something: cards to choose from, or a molodka to claim or decline."""
    for data in buttons(hand):
        if data.startswith(f"{Pick.__prefix__}:"):
            return Pick.unpack(data)
        if data.startswith(f"{MovePress.__prefix__}:"):
            press = MovePress.unpack(data)
            if press.verb == "decline":
                return press
    return None


def pick_of(hand: Message, at: MovePress, bit: int) -> Pick | None:
    """The button of the card with this number, if the hand still asks about that ply."""
    rows = (hand.reply_markup or {}).get("inline_keyboard", [])
    if not rows or bit >= len(rows[0]):
        return None
    data = rows[0][bit].get("callback_data", "")
    if not data.startswith(f"{Pick.__prefix__}:"):
        return None
    pick = Pick.unpack(data)
    return pick if (pick.deal, pick.ply) == (at.deal, at.ply) else None


@asynccontextmanager
async def crowd_at(loop: SkippingLoop, dsn: str, seed: int) -> AsyncIterator[Crowd]:
    """The bot at work on a migrated database, a sandbox that enforces Telegram's limits, and nobody there yet."""
    rng = random.Random(seed)  # noqa: S311 - chance of a game that must repeat

    def clock() -> datetime:
        return EPOCH + timedelta(seconds=loop.time())

    sandbox = await server.start(World(real=lambda: clock().timestamp()))
    sandbox.world.data.limits_enforced = True
    port = free_port()
    config = Config(
        token=sandbox.token,
        dsn=dsn,
        webhook_url=f"http://127.0.0.1:{port}",
        port=port,
        telegram=sandbox.url,
        clock=clock,
        ticks=loop.time,
        rng=rng,
    )
    try:
        async with running(config) as bot:
            crowd = Crowd(loop, sandbox, bot.pool, bot, rng)
            try:
                yield crowd
            finally:
                await crowd.leave()
    finally:
        await sandbox.stop()
