"""`goat records` writes what was played, and nothing of what is being played."""

import io
import json
from pathlib import Path
from typing import Any

import pytest

from core.deal import loss
from core.record import Record, final
from core.state import Phase
from db import deals, embedded
from db.deals import FinishedDeal
from db.pool import DatabaseUnavailable, Pool
from tests.tgbot.hall import FOUR, Hall
from tests.tgbot.test_cli import goat, mistake
from tgbot import records


async def play_deals(hall: Hall, table_id: int, count: int) -> list[FinishedDeal]:
    """People play at random until so many deals of the table's series are over; the next one is dealt then."""
    finished: list[FinishedDeal] = []
    while len(finished) < count:
        await hall.move(table_id)
        table = await hall.table(table_id)
        assert table.series is not None
        async with hall.pool.acquire() as db:
            finished = list(await deals.finished(db, table.series.id))
    return finished


async def written(database: str, table_id: int | None = None) -> list[dict[str, Any]]:
    out = io.StringIO()
    await records.write(database, table_id, out)
    return [json.loads(line) for line in out.getvalue().splitlines()]


async def test_a_finished_deal_is_a_record_that_replays_to_what_was_counted(
    pool: Pool, database: str
) -> None:
    hall = Hall(pool)
    table_id = await hall.open()
    finished = await play_deals(hall, table_id, 2)
    found = await written(database)
    assert [(one["table"], one["series"], one["deal"]) for one in found] == [
        (table_id, 1, 1),
        (table_id, 1, 2),
    ]
    for one, counted in zip(found, finished, strict=True):
        end = final(Record.from_json(one))
        assert end.phase is Phase.OVER
        assert (end.points, end.tricks) == (counted.points, counted.tricks)
        assert loss(end) == counted.loss


async def test_a_deal_that_is_being_played_is_not_shown(pool: Pool, database: str) -> None:
    hall = Hall(pool)
    table_id = await hall.open()
    assert await hall.state(table_id)
    assert await written(database) == []


async def test_records_of_one_table_are_only_its_own(pool: Pool, database: str) -> None:
    hall = Hall(pool)
    tables = [await hall.open(), await hall.open(people=[number + 10 for number in FOUR])]
    for table_id in tables:
        await play_deals(hall, table_id, 1)
    assert [one["table"] for one in await written(database)] == tables
    assert [one["table"] for one in await written(database, tables[1])] == tables[1:]
    assert await written(database, 999) == []


async def test_many_deals_are_read_a_page_at_a_time(pool: Pool) -> None:
    hall = Hall(pool)
    await play_deals(hall, await hall.open(), 3)
    async with pool.acquire() as db:
        pages = []
        after = 0
        while page := await deals.finished_records(db, None, after, limit=2):
            pages.append(len(page))
            after = page[-1][0]
    assert pages == [2, 1]


async def test_the_command_writes_lines_that_goat_replay_reads(pool: Pool, database: str) -> None:
    hall = Hall(pool)
    await play_deals(hall, await hall.open(), 1)
    found = goat("records", DATABASE_URL=database)
    assert (found.returncode, found.stderr) == (0, "")
    replayed = goat("replay", "-", stdin=found.stdout)
    assert replayed.returncode == 0
    assert json.loads(replayed.stdout.splitlines()[-1])["phase"] == "over"


@pytest.mark.parametrize("number", ["0", "-1", "x", str(1 << 63)])
def test_what_no_table_can_be_called_is_answered_with_the_usage(number: str) -> None:
    done = goat("records", f"--table={number}")
    assert done.returncode == 2
    assert "invalid table number value" in done.stderr
    assert "Traceback" not in done.stderr


async def test_a_database_that_goes_away_costs_a_line(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def gone(*_: object) -> None:
        raise ConnectionResetError(104, "Connection reset by peer")

    monkeypatch.setattr(deals, "finished_records", gone)
    with pytest.raises(DatabaseUnavailable, match="can't be reached"):
        await written(database)


def test_without_a_database_it_says_so_and_makes_none(tmp_path: Path) -> None:
    for words, played in ((("records",), "goat run"), (("records", "--play"), "goat play")):
        assert played in mistake(goat(*words, DATA_DIR=str(tmp_path)))
        assert not list(tmp_path.iterdir())


def test_an_embedded_database_that_does_not_run_is_started_for_it(place: Path) -> None:
    with embedded.start(place / "postgres", durable=False):
        pass
    assert "run `goat migrate`" in mistake(goat("records", DATA_DIR=str(place)))
    assert goat("migrate", DATA_DIR=str(place)).returncode == 0
    done = goat("records", DATA_DIR=str(place))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert embedded.running(place / "postgres") is None
