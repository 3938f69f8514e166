"""A hall full of tables for tests of time: the services on a real database, a clock that is moved by hand, and no chats."""

import random
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from core.cards import cards_of
from core.deal import legal_moves
from core.moves import Move
from core.record import final
from core.state import Deal
from core.table import seat_of
from db import chats, players, tables
from db.connection import Connection
from db.pool import Pool
from db.tables import Table
from tgbot.services import lobby, play
from tgbot.services.moment import Moment

BEGIN = datetime(2026, 11, 30, 12, tzinfo=UTC)
FOUR = (11, 12, 13, 14)
SECOND, MINUTE, HOUR, DAY = (timedelta(**{unit: 1}) for unit in ("seconds", "minutes", "hours", "days"))


@dataclass
class Hall:
    """Each act is one transaction, as in service."""

    pool: Pool
    now: datetime = BEGIN
    rng: random.Random = field(default_factory=lambda: random.Random(1))
    chats: int = 0

    @property
    def moment(self) -> Moment:
        return Moment(self.now, self.rng)

    @asynccontextmanager
    async def act(self) -> AsyncIterator[Connection]:
        async with self.pool.acquire() as db, db.transaction():
            yield db

    async def meet(self, *ids: int) -> None:
        async with self.act() as db:
            for number in ids:
                await players.meet(db, players.Person(number, f"Player {number}"), self.now)
                await players.set_reachable(db, number, True)

    async def open(self, pace: str = "none", people: Iterable[int] = FOUR, *, start: bool = True) -> int:
        """A table of its own chat with these people in the seats 0, 1, …, computers in the rest; the series begun."""
        self.chats += 1
        seated = tuple(people)
        await self.meet(*seated)
        async with self.act() as db:
            chat = -100 - self.chats
            await chats.meet(db, chats.Chat(chat, "group", f"Club {self.chats}"), "en")
            table_id = await lobby.open_table(db, chat, None, seated[0], self.moment)
            for index, number in enumerate(seated):
                await lobby.take_seat(db, table_id, number, index % 2, self.moment)
            await lobby.set_pace(db, table_id, seated[0], pace, self.moment)
            if start:
                await lobby.start_with_computers(db, table_id, seated[0], self.moment)
        return table_id

    async def table(self, table_id: int) -> Table:
        async with self.pool.acquire() as db:
            table = await tables.read(db, table_id)
        assert table is not None
        return table

    async def state(self, table_id: int) -> Deal:
        table = await self.table(table_id)
        assert table.deal is not None
        return final(table.deal.record)

    async def turn(self, table_id: int) -> int:
        """The seat to act."""
        seat = (await self.state(table_id)).turn
        assert seat is not None
        return seat

    async def person(self, table_id: int, seat: int) -> int:
        who = (await self.table(table_id)).seats[seat]
        assert who is not None
        assert who.person is not None
        return who.person

    async def house(self) -> bool:
        """One step of the clock: whether anything was due."""
        async with self.act() as db:
            due = await tables.claim_due(db, self.now, 1)
            if due:
                await play.house_acts(db, due[0], self.moment)
            return bool(due)

    async def until(self, then: datetime) -> None:
        """Time passes, and the house acts at each table in the very moment that it is due."""
        while True:
            async with self.pool.acquire() as db:
                due = await tables.next_due(db)
            if due is None or due > then:
                break
            self.now = max(self.now, due)
            await self.house()
        self.now = max(self.now, then)

    async def wait(self, span: timedelta) -> None:
        await self.until(self.now + span)

    async def move(self, table_id: int, person: int | None = None) -> Move:
        """The person to move, or this one, plays a random legal move."""
        table = await self.table(table_id)
        assert table.deal is not None
        state = final(table.deal.record)
        seat = state.turn if person is None else seat_of(table.seats, person)
        assert seat is not None
        move = self.rng.choice([move for move in legal_moves(state) if move.seat == seat])
        async with self.act() as db:
            return await play.press(
                db,
                table_id,
                table.deal.id,
                state.ply,
                person if person is not None else await self.person(table_id, seat),
                move.verb.value,
                mask_of(state, move),
                self.moment,
            )

    async def until_a_person_is_to_act(self, table_id: int) -> int:
        """Computers play; returns the seat of the person whose clock runs."""
        while (table := await self.table(table_id)).turn is None:
            assert table.act_at is not None
            await self.until(table.act_at)
        assert table.turn is not None
        return table.turn.seat

    async def moves(self, table_id: int) -> list[tuple[int, str]]:
        """(seat, made by) of every move at a table, in order."""
        rows = await self.fetch(
            "SELECT m.seat, m.made_by FROM moves m JOIN deals d ON d.id = m.deal_id "
            "JOIN series s ON s.id = d.series_id WHERE s.table_id = $1 ORDER BY d.id, m.ply",
            table_id,
        )
        return [(row["seat"], row["made_by"]) for row in rows]

    async def said(self) -> list[str]:
        """The codes of all that was said in groups."""
        rows = await self.fetch("SELECT code FROM notices WHERE chat_id < 0 ORDER BY id")
        return [row["code"] for row in rows]

    async def reminders(self) -> list[tuple[int, timedelta]]:
        """(person, how long from now) of every reminder to come."""
        rows = await self.fetch(
            "SELECT chat_id, send_at FROM notices WHERE for_turn AND sent_at IS NULL ORDER BY send_at"
        )
        return [(row["chat_id"], row["send_at"] - self.now) for row in rows]

    async def fetch(self, query: str, *args: Any) -> list[Any]:
        async with self.pool.acquire() as db:
            return list(await db.fetch(query, *args))


def mask_of(state: Deal, move: Move) -> int:
    hand = cards_of(state.hands[move.seat])
    return sum(1 << bit for bit, card in enumerate(hand) if move.cards >> card & 1)
