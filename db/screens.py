"""Screens: the messages that the bot keeps true, and how far each is behind.

A screen's row says where it stands and which version it shows; what it shows is always rendered from the table.
`wanted` counts changes: the screen is out of date while wanted > shown, and must be sent anew (so that a phone
rings) while ring > shown.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, get_args

from db.connection import Connection

Kind = Literal["lobby", "table", "hand", "series", "proposal"]

KINDS: tuple[Kind, ...] = get_args(Kind)

NOW, SOON, LATER = 0, 1, 2
"""Priorities: the hand of the person to move, what everybody looks at, the rest."""


@dataclass(frozen=True, slots=True)
class Screen:
    """`message_id` is None while nothing stands in the chat."""

    id: int
    table_id: int
    kind: Kind
    chat_id: int
    thread_id: int | None
    player_id: int | None
    deal_id: int | None
    series_id: int | None
    proposal_id: int | None
    message_id: int | None
    sent_at: datetime | None
    wanted: int
    shown: int
    ring: int
    final: bool
    priority: int
    digest: str | None
    failures: int


COLUMNS = """
s.id, s.table_id, s.kind, s.chat_id, s.thread_id, s.player_id, s.deal_id, s.series_id, s.proposal_id,
s.message_id, s.sent_at, s.wanted, s.shown, s.ring, s.final, s.priority, s.digest, s.failures
"""

PUT = """
INSERT INTO screens (table_id, kind, chat_id, thread_id, player_id, deal_id, series_id, proposal_id,
    priority, paint_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
ON CONFLICT (table_id, kind, coalesce(player_id, 0), coalesce(deal_id, 0), coalesce(series_id, 0),
    coalesce(proposal_id, 0))
DO UPDATE SET wanted = screens.wanted + 1, ring = screens.wanted + 1, priority = $9, final = false,
    chat_id = $3, thread_id = $4, message_id = CASE WHEN screens.chat_id = $3 THEN screens.message_id END,
    paint_at = least(screens.paint_at, $10)
"""

# paint_at of a screen that is out of date already stays where it was: a stream of changes can't put it off.
MARK = """
UPDATE screens s SET wanted = s.wanted + 1, priority = c.priority,
    ring = CASE WHEN c.ring THEN s.wanted + 1 ELSE s.ring END,
    digest = CASE WHEN c.ring THEN NULL ELSE s.digest END,
    paint_at = CASE WHEN s.wanted > s.shown THEN least(s.paint_at, c.paint_at) ELSE c.paint_at END
FROM unnest($2::text[], $3::bigint[], $4::smallint[], $5::boolean[], $6::timestamptz[])
    AS c (kind, player_id, priority, ring, paint_at)
WHERE s.table_id = $1 AND s.kind = c.kind AND NOT s.final AND (c.player_id IS NULL OR s.player_id = c.player_id)
"""

LIVES = "SELECT EXISTS (SELECT FROM screens WHERE chat_id = $1 AND message_id = $2)"

# After a stale press: the message may not show what the digest says. It is urgent for who pressed in his own chat; in a
# group it waits for its turn, so that nobody keeps other tables there from being painted by pressing again and again.
REPAINT = """
UPDATE screens SET wanted = wanted + 1, digest = NULL, priority = CASE WHEN chat_id > 0 THEN 0 ELSE priority END,
    paint_at = CASE WHEN wanted > shown THEN least(paint_at, $3) ELSE $3 END
WHERE chat_id = $1 AND message_id = $2 AND NOT final
RETURNING id
"""

RING_IN_CHAT = """
UPDATE screens SET wanted = wanted + 1, ring = wanted + 1, digest = NULL, failures = 0, paint_at = $2
WHERE chat_id = $1 AND NOT final
"""

TOUCH_CHAT = "UPDATE screens SET wanted = wanted + 1, paint_at = $2 WHERE chat_id = $1 AND NOT final"

FINISH = """
UPDATE screens SET wanted = wanted + 1, final = true, paint_at = $3
WHERE table_id = $1 AND kind = $2 AND NOT final AND ($4::bigint IS NULL OR player_id = $4)
"""

# One a chat, its most urgent: a chat with much to show does not keep others off the list. Who can be written to is
# looked up for each, for a join would read all people and chats that there ever were. Hands of those to move and the
# rest by turns: however many of the ones there are, the other ones are seen. A step of priority is worth a minute's
# waiting to the rest, so none of it waits for ever.
STALE = f"""
SELECT * FROM (
    SELECT DISTINCT ON (s.chat_id) {COLUMNS}, s.paint_at FROM screens s
    WHERE s.wanted > s.shown AND s.paint_at <= $1
        AND (coalesce((SELECT reachable FROM players WHERE id = s.player_id),
            (SELECT writable FROM chats WHERE id = s.chat_id), true) OR (NOT s.final AND s.chat_id = ANY($4::bigint[])))
        AND NOT (s.chat_id = ANY($2::bigint[]))
    ORDER BY s.chat_id, s.priority, s.paint_at, s.id
) first
ORDER BY row_number() OVER (PARTITION BY priority = 0 ORDER BY paint_at + priority * interval '1 minute', id),
    priority
LIMIT $3
"""  # noqa: S608 - COLUMNS is a constant

GET = f"SELECT {COLUMNS} FROM screens s WHERE s.id = $1"  # noqa: S608

NEXT = "SELECT min(paint_at) FROM screens WHERE wanted > shown AND paint_at > $1"

# Compared with the message that the painter knew: where another painter was faster, his message stays.
PAINTED = """
UPDATE screens SET shown = greatest(shown, $2), message_id = $3, digest = $4, sent_at = $5, failures = 0
WHERE id = $1 AND chat_id = $6 AND message_id IS NOT DISTINCT FROM $7
RETURNING 1
"""

# A closed topic is tried for as long as it takes, and the column is a small one.
FAILED = "UPDATE screens SET failures = least(failures + 1, 1000), paint_at = $2 WHERE id = $1"

LOST = """
UPDATE screens SET message_id = NULL, sent_at = NULL, digest = NULL, ring = wanted
WHERE id = $1 AND message_id IS NOT DISTINCT FROM $2
"""

PRUNE = """
DELETE FROM screens WHERE id IN (
    SELECT id FROM screens WHERE final AND wanted <= shown AND coalesce(sent_at, paint_at) < $1 LIMIT $2)
"""

GIVE_UP = "UPDATE screens SET shown = wanted, failures = 0 WHERE id = $1"


async def put(
    db: Connection,
    table_id: int,
    kind: Kind,
    chat_id: int,
    now: datetime,
    *,
    thread_id: int | None = None,
    player_id: int | None = None,
    deal_id: int | None = None,
    series_id: int | None = None,
    proposal_id: int | None = None,
    priority: int = SOON,
) -> None:
    """A screen that shall stand at the bottom of a chat: new there, or sent anew when it exists."""
    await db.execute(
        PUT, table_id, kind, chat_id, thread_id, player_id, deal_id, series_id, proposal_id, priority, now
    )


@dataclass(frozen=True, slots=True)
class Change:
    """Live screens of a kind are out of date, one person's or all; to be painted from `paint_at` on.

    `ring`: they are to be sent anew, the old messages removed; else they are edited.
    """

    kind: Kind
    paint_at: datetime
    player_id: int | None = None
    priority: int = SOON
    ring: bool = False


async def mark(db: Connection, table_id: int, changes: Sequence[Change]) -> None:
    """All changes of a table's screens at once. No screen may be meant by two of them."""
    fields = [(one.kind, one.player_id, one.priority, one.ring, one.paint_at) for one in changes]
    await db.execute(MARK, table_id, *(list(column) for column in zip(*fields, strict=True)))


async def touch(
    db: Connection,
    table_id: int,
    kind: Kind,
    paint_at: datetime,
    *,
    player_id: int | None = None,
    priority: int = SOON,
) -> None:
    """One change alone: to be edited."""
    await mark(db, table_id, [Change(kind, paint_at, player_id, priority)])


async def ring(
    db: Connection,
    table_id: int,
    kind: Kind,
    paint_at: datetime,
    *,
    player_id: int | None = None,
    priority: int = NOW,
) -> None:
    """One change alone: to be sent anew."""
    await mark(db, table_id, [Change(kind, paint_at, player_id, priority, ring=True)])


async def repaint(db: Connection, chat_id: int, message_id: int, now: datetime) -> bool:
    """One message may show something else than we think: render it again, whatever its digest says.

    False when it is no live screen.
    """
    return await db.fetchval(REPAINT, chat_id, message_id, now) is not None


async def lives(db: Connection, chat_id: int, message_id: int) -> bool:
    """Whether a message is one that we know of."""
    return bool(await db.fetchval(LIVES, chat_id, message_id))


async def ring_in_chat(db: Connection, chat_id: int, now: datetime) -> None:
    """A chat can be written to again: all that lives there is sent anew."""
    await db.execute(RING_IN_CHAT, chat_id, now)


async def touch_chat(db: Connection, chat_id: int, now: datetime) -> None:
    """All live screens of a chat are out of date."""
    await db.execute(TOUCH_CHAT, chat_id, now)


async def finish(
    db: Connection, table_id: int, kind: Kind, now: datetime, *, player_id: int | None = None
) -> None:
    """Live screens of a kind are painted once more and then left alone."""
    await db.execute(FINISH, table_id, kind, now, player_id)


async def stale(
    db: Connection,
    now: datetime,
    *,
    not_in: Sequence[int] = (),
    probe: Sequence[int] = (),
    limit: int = 100,
) -> Sequence[Screen]:
    """Of each chat that can be written to, the most urgent screen that is out of date: hands of those to move, and
    the rest, each in the order in which they shall be painted.

    `probe`: chats that could not be written to and shall be tried again.
    """
    rows = await db.fetch(STALE, now, list(not_in), limit, list(probe))
    return [Screen(**{name: value for name, value in row.items() if name != "paint_at"}) for row in rows]


async def get(db: Connection, screen_id: int) -> Screen | None:
    row = await db.fetchrow(GET, screen_id)
    return None if row is None else Screen(**row)


async def next_paint(db: Connection, now: datetime) -> datetime | None:
    return await db.fetchval(NEXT, now)  # type: ignore[no-any-return]


async def painted(
    db: Connection,
    screen: Screen,
    message_id: int | None,
    digest: str | None,
    sent_at: datetime | None,
) -> bool:
    """`message_id` shows the version that `screen` wanted. False when another message stands for it by now."""
    return (
        await db.fetchval(
            PAINTED, screen.id, screen.wanted, message_id, digest, sent_at, screen.chat_id, screen.message_id
        )
        is not None
    )


async def failed(db: Connection, screen_id: int, retry_at: datetime) -> None:
    await db.execute(FAILED, screen_id, retry_at)


async def lost(db: Connection, screen: Screen) -> None:
    """The message is gone or can't be edited any more: the next painting sends a new one."""
    await db.execute(LOST, screen.id, screen.message_id)


async def prune(db: Connection, before: datetime, limit: int = 1000) -> int:
    """Forgets finished screens that were last sent before; returns how many, at most `limit`."""
    return int((await db.execute(PRUNE, before, limit)).split()[-1])


async def give_up(db: Connection, screen_id: int) -> None:
    """Telegram keeps refusing this version; the next change is tried again."""
    await db.execute(GIVE_UP, screen_id)
