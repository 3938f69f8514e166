"""`goat records` writes what was played, and nothing of what is being played."""

import asyncio
import io
import json
import os
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

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
from tgbot.settings import Settings


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
        while page := await deals.finished_deals(db, None, after, limit=2):
            pages.append(len(page))
            after = page[-1].id
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
    assert f"'{number}' is no whole number from 1 to" in done.stderr
    assert "Traceback" not in done.stderr


async def test_a_database_that_goes_away_costs_a_line(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def gone(*_: object) -> None:
        raise ConnectionResetError(104, "Connection reset by peer")

    monkeypatch.setattr(deals, "finished_deals", gone)
    with pytest.raises(DatabaseUnavailable, match="can't be reached"):
        await written(database)


def test_without_a_database_it_says_so_and_makes_none(tmp_path: Path) -> None:
    for words, played in ((("records",), "goat run"), (("records", "--play"), "goat play")):
        assert played in mistake(goat(*words, DATA_DIR=str(tmp_path)))
        assert not list(tmp_path.iterdir())


def test_who_looks_in_the_wrong_place_is_told_where_the_other_one_is(place: Path) -> None:
    with embedded.start(place / "play", durable=False):
        pass
    assert "`goat records --play`" in mistake(goat("records", DATA_DIR=str(place)))


async def test_a_deal_that_cannot_be_read_costs_a_line_and_no_other_deal(pool: Pool, database: str) -> None:
    hall = Hall(pool)
    table_id = await hall.open()
    first, second, _ = await play_deals(hall, table_id, 3)
    async with pool.acquire() as db:
        await db.execute("UPDATE moves SET move = '0 fly 6C' WHERE deal_id = $1 AND ply = 1", first.id)
        await db.execute("UPDATE deals SET deck = 'X' || deck WHERE id = $1", second.id)
    done = goat("records", DATABASE_URL=database)
    assert done.returncode == 1
    assert [json.loads(line)["deal"] for line in done.stdout.splitlines()] == [3]
    assert [line.partition(": ")[2].rpartition(": ")[0] for line in done.stderr.splitlines()] == [
        f"table {table_id}, series 1, deal {number}" for number in (1, 2)
    ]


async def test_a_user_without_rights_is_told_in_a_line(database: str, pool: Pool) -> None:
    async with pool.acquire() as db:
        await db.execute("DROP ROLE IF EXISTS stranger; CREATE ROLE stranger LOGIN PASSWORD 'stranger'")
    address = urlsplit(database)
    place = f"stranger:stranger@{address.hostname}:{address.port}"
    line = mistake(goat("records", DATABASE_URL=urlunsplit(address._replace(netloc=place))))
    assert "permission denied" in line


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
def test_another_account_than_the_owner_of_the_data_is_told_in_a_line(place: Path) -> None:
    with embedded.start(place / "postgres", durable=False):
        pass
    (place / "postgres" / "cluster").chmod(0o700)
    os.seteuid(54321)
    try:
        with pytest.raises(embedded.FolderUnusable, match="run goat as the account that owns it"):
            embedded.exists(place / "postgres")
    finally:
        os.seteuid(0)


async def test_a_server_that_ends_while_it_is_read_is_tried_again(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another `goat records` started it and is done before us."""
    tries = []

    async def write(dsn: str, table: int | None, out: Any) -> list[str]:
        tries.append(dsn)
        out.write("half a rec")
        if len(tries) < 3:
            raise DatabaseUnavailable("terminating connection due to administrator command")
        out.write("ord\n")
        return []

    with embedded.start(place / "postgres", durable=False):
        monkeypatch.setattr(records, "write", write)
        monkeypatch.setattr("tgbot.records.time.sleep", lambda seconds: None)
        out, err = io.StringIO(), io.StringIO()
        settings = Settings(data_dir=place)
        assert await asyncio.to_thread(records.main, settings, None, False, out, err) == 0
    assert (out.getvalue(), err.getvalue(), len(tries)) == ("half a record\n", "", 3)


def test_an_embedded_database_that_does_not_run_is_started_for_it(place: Path) -> None:
    with embedded.start(place / "postgres", durable=False):
        pass
    assert "run `goat migrate`" in mistake(goat("records", DATA_DIR=str(place)))
    assert goat("migrate", DATA_DIR=str(place)).returncode == 0
    done = goat("records", DATA_DIR=str(place))
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr == "goat records: no finished deal yet\n"
    assert embedded.running(place / "postgres") is None
