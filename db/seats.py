"""Tenures: who holds a seat of a table, from when until when, and how he stands with the clock."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from core.table import Occupant, Seats
from db.connection import Connection


@dataclass(frozen=True, slots=True)
class Tenure:
    """`missed`: turns in a row that the house played because time was up. `away_since`: on autopilot.
    `offered`: a computer sits in until somebody takes the seat."""

    reserve_used: timedelta = timedelta()
    missed: int = 0
    away_since: datetime | None = None
    travelled_at: datetime | None = None
    offered: bool = False


NOBODY = Tenure()

LEAVE = "UPDATE seats SET until = $3 WHERE table_id = $1 AND seat = $2 AND until IS NULL"

TAKE = """
INSERT INTO seats (table_id, seat, player_id, computer, since, offered) VALUES ($1, $2, $3, $4, $5, $6)
"""

SPEND_RESERVE = """
UPDATE seats SET reserve_used = reserve_used + $3 WHERE table_id = $1 AND seat = $2 AND until IS NULL
"""

REFILL_RESERVES = """
UPDATE seats SET reserve_used = '0' WHERE table_id = $1 AND until IS NULL AND reserve_used > '0'
"""

MISS = """
UPDATE seats SET missed = missed + 1,
    autopilot_since = CASE WHEN missed + 1 >= $3 THEN coalesce(autopilot_since, $4) END
WHERE table_id = $1 AND seat = $2 AND until IS NULL
"""

PRESENT = """
UPDATE seats SET missed = 0, autopilot_since = NULL WHERE table_id = $1 AND seat = $2 AND until IS NULL
"""

KEEP = "UPDATE seats SET offered = false WHERE table_id = $1 AND until IS NULL AND offered"

TRAVEL = "UPDATE seats SET travelled_at = $3 WHERE table_id = $1 AND seat = $2 AND until IS NULL"


def tenure_from(row: Mapping[str, Any]) -> Tenure:
    """Reads what the statement that reads a table packs into JSON."""
    return Tenure(
        reserve_used=timedelta(seconds=row["reserve_used"]),
        missed=row["missed"],
        away_since=_instant(row["autopilot_since"]),
        travelled_at=_instant(row["travelled_at"]),
        offered=row["offered"],
    )


def _instant(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)


async def save(
    db: Connection, table_id: int, before: Seats, after: Seats, now: datetime, *, offered: bool = False
) -> None:
    """Ends the tenures that changed and begins the new ones; `offered` holds for computers among these."""
    changed = [seat for seat in range(4) if before[seat] != after[seat]]
    for seat in changed:
        if before[seat] is not None:
            await db.execute(LEAVE, table_id, seat, now)
    for seat in changed:
        who: Occupant | None = after[seat]
        if who is not None:
            await db.execute(
                TAKE, table_id, seat, who.person, who.computer, now, offered and who.computer is not None
            )


async def keep(db: Connection, table_id: int) -> None:
    """No seat is offered any more."""
    await db.execute(KEEP, table_id)


async def spend_reserve(db: Connection, table_id: int, seat: int, amount: timedelta) -> None:
    await db.execute(SPEND_RESERVE, table_id, seat, amount)


async def refill_reserves(db: Connection, table_id: int) -> None:
    await db.execute(REFILL_RESERVES, table_id)


async def miss(db: Connection, table_id: int, seat: int, away_after: int, now: datetime) -> None:
    """One more turn that its holder let pass; from `away_after` in a row on he is on autopilot."""
    await db.execute(MISS, table_id, seat, away_after, now)


async def present(db: Connection, table_id: int, seat: int) -> None:
    await db.execute(PRESENT, table_id, seat)


async def travel(db: Connection, table_id: int, seat: int, now: datetime) -> None:
    await db.execute(TRAVEL, table_id, seat, now)
