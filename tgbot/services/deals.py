"""What follows from what: a series begins, a deal begins, a deal ends, who is to act and when the house will.

This is the inside of the one door; tgbot.services.play is the door.
"""

import random
from dataclasses import replace
from datetime import timedelta

from core.computer import choose, declares
from core.deal import holders, play
from core.moves import Move, Verb
from core.record import final
from core.series import new_series, score
from core.shuffle import shuffle
from core.state import Deal, Phase, start
from core.table import Occupant, Seats, people, seat_of
from core.view import view
from db import deals, notices, proposals, screens, seats, tables
from db.connection import Connection
from db.tables import RunningSeries, Table
from tgbot.services import turns
from tgbot.services.moment import Moment

THINKING = (1.0, 3.0)
"""Seconds that a computer player takes, the same for free and forced moves, so that timing tells nothing."""

STAND_IN = "steady"
"""The level of the computer player that plays for somebody who is away, or until a substitute comes."""

GLANCE = timedelta(seconds=15)
"""How late the hand of somebody who has nothing to do may follow what the group shows already."""


async def start_series(db: Connection, table: Table, moment: Moment) -> None:
    """The rules are frozen, the first dealer drawn, the first deal dealt."""
    table = replace(table, human_at=moment.now)
    series = new_series(table.rules, moment.rng)
    series_id = await deals.begin_series(db, table.id, series, moment.now)
    await screens.finish(db, table.id, "lobby", moment.now)
    await screens.finish(db, table.id, "series", moment.now)
    for person in people(table.seats):
        await screens.put(db, table.id, "hand", person, moment.now, player_id=person, priority=screens.NOW)
    await deal_cards(db, table, RunningSeries(series_id, 0, series, False), moment)


async def deal_cards(db: Connection, table: Table, series: RunningSeries, moment: Moment) -> None:
    """A new deal of a running series, with a table message of its own."""
    pack = shuffle(moment.rng, series.state.dealer, series.state.leader)
    number = series.state.deals + 1
    deal_id = await deals.begin_deal(db, series.id, number, pack, moment.now)
    await screens.put(
        db, table.id, "table", table.chat_id, moment.now, thread_id=table.thread_id, deal_id=deal_id
    )
    await seats.refill_reserves(db, table.id)
    fresh = [replace(tenure, reserve_used=timedelta()) for tenure in table.tenures]
    table = replace(table, tenures=(fresh[0], fresh[1], fresh[2], fresh[3]))
    await schedule(db, table, start(pack, series.state.rules), moment)


async def schedule(db: Connection, table: Table, state: Deal, moment: Moment) -> None:
    """Whom the table waits for from now on, and when the house acts: for a computer player after its pause, for a
    person when his time is up, for a table at which nobody is left before it deals on."""
    if state.ply == 0 and not table.present:
        await fall_asleep(db, table, moment)
        return
    if house_move(played_by(table), state) is not None:
        act_at = moment.now + timedelta(seconds=moment.rng.uniform(*THINKING))
        await tables.change(db, table, state="playing", act_at=act_at)
        return
    budget = turns.budget_of(table, state)
    if budget is None or state.turn is None:
        act_at = turns.sleeps_at(table, moment.now)
        await tables.change(db, table, state="playing", act_at=act_at)
        return
    table = await turns.run(db, table, state.turn, budget, moment)
    await tables.change(db, table, state="playing", act_at=table.act_at, turn=table.turn)


async def fall_asleep(db: Connection, table: Table, moment: Moment) -> None:
    """Nothing is lost and nothing ends: the table waits until somebody of it comes."""
    table = await turns.end(db, table, moment)
    await tables.change(db, table, state="playing", asleep_at=moment.now)
    await say(db, table, "asleep", moment)
    await screens.touch(db, table.id, "table", moment.now)
    await screens.touch(db, table.id, "hand", moment.now + GLANCE, priority=screens.LATER)


async def say(db: Connection, at: Table, code: str, moment: Moment, **args: object) -> None:
    """Once, in the chat of the table."""
    await notices.say(db, at.chat_id, code, moment.now, args, thread_id=at.thread_id)


def played_by(table: Table) -> Seats:
    """The seats with who really plays them: the house for people on autopilot."""
    played = [
        Occupant(computer=STAND_IN) if seat in table.away else who for seat, who in enumerate(table.seats)
    ]
    return played[0], played[1], played[2], played[3]


def house_move(seats: Seats, state: Deal) -> Move | None:
    """What a computer player does now, or None while the table waits for a person.

    Computer players may claim a molodka out of turn; the one nearest to the leader is asked first.
    The choice depends on the view of the seat and on chance drawn from this deal and ply, so asking twice
    gives one answer.
    """
    for seat in sorted(holders(state), key=lambda seat: (seat - state.leader) % 4):
        level = _level(seats, seat)
        if level is not None and state.phase is not Phase.OFFER:
            own = view(state, seat)
            claims = [move for move in own.legal if move.verb is Verb.MOLODKA]
            if claims and declares(own, chance(state, seat), level):
                return claims[0]
    if state.turn is None:
        return None
    level = _level(seats, state.turn)
    if level is None:
        return None
    return choose(view(state, state.turn), chance(state, state.turn), level)


def chance(state: Deal, seat: int) -> random.Random:
    """A computer player's dice: nobody at the table can foretell them, for they hang on the whole pack."""
    return random.Random(f"{state.pack.cards}/{state.ply}/{seat}")  # noqa: S311 - a game, not a key


async def play_move(
    db: Connection, table: Table, move: Move, made_by: deals.MadeBy, player_id: int | None, moment: Moment
) -> None:
    """Plays, remembers, and puts in motion what follows. Raises core.errors.IllegalMove."""
    if table.deal is None or table.series is None:
        raise RuntimeError("no deal in play at this table")
    before = final(table.deal.record)
    after = play(before, move)
    deal_id = table.deal.id
    table = await turns.end(db, table, moment)
    if made_by == "person":
        table = replace(table, human_at=moment.now)
    await deals.append_move(db, deal_id, before.ply, move, made_by, player_id, moment.now)
    if after.phase is Phase.OVER:
        await _end_deal(db, table, after, moment)
        return
    await screens.touch(db, table.id, "table", moment.now)
    here = move.seat if made_by == "person" else None
    await _show_hands(db, table, before, after, move.seat, here, moment)
    await schedule(db, table, after, moment)


async def _show_hands(
    db: Connection, table: Table, before: Deal, after: Deal, mover: int, here: int | None, moment: Moment
) -> None:
    """A turn rings once; the mover sees his move, others at a glance's distance unless their own cards changed.

    `here`: the seat whose holder has just moved himself and needs no ring.
    """
    for person in people(table.seats):
        seat = seat_of(table.seats, person)
        if seat is None:
            continue
        new_turn = seat == after.turn and (after.turn != before.turn or seat == mover)
        if new_turn and seat != here and seat not in table.away:
            await screens.ring(db, table.id, "hand", moment.now, player_id=person)
            continue
        was, is_now = view(before, seat), view(after, seat)
        eager = (
            seat in (mover, after.turn)
            or was.hand != is_now.hand
            or _verbs(was.legal) != _verbs(is_now.legal)
        )
        await screens.touch(
            db,
            table.id,
            "hand",
            moment.now if eager else moment.now + GLANCE,
            player_id=person,
            priority=screens.NOW if seat == after.turn else screens.LATER,
        )


async def _end_deal(db: Connection, table: Table, state: Deal, moment: Moment) -> None:
    assert table.deal is not None
    assert table.series is not None
    series, result = score(table.series.state, state)
    await deals.end_deal(db, table.deal.id, result, moment.now)
    await deals.save_series(db, table.series.id, series)
    await screens.finish(db, table.id, "table", moment.now)
    if series.over:
        await end_series(db, table, "goats", moment)
        return
    await deal_cards(db, table, RunningSeries(table.series.id, table.series.number, series, False), moment)
    for person in people(table.seats):
        leads = seat_of(table.seats, person) == series.leader and series.leader not in table.away
        if leads:
            await screens.ring(db, table.id, "hand", moment.now, player_id=person)
        else:
            await screens.touch(db, table.id, "hand", moment.now, player_id=person, priority=screens.LATER)


async def end_series(db: Connection, table: Table, outcome: deals.Outcome, moment: Moment) -> None:
    table = await turns.end(db, table, moment)
    assert table.series is not None
    await deals.end_series(db, table.series.id, outcome, moment.now)
    await proposals.settle_all(db, table.id, moment.now)
    await screens.finish(db, table.id, "proposal", moment.now)
    await tables.change(db, table, state="between")
    await screens.finish(db, table.id, "table", moment.now)
    await screens.finish(db, table.id, "hand", moment.now)
    await screens.put(
        db,
        table.id,
        "series",
        table.chat_id,
        moment.now,
        thread_id=table.thread_id,
        series_id=table.series.id,
    )


def _level(seats: Seats, seat: int) -> str | None:
    who = seats[seat]
    return None if who is None else who.computer


def _verbs(legal: tuple[Move, ...]) -> set[Verb]:
    return {move.verb for move in legal}
