"""A database that has seen years: finished deals by the million and tables that sleep, made from a few real ones.

One series is really played; the rest are copies of its rows, made by the database itself in a few statements.
"""

import random
from datetime import UTC, datetime

from core.deal import legal_moves
from core.record import final
from db import chats, players, tables
from db.connection import Connection
from db.tables import Table
from tgbot.services import deals, lobby
from tgbot.services.moment import Moment

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
FOUR = (11, 12, 13, 14)
SERIES_A_TABLE = 8

# Copies belong to each other by arithmetic; their checks would take longer than the copies.
UNCHECKED = "SET LOCAL session_replication_role = replica"

# For an index of 30 million moves it is faster to be made at the end.
WITHOUT_KEY = "ALTER TABLE moves DROP CONSTRAINT moves_pkey"
WITH_KEY = "ALTER TABLE moves ADD PRIMARY KEY (deal_id, ply)"

NUMBERS = ("tables", "seats", "series", "deals", "screens")

# $1: how many tables; $2: the first number of what is made.
CHATS = "INSERT INTO chats (id, kind, title) SELECT -($2 + g), 'supergroup', 'Club ' || g FROM generate_series(1, $1) g"

PLAYERS = """
INSERT INTO players (id, name, reachable, seen_at)
SELECT $2 + g, 'Player ' || g, true, now() FROM generate_series(1, $1) g
"""

# Everybody sits at four tables.
SEATS = """
INSERT INTO seats (table_id, seat, player_id, since, until)
SELECT $2 + g, s, $2 + 1 + (4 * g + s) % $1, now(), CASE WHEN $3 THEN now() END
FROM generate_series(1, $1) g, generate_series(0, 3) s
"""

CLOSED_TABLES = """
INSERT INTO tables (id, chat_id, state, closed_because, opened_by, opened_at, rules, version, pace)
OVERRIDING SYSTEM VALUE
SELECT $2 + g, -($2 + g), 'closed', 'replaced', $2 + g, now(), t.rules, t.version, t.pace
FROM generate_series(1, $1) g, tables t WHERE t.id = $3
"""

FINISHED_SERIES = """
INSERT INTO series (id, table_id, number, rules, loss_0, loss_1, balls, doubled, deals, dealer, leader, started_at,
    ended_at, outcome)
OVERRIDING SYSTEM VALUE
SELECT $2 + $3 * (g - 1) + n, $2 + g, n, s.rules, s.loss_0, s.loss_1, s.balls, s.doubled, s.deals, s.dealer, s.leader,
    s.started_at, s.ended_at, s.outcome
FROM generate_series(1, $1) g, generate_series(1, $3) n, series s WHERE s.id = $4
"""

# $1: how many series.
FINISHED_DEALS = """
INSERT INTO deals (id, series_id, number, deck, indicator, dealer, leader, started_at, ended_at, points_0, points_1,
    tricks_0, tricks_1, loss_0, loss_1)
OVERRIDING SYSTEM VALUE
SELECT $2 + $3 * (g - 1) + d.number, $2 + g, d.number, d.deck, d.indicator, d.dealer, d.leader, d.started_at,
    d.ended_at, d.points_0, d.points_1, d.tricks_0, d.tricks_1, d.loss_0, d.loss_1
FROM generate_series(1, $1) g, deals d WHERE d.series_id = $4
"""

FINISHED_MOVES = """
INSERT INTO moves (deal_id, ply, seat, move, made_by, player_id, at)
SELECT $2 + $3 * (g - 1) + d.number, m.ply, m.seat, m.move, m.made_by, m.player_id, m.at
FROM generate_series(1, $1) g, deals d JOIN moves m ON m.deal_id = d.id WHERE d.series_id = $4
"""

SLEEPING_TABLES = """
INSERT INTO tables (id, chat_id, state, opened_by, opened_at, rules, version, pace, asleep_at, human_at)
OVERRIDING SYSTEM VALUE
SELECT $2 + g, -($2 + g), 'playing', $2 + g, now(), t.rules, t.version, t.pace, now(), now()
FROM generate_series(1, $1) g, tables t WHERE t.id = $3
"""

RUNNING_SERIES = """
INSERT INTO series (id, table_id, number, rules, deals, dealer, leader, started_at)
OVERRIDING SYSTEM VALUE
SELECT $2 + g, $2 + g, 1, s.rules, 0, s.dealer, s.leader, s.started_at
FROM generate_series(1, $1) g, series s WHERE s.id = $3
"""

# A deal that was left in the middle.
DEALS_IN_PLAY = """
INSERT INTO deals (id, series_id, number, deck, indicator, dealer, leader, started_at)
OVERRIDING SYSTEM VALUE
SELECT $2 + g, $2 + g, 1, d.deck, d.indicator, d.dealer, d.leader, d.started_at
FROM generate_series(1, $1) g, deals d WHERE d.series_id = $3 AND d.number = 1
"""

MOVES_IN_PLAY = """
INSERT INTO moves (deal_id, ply, seat, move, made_by, player_id, at)
SELECT $2 + g, m.ply, m.seat, m.move, m.made_by, m.player_id, m.at
FROM generate_series(1, $1) g, deals d JOIN moves m ON m.deal_id = d.id
WHERE d.series_id = $3 AND d.number = 1 AND m.ply < 12
"""

TABLE_SCREENS = """
INSERT INTO screens (table_id, kind, chat_id, deal_id, message_id, sent_at, shown, digest, paint_at)
SELECT $2 + g, 'table', -($2 + g), $2 + g, g, now(), 1, repeat('0', 32), now() FROM generate_series(1, $1) g
"""

HAND_SCREENS = """
INSERT INTO screens (table_id, kind, chat_id, player_id, message_id, sent_at, shown, digest, paint_at)
SELECT c.table_id, 'hand', c.player_id, c.player_id, c.id, now(), 1, repeat('0', 32), now()
FROM seats c WHERE c.table_id > $2 AND c.table_id <= $2 + $1
"""

NEXT_NUMBER = "SELECT setval(pg_get_serial_sequence($1, 'id'), (SELECT max(id) FROM {}))"

FINISHED, ASLEEP = 100_000_000, 200_000_000
"""From which numbers on."""


async def play_a_series(db: Connection, rng: random.Random) -> Table:
    """A table of four people at which a series was really played, by random moves."""
    moment = Moment(NOW, rng)
    table_id = await open_table(db, -1, moment)
    while True:
        table = await tables.read(db, table_id)
        if table is None or table.series is None:
            raise RuntimeError("the table did not start")
        if table.deal is None:
            return table
        state = final(table.deal.record)
        move = rng.choice(legal_moves(state))
        who = table.seats[move.seat]
        assert who is not None
        await deals.play_move(db, table, move, "person", who.person, moment)


async def open_table(db: Connection, chat_id: int, moment: Moment) -> int:
    """A table of the four at which a series has begun."""
    await chats.meet(db, chats.Chat(chat_id, "group", "Club"), "en")
    for number in FOUR:
        await players.meet(db, players.Person(number, f"Player {number}"), moment.now)
        await players.set_reachable(db, number, True)
    table_id = await lobby.open_table(db, chat_id, None, FOUR[0], moment)
    for index, number in enumerate(FOUR):
        await lobby.take_seat(db, table_id, number, index % 2, moment)
    await lobby.start(db, table_id, FOUR[0], moment)
    return table_id


async def fill(db: Connection, pattern: Table, finished: int, asleep: int) -> None:
    """So many finished deals, to the next whole table, and so many sleeping tables, beside the pattern's own."""
    assert pattern.series is not None
    series, length = pattern.series.id, pattern.series.state.deals
    many = -(-finished // (SERIES_A_TABLE * length))
    async with db.transaction():
        await db.execute(UNCHECKED)
        await db.execute(WITHOUT_KEY)
        await db.execute(CHATS, many, FINISHED)
        await db.execute(PLAYERS, many, FINISHED)
        await db.execute(CLOSED_TABLES, many, FINISHED, pattern.id)
        await db.execute(SEATS, many, FINISHED, True)
        await db.execute(FINISHED_SERIES, many, FINISHED, SERIES_A_TABLE, series)
        await db.execute(FINISHED_DEALS, many * SERIES_A_TABLE, FINISHED, length, series)
        await db.execute(FINISHED_MOVES, many * SERIES_A_TABLE, FINISHED, length, series)
        await db.execute(CHATS, asleep, ASLEEP)
        await db.execute(PLAYERS, asleep, ASLEEP)
        await db.execute(SLEEPING_TABLES, asleep, ASLEEP, pattern.id)
        await db.execute(SEATS, asleep, ASLEEP, False)
        await db.execute(RUNNING_SERIES, asleep, ASLEEP, series)
        await db.execute(DEALS_IN_PLAY, asleep, ASLEEP, series)
        await db.execute(MOVES_IN_PLAY, asleep, ASLEEP, series)
        await db.execute(TABLE_SCREENS, asleep, ASLEEP)
        await db.execute(HAND_SCREENS, asleep, ASLEEP)
        await db.execute(WITH_KEY)
        for table in NUMBERS:
            await db.fetchval(NEXT_NUMBER.format(table), table)
    await db.execute("ANALYZE")
    await db.execute("CHECKPOINT")
