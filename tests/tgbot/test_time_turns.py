"""The clock of whom the table waits for: deadlines, reserves, molodka offers, reminders, races."""

import asyncio
import random
from datetime import timedelta

import pytest

from core.cards import card_name
from core.deal import holders, play, start
from core.errors import TableError
from core.moves import Move, Verb
from core.pace import ZERO, Budget
from core.record import final
from core.shuffle import shuffle
from core.state import Phase
from db import tables
from tests.tgbot.hall import BEGIN, DAY, FOUR, HOUR, MINUTE, SECOND, Hall
from tgbot.services import habits, lobby
from tgbot.services import play as door


async def test_without_limit_the_table_waits(hall: Hall) -> None:
    table_id = await hall.open()
    await hall.wait(29 * DAY)
    assert await hall.moves(table_id) == []
    assert (await hall.table(table_id)).turn is None
    assert await hall.reminders() == []


async def test_by_day_a_turn_has_its_day_and_then_the_reserve(hall: Hall) -> None:
    table_id = await hall.open("day")
    seat = await hall.turn(table_id)
    await hall.wait(25 * HOUR)
    assert await hall.moves(table_id) == []
    await hall.wait(24 * HOUR)  # 49 hours
    assert await hall.moves(table_id) == [(seat, "clock")]
    assert await hall.said() == ["time_up"]
    assert (await hall.table(table_id)).tenures[seat].reserve_used == 24 * HOUR


async def test_what_a_turn_takes_beyond_its_time_is_missing_until_the_next_deal(hall: Hall) -> None:
    table_id = await hall.open("day")
    seat = await hall.turn(table_id)
    await hall.wait(30 * HOUR)
    await hall.move(table_id)
    assert (await hall.table(table_id)).tenures[seat].reserve_used == 6 * HOUR
    while (await hall.turn(table_id)) != seat:
        await hall.move(table_id)
    table = await hall.table(table_id)
    assert table.turn is not None
    assert table.turn.budget == Budget(24 * HOUR, 18 * HOUR)
    assert table.act_at == hall.now + 42 * HOUR
    assert table.deal is not None
    first = table.deal.id
    while (table := await hall.table(table_id)).deal is not None and table.deal.id == first:
        await hall.move(table_id)
    assert [tenure.reserve_used for tenure in table.tenures] == [ZERO] * 4


async def test_a_move_in_time_charges_nothing(hall: Hall) -> None:
    table_id = await hall.open("table")
    seat = await hall.turn(table_id)
    await hall.wait(60 * SECOND)
    await hall.move(table_id)
    assert (await hall.table(table_id)).tenures[seat].reserve_used == ZERO


async def test_a_press_may_come_late_as_long_as_the_house_has_not_moved(hall: Hall) -> None:
    table_id = await hall.open("table")
    seat = await hall.turn(table_id)
    hall.now += 10 * MINUTE  # the clock is late, too
    await hall.move(table_id)
    assert await hall.moves(table_id) == [(seat, "person")]


async def test_a_press_and_the_clock_at_the_same_instant_make_one_move(hall: Hall) -> None:
    """Twenty tables; at each a press from one second before the deadline meets the clock's alarm."""
    people = [tuple(range(base, base + 4)) for base in range(1000, 1080, 4)]
    opened = [await hall.open("table", four) for four in people]
    begun = [await hall.table(table_id) for table_id in opened]
    at = hall.now + 120 * SECOND

    async def press(index: int) -> str:
        table = begun[index]
        assert table.deal is not None
        state = final(table.deal.record)
        assert state.turn is not None
        who = table.seats[state.turn]
        assert who is not None
        assert who.person is not None
        card = 1
        try:
            async with hall.act() as db:
                moment = hall.moment
                moment = type(moment)(at - SECOND, moment.rng)
                await door.press(db, table.id, table.deal.id, 0, who.person, "lead", card, moment)
        except TableError as error:
            return error.code
        return "played"

    async def alarm(index: int) -> bool:
        async with hall.act() as db:
            assert await tables.lock(db, opened[index]) is not None
            return await door.house_acts(db, opened[index], type(hall.moment)(at, random.Random(index)))

    pairs = [work for index in range(20) for work in (press(index), alarm(index))]
    hall.rng.shuffle(pairs)
    await asyncio.gather(*pairs)
    for table_id in opened:
        moves = await hall.moves(table_id)
        assert len(moves) == 1
        assert moves[0][1] in ("person", "clock")


async def test_an_alarm_that_comes_twice_acts_once(hall: Hall) -> None:
    table_id = await hall.open("table")
    hall.now += 120 * SECOND

    async def alarm() -> bool:
        async with hall.act() as db:
            await tables.lock(db, table_id)
            return await door.house_acts(db, table_id, hall.moment)

    assert sorted(await asyncio.gather(*(alarm() for _ in range(8)))) == [False] * 7 + [True]


async def test_quiet_hours_stop_the_clock_by_day_and_only_there(hall: Hall) -> None:
    await hall.meet(*FOUR)
    async with hall.act() as db:
        for person in FOUR:
            await habits.set_zone(db, person, "Europe/Berlin", hall.moment)
            await habits.set_quiet(db, person, 22, 8, hall.moment)
    by_day = await hall.open("day")
    relaxed = await hall.open("relaxed")
    assert (await hall.table(by_day)).act_at == BEGIN + 3 * DAY + 6 * HOUR  # 48 h of 14 h a day, from 13:00
    assert (await hall.table(relaxed)).act_at == BEGIN + 20 * MINUTE


@pytest.mark.parametrize(("begin", "night"), [("2026-03-28T20:00+00:00", 9), ("2026-10-24T19:00+00:00", 11)])
async def test_in_a_night_with_a_change_of_clocks(hall: Hall, begin: str, night: int) -> None:
    """From 21:00 in Berlin: an hour runs, then the clock stands still for the whole night, however long it is."""
    hall.now = BEGIN.fromisoformat(begin)
    await hall.meet(*FOUR)
    async with hall.act() as db:
        for person in FOUR:
            await habits.set_zone(db, person, "Europe/Berlin", hall.moment)
            await habits.set_quiet(db, person, 22, 8, hall.moment)
    table_id = await hall.open("day")
    seat = await hall.turn(table_id)
    hall.now += timedelta(hours=1 + night + 2)
    await hall.move(table_id)
    assert (await hall.table(table_id)).tenures[seat].reserve_used == ZERO
    hall.now = BEGIN.fromisoformat(begin)
    other = await hall.open("day", range(21, 25))
    assert (await hall.table(other)).quiet_of(0) is None


async def test_new_quiet_hours_leave_a_running_turn_what_was_left(hall: Hall) -> None:
    table_id = await hall.open("day")
    person = await hall.person(table_id, await hall.turn(table_id))
    await hall.wait(3 * HOUR)
    async with hall.act() as db:
        await habits.set_zone(db, person, "UTC", hall.moment)
        await habits.set_quiet(db, person, 20, 8, hall.moment)
    table = await hall.table(table_id)
    assert table.turn is not None
    assert table.turn.budget == Budget(21 * HOUR, 24 * HOUR)
    assert table.act_at == BEGIN + 3 * HOUR + 45 * HOUR + 4 * 12 * HOUR
    async with hall.act() as db:
        with pytest.raises(TableError) as refusal:
            await habits.set_quiet(db, person, 8, 22, hall.moment)
        assert refusal.value.code == "too_quiet"


async def test_reminders_by_day_at_half_time_and_an_hour_before_the_end(hall: Hall) -> None:
    table_id = await hall.open("day")
    person = await hall.person(table_id, await hall.turn(table_id))
    assert await hall.reminders() == [(person, 12 * HOUR), (person, 47 * HOUR)]
    await hall.wait(HOUR)
    await hall.move(table_id)
    following = await hall.person(table_id, await hall.turn(table_id))
    assert {who for who, _ in await hall.reminders()} == {following}


async def test_relaxed_reminds_two_minutes_before_the_end_and_at_the_table_nobody_is(hall: Hall) -> None:
    await hall.open("table")
    assert await hall.reminders() == []
    relaxed = await hall.open("relaxed")
    person = await hall.person(relaxed, await hall.turn(relaxed))
    assert await hall.reminders() == [(person, 18 * MINUTE)]


async def test_who_wants_no_reminders_gets_none(hall: Hall) -> None:
    table_id = await hall.open("day")
    person = await hall.person(table_id, await hall.turn(table_id))
    async with hall.act() as db:
        await habits.set_reminders(db, person, False)
    assert await hall.reminders() == []
    while True:
        await hall.move(table_id)
        if await hall.person(table_id, await hall.turn(table_id)) == person:
            break
    assert await hall.reminders() == []


async def offer_at(hall: Hall, pace: str) -> tuple[int, int, int]:
    """(table, declarer, asked): a deal at whose beginning two seats hold a molodka, and one has declared."""
    for seed in range(200_000):
        pack = shuffle(random.Random(seed), 0, 1)
        state = start(pack)
        if len(holders(state)) == 2:
            break
    nearer, farther = sorted(holders(state), key=lambda seat: (seat - 1) % 4)
    asked = play(state, Move(farther, Verb.MOLODKA))
    assert asked.phase is Phase.OFFER
    table_id = await hall.open(pace)
    table = await hall.table(table_id)
    assert table.deal is not None
    await hall.fetch(
        "UPDATE deals SET deck = $2, indicator = $3, dealer = 0, leader = 1 WHERE id = $1",
        table.deal.id,
        " ".join(card_name(card) for card in pack.cards),
        pack.indicator,
    )
    async with hall.act() as db:
        await door.press(
            db,
            table_id,
            table.deal.id,
            0,
            await hall.person(table_id, farther),
            "molodka",
            0,
            hall.moment,
        )
    assert asked.turn == nearer
    return table_id, farther, nearer


async def test_a_silent_molodka_offer_is_declined_after_a_quarter_and_nobody_hears_whose_it_was(
    hall: Hall,
) -> None:
    table_id, declarer, asked = await offer_at(hall, "day")
    table = await hall.table(table_id)
    assert table.turn is not None
    assert (table.turn.seat, table.turn.budget) == (asked, Budget(6 * HOUR))
    await hall.wait(6 * HOUR)
    state = await hall.state(table_id)
    assert state.phase is Phase.REPLY
    assert state.leader == declarer
    assert (await hall.moves(table_id))[1] == (asked, "clock")
    assert await hall.said() == []
    assert (await hall.table(table_id)).tenures[asked].missed == 0


async def test_a_lobby_expires_after_a_day(hall: Hall) -> None:
    table_id = await hall.open("day", FOUR[:2], start=False)
    await hall.wait(25 * HOUR)
    assert (await hall.table(table_id)).closed_because == "expired"


async def test_a_computer_player_takes_one_to_three_seconds_for_any_move(hall: Hall) -> None:
    table_id = await hall.open("table", FOUR[:1])
    pauses = []
    for _ in range(60):
        table = await hall.table(table_id)
        if table.state != "playing":
            break
        if table.turn is not None:
            await hall.move(table_id)
            continue
        assert table.act_at is not None
        pauses.append(table.act_at - hall.now)
        await hall.until(table.act_at)
    assert len(pauses) > 20
    assert all(SECOND <= pause <= 3 * SECOND for pause in pauses)


async def test_only_who_sets_a_table_up_chooses_its_pace(hall: Hall) -> None:
    table_id = await hall.open("none", FOUR[:1], start=False)
    await hall.meet(99)
    async with hall.act() as db:
        with pytest.raises(TableError) as stranger:
            await lobby.set_pace(db, table_id, 99, "day", hall.moment)
        assert stranger.value.code == "not_seated"
        with pytest.raises(TableError) as unknown:
            await lobby.set_pace(db, table_id, FOUR[0], "hasty", hall.moment)
        assert unknown.value.code == "no_such_rule"
