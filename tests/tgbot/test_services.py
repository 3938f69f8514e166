"""The transaction scripts on a real database, without Telegram."""

import random
from datetime import UTC, datetime, timedelta

import pytest

from core.deal import legal_moves
from core.errors import IllegalMove, TableError
from core.record import final
from core.state import Deal
from core.table import people, seat_of
from db import chats, deals, players, screens, tables
from db.connection import Connection
from db.pool import Pool
from db.tables import Table
from tgbot.services import lobby, play
from tgbot.services.deals import house_move
from tgbot.services.moment import Moment

CHAT = -100
FOUR = (11, 12, 13, 14)
BEGIN = datetime(2026, 11, 30, 12, tzinfo=UTC)


def moment(seconds: float = 0, seed: int = 1) -> Moment:
    return Moment(BEGIN + timedelta(seconds=seconds), random.Random(seed))


async def meet(db: Connection, *ids: int) -> None:
    await chats.meet(db, chats.Chat(CHAT, "group", "Goat club"), "en")
    for number in ids:
        await players.meet(db, players.Person(number, f"Player {number}"), BEGIN)
        await players.set_reachable(db, number, True)


async def four_at_a_table(db: Connection, seed: int = 1) -> int:
    await meet(db, *FOUR)
    table_id = await lobby.open_table(db, CHAT, None, FOUR[0], moment(seed=seed))
    for index, number in enumerate(FOUR):
        await lobby.take_seat(db, table_id, number, index % 2, moment(seed=seed))
    await lobby.start(db, table_id, FOUR[0], moment(seed=seed))
    return table_id


async def table_of(db: Connection, table_id: int) -> Table:
    table = await tables.read(db, table_id)
    assert table is not None
    return table


def state_of(table: Table) -> Deal:
    assert table.deal is not None
    return final(table.deal.record)


async def play_on(db: Connection, table_id: int, rng: random.Random, at: Moment) -> None:
    """One random legal move by whoever holds the seat."""
    table = await table_of(db, table_id)
    assert table.deal is not None
    state = state_of(table)
    move = rng.choice(legal_moves(state))
    holder = table.seats[move.seat]
    assert holder is not None
    assert holder.person is not None
    hand = [1 << bit for bit in range(36) if state.hands[move.seat] >> bit & 1]
    mask = sum(1 << index for index, card in enumerate(hand) if card & move.cards)
    await play.press(db, table_id, table.deal.id, state.ply, holder.person, move.verb.value, mask, at)


async def test_four_people_play_a_series_to_the_goats(pool: Pool) -> None:
    async with pool.acquire() as db:
        table_id = await four_at_a_table(db)
        rng = random.Random(7)
        for _ in range(3000):
            if (await table_of(db, table_id)).state != "playing":
                break
            await play_on(db, table_id, rng, moment(seed=rng.randrange(1 << 30)))
        table = await table_of(db, table_id)
        assert table.state == "between"
        assert table.series is not None
        assert table.series.state.over
        finished = await deals.finished(db, table.series.id)
        assert len(finished) == table.series.state.deals
        assert all(sum(deal.points) == 120 for deal in finished)
        totals = tuple(sum(deal.loss[team] for deal in finished) for team in (0, 1))
        assert totals == table.series.state.loss
        for deal in finished:
            record = await deals.record_of(db, deal.id)
            assert record is not None
            assert final(record).points == deal.points


async def test_computers_play_when_their_pause_is_over_and_not_before(pool: Pool) -> None:
    async with pool.acquire() as db:
        await meet(db, FOUR[0])
        table_id = await lobby.open_table(db, CHAT, None, FOUR[0], moment())
        await lobby.start_with_computers(db, table_id, FOUR[0], moment())
        table = await table_of(db, table_id)
        assert people(table.seats) == (FOUR[0],)
        clock = 0.0
        rng = random.Random(3)
        while (table := await table_of(db, table_id)).state == "playing":
            state = state_of(table)
            seat = seat_of(table.seats, FOUR[0])
            if state.turn == seat and house_move(table.seats, state) is None:
                move = rng.choice([move for move in legal_moves(state) if move.seat == seat])
                hand = [1 << bit for bit in range(36) if state.hands[move.seat] >> bit & 1]
                mask = sum(1 << index for index, card in enumerate(hand) if card & move.cards)
                assert table.deal is not None
                await play.press(
                    db, table_id, table.deal.id, state.ply, FOUR[0], move.verb.value, mask, moment(clock)
                )
                continue
            assert table.act_at is not None
            pause = (table.act_at - (BEGIN + timedelta(seconds=clock))).total_seconds()
            assert 1.0 <= pause <= 3.0
            assert not await play.house_acts(db, table_id, moment(clock + pause - 0.01))
            clock += pause
            assert await play.house_acts(db, table_id, moment(clock, seed=rng.randrange(1 << 30)))
            assert not await play.house_acts(db, table_id, moment(clock))
        assert table.state == "between"


async def test_a_ply_is_played_once(pool: Pool) -> None:
    async with pool.acquire() as db:
        table_id = await four_at_a_table(db)
        table = await table_of(db, table_id)
        assert table.deal is not None
        state = state_of(table)
        assert state.turn is not None
        who = table.seats[state.turn]
        assert who is not None
        assert who.person is not None
        await play.press(db, table_id, table.deal.id, 0, who.person, "lead", 1, moment())
        with pytest.raises(TableError) as refusal:
            await play.press(db, table_id, table.deal.id, 0, who.person, "lead", 1, moment())
        assert refusal.value.code == "old_buttons"
        assert len((await table_of(db, table_id)).deal.record.moves) == 1  # type: ignore[union-attr]


async def test_nobody_plays_for_somebody_else(pool: Pool) -> None:
    async with pool.acquire() as db:
        table_id = await four_at_a_table(db)
        table = await table_of(db, table_id)
        assert table.deal is not None
        turn = state_of(table).turn
        assert turn is not None
        next_one = table.seats[(turn + 1) % 4]
        assert next_one is not None
        assert next_one.person is not None
        with pytest.raises(IllegalMove):
            await play.press(db, table_id, table.deal.id, 0, next_one.person, "lead", 1, moment())
        with pytest.raises(TableError) as refusal:
            await play.press(db, table_id, table.deal.id, 0, 999, "lead", 1, moment())
        assert refusal.value.code == "not_your_table"


async def test_a_lobby_that_nobody_starts_is_cleared_away_after_a_day(pool: Pool) -> None:
    async with pool.acquire() as db:
        await meet(db, FOUR[0])
        table_id = await lobby.open_table(db, CHAT, None, FOUR[0], moment())
        assert not await play.house_acts(db, table_id, moment(24 * 3600 - 1))
        assert await play.house_acts(db, table_id, moment(24 * 3600))
        assert (await table_of(db, table_id)).closed_because == "expired"


async def test_one_place_has_one_table_and_each_topic_its_own(pool: Pool) -> None:
    async with pool.acquire() as db:
        await meet(db, FOUR[0])
        first = await lobby.open_table(db, CHAT, None, FOUR[0], moment())
        assert await lobby.open_table(db, CHAT, None, FOUR[0], moment()) == first
        assert await lobby.open_table(db, CHAT, 5, FOUR[0], moment()) != first


async def test_a_turn_marks_the_hand_to_ring_and_the_group_to_be_edited(pool: Pool) -> None:
    async with pool.acquire() as db:
        table_id = await four_at_a_table(db)
        for screen in await screens.stale(db, BEGIN):
            await screens.painted(db, screen, 1000 + screen.id, "x", BEGIN)
        await play_on(db, table_id, random.Random(1), moment(1))
        table = await table_of(db, table_id)
        turn = state_of(table).turn
        assert turn is not None
        who = table.seats[turn]
        assert who is not None
        stale = await screens.stale(db, BEGIN + timedelta(seconds=1))
        ringing = [screen for screen in stale if screen.shown and screen.ring > screen.shown]
        assert [(screen.kind, screen.player_id) for screen in ringing] == [("hand", who.person)]
        assert stale[0] == ringing[0]
        assert "table" in {screen.kind for screen in stale}
