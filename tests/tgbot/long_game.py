"""A game that takes days: four people at a table with a pace, some of whom are not there, and what their chats say."""

import asyncio
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from datetime import datetime

from core.table import seat_of
from db import tables
from db.connection import Connection
from db.tables import Table
from tests.tgbot.club import PATIENCE, PEOPLE, Club, Scripted
from tgbot.sandbox.model import Chat
from tgbot.screens.words import ISOLATE, POP

SECOND, MINUTE, HOUR, DAY = 1, 60, 3600, 86400
"""In seconds, as the club's clock is moved."""


async def table_of(club: Club, group: Chat | None = None) -> Table:
    async with club.look() as db:
        found = await tables.in_chat(db, (group or club.group).id)
        table = await tables.read(db, found[0])
    assert table is not None
    return table


def holder(club: Club, table: Table, seat: int) -> str:
    """Who holds a seat, as tests call him."""
    who = table.seats[seat]
    assert who is not None
    assert who.person is not None
    person = club.world.person(who.person)
    return "You" if person.username == "you" else person.first_name


def name(club: Club, person: str) -> str:
    """As the others read it."""
    who = club.world.person(person)
    return " ".join(filter(None, (who.first_name, who.last_name)))


def seat(club: Club, table: Table, person: str) -> int:
    found = seat_of(table.seats, club.world.person(person).id)
    assert found is not None
    return found


async def whose_turn(club: Club) -> str:
    """The person whose clock runs."""
    table = await table_of(club)
    assert table.turn is not None
    return holder(club, table, table.turn.seat)


async def deadline(club: Club) -> datetime:
    """When the house acts next."""
    table = await table_of(club)
    assert table.act_at is not None
    return table.act_at


async def choose_pace(club: Club, pace: str, group: Chat | None = None) -> None:
    """In the lobby, pressing on until it is this one."""
    where = group or club.group
    while club.find(where, f"⏱ {pace}") is None:
        shown = club.find(where, "⏱")
        assert shown is not None
        message, label = shown[0], shown[1]["text"]
        await club.press("You", where, "⏱")
        await club.until(lambda message=message, label=label: label not in str(message.reply_markup))  # type: ignore[misc]


async def four_at(club: Club, pace: str) -> str:
    """Four people, who all read English, at a table of this pace, the series begun; returns who is to lead."""
    club.world.set_language("Борис", "en")
    await club.all_start()
    await sit_down(club, club.group, pace)
    await club.until(lambda: all("Your cards" in club.hand_text(person) for person in PEOPLE))
    return await whose_turn(club) if pace != "No limit" else await to_lead(club)


async def sit_down(club: Club, group: Chat, pace: str) -> None:
    """PEOPLE in a group's lobby, one after the other, and off."""
    club.world.say("You", group, "/goat")
    for index, person in enumerate(PEOPLE):
        await club.press(person, group, f"{'🔵🟠'[index % 2]} Sit here")
    await choose_pace(club, pace, group)
    await club.press("You", group, "Start")
    await club.until(lambda: said(club, "Trump", group))


async def to_lead(club: Club) -> str:
    """At tables without limit no clock tells."""
    table = await table_of(club)
    assert table.series is not None
    return holder(club, table, table.series.state.leader)


def said(club: Club, words: str, chat: Chat | str | None = None) -> bool:
    """Whether a message with these words stands in a chat, the group if none is named."""
    return any(words in plain(text) for text in club.texts(chat or club.group))


def plain(text: str) -> str:
    """Without what keeps names apart and numbers together on a screen."""
    return text.translate({ord(ISOLATE): None, ord(POP): None, ord("\xa0"): " "})


def reminders(club: Club, person: str) -> list[str]:
    """Those that stand in his private chat."""
    return [plain(text) for text in club.texts(club.private(person)) if "waits for you" in text]


async def the_house_acts(club: Club, seconds: float) -> Table:
    """Time passes, at the end of which the house does something at the table; the table after that."""
    before = await table_of(club)
    await club.pass_time(seconds)
    async with asyncio.timeout(PATIENCE):
        while (after := await table_of(club)).version == before.version:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    return after


async def time_runs_out(club: Club) -> Table:
    """To the very moment at which the house acts, be it for a computer or for somebody who is late."""
    return await the_house_acts(club, (await deadline(club) - club.clock.now).total_seconds())


async def move(club: Club, person: str) -> None:
    """A person chooses cards and plays them."""
    players = Scripted(club, (person,), club.rng)
    while not players.moves:
        await club.until(players.to_act)
        await players.act(person)


async def next_act(club: Club, absent: Collection[str] = ()) -> Table:
    """One move: by who is to act, or by the house if that is one of the `absent` or nobody; the table after it."""
    table = await table_of(club)
    person = None if table.turn is None else holder(club, table, table.turn.seat)
    if person is None or person in absent:
        return await time_runs_out(club)
    await move(club, person)
    return await table_of(club)


async def play_until_away(club: Club, *absent: str) -> Table:
    """Everybody else moves at once, until the house plays on for all of the absent."""
    table = await table_of(club)
    while len(table.away) < len(absent):
        table = await next_act(club, absent)
    return table


async def made_by(club: Club) -> list[tuple[int, str, int | None]]:
    """(seat, who made it, which person) of every move in order."""
    async with club.look() as db:
        rows = await db.fetch("SELECT seat, made_by, player_id FROM moves ORDER BY deal_id, ply")
    return [(row["seat"], row["made_by"], row["player_id"]) for row in rows]


async def left(club: Club) -> float:
    """Seconds until the house acts."""
    return (await deadline(club) - club.clock.now).total_seconds()


@asynccontextmanager
async def changing(club: Club) -> AsyncIterator[Connection]:
    """What a test arranges behind everybody's back."""
    async with club.look() as db, db.transaction():
        yield db
