"""What follows from what: a series begins, a deal begins, a deal ends, who is to act and when the house will.

This is the inside of the one door; tgbot.services.play is the door.
"""

import hashlib
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from types import MappingProxyType

from core.computer import choose, declares
from core.deal import holders, legal_moves_of, play
from core.moves import Move, Verb
from core.record import final
from core.series import new_series, score
from core.shuffle import shuffle
from core.state import Deal, Phase, start
from core.table import Occupant, Seats, people, seat_of
from core.view import SeatView, view
from db import deals, notices, proposals, screens, seats, tables
from db.connection import Connection
from db.screens import Change
from db.tables import RunningSeries, Table
from tgbot.services import turns
from tgbot.services.moment import Moment

THINKING = (1.0, 3.0)
"""Seconds that a computer player takes, the same for free and forced moves, so that timing tells nothing."""

SLOW = "strong"
"""The level whose players need some hundredths of a second, too long for the one door: they are asked before, elsewhere."""

STAND_IN = "steady"
"""The level of the computer player that plays for somebody who is away, until a substitute comes, or for a slow
player that has not answered."""

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
        leads = seat_of(table.seats, person) == series.leader
        priority = screens.NOW if leads else screens.SOON
        await screens.put(db, table.id, "hand", person, moment.now, player_id=person, priority=priority)
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


async def schedule(db: Connection, table: Table, state: Deal, moment: Moment, *, asked: bool = False) -> None:
    """Whom the table waits for from now on, and when the house acts; a table at which nobody is left sleeps before it
    deals on. `asked`: the computer players have been, and none of them wants to act."""
    if state.ply == 0 and not table.present:
        await fall_asleep(db, table, moment)
        return
    budget = turns.budget_of(table, state)
    if table.turn is None and budget is not None and state.turn in table.present:
        table = await turns.run(db, table, state.turn, budget, moment)
    act_at = patience(table, moment) if asked else acts_at(table, state, moment)
    await tables.change(db, table, state="playing", act_at=act_at, turn=table.turn)


def acts_at(table: Table, state: Deal, moment: Moment) -> datetime:
    """When the house acts next: after a pause when a computer player is to act or might claim a molodka.

    Whether it wants to is asked only then, and whose turn it is has his clock run meanwhile: so nothing that
    people see tells them that somebody holds four of a suit.
    """
    if not questions(played_by(table), state):
        return patience(table, moment)
    pause_over = moment.now + timedelta(seconds=moment.rng.uniform(*THINKING))
    return pause_over if table.deadline is None else min(pause_over, table.deadline)


def patience(table: Table, moment: Moment) -> datetime:
    """Until when a table waits for a person: until his time is up, or nobody has come for very long."""
    return table.deadline or turns.sleeps_at(table, moment.now)


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


@dataclass(frozen=True, slots=True)
class Question:
    """What a computer player is asked: what it plays in its turn, or whether it claims the molodka that it holds.

    It knows its view and its dice, and asking twice gives one answer.
    """

    level: str
    view: SeatView
    claim: bool
    seed: str

    def answer(self) -> Move | None:
        """At once, for which the steady player stands in for a slow one. None: no claim."""
        level = STAND_IN if self.level == SLOW else self.level
        rng = random.Random(self.seed)  # noqa: S311 - a game, not a key
        if self.claim:
            return self.claimed() if declares(self.view, rng, level) else None
        return choose(self.view, rng, level)

    def claimed(self) -> Move:
        return next(move for move in self.view.legal if move.verb is Verb.MOLODKA)


Thoughts = Mapping[Question, Move | None]
"""What slow players have answered. A question is about one view of one deal, so no answer outlives its position."""

NOTHING: Thoughts = MappingProxyType({})


def questions(seats: Seats, state: Deal) -> list[Question]:
    """What computer players are to be asked now, in this order: the holders of a molodka whether they claim it, out of
    turn too and the nearest to the leader first; then whose turn it is."""
    holding = () if state.phase is Phase.OFFER else holders(state)
    nearest = sorted(holding, key=lambda seat: (seat - state.leader) % 4)
    to_ask = [(seat, True) for seat in nearest] + ([] if state.turn is None else [(state.turn, False)])
    return [
        Question(level, view(state, seat), claim, _dice(state, seat))
        for seat, claim in to_ask
        if (level := _level(seats, seat)) is not None
    ]


def slow_questions(table: Table) -> list[Question]:
    """What is worth thinking over before the house acts at a table."""
    if table.deal is None:
        return []
    asked = questions(played_by(table), final(table.deal.record))
    return [question for question in asked if question.level == SLOW]


def house_move(seats: Seats, state: Deal, thoughts: Thoughts = NOTHING) -> Move | None:
    """What a computer player does now, or None while the table waits for a person."""
    for question in questions(seats, state):
        move = thoughts[question] if question in thoughts else question.answer()
        if move is not None:
            return move
    return None


def _dice(state: Deal, seat: int) -> str:
    """A computer player's seed. It hangs on the whole pack, so nobody at the table can foretell it, and tells nothing
    of the pack."""
    return hashlib.sha256(f"{state.pack.cards}/{state.ply}/{seat}".encode()).hexdigest()


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
    here = move.seat if made_by == "person" else None
    hands = _hands(table, before, after, move.seat, here, moment)
    await screens.mark(db, table.id, [Change("table", moment.now), *hands])
    await schedule(db, table, after, moment)


def _hands(
    table: Table, before: Deal, after: Deal, mover: int, here: int | None, moment: Moment
) -> Iterator[Change]:
    """A turn rings once; the mover sees his move, others at a glance's distance unless they may do something new.

    `here`: the seat whose holder has just moved himself and needs no ring.
    """
    for seat, who in enumerate(table.seats):
        if who is None or who.person is None:
            continue
        new_turn = seat == after.turn and (after.turn != before.turn or seat == mover)
        if new_turn and seat != here and seat not in table.away:
            yield Change("hand", moment.now, who.person, screens.NOW, ring=True)
            continue
        can_now_what_he_could_not = _verbs(before, seat) != _verbs(after, seat)
        eager = seat in (mover, after.turn) or can_now_what_he_could_not
        yield Change(
            "hand",
            moment.now if eager else moment.now + GLANCE,
            who.person,
            screens.NOW if seat == after.turn else screens.LATER,
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


def _verbs(state: Deal, seat: int) -> set[Verb]:
    return {move.verb for move in legal_moves_of(state, seat)}
