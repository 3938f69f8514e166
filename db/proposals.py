"""What one person of a table proposes and both teams must agree to."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from db.connection import Connection

Kind = Literal["stop", "pause", "pace", "replace"]


@dataclass(frozen=True, slots=True)
class Proposal:
    """`agreed`: the seats whose holders agree; `accepted`: None while it is open.

    `args`: of a pace its name; of a replacement the seat, the person and his name.
    """

    id: int
    table_id: int
    kind: Kind
    proposed_by: int
    agreed: tuple[int, ...]
    accepted: bool | None
    args: dict[str, Any]


COLUMNS = "id, table_id, kind, proposed_by, agreed, accepted, args"

OPEN = """
INSERT INTO proposals (table_id, kind, proposed_by, agreed, opened_at, args) VALUES ($1, $2, $3, $4, $5, $6)
RETURNING id
"""

GET = f"SELECT {COLUMNS} FROM proposals WHERE id = $1"  # noqa: S608 - COLUMNS is a constant

RUNNING = f"""
SELECT {COLUMNS} FROM proposals WHERE table_id = $1 AND kind = $2 AND settled_at IS NULL
"""  # noqa: S608

AGREE = "UPDATE proposals SET agreed = $2 WHERE id = $1"

SETTLE = "UPDATE proposals SET settled_at = $2, accepted = $3 WHERE id = $1 AND settled_at IS NULL"

# Who agreed for a seat spoke for himself, not for who holds it next.
WITHDRAW = """
UPDATE proposals SET agreed = array_remove(agreed, $2) WHERE table_id = $1 AND settled_at IS NULL
"""

SETTLE_ALL = """
UPDATE proposals SET settled_at = $2, accepted = false WHERE table_id = $1 AND settled_at IS NULL
"""


async def open_proposal(
    db: Connection,
    table_id: int,
    kind: Kind,
    proposed_by: int,
    agreed: tuple[int, ...],
    now: datetime,
    args: Mapping[str, Any] | None = None,
) -> int:
    return int(await db.fetchval(OPEN, table_id, kind, proposed_by, list(agreed), now, dict(args or {})))


async def get(db: Connection, proposal_id: int) -> Proposal | None:
    return _proposal(await db.fetchrow(GET, proposal_id))


async def running(db: Connection, table_id: int, kind: Kind) -> Proposal | None:
    return _proposal(await db.fetchrow(RUNNING, table_id, kind))


async def agree(db: Connection, proposal_id: int, agreed: tuple[int, ...]) -> None:
    await db.execute(AGREE, proposal_id, list(agreed))


async def settle(db: Connection, proposal_id: int, accepted: bool, now: datetime) -> None:
    await db.execute(SETTLE, proposal_id, now, accepted)


async def withdraw(db: Connection, table_id: int, seat: int) -> None:
    """The seat changes hands: its consent to what is still open is void."""
    await db.execute(WITHDRAW, table_id, seat)


async def settle_all(db: Connection, table_id: int, now: datetime) -> None:
    """The table is closed: nothing is left to agree on."""
    await db.execute(SETTLE_ALL, table_id, now)


def _proposal(row: object) -> Proposal | None:
    if row is None:
        return None
    fields = dict(row)  # type: ignore[call-overload]
    return Proposal(**{**fields, "agreed": tuple(fields["agreed"])})
