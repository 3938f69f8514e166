"""The clock of the person whom a table waits for: started with his turn, charged to his reserve, stopped and started
again without a loss."""

from dataclasses import replace
from datetime import datetime, timedelta

from core.pace import ZERO, Budget, runs_out, used_between
from core.state import Deal, Phase
from db import reminders, seats
from db.connection import Connection
from db.tables import Table, Turn
from tgbot.services.moment import Moment

SLEEPS_AFTER = timedelta(days=30)
"""Without any act of a person a table falls asleep."""


def budget_of(table: Table, state: Deal) -> Budget | None:
    """What the seat to act gets for its turn; None without limit."""
    if state.turn is None:
        return None
    if state.phase is Phase.OFFER:
        return table.pace.offer()
    return table.pace.turn(table.tenures[state.turn].reserve_used)


def left(table: Table, now: datetime) -> Budget | None:
    """What is left of the running turn, or of the one that a pause interrupted."""
    turn = table.turn
    if turn is None or turn.since is None:
        return None if turn is None else turn.budget
    return turn.budget.after(used_between(table.quiet_of(turn.seat), turn.since, now))


def sleeps_at(table: Table, now: datetime) -> datetime:
    return (table.human_at or now) + SLEEPS_AFTER


async def run(db: Connection, table: Table, seat: int, budget: Budget, moment: Moment) -> Table:
    """A seat's clock runs from now on. The caller saves the table that is returned."""
    turn = Turn(seat, moment.now, budget)
    running = replace(table, turn=turn, act_at=None)
    running = replace(running, act_at=running.deadline)
    await _remind(db, running, moment.now)
    return running


async def stop(db: Connection, table: Table, moment: Moment) -> Table:
    """The clock of a turn stands still: what went over the move time is charged to the reserve, and reminders are taken
    back. The caller saves the table that is returned, whose turn holds what is left."""
    turn = table.turn
    if turn is None:
        return table
    await reminders.take_back(db, table.id, moment.now)
    rest = left(table, moment.now)
    if rest is None:
        return table
    spent = turn.budget.reserve - rest.reserve
    held = list(table.tenures)
    if spent > ZERO:
        await seats.spend_reserve(db, table.id, turn.seat, spent)
        tenure = held[turn.seat]
        held[turn.seat] = replace(tenure, reserve_used=tenure.reserve_used + spent)
    return replace(
        table, turn=Turn(turn.seat, None, rest), tenures=(held[0], held[1], held[2], held[3]), act_at=None
    )


async def end(db: Connection, table: Table, moment: Moment) -> Table:
    """The turn is over."""
    return replace(await stop(db, table, moment), turn=None)


async def _remind(db: Connection, table: Table, now: datetime) -> None:
    turn = table.turn
    assert turn is not None
    who = table.seats[turn.seat]
    if who is None or who.person is None or table.act_at is None:
        return
    sitter = table.people[who.person]
    if not sitter.reminders:
        return
    for wait in table.pace.reminders(turn.budget):
        send_at = runs_out(table.quiet_of(turn.seat), now, wait)
        args = {
            "table": table.id,
            "deadline": table.act_at.isoformat(),
            "left": (turn.budget.total - wait).total_seconds(),
        }
        await reminders.remind(db, who.person, table.id, send_at, args, now)
