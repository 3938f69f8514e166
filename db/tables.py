"""Tables: their place, life and seats, and everything that is needed to go on playing at one.

A table is read whole and small: its row, its running series, the deal in play as its record, and who sits where.
Lock first, read after: a row that was waited for must be read with what the other transaction has written.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from core.moves import Move
from core.record import Record
from core.rules import Rules
from core.series import Series
from core.table import EMPTY, Occupant, Seats
from db.connection import Connection
from db.deals import RunningDeal, pack_from


@dataclass(frozen=True, slots=True)
class Sitter:
    """A person at the table, as others may know him."""

    id: int
    name: str
    username: str | None


@dataclass(frozen=True, slots=True)
class RunningSeries:
    id: int
    number: int
    state: Series
    ended: bool


@dataclass(frozen=True, slots=True)
class Table:
    """`series` is the latest one, over or not; `deal` the one in play."""

    id: int
    chat_id: int
    thread_id: int | None
    state: str
    closed_because: str | None
    opened_by: int | None
    rules: Rules
    version: int
    act_at: datetime | None
    seats: Seats
    people: dict[int, Sitter]
    series: RunningSeries | None
    deal: RunningDeal | None


OPEN = """
INSERT INTO tables (chat_id, thread_id, state, opened_by, opened_at, rules, act_at)
VALUES ($1, $2, 'lobby', $3, $4, $5, $6)
RETURNING id
"""

# A press at one table waits for no other table. NO KEY leaves foreign keys to the table free.
LOCK = "SELECT id FROM tables WHERE id = $1 FOR NO KEY UPDATE"

READ = """
SELECT t.id, t.chat_id, t.thread_id, t.state, t.closed_because, t.opened_by, t.rules, t.version, t.act_at,
    s.id AS series_id, s.number AS series_number, s.rules AS series_rules, s.loss_0, s.loss_1, s.balls,
    s.doubled, s.deals, s.dealer AS series_dealer, s.leader AS series_leader, s.ended_at AS series_ended_at,
    d.id AS deal_id, d.number AS deal_number, d.deck, d.indicator, d.dealer, d.leader, d.started_at,
    (SELECT array_agg(m.move ORDER BY m.ply) FROM moves m WHERE m.deal_id = d.id) AS moves,
    (SELECT jsonb_agg(jsonb_build_array(c.seat, c.player_id, c.computer, p.name, p.username))
     FROM seats c LEFT JOIN players p ON p.id = c.player_id
     WHERE c.table_id = t.id AND c.until IS NULL) AS sitters
FROM tables t
LEFT JOIN LATERAL (SELECT * FROM series WHERE table_id = t.id ORDER BY number DESC LIMIT 1) s ON true
LEFT JOIN deals d ON d.series_id = s.id AND d.ended_at IS NULL AND s.ended_at IS NULL
WHERE t.id = $1
"""

AT_PLACE = """
SELECT id FROM tables
WHERE chat_id = $1 AND coalesce(thread_id, 0) = coalesce($2, 0) AND state <> 'closed'
"""

IN_CHAT = "SELECT id FROM tables WHERE chat_id = $1 AND state <> 'closed' ORDER BY id"

OF_PLAYER = """
SELECT t.id FROM seats c JOIN tables t ON t.id = c.table_id
WHERE c.player_id = $1 AND c.until IS NULL AND t.state <> 'closed'
ORDER BY t.id
"""

CHANGE = """
UPDATE tables SET version = version + 1, state = $2, closed_because = $3, act_at = $4, rules = $5
WHERE id = $1
RETURNING version
"""

# What is due and not being worked on by another process, the longest due first.
CLAIM_DUE = """
SELECT id FROM tables WHERE act_at <= $1
ORDER BY act_at LIMIT $2
FOR NO KEY UPDATE SKIP LOCKED
"""

NEXT_DUE = "SELECT min(act_at) FROM tables WHERE act_at IS NOT NULL"

POSTPONE = "UPDATE tables SET act_at = $2 WHERE id = $1 AND act_at IS NOT NULL"

LEAVE_SEAT = """
UPDATE seats SET until = $3 WHERE table_id = $1 AND seat = $2 AND until IS NULL
"""

TAKE_SEAT = """
INSERT INTO seats (table_id, seat, player_id, computer, since) VALUES ($1, $2, $3, $4, $5)
"""


async def open_lobby(
    db: Connection,
    chat_id: int,
    thread_id: int | None,
    opened_by: int | None,
    rules: Rules,
    now: datetime,
    expires: datetime,
) -> int:
    """Returns the new table's id. Raises asyncpg.UniqueViolationError when the place has a table already."""
    return int(await db.fetchval(OPEN, chat_id, thread_id, opened_by, now, rules.to_json(), expires))


async def lock(db: Connection, table_id: int) -> Table | None:
    """The table for this transaction alone, or None when there is none of this id."""
    if await db.fetchval(LOCK, table_id) is None:
        return None
    return await read(db, table_id)


async def read(db: Connection, table_id: int) -> Table | None:
    row = await db.fetchrow(READ, table_id)
    if row is None:
        return None
    rules = Rules.from_json(row["rules"])
    series = deal = None
    if row["series_id"] is not None:
        frozen = Rules.from_json(row["series_rules"])
        series = RunningSeries(
            id=row["series_id"],
            number=row["series_number"],
            state=Series(
                rules=frozen,
                loss=(row["loss_0"], row["loss_1"]),
                balls=row["balls"],
                doubled=row["doubled"],
                deals=row["deals"],
                dealer=row["series_dealer"],
                leader=row["series_leader"],
            ),
            ended=row["series_ended_at"] is not None,
        )
        if row["deal_id"] is not None:
            pack = pack_from(row["deck"], row["indicator"], row["dealer"], row["leader"])
            moves = tuple(Move.parse(text) for text in row["moves"] or ())
            deal = RunningDeal(
                id=row["deal_id"],
                number=row["deal_number"],
                record=Record(pack=pack, rules=frozen, moves=moves),
                started_at=row["started_at"],
            )
    seats = list(EMPTY)
    people: dict[int, Sitter] = {}
    for seat, player_id, computer, name, username in row["sitters"] or ():
        seats[seat] = Occupant(person=player_id, computer=computer)
        if player_id is not None:
            people[player_id] = Sitter(player_id, name, username)
    return Table(
        id=row["id"],
        chat_id=row["chat_id"],
        thread_id=row["thread_id"],
        state=row["state"],
        closed_because=row["closed_because"],
        opened_by=row["opened_by"],
        rules=rules,
        version=row["version"],
        act_at=row["act_at"],
        seats=(seats[0], seats[1], seats[2], seats[3]),
        people=people,
        series=series,
        deal=deal,
    )


async def at_place(db: Connection, chat_id: int, thread_id: int | None) -> int | None:
    """The table that stands in a chat, or in one topic of it."""
    return await db.fetchval(AT_PLACE, chat_id, thread_id)  # type: ignore[no-any-return]


async def in_chat(db: Connection, chat_id: int) -> Sequence[int]:
    return [row["id"] for row in await db.fetch(IN_CHAT, chat_id)]


async def of_player(db: Connection, player_id: int) -> Sequence[int]:
    """The tables at which a person sits."""
    return [row["id"] for row in await db.fetch(OF_PLAYER, player_id)]


async def change(
    db: Connection,
    table: Table,
    *,
    state: str | None = None,
    closed_because: str | None = None,
    rules: Rules | None = None,
    act_at: datetime | None = None,
) -> int:
    """A new version of the table; returns its number. `act_at` is set to what is given, none included."""
    return int(
        await db.fetchval(
            CHANGE,
            table.id,
            state or table.state,
            closed_because,
            act_at,
            (rules or table.rules).to_json(),
        )
    )


async def claim_due(db: Connection, now: datetime, limit: int) -> Sequence[int]:
    """Tables whose moment has come, locked for this transaction; those that another one holds are left out."""
    return [row["id"] for row in await db.fetch(CLAIM_DUE, now, limit)]


async def next_due(db: Connection) -> datetime | None:
    return await db.fetchval(NEXT_DUE)  # type: ignore[no-any-return]


async def postpone(db: Connection, table_id: int, act_at: datetime) -> None:
    await db.execute(POSTPONE, table_id, act_at)


async def save_seats(db: Connection, table: Table, seats: Seats, now: datetime) -> None:
    """Ends the tenures that changed and begins the new ones."""
    changed = [seat for seat in range(4) if table.seats[seat] != seats[seat]]
    for seat in changed:
        if table.seats[seat] is not None:
            await db.execute(LEAVE_SEAT, table.id, seat, now)
    for seat in changed:
        who = seats[seat]
        if who is not None:
            await db.execute(TAKE_SEAT, table.id, seat, who.person, who.computer, now)
