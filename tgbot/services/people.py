"""A person's own things: where he plays, what he reads, whether the bot can write to him."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.record import final
from core.table import seat_of
from core.view import view
from db import chats, players, screens, tables
from db.connection import Connection
from db.tables import Table
from tgbot.services.moment import Moment


@dataclass(frozen=True, slots=True)
class MyTable:
    """`seat` is his own; `turn` the seat that everybody may know to be on turn, None in an offer and out of play."""

    table: Table
    title: str
    seat: int
    turn: int | None


async def my_tables(db: Connection, player_id: int) -> Sequence[MyTable]:
    found = []
    for table_id in await tables.of_player(db, player_id):
        table = await tables.read(db, table_id)
        if table is None:
            continue
        seat = seat_of(table.seats, player_id)
        chat = await chats.get(db, table.chat_id)
        if seat is None or chat is None:
            continue
        turn = None if table.deal is None else view(final(table.deal.record), seat).turn
        found.append(MyTable(table=table, title=chat.title, seat=seat, turn=turn))
    return found


async def can_be_written_to(db: Connection, person: players.Person, moment: Moment) -> players.Player:
    """He pressed Start (or unblocked the bot): his hands that waited for that are sent now."""
    player = await players.meet(db, person, moment.now)
    if not player.reachable:
        await players.set_reachable(db, person.id, True)
        await screens.ring_in_chat(db, person.id, moment.now)
    return player


async def cannot_be_written_to(db: Connection, player_id: int) -> None:
    await players.set_reachable(db, player_id, False)


async def repaint_hand(
    db: Connection, chat_id: int, message_id: int | None, moment: Moment
) -> None:
    """After an old button: what that message shows is rendered again."""
    if message_id is not None:
        await screens.repaint(db, chat_id, message_id, moment.now)


async def repaint_all(db: Connection, chat_id: int, moment: Moment) -> None:
    """Everything live in a chat, after its language changed."""
    await screens.touch_chat(db, chat_id, moment.now)
