"""Series, deals and moves: the record of what was played. The state of a deal is always replayed from it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from core.cards import card_name, parse_card
from core.moves import Move
from core.record import Record
from core.rules import Rules
from core.series import DealResult, Series
from core.state import Pack
from db.connection import Connection

MadeBy = Literal["person", "computer", "clock"]
Outcome = Literal["goats", "stopped"]


@dataclass(frozen=True, slots=True)
class RunningDeal:
    id: int
    number: int
    record: Record
    started_at: datetime


@dataclass(frozen=True, slots=True)
class FinishedDeal:
    id: int
    number: int
    points: tuple[int, int]
    tricks: tuple[int, int]
    loss: tuple[int, int]


class KeptDeal:
    """A finished deal as it stands in the database. `str()` says where it was played."""

    def __init__(self, row: Any) -> None:
        self.id: int = row["id"]
        self._row = row

    def __str__(self) -> str:
        row = self._row
        return f"table {row['table_id']}, series {row['series']}, deal {row['number']}"

    def record(self) -> Record:
        """Raises GoatError when this version of goat can't read it."""
        row = self._row
        return _record(row, table=row["table_id"], series=row["series"], deal=row["number"])


BEGIN_SERIES = """
INSERT INTO series (table_id, number, rules, dealer, leader, started_at)
VALUES ($1, 1 + coalesce((SELECT max(number) FROM series WHERE table_id = $1), 0), $2, $3, $4, $5)
RETURNING id
"""

SAVE_SERIES = """
UPDATE series SET loss_0 = $2, loss_1 = $3, balls = $4, doubled = $5, deals = $6, dealer = $7, leader = $8
WHERE id = $1
"""

END_SERIES = "UPDATE series SET ended_at = $2, outcome = $3 WHERE id = $1 AND ended_at IS NULL"

BEGIN_DEAL = """
INSERT INTO deals (series_id, number, deck, indicator, dealer, leader, started_at)
VALUES ($1, $2, $3, $4, $5, $6, $7)
RETURNING id
"""

END_DEAL = """
UPDATE deals SET ended_at = $2, points_0 = $3, points_1 = $4, tricks_0 = $5, tricks_1 = $6,
    loss_0 = $7, loss_1 = $8
WHERE id = $1
"""

# The primary key (deal, ply) is the last guard of "a ply is played once".
APPEND = """
INSERT INTO moves (deal_id, ply, seat, move, made_by, player_id, at) VALUES ($1, $2, $3, $4, $5, $6, $7)
"""

FINISHED = """
SELECT id, number, points_0, points_1, tricks_0, tricks_1, loss_0, loss_1
FROM deals WHERE series_id = $1 AND ended_at IS NOT NULL ORDER BY number
"""

SERIES = """
SELECT rules, loss_0, loss_1, balls, doubled, deals, dealer, leader FROM series WHERE id = $1
"""

SERIES_OF = "SELECT series_id FROM deals WHERE id = $1"

RECORD = """
SELECT d.deck, d.indicator, d.dealer, d.leader, s.rules,
    (SELECT array_agg(m.move ORDER BY m.ply) FROM moves m WHERE m.deal_id = d.id) AS moves
FROM deals d JOIN series s ON s.id = d.series_id
WHERE d.id = $1
"""


# By id, a page at a time: whoever reads them slowly holds no transaction open.
FINISHED_RECORDS = """
SELECT d.id, d.number, s.table_id, s.number AS series, d.deck, d.indicator, d.dealer, d.leader, s.rules,
    (SELECT array_agg(m.move ORDER BY m.ply) FROM moves m WHERE m.deal_id = d.id) AS moves
FROM deals d JOIN series s ON s.id = d.series_id
WHERE d.ended_at IS NOT NULL AND d.id > $1 AND ($2::bigint IS NULL OR s.table_id = $2)
ORDER BY d.id LIMIT $3
"""


def pack_from(deck: str, indicator: int, dealer: int, leader: int) -> Pack:
    cards = tuple(parse_card(name) for name in deck.split())
    return Pack(cards=cards, indicator=indicator, dealer=dealer, leader=leader)


async def begin_series(db: Connection, table_id: int, series: Series, now: datetime) -> int:
    return int(
        await db.fetchval(BEGIN_SERIES, table_id, series.rules.to_json(), series.dealer, series.leader, now)
    )


async def save_series(db: Connection, series_id: int, series: Series) -> None:
    await db.execute(
        SAVE_SERIES,
        series_id,
        *series.loss,
        series.balls,
        series.doubled,
        series.deals,
        series.dealer,
        series.leader,
    )


async def end_series(db: Connection, series_id: int, outcome: Outcome, now: datetime) -> None:
    await db.execute(END_SERIES, series_id, now, outcome)


async def begin_deal(db: Connection, series_id: int, number: int, pack: Pack, now: datetime) -> int:
    """`number` counts from 1 within the series. Returns the deal's id."""
    deck = " ".join(card_name(card) for card in pack.cards)
    return int(
        await db.fetchval(BEGIN_DEAL, series_id, number, deck, pack.indicator, pack.dealer, pack.leader, now)
    )


async def end_deal(db: Connection, deal_id: int, result: DealResult, now: datetime) -> None:
    await db.execute(END_DEAL, deal_id, now, *result.points, *result.tricks, *result.loss)


async def append_move(
    db: Connection, deal_id: int, ply: int, move: Move, made_by: MadeBy, player_id: int | None, now: datetime
) -> None:
    """`ply` counts the moves before this one."""
    await db.execute(APPEND, deal_id, ply, move.seat, str(move), made_by, player_id, now)


async def finished(db: Connection, series_id: int) -> Sequence[FinishedDeal]:
    """The finished deals of a series, the first one first."""
    return [
        FinishedDeal(
            id=row["id"],
            number=row["number"],
            points=(row["points_0"], row["points_1"]),
            tricks=(row["tricks_0"], row["tricks_1"]),
            loss=(row["loss_0"], row["loss_1"]),
        )
        for row in await db.fetch(FINISHED, series_id)
    ]


async def series_state(db: Connection, series_id: int) -> Series | None:
    row = await db.fetchrow(SERIES, series_id)
    if row is None:
        return None
    return Series(
        rules=Rules.from_json(row["rules"]),
        loss=(row["loss_0"], row["loss_1"]),
        balls=row["balls"],
        doubled=row["doubled"],
        deals=row["deals"],
        dealer=row["dealer"],
        leader=row["leader"],
    )


async def series_of(db: Connection, deal_id: int) -> int | None:
    return await db.fetchval(SERIES_OF, deal_id)  # type: ignore[no-any-return]


async def record_of(db: Connection, deal_id: int) -> Record | None:
    """A deal as it stands, finished or not."""
    row = await db.fetchrow(RECORD, deal_id)
    return None if row is None else _record(row)


async def finished_deals(
    db: Connection, table_id: int | None, after: int = 0, limit: int = 100
) -> list[KeptDeal]:
    """The next finished deals by id, of one table or of all. Running deals are left out: their cards are nobody's to
    see."""
    return [KeptDeal(row) for row in await db.fetch(FINISHED_RECORDS, after, table_id, limit)]


def _record(row: Any, **extra: object) -> Record:
    return Record(
        pack=pack_from(row["deck"], row["indicator"], row["dealer"], row["leader"]),
        rules=Rules.from_json(row["rules"]),
        moves=tuple(Move.parse(text) for text in row["moves"] or ()),
        extra=extra,
    )
