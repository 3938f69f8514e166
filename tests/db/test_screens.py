"""Which screens are painted first, and that none waits for ever."""

from datetime import UTC, datetime, timedelta

import asyncpg
import pytest

from core.rules import Rules
from db import chats, notices, players, screens, tables
from db.connection import Connection
from db.pool import Pool
from db.screens import LATER, NOW, SOON

BEGIN = datetime(2026, 3, 1, tzinfo=UTC)
CLUB = -100


def after(seconds: float) -> datetime:
    return BEGIN + timedelta(seconds=seconds)


async def table_in(db: Connection, thread_id: int | None = None) -> int:
    await chats.meet(db, chats.Chat(CLUB, "supergroup", "Club"), None)
    return await tables.open_lobby(db, CLUB, thread_id, None, Rules(), BEGIN, BEGIN + timedelta(days=1))


async def hand_of(db: Connection, table_id: int, person: int, stale_since: datetime, priority: int) -> None:
    await players.meet(db, players.Person(person, f"Player {person}"), BEGIN)
    await players.set_reachable(db, person, True)
    await screens.put(db, table_id, "hand", person, stale_since, player_id=person, priority=priority)


async def test_the_hand_of_who_is_to_move_comes_first_and_of_the_rest_what_all_look_at(pool: Pool) -> None:
    async with pool.acquire() as db:
        table = await table_in(db)
        await hand_of(db, table, 1, after(0), LATER)
        await hand_of(db, table, 2, after(1), SOON)
        await hand_of(db, table, 3, after(2), NOW)
        first = await screens.stale(db, after(3))
    assert [screen.chat_id for screen in first] == [3, 2, 1]


async def test_what_waited_for_more_than_a_minute_is_no_later_than_the_rest(pool: Pool) -> None:
    async with pool.acquire() as db:
        table = await table_in(db)
        await hand_of(db, table, 1, after(0), LATER)
        await hand_of(db, table, 2, after(61), SOON)
        first = await screens.stale(db, after(62))
    assert [screen.chat_id for screen in first] == [1, 2]


async def test_hands_of_many_who_are_to_move_do_not_keep_the_rest_out_of_sight(pool: Pool) -> None:
    async with pool.acquire() as db:
        table = await table_in(db)
        for person in range(1, 10):
            await hand_of(db, table, person, after(0), NOW)
        await hand_of(db, table, 10, after(1), SOON)
        first = await screens.stale(db, after(2), limit=4)
    assert 10 in [screen.chat_id for screen in first]


async def test_presses_of_old_buttons_in_one_topic_do_not_keep_another_from_being_painted(pool: Pool) -> None:
    async with pool.acquire() as db:
        for topic in (1, 2):
            table = await table_in(db, topic)
            await screens.put(db, table, "lobby", CLUB, BEGIN, thread_id=topic)
            [screen] = await screens.stale(db, BEGIN)
            assert await screens.painted(db, screen, topic, "digest", BEGIN)
        await screens.touch(db, table, "lobby", after(1))
        assert await screens.repaint(db, CLUB, 1, after(2))
        assert [screen.thread_id for screen in await screens.stale(db, after(3))] == [2]


async def test_no_hand_can_be_put_into_another_chat_than_its_player_s(pool: Pool) -> None:
    async with pool.acquire() as db:
        table = await table_in(db)
        await hand_of(db, table, 1, BEGIN, NOW)
        with pytest.raises(asyncpg.CheckViolationError, match="hands_stay_private"):
            await db.execute("UPDATE screens SET chat_id = $1", CLUB)
        with pytest.raises(ValueError, match="only a group"):
            await chats.move(db, 1, CLUB)


async def test_what_was_to_be_removed_from_a_group_that_moves_is_left_there(pool: Pool) -> None:
    """Messages of a supergroup are counted from 1 again: the number means another message."""
    async with pool.acquire() as db:
        await table_in(db)
        await notices.remove(db, CLUB, 123, BEGIN)
        await chats.move(db, CLUB, -200)
        assert await db.fetchval("SELECT count(*) FROM notices") == 0


async def test_a_screen_that_is_put_into_another_chat_is_a_new_message_there(pool: Pool) -> None:
    async with pool.acquire() as db:
        table = await table_in(db)
        await screens.put(db, table, "lobby", CLUB, BEGIN)
        await db.execute("UPDATE screens SET message_id = 7")
        await screens.put(db, table, "lobby", CLUB, BEGIN)
        assert await db.fetchval("SELECT message_id FROM screens") == 7
        await screens.put(db, table, "lobby", -200, BEGIN)
        found = await db.fetch("SELECT chat_id, message_id FROM screens")
        assert [tuple(row) for row in found] == [(-200, None)]


async def test_a_screen_may_fail_for_as_long_as_it_takes(pool: Pool) -> None:
    async with pool.acquire() as db:
        table = await table_in(db)
        await screens.put(db, table, "lobby", CLUB, BEGIN)
        await db.execute("UPDATE screens SET failures = 32767")
        await screens.failed(db, int(await db.fetchval("SELECT id FROM screens")), after(1))
        assert await screens.stale(db, BEGIN) == []
        assert len(await screens.stale(db, after(1))) == 1
