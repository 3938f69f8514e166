"""Tables: their place, life and seats, and everything that is needed to go on playing at one.

A table is read whole and small: its row, its running series, the deal in play as its record, and who sits where.
Lock first, read after: a row that was waited for must be read with what the other transaction has written.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from core.moves import Move
from core.pace import NO_LIMIT, PACES, Budget, Pace, Quiet, runs_out
from core.record import Record
from core.rules import Rules
from core.series import Series
from core.table import EMPTY, Occupant, Seats
from db import seats as tenures
from db.connection import Connection
from db.deals import RunningDeal, pack_from
from db.seats import NOBODY, Tenure

LEVEL = "steady"
"""The level of a table's computer players when nobody has chosen one."""


@dataclass(frozen=True, slots=True)
class Sitter:
    """A person at the table, as others may know him, and the hours in which his clock stands still."""

    id: int
    name: str
    username: str | None
    quiet: Quiet | None = None
    reminders: bool = True
    zone: str | None = None


@dataclass(frozen=True, slots=True)
class Turn:
    """The clock of the person whom the table waits for: what was left at `since`. It stands still when that is
    None, as in a pause."""

    seat: int
    since: datetime | None
    budget: Budget


class Due(NamedTuple):
    """A table at which the house will act."""

    table_id: int
    version: int
    act_at: datetime


@dataclass(frozen=True, slots=True)
class Standing:
    """As little as is needed to tell whether a person's buttons are still good: `ply` of the deal in play, if any."""

    deal_id: int | None
    ply: int
    paused: bool
    away: bool


@dataclass(frozen=True, slots=True)
class RunningSeries:
    id: int
    number: int
    state: Series
    ended: bool


@dataclass(frozen=True, slots=True)
class Table:
    """`series` is the latest one, over or not; `deal` the one in play.

    `act_at`: when the house acts next. `turn`: the running clock, None while a computer player thinks and at
    tables without limit. `human_at`: the latest act of a person. `computers`: the level of those that are seated
    in the lobby.
    """

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
    pace: Pace = NO_LIMIT
    computers: str = LEVEL
    tenures: tuple[Tenure, Tenure, Tenure, Tenure] = (NOBODY, NOBODY, NOBODY, NOBODY)
    turn: Turn | None = None
    paused_at: datetime | None = None
    pause_until: datetime | None = None
    asleep_at: datetime | None = None
    human_at: datetime | None = None

    @property
    def away(self) -> tuple[int, ...]:
        """The seats that the house plays because their holders did not come."""
        return tuple(seat for seat in range(4) if self.tenures[seat].away_since is not None)

    @property
    def present(self) -> tuple[int, ...]:
        """The seats of persons who play themselves."""
        return tuple(
            seat
            for seat, who in enumerate(self.seats)
            if who is not None and who.person is not None and seat not in self.away
        )

    @property
    def offered(self) -> tuple[int, ...]:
        """The seats that wait for a substitute."""
        return tuple(seat for seat in range(4) if self.tenures[seat].offered)

    @property
    def deadline(self) -> datetime | None:
        """When the running turn is over; None without limit and in a pause. The house may act before, for a computer."""
        turn = self.turn
        if turn is None or turn.since is None:
            return None
        return runs_out(self.quiet_of(turn.seat), turn.since, turn.budget.total)

    def quiet_of(self, seat: int) -> Quiet | None:
        """The hours that count at this table, if any."""
        who = self.seats[seat]
        if who is None or who.person is None or not self.pace.respects_quiet:
            return None
        return self.people[who.person].quiet


OPEN = """
INSERT INTO tables (chat_id, thread_id, state, opened_by, opened_at, rules, act_at, pace, computers)
VALUES ($1, $2, 'lobby', $3, $4, $5, $6, $7, $8)
RETURNING id
"""

# A press at one table waits for no other table. NO KEY leaves foreign keys to the table free.
LOCK = "SELECT id FROM tables WHERE id = $1 FOR NO KEY UPDATE"

READ = """
SELECT t.id, t.chat_id, t.thread_id, t.state, t.closed_because, t.opened_by, t.rules, t.version, t.act_at,
    t.pace, t.turn_seat, t.turn_since, t.turn_move, t.turn_reserve, t.paused_at, t.pause_until, t.asleep_at,
    t.human_at, t.computers,
    s.id AS series_id, s.number AS series_number, s.rules AS series_rules, s.loss_0, s.loss_1, s.balls,
    s.doubled, s.deals, s.dealer AS series_dealer, s.leader AS series_leader, s.ended_at AS series_ended_at,
    d.id AS deal_id, d.number AS deal_number, d.deck, d.indicator, d.dealer, d.leader, d.started_at,
    (SELECT array_agg(m.move ORDER BY m.ply) FROM moves m WHERE m.deal_id = d.id) AS moves,
    (SELECT jsonb_agg(jsonb_build_object('seat', c.seat, 'person', c.player_id, 'computer', c.computer,
        'name', p.name, 'username', p.username, 'zone', p.zone, 'quiet_start', p.quiet_start,
        'quiet_end', p.quiet_end, 'reminders', p.reminders, 'reserve_used', extract(epoch FROM c.reserve_used),
        'missed', c.missed, 'autopilot_since', c.autopilot_since, 'travelled_at', c.travelled_at, 'offered', c.offered))
     FROM seats c LEFT JOIN players p ON p.id = c.player_id
     WHERE c.table_id = t.id AND c.until IS NULL) AS sitters
FROM tables t
LEFT JOIN LATERAL (SELECT * FROM series WHERE table_id = t.id ORDER BY number DESC LIMIT 1) s ON true
LEFT JOIN deals d ON d.series_id = s.id AND d.ended_at IS NULL AND s.ended_at IS NULL
WHERE t.id = $1
"""

STANDING = """
SELECT d.id AS deal_id, (SELECT count(*) FROM moves m WHERE m.deal_id = d.id) AS ply,
    t.paused_at IS NOT NULL AS paused, c.autopilot_since IS NOT NULL AS away
FROM seats c
JOIN tables t ON t.id = c.table_id
LEFT JOIN series s ON s.table_id = t.id AND s.ended_at IS NULL
LEFT JOIN deals d ON d.series_id = s.id AND d.ended_at IS NULL
WHERE c.table_id = $1 AND c.player_id = $2 AND c.until IS NULL
"""

AT_PLACE = """
SELECT id FROM tables
WHERE chat_id = $1 AND coalesce(thread_id, 0) = coalesce($2, 0) AND state <> 'closed'
"""

CHAT_OF = "SELECT chat_id FROM tables WHERE id = $1"

IN_CHAT = "SELECT id FROM tables WHERE chat_id = $1 AND state <> 'closed' ORDER BY id"

OF_PLAYER = """
SELECT t.id FROM seats c JOIN tables t ON t.id = c.table_id
WHERE c.player_id = $1 AND c.until IS NULL AND t.state <> 'closed'
ORDER BY t.id
"""

CHANGE = """
UPDATE tables SET version = version + 1, state = $2, closed_because = $3, act_at = $4, rules = $5, pace = $6,
    turn_seat = $7, turn_since = $8, turn_move = $9, turn_reserve = $10, paused_at = $11, pause_until = $12,
    asleep_at = $13, human_at = $14, computers = $15
WHERE id = $1
RETURNING version
"""

PUT_AWAY = """
WITH ended AS (
    UPDATE series SET ended_at = $2, outcome = 'stopped' WHERE table_id = $1 AND ended_at IS NULL
), settled AS (
    UPDATE proposals SET settled_at = $2, accepted = false WHERE table_id = $1 AND settled_at IS NULL
), left_alone AS (
    UPDATE screens SET final = true, shown = wanted WHERE table_id = $1
)
UPDATE tables SET version = version + 1, state = 'closed', closed_because = 'replaced', act_at = NULL,
    turn_seat = NULL, turn_since = NULL, turn_move = NULL, turn_reserve = NULL, paused_at = NULL,
    pause_until = NULL, asleep_at = NULL
WHERE id = $1
"""

# What is due and not being worked on by another process, the longest due first.
CLAIM_DUE = """
SELECT id FROM tables WHERE act_at <= $1 AND id <> ALL ($3)
ORDER BY act_at LIMIT $2
FOR NO KEY UPDATE SKIP LOCKED
"""

NEXT_DUE = "SELECT min(act_at) FROM tables WHERE act_at IS NOT NULL AND id <> ALL ($1::bigint[])"

# Where computer players of a level are soon to be asked.
DUE_WITH = """
SELECT t.id, t.version, t.act_at FROM tables t
WHERE t.act_at <= $2 AND t.state = 'playing' AND t.paused_at IS NULL
    AND EXISTS (SELECT FROM seats s WHERE s.table_id = t.id AND s.until IS NULL AND s.computer = $1)
ORDER BY t.act_at LIMIT $3
"""

POSTPONE = "UPDATE tables SET act_at = $2 WHERE id = $1 AND act_at IS NOT NULL"

# Tables whose clock began to run before an instant, a batch at a time; who locks several tables does it by number.
CLOCKS_SINCE_BEFORE = """
SELECT id FROM tables WHERE turn_since < $1 AND state = 'playing' AND id > $3 ORDER BY id LIMIT $2
"""


async def open_lobby(
    db: Connection,
    chat_id: int,
    thread_id: int | None,
    opened_by: int | None,
    rules: Rules,
    now: datetime,
    expires: datetime,
    pace: Pace = NO_LIMIT,
    computers: str = LEVEL,
) -> int:
    """Returns the new table's id. Raises asyncpg.UniqueViolationError when the place has a table already."""
    return int(
        await db.fetchval(
            OPEN, chat_id, thread_id, opened_by, now, rules.to_json(), expires, pace.name, computers
        )
    )


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
    held = [NOBODY] * 4
    for sitter in row["sitters"] or ():
        seat, person = sitter["seat"], sitter["person"]
        seats[seat] = Occupant(person=person, computer=sitter["computer"])
        held[seat] = tenures.tenure_from(sitter)
        if person is not None:
            people[person] = Sitter(
                person,
                sitter["name"],
                sitter["username"],
                _quiet(sitter),
                sitter["reminders"],
                sitter["zone"],
            )
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
        pace=PACES[row["pace"]],
        computers=row["computers"],
        tenures=(held[0], held[1], held[2], held[3]),
        turn=None
        if row["turn_seat"] is None
        else Turn(row["turn_seat"], row["turn_since"], Budget(row["turn_move"], row["turn_reserve"])),
        paused_at=row["paused_at"],
        pause_until=row["pause_until"],
        asleep_at=row["asleep_at"],
        human_at=row["human_at"],
    )


def _quiet(sitter: Mapping[str, Any]) -> Quiet | None:
    if sitter["quiet_start"] is None:
        return None
    return Quiet(sitter["zone"], sitter["quiet_start"], sitter["quiet_end"])


async def standing(db: Connection, table_id: int, player_id: int) -> Standing | None:
    """None when he doesn't sit there."""
    row = await db.fetchrow(STANDING, table_id, player_id)
    return None if row is None else Standing(**row)


async def at_place(db: Connection, chat_id: int, thread_id: int | None) -> int | None:
    """The table that stands in a chat, or in one topic of it."""
    return await db.fetchval(AT_PLACE, chat_id, thread_id)  # type: ignore[no-any-return]


async def chat_of(db: Connection, table_id: int) -> int | None:
    """Where a table stands; None when there is no such table."""
    return await db.fetchval(CHAT_OF, table_id)  # type: ignore[no-any-return]


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
    pace: Pace | None = None,
    computers: str | None = None,
    human_at: datetime | None = None,
    act_at: datetime | None = None,
    turn: Turn | None = None,
    paused_at: datetime | None = None,
    pause_until: datetime | None = None,
    asleep_at: datetime | None = None,
) -> int:
    """A new version of the table; returns its number. What tells of time, from `act_at` on, is set to what is
    given, none included: who changes a table says what it waits for from now on."""
    return int(
        await db.fetchval(
            CHANGE,
            table.id,
            state or table.state,
            closed_because,
            act_at,
            (rules or table.rules).to_json(),
            (pace or table.pace).name,
            turn.seat if turn else None,
            turn.since if turn else None,
            turn.budget.move if turn else None,
            turn.budget.reserve if turn else None,
            paused_at,
            pause_until,
            asleep_at,
            human_at or table.human_at,
            computers or table.computers,
        )
    )


async def put_away(db: Connection, table_id: int, now: datetime) -> None:
    """Closes a table that can't be read any more, so can't be closed in its own way; its screens stay as they are."""
    await db.execute(PUT_AWAY, table_id, now)


async def claim_due(
    db: Connection, now: datetime, limit: int, leave_out: Sequence[int] = ()
) -> Sequence[int]:
    """Tables whose moment has come, locked for this transaction; those that another one holds are left out."""
    return [row["id"] for row in await db.fetch(CLAIM_DUE, now, limit, leave_out)]


async def next_due(db: Connection, leave_out: Sequence[int] = ()) -> datetime | None:
    return await db.fetchval(NEXT_DUE, leave_out)  # type: ignore[no-any-return]


async def due_with(db: Connection, computer: str, by: datetime, limit: int) -> Sequence[Due]:
    """Tables in play that are due by an instant and at which a computer player of this level sits, the next first."""
    return [Due(*row) for row in await db.fetch(DUE_WITH, computer, by, limit)]


async def postpone(db: Connection, table_id: int, act_at: datetime) -> None:
    await db.execute(POSTPONE, table_id, act_at)


async def clocks_since_before(db: Connection, instant: datetime, limit: int, after: int = 0) -> Sequence[int]:
    """The next tables by number whose present clock began to run before an instant."""
    return [row["id"] for row in await db.fetch(CLOCKS_SINCE_BEFORE, instant, limit, after)]


async def save_seats(
    db: Connection, table: Table, seats: Seats, now: datetime, *, offered: bool = False
) -> None:
    """Ends the tenures that changed and begins the new ones."""
    await tenures.save(db, table.id, table.seats, seats, now, offered=offered)
