"""Somebody is always asleep, in a tunnel or gone: the table goes on, and everybody may come back to his seat."""

from collections.abc import Awaitable, Callable
from datetime import timedelta

import pytest

from core.errors import TableError
from core.pace import ZERO, Budget
from db import proposals, tables
from db.connection import Connection
from db.tables import Table
from tests.tgbot.hall import DAY, FOUR, HOUR, MINUTE, SECOND, Hall
from tgbot.services import absence, agreements, moving, pausing, play
from tgbot.services.deals import end_series


async def refusal(hall: Hall, act: Callable[[Connection], Awaitable[object]]) -> str:
    with pytest.raises(TableError) as refused:
        async with hall.act() as db:
            await act(db)
    return refused.value.code


async def everybody_else_plays(hall: Hall, table_id: int, absent: set[int], *, until: int) -> None:
    """All but the seats `absent` move within seconds, until one of the absent has missed so many turns in a row."""
    while True:
        table = await hall.table(table_id)
        if max(table.tenures[seat].missed for seat in absent) >= until:
            return
        if table.turn is not None and table.turn.seat not in absent:
            hall.now += 5 * SECOND
            await hall.move(table_id)
        else:
            assert table.act_at is not None
            await hall.until(table.act_at)


async def absentee(hall: Hall, pace: str = "day", people: tuple[int, ...] = FOUR) -> tuple[int, int]:
    """(table, seat): the one who was to lead has missed two turns and is on autopilot."""
    table_id = await hall.open(pace, people)
    seat = await hall.until_a_person_is_to_act(table_id)
    await everybody_else_plays(hall, table_id, {seat}, until=2)
    return table_id, seat


async def test_after_two_missed_turns_the_seat_plays_by_itself_with_a_short_pause(hall: Hall) -> None:
    table_id, seat = await absentee(hall)
    assert (await hall.table(table_id)).away == (seat,)
    assert await hall.said() == ["time_up", "away"]
    by_clock = 0
    while by_clock < 4:
        table = await hall.table(table_id)
        if table.turn is not None:
            assert table.turn.seat != seat
            await hall.move(table_id)
            continue
        assert table.act_at is not None
        assert SECOND <= table.act_at - hall.now <= 3 * SECOND
        await hall.until(table.act_at)
        by_clock += 1
    made = [made_by for who, made_by in await hall.moves(table_id) if who == seat]
    assert made == ["clock"] * len(made)
    assert await hall.said() == ["time_up", "away"]


async def test_a_move_between_two_missed_turns_begins_the_count_anew(hall: Hall) -> None:
    table_id = await hall.open("table")
    seat = await hall.turn(table_id)
    await everybody_else_plays(hall, table_id, {seat}, until=1)
    while await hall.turn(table_id) != seat:
        await hall.move(table_id)
    await hall.move(table_id)
    assert (await hall.table(table_id)).tenures[seat].missed == 0
    await everybody_else_plays(hall, table_id, {seat}, until=1)
    assert (await hall.table(table_id)).away == ()


async def test_back_gives_the_seat_back_and_changes_no_other_clock(hall: Hall) -> None:
    table_id, seat = await absentee(hall)
    other = await hall.until_a_person_is_to_act(table_id)
    assert other != seat
    hall.now += 3 * HOUR
    before = await hall.table(table_id)
    async with hall.act() as db:
        await absence.back(db, table_id, await hall.person(table_id, seat), hall.moment)
    after = await hall.table(table_id)
    assert after.away == ()
    assert (after.act_at, after.turn) == (before.act_at, before.turn)
    while await hall.turn(table_id) != seat:
        await hall.move(table_id)
    table = await hall.table(table_id)
    assert table.turn is not None
    assert table.turn.seat == seat
    assert table.turn.budget.move == 24 * HOUR


async def test_who_comes_back_while_the_house_thinks_for_him_gets_that_very_turn(hall: Hall) -> None:
    table_id, seat = await absentee(hall)
    while (await hall.turn(table_id)) != seat:
        await hall.move(table_id)
    assert (await hall.table(table_id)).turn is None
    async with hall.act() as db:
        await absence.back(db, table_id, await hall.person(table_id, seat), hall.moment)
    table = await hall.table(table_id)
    assert table.turn is not None
    assert table.turn.seat == seat
    await hall.wait(HOUR)
    assert (await hall.turn(table_id)) == seat
    code = await refusal(hall, lambda db: absence.back(db, table_id, FOUR[seat], hall.moment))
    assert code == "not_away"


async def test_two_absentees_do_not_multiply_the_delay(hall: Hall) -> None:
    table_id = await hall.open("day")
    begun = hall.now
    absent = {0, 1}
    while len((await hall.table(table_id)).away) < 2:
        table = await hall.table(table_id)
        if table.turn is not None and table.turn.seat not in absent:
            await hall.move(table_id)
        else:
            assert table.act_at is not None
            await hall.until(table.act_at)
    # Each has kept the others waiting for two turns and one reserve a deal, no more.
    assert hall.now - begun <= 2 * (2 * 24 * HOUR + 2 * 24 * HOUR)
    gone = hall.now
    for _ in range(40):
        table = await hall.table(table_id)
        if table.turn is not None:
            await hall.move(table_id)
        else:
            assert table.act_at is not None
            await hall.until(table.act_at)
    assert hall.now - gone < 3 * MINUTE


async def test_without_anybody_present_the_deal_is_played_out_and_the_next_one_waits(hall: Hall) -> None:
    table_id, seat = await absentee(hall, "table", FOUR[:1])
    table = await hall.table(table_id)
    assert table.series is not None
    deals = table.series.state.deals
    await hall.wait(2 * DAY)
    table = await hall.table(table_id)
    assert table.asleep_at is not None
    assert table.series is not None
    assert table.series.state.deals == deals + 1
    assert (await hall.state(table_id)).ply == 0
    assert (await hall.said())[-1] == "asleep"
    async with hall.act() as db:
        await absence.wake(db, table_id, FOUR[0], hall.moment)
    table = await hall.table(table_id)
    assert (table.asleep_at, table.away) == (None, ())
    assert await hall.until_a_person_is_to_act(table_id) == seat


async def test_a_table_without_limit_sleeps_after_thirty_days_and_one_press_wakes_it(hall: Hall) -> None:
    table_id = await hall.open()
    await hall.wait(10 * DAY)
    await hall.move(table_id)
    await hall.wait(30 * DAY - SECOND)
    assert (await hall.table(table_id)).asleep_at is None
    await hall.wait(SECOND)
    assert (await hall.table(table_id)).asleep_at == hall.now
    assert await hall.said() == ["asleep"]
    await hall.wait(100 * DAY)
    async with hall.act() as db:
        await absence.wake(db, table_id, FOUR[3], hall.moment)
    table = await hall.table(table_id)
    assert table.state == "playing"
    assert table.asleep_at is None
    assert table.act_at == hall.now + 30 * DAY
    assert await refusal(hall, lambda db: absence.wake(db, table_id, FOUR[3], hall.moment)) == "not_asleep"


async def test_a_move_wakes_a_sleeping_table_too(hall: Hall) -> None:
    table_id = await hall.open()
    await hall.wait(31 * DAY)
    await hall.move(table_id)
    assert (await hall.table(table_id)).asleep_at is None


async def pause(hall: Hall, table_id: int) -> None:
    """One proposes, one of the other team agrees."""
    async with hall.act() as db:
        await agreements.propose(db, table_id, FOUR[0], None, "pause", hall.moment)
        asked = await proposals.running(db, table_id, "pause")
    assert asked is not None
    assert (await hall.table(table_id)).paused_at is None
    async with hall.act() as db:
        await agreements.vote(db, asked.id, FOUR[1], None, True, hall.moment)


async def test_a_pause_gives_back_exactly_what_was_left(hall: Hall) -> None:
    table_id = await hall.open("day")
    seat = await hall.turn(table_id)
    await hall.wait(timedelta(hours=30, minutes=17, seconds=3, microseconds=141_592))
    left = timedelta(hours=48) - timedelta(hours=30, minutes=17, seconds=3, microseconds=141_592)
    await pause(hall, table_id)
    assert await hall.reminders() == []
    await hall.wait(5 * DAY)
    assert await hall.moves(table_id) == []
    assert await refusal(hall, lambda db: press_anything(db, hall, table_id)) == "paused"
    async with hall.act() as db:
        await pausing.resume(db, table_id, FOUR[2], hall.moment)
    table = await hall.table(table_id)
    assert table.turn is not None
    assert table.turn.seat == seat
    assert table.turn.budget == Budget(ZERO, left)
    assert table.act_at == hall.now + left
    assert [wait for _, wait in await hall.reminders()] == [left - HOUR]  # half time is long past
    await hall.until(table.act_at - SECOND)
    await hall.move(table_id)
    assert (await hall.table(table_id)).tenures[seat].reserve_used == 24 * HOUR - SECOND


async def press_anything(db: Connection, hall: Hall, table_id: int) -> None:
    table = await hall.table(table_id)
    assert table.deal is not None
    person = await hall.person(table_id, await hall.turn(table_id))
    await play.press(db, table_id, table.deal.id, 0, person, "lead", 1, hall.moment)


async def test_one_no_keeps_the_clocks_running(hall: Hall) -> None:
    table_id = await hall.open("day")
    async with hall.act() as db:
        await agreements.propose(db, table_id, FOUR[0], None, "pause", hall.moment)
        asked = await proposals.running(db, table_id, "pause")
        assert asked is not None
        await agreements.vote(db, asked.id, FOUR[2], None, False, hall.moment)
    assert (await hall.table(table_id)).paused_at is None
    code = await refusal(hall, lambda db: agreements.vote(db, asked.id, FOUR[1], None, True, hall.moment))
    assert code == "old_buttons"


async def test_a_team_of_computers_goes_along_with_a_pause(hall: Hall) -> None:
    table_id = await hall.open("relaxed", FOUR[:1])
    async with hall.act() as db:
        await agreements.propose(db, table_id, FOUR[0], None, "pause", hall.moment)
    assert (await hall.table(table_id)).paused_at == hall.now
    await hall.wait(DAY)
    assert (await hall.table(table_id)).paused_at is not None
    async with hall.act() as db:
        await pausing.resume(db, table_id, FOUR[0], hall.moment)
    await hall.until_a_person_is_to_act(table_id)


async def test_travelling_is_a_day_of_pause_once_a_week(hall: Hall) -> None:
    table_id = await hall.open("day")
    await hall.wait(10 * HOUR)

    async def travel(db: Connection) -> None:
        await pausing.travel(db, table_id, FOUR[1], hall.moment)

    async with hall.act() as db:
        await travel(db)
    assert await refusal(hall, travel) == "travelled_lately"
    await hall.wait(DAY - SECOND)
    assert (await hall.table(table_id)).paused_at is not None
    await hall.wait(SECOND)
    table = await hall.table(table_id)
    assert table.paused_at is None
    assert table.act_at == hall.now + 38 * HOUR
    assert await refusal(hall, travel) == "travelled_lately"
    hall.now += 6 * DAY
    async with hall.act() as db:
        await travel(db)
    assert (await hall.table(table_id)).pause_until == hall.now + DAY


async def test_travelling_is_for_games_by_day(hall: Hall) -> None:
    table_id = await hall.open("relaxed")
    assert await refusal(hall, lambda db: pausing.travel(db, table_id, FOUR[0], hall.moment)) == "only_by_day"


async def test_another_pace_by_agreement(hall: Hall) -> None:
    table_id = await hall.open("day")
    await hall.wait(20 * HOUR)
    async with hall.act() as db:
        await agreements.propose(db, table_id, FOUR[0], None, "pace", hall.moment, {"pace": "relaxed"})
        asked = await proposals.running(db, table_id, "pace")
        assert asked is not None
        await agreements.vote(db, asked.id, FOUR[3], None, True, hall.moment)
    table = await hall.table(table_id)
    assert table.pace.name == "relaxed"
    assert table.act_at == hall.now + 20 * MINUTE
    assert (
        await refusal(
            hall,
            lambda db: agreements.propose(
                db, table_id, FOUR[0], None, "pace", hall.moment, {"pace": "relaxed"}
            ),
        )
        == "no_such_rule"
    )


async def test_who_leaves_is_replaced_by_a_computer_until_a_substitute_comes(hall: Hall) -> None:
    table_id = await hall.open("day")
    seat = await hall.turn(table_id)
    gone = await hall.person(table_id, seat)
    await hall.meet(99)
    async with hall.act() as db:
        await absence.leave(db, table_id, gone, hall.moment)
    table = await hall.table(table_id)
    assert table.offered == (seat,)
    assert (await hall.said())[-1] == "seat_free"
    final_hands = await hall.fetch("SELECT player_id, final FROM screens WHERE kind = 'hand' AND final")
    assert [row["player_id"] for row in final_hands] == [gone]
    await hall.until_a_person_is_to_act(table_id)
    assert (await hall.moves(table_id))[0] == (seat, "computer")
    before = await hall.table(table_id)
    async with hall.act() as db:
        await absence.take_over(db, table_id, seat, 99, hall.moment)
    table = await hall.table(table_id)
    assert table.offered == ()
    assert (table.act_at, table.turn) == (before.act_at, before.turn)
    assert await hall.person(table_id, seat) == 99
    rings = await hall.fetch("SELECT ring, shown FROM screens WHERE kind = 'hand' AND player_id = 99")
    assert rings[0]["ring"] > rings[0]["shown"]
    while (await hall.turn(table_id)) != seat:
        await hall.move(table_id)
    await hall.move(table_id, 99)
    # Seat, tenure and person are separate: the history says who played which moves.
    tenures = await hall.fetch(
        "SELECT player_id, computer FROM seats WHERE table_id = $1 AND seat = $2 ORDER BY id", table_id, seat
    )
    assert [tuple(row) for row in tenures] == [(gone, None), (None, "steady"), (99, None)]
    played = await hall.fetch("SELECT made_by, player_id FROM moves WHERE seat = $1 ORDER BY ply", seat)
    assert [tuple(row) for row in played] == [("computer", None), ("person", 99)]
    assert await refusal(hall, lambda db: absence.at_table(db, table_id, gone)) == "not_your_table"
    assert (
        await refusal(hall, lambda db: absence.take_over(db, table_id, seat, gone, hall.moment))
        == "seat_taken"
    )


async def test_a_seat_may_be_taken_by_one_only_and_by_nobody_who_sits_there(hall: Hall) -> None:
    table_id = await hall.open("day")
    await hall.meet(99)
    async with hall.act() as db:
        await absence.leave(db, table_id, FOUR[2], hall.moment)
    code = await refusal(hall, lambda db: absence.take_over(db, table_id, 2, FOUR[0], hall.moment))
    assert code == "already_seated"
    code = await refusal(hall, lambda db: absence.take_over(db, table_id, 1, 99, hall.moment))
    assert code == "seat_taken"


async def test_when_the_last_person_leaves_the_series_is_stopped(hall: Hall) -> None:
    table_id = await hall.open("day", FOUR[:1])
    async with hall.act() as db:
        await absence.leave(db, table_id, FOUR[0], hall.moment)
    assert (await hall.table(table_id)).state == "between"


async def replacement(hall: Hall, table_id: int, seat: int) -> int:
    """Somebody of the other team proposes it; returns the proposal."""
    async with hall.act() as db:
        asker = next(person for index, person in enumerate(FOUR) if index % 2 != seat % 2)
        await agreements.propose(db, table_id, asker, None, "replace", hall.moment, {"seat": seat})
        asked = await proposals.running(db, table_id, "replace")
    assert asked is not None
    return asked.id


async def others_wait(hall: Hall, table_id: int, time: timedelta) -> None:
    """Nobody is to act for a while: the others have agreed on a pause."""
    await pausing_for(hall, await hall.table(table_id), time)


async def pausing_for(hall: Hall, table: Table, time: timedelta) -> None:
    async with hall.act() as db:
        await pausing.pause(db, table, hall.moment)
    hall.now += time
    async with hall.act() as db:
        person = next(who for index, who in enumerate(FOUR) if index in table.present)
        await pausing.resume(db, table.id, person, hall.moment)


async def test_who_was_away_for_a_day_is_replaced_when_his_partner_and_an_opponent_agree(hall: Hall) -> None:
    table_id, seat = await absentee(hall)
    wish = {"seat": seat}
    asker = FOUR[(seat + 1) % 4]

    async def propose(db: Connection) -> None:
        await agreements.propose(db, table_id, asker, None, "replace", hall.moment, wish)

    await others_wait(hall, table_id, 23 * HOUR)
    assert await refusal(hall, propose) == "not_away_long_enough"
    await others_wait(hall, table_id, HOUR)
    proposal = await replacement(hall, table_id, seat)
    async with hall.act() as db:
        await agreements.vote(db, proposal, FOUR[(seat + 3) % 4], None, True, hall.moment)
    assert (await hall.table(table_id)).offered == ()  # two opponents are not enough
    async with hall.act() as db:
        await agreements.vote(db, proposal, FOUR[(seat + 2) % 4], None, True, hall.moment)
    table = await hall.table(table_id)
    assert table.offered == (seat,)
    assert table.away == ()


async def test_admins_of_the_chat_have_no_say_in_who_is_replaced(hall: Hall) -> None:
    table_id, seat = await absentee(hall)
    await others_wait(hall, table_id, DAY)
    proposal = await replacement(hall, table_id, seat)
    chat = (await hall.table(table_id)).chat_id
    opponents = [person for index, person in enumerate(FOUR) if index % 2 != seat % 2]
    for opponent in opponents:
        async with hall.act() as db:
            await agreements.vote(db, proposal, opponent, chat, True, hall.moment)
    assert (await hall.table(table_id)).offered == ()
    assert (
        await refusal(hall, lambda db: agreements.vote(db, proposal, 99, chat, True, hall.moment))
        == "not_your_table"
    )


async def test_coming_back_settles_the_question_of_a_replacement(hall: Hall) -> None:
    table_id, seat = await absentee(hall, "relaxed")
    await others_wait(hall, table_id, HOUR)
    proposal = await replacement(hall, table_id, seat)
    async with hall.act() as db:
        await absence.back(db, table_id, FOUR[seat], hall.moment)
    async with hall.act() as db:
        asked = await proposals.get(db, proposal)
    assert asked is not None
    assert asked.accepted is False
    assert await hall.person(table_id, seat) == FOUR[seat]


async def test_a_seat_whose_computer_was_chosen_for_the_next_series_is_offered_to_nobody(hall: Hall) -> None:
    table_id = await hall.open("none", people=(11, 12))
    async with hall.act() as db:
        await absence.leave(db, table_id, 12, hall.moment)
    table = await hall.table(table_id)
    assert table.offered
    assert table.series is not None
    async with hall.act() as db:
        locked = await tables.lock(db, table_id)
        assert locked is not None
        await end_series(db, locked, "stopped", hall.moment)
    async with hall.act() as db:
        await play.change_seats(db, table_id, table.series.id, 11, hall.moment)
    assert not (await hall.table(table_id)).offered


async def test_a_table_that_cannot_be_read_keeps_no_group_from_moving(hall: Hall) -> None:
    old, new = [await hall.open("table", people=people) for people in (FOUR, (21, 22, 23, 24))]
    old_chat, new_chat = [(await hall.table(table_id)).chat_id for table_id in (old, new)]
    await hall.pool.execute(
        "UPDATE deals SET deck = 'nonsense' WHERE series_id = (SELECT id FROM series WHERE table_id = $1)",
        new,
    )
    async with hall.act() as db:
        await moving.move(db, old_chat, new_chat, hall.moment)
    assert (await hall.table(old)).chat_id == new_chat
    (left,) = await hall.fetch(
        "SELECT state, turn_seat, act_at, ended_at IS NULL AS running FROM tables JOIN series ON table_id = tables.id "
        f"WHERE tables.id = {new}"
    )
    assert tuple(left.values()) == ("closed", None, None, False)
