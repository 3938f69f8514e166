"""A person's own things: where he plays, what he reads, whether the bot can write to him."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.record import final
from core.table import seat_of
from core.view import view
from db import chats, notices, players, screens, tables
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
        await _tell_tables(db, player, "reachable", moment)
    return player


async def cannot_be_written_to(db: Connection, player_id: int, moment: Moment) -> None:
    """He blocked the bot or deleted his account: the others are told once, and nothing of his is lost."""
    player = await players.get(db, player_id)
    if player is not None and player.reachable:
        await players.set_reachable(db, player_id, False)
        await _tell_tables(db, player, "unreachable", moment)


async def _tell_tables(db: Connection, player: players.Player, code: str, moment: Moment) -> None:
    for table_id in await tables.of_player(db, player.id):
        table = await tables.read(db, table_id)
        if table is not None and table.state == "playing":
            await notices.say(
                db, table.chat_id, code, moment.now, {"name": player.name}, thread_id=table.thread_id
            )


async def chat_writable(db: Connection, chat_id: int, writable: bool, moment: Moment) -> None:
    """The bot came back to a group, or lost its voice there: what lives there is shown when it can be."""
    known = await chats.get(db, chat_id)
    if known is None or known.writable == writable:
        return
    await chats.set_writable(db, chat_id, writable)
    if writable:
        await screens.ring_in_chat(db, chat_id, moment.now)


async def repaint_pressed(
    db: Connection, chat_id: int, message_id: int, player_id: int, moment: Moment
) -> bool:
    """After an old button: what that message shows is rendered again. False when it is no live screen.

    Then, in private, the person's live hands are sent anew.
    """
    if await screens.repaint(db, chat_id, message_id, moment.now):
        return True
    if chat_id == player_id:
        await screens.ring_in_chat(db, chat_id, moment.now)
    return False


async def remove_orphan(db: Connection, chat_id: int, message_id: int, moment: Moment) -> None:
    """A process that dies between sending a hand and remembering it leaves a message that no screen knows of.

    Its press counted like any other; the message must not stay with buttons that mean nothing any more.
    """
    if not await screens.lives(db, chat_id, message_id):
        await notices.remove(db, chat_id, message_id, moment.now)


async def repaint_all(db: Connection, chat_id: int, moment: Moment) -> None:
    """Everything live in a chat, after its language changed."""
    await screens.touch_chat(db, chat_id, moment.now)
