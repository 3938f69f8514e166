"""Nobody's clock runs while the house is away, ended or suspended."""

import asyncio
from collections.abc import Callable
from datetime import datetime, timedelta

import pytest

from db import heartbeat
from tests.tgbot.hall import FOUR, HOUR, MINUTE, SECOND, Hall
from tgbot.clock import Clock
from tgbot.foresight import Foresight
from tgbot.services import downtime, habits
from tgbot.thinker import Thinker


@pytest.mark.parametrize(
    ("pace", "used", "away", "left"),
    [
        ("day", 20 * HOUR, 10 * HOUR, 28 * HOUR),  # 48 less the 20 that ran while the bot was there
        ("day", 47 * HOUR, 5 * HOUR, HOUR),  # his time would have run out only because the bot was away
        ("table", 30 * SECOND, HOUR, 90 * SECOND),  # never more than the pace allows, however long it was
        ("relaxed", 15 * MINUTE, 12 * MINUTE, 5 * MINUTE),
    ],
)
async def test_downtime_is_given_back(
    hall: Hall, pace: str, used: timedelta, away: timedelta, left: timedelta
) -> None:
    table_id = await hall.open(pace)
    seat = await hall.turn(table_id)
    hall.now += used
    async with hall.act() as db:
        await heartbeat.beat(db, hall.now)
    hall.now += away
    # Two processes at the same time give nothing twice.
    await asyncio.gather(*(downtime.make_up(hall.pool, hall.moment) for _ in range(2)))
    assert await downtime.make_up(hall.pool, hall.moment) == 0
    table = await hall.table(table_id)
    assert table.turn is not None
    assert table.turn.seat == seat
    assert table.act_at == hall.now + left
    await hall.until(table.act_at - SECOND)
    assert await hall.moves(table_id) == []


async def test_a_turn_that_began_just_before_the_end_has_all_of_its_time(hall: Hall) -> None:
    async with hall.act() as db:
        await heartbeat.beat(db, hall.now)
    hall.now += 3 * SECOND
    table_id = await hall.open("table")
    hall.now += HOUR
    assert await downtime.make_up(hall.pool, hall.moment) == 1
    assert (await hall.table(table_id)).act_at == hall.now + 120 * SECOND


async def test_a_table_with_quiet_hours_loses_nothing_in_a_downtime_at_night(hall: Hall) -> None:
    await hall.meet(*FOUR)
    async with hall.act() as db:
        for person in FOUR:
            await habits.set_zone(db, person, "UTC", hall.moment)
            await habits.set_quiet(db, person, 22, 8, hall.moment)
    table_id = await hall.open("day")
    due = (await hall.table(table_id)).act_at
    hall.now += 11 * HOUR  # 23:00
    async with hall.act() as db:
        await heartbeat.beat(db, hall.now)
    hall.now += 8 * HOUR
    await downtime.make_up(hall.pool, hall.moment)
    assert (await hall.table(table_id)).act_at == due


async def test_a_short_gap_is_no_downtime(hall: Hall) -> None:
    table_id = await hall.open("table")
    due = (await hall.table(table_id)).act_at
    async with hall.act() as db:
        await heartbeat.beat(db, hall.now)
    hall.now += 10 * SECOND
    assert await downtime.make_up(hall.pool, hall.moment) == 0
    assert (await hall.table(table_id)).act_at == due


def clock_of(hall: Hall, wall: Callable[[], datetime]) -> Clock:
    """Nobody at these tables thinks for long."""
    sight = Foresight(hall.pool, Thinker(), lambda: hall.now, asyncio.Event())
    return Clock(hall.pool, lambda: hall.now, hall.rng, asyncio.Event(), asyncio.Event(), sight, wall)


async def test_who_is_to_move_loses_nothing_while_the_machine_is_suspended(hall: Hall) -> None:
    table_id = await hall.open("table")
    clock = clock_of(hall, wall=lambda: hall.now)
    await clock.tick()
    due = (await hall.table(table_id)).act_at
    assert due is not None
    hall.now += HOUR
    await clock.tick()
    assert await hall.moves(table_id) == []
    assert (await hall.table(table_id)).act_at == due + HOUR


async def test_time_that_is_moved_on_in_a_try_out_is_not_given_back(hall: Hall) -> None:
    table_id = await hall.open("table")
    begin = hall.now
    clock = clock_of(hall, wall=lambda: begin)
    await clock.tick()
    hall.now += HOUR
    await clock.tick()
    assert await hall.moves(table_id) != []


async def test_a_broken_table_keeps_no_other_from_its_time_nor_from_its_moves(hall: Hall) -> None:
    broken, sound = [await hall.open("table", people=people) for people in (FOUR, (21, 22, 23, 24))]
    await hall.pool.execute(
        "UPDATE deals SET deck = 'nonsense' WHERE series_id = (SELECT id FROM series WHERE table_id = $1)",
        broken,
    )
    async with hall.act() as db:
        await heartbeat.beat(db, hall.now)
    hall.now += HOUR
    assert await downtime.make_up(hall.pool, hall.moment) == 1
    hall.now += HOUR
    clock = clock_of(hall, wall=lambda: hall.now)
    await clock.tick()
    assert await hall.moves(sound) != []
