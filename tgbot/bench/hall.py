"""A hall full of tables, each with four people and a deal just dealt: in the database, and in the sandbox's chats."""

import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import count, zip_longest
from typing import Any

from core.cards import cards_of
from core.deal import legal_moves, play
from core.moves import Move
from core.record import final
from core.state import Deal, Phase
from core.view import view
from db import chats, players, screens, tables
from db.connection import Connection
from db.deals import RunningDeal
from tgbot.callbacks import MovePress, Pick
from tgbot.sandbox import shapes
from tgbot.sandbox.entities import parse_html
from tgbot.sandbox.model import Chat, Member, Person
from tgbot.sandbox.world import World
from tgbot.screens import hand
from tgbot.services import lobby
from tgbot.services.moment import Moment
from tgbot.texts import texts

NEVER = 900
"""A ply that no deal reaches: what was made for it is stale."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A legal move at a table, as its player's button carries it."""

    player: int
    move: Move
    data: str


@dataclass(frozen=True, slots=True)
class Seated:
    """One table: the deal that is played there, whole but for its last move, since what comes after that is chance."""

    table: int
    deal: int
    people: tuple[int, ...]
    turns: tuple[Turn, ...]


@dataclass
class Hall:
    """`hands`: the message of each person's hand as Telegram sends it along with a press."""

    world: World
    seated: list[Seated]
    hands: dict[int, dict[str, Any]]
    _numbers: "count[int]"

    def moves(self, of: Sequence[Seated]) -> Iterator[bytes]:
        """Every turn at these tables, a turn here and a turn there."""
        for turns in zip_longest(*(one.turns for one in of)):
            yield from (self.update(turn.player, turn.data) for turn in turns if turn is not None)

    def toggles(self, of: Sequence[Seated]) -> Iterator[bytes]:
        """Whose turn it is chooses one card, then another, without end."""
        for number in count():
            one = of[number % len(of)]
            card = 1 << number // len(of) % 4
            yield self.update(
                one.turns[0].player, Pick(table=one.table, deal=one.deal, ply=0, mask=card).pack()
            )

    def stale(self, of: Sequence[Seated]) -> Iterator[bytes]:
        """Moves for another ply than the table's, without end."""
        for number in count():
            one = of[number % len(of)]
            press = MovePress(table=one.table, deal=one.deal, ply=NEVER, verb="pass", mask=1)
            yield self.update(one.people[number // len(of) % 4], press.pack())

    def update(self, player: int, data: str) -> bytes:
        """The press of a button as Telegram delivers it."""
        number = next(self._numbers)
        query = {
            "id": str(5_000_000_000_000_000_000 + number),
            "from": shapes.user(self.world, player),
            "message": self.hands[player],
            "chat_instance": str(player),
            "data": data,
        }
        body = {"update_id": number, "callback_query": query}
        return json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode()

    async def rewind(self, db: Connection) -> None:
        """All deals as they were dealt, and nothing left to paint."""
        await db.execute("DELETE FROM moves")
        await db.execute("UPDATE screens SET shown = wanted")
        # The painter has sent some hands anew.
        for row in await db.fetch("SELECT chat_id, message_id FROM screens WHERE kind = 'hand'"):
            self.hands[row["chat_id"]]["message_id"] = row["message_id"]


async def furnish(db: Connection, world: World, number: int, rng: random.Random) -> Hall:
    """So many new tables. The bot must not run yet: what happens in the world would be told to it."""
    hall = Hall(world, [], {}, count(1_000_000))
    moment = Moment(datetime.now(UTC), rng)
    # Nobody waits for the disk while the hall is furnished; what is measured does.
    async with db.transaction():
        await db.execute("SET LOCAL synchronous_commit = off")
        for index in range(number):
            hall.seated.append(await _table(db, hall, index, moment))
    world.data.updates.clear()
    return hall


async def _table(db: Connection, hall: Hall, index: int, moment: Moment) -> Seated:
    world = hall.world
    four = [world.new_person(f"Player {index}.{seat}", None, None, "en") for seat in range(4)]
    group = _group(world, four, f"Club {index}")
    for person in four:
        await players.meet(db, players.Person(person.id, person.first_name, None, "en"), moment.now)
        await players.set_reachable(db, person.id, True)
    await chats.meet(db, chats.Chat(group.id, "group", group.title), "en")
    table_id = await lobby.open_table(db, group.id, None, four[0].id, moment)
    for seat, person in enumerate(four):
        await lobby.take_seat(db, table_id, person.id, seat % 2, moment)
    await lobby.start(db, table_id, four[0].id, moment)
    table = await tables.read(db, table_id)
    if table is None or table.deal is None:
        raise RuntimeError(f"table {table_id} did not start")
    state = final(table.deal.record)
    people = tuple(who.person for who in table.seats if who is not None and who.person is not None)
    for seat, player in enumerate(people):
        painting = hand.hand(table, view(state, seat), group.title, None, texts("en"))
        text, entities = parse_html(painting.text)
        keyboard = painting.keyboard.model_dump(exclude_none=True) if painting.keyboard else None
        shown = world.new_message(
            world.data.chats[player],
            world.bot.id,
            text=text,
            entities=entities,
            reply_markup=keyboard,
        )
        hall.hands[player] = shapes.message(world, shown)
        await _stands(db, table_id, "hand", player, shown.message_id)
    await _stands(
        db, table_id, "table", group.id, world.new_message(group, world.bot.id, text="table").message_id
    )
    return Seated(table_id, table.deal.id, people, tuple(_turns(table_id, table.deal, state, people, moment)))


def _group(world: World, four: Sequence[Person], title: str) -> Chat:
    for person in four:
        world.data.chats[person.id].started = True
        world.data.met.add(person.id)
    group = world.new_chat(title, four[0])
    for person in four[1:]:
        group.members[person.id] = Member("member")
    group.members[world.bot.id] = Member("member")
    return group


async def _stands(db: Connection, table_id: int, kind: screens.Kind, chat_id: int, message_id: int) -> None:
    await db.execute(
        "UPDATE screens SET message_id = $4, shown = wanted, sent_at = now() "
        "WHERE table_id = $1 AND kind = $2 AND chat_id = $3",
        table_id,
        kind,
        chat_id,
        message_id,
    )
    await db.execute("UPDATE screens SET shown = wanted WHERE table_id = $1 AND final", table_id)


def _turns(
    table_id: int, deal: RunningDeal, state: Deal, people: Sequence[int], moment: Moment
) -> Iterator[Turn]:
    while True:
        move = moment.rng.choice(legal_moves(state))
        after = play(state, move)
        if after.phase is Phase.OVER:
            return
        chosen = sum(
            1 << bit for bit, card in enumerate(cards_of(state.hands[move.seat])) if move.cards >> card & 1
        )
        press = MovePress(table=table_id, deal=deal.id, ply=state.ply, verb=move.verb.value, mask=chosen)
        yield Turn(people[move.seat], move, press.pack())
        state = after


def in_turns(seated: Sequence[Seated], lanes: int) -> list[Sequence[Seated]]:
    """The tables dealt out to so many connections."""
    return [seated[lane::lanes] for lane in range(lanes)]
