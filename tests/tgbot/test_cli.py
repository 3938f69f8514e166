"""The `goat` command: quick where it can be, and one line for every mistake."""

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from db import embedded

ROOT = Path(__file__).parents[2]
RECORD = {
    "format": "goat-deal/1",
    "deck": " ".join(
        rank + suit for suit in "CDHS" for rank in ("6", "7", "8", "9", "10", "J", "Q", "K", "A")
    ),
    "indicator": 0,
    "dealer": 0,
    "leader": 1,
    "moves": [],
}


def goat(
    *arguments: str, stdin: str = "", cwd: Path = ROOT, **variables: str
) -> subprocess.CompletedProcess[str]:
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    return subprocess.run(
        [sys.executable, "-m", "tgbot", *arguments],
        input=stdin,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        cwd=cwd,
        env=kept | {"PYTHONPATH": str(ROOT)} | variables,
    )


def imported_by(*arguments: str, stdin: str = "") -> set[str]:
    """The top-level modules that a command has imported when it ends."""
    script = (
        "import atexit, json, sys\n"
        "atexit.register(lambda: sys.stderr.write(json.dumps(sorted({m.split('.')[0] for m in sys.modules}))))\n"
        f"from tgbot.cli import main; sys.exit(main({list(arguments)!r}))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        input=stdin,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        cwd=ROOT,
    )
    return set(json.loads(done.stderr.splitlines()[-1]))


HEAVY = {"aiogram", "aiohttp", "asyncio", "asyncpg", "pydantic", "sqlalchemy", "alembic", "babel"}


@pytest.mark.parametrize(
    "arguments", [("--help",), ("--version",), ("run", "--help"), ("replay", "-"), ("replay", "--legal", "-")]
)
def test_light_commands_import_nothing_heavy(arguments: tuple[str, ...]) -> None:
    modules = imported_by(*arguments, stdin=json.dumps(RECORD))
    assert "tgbot" in modules
    assert modules.isdisjoint(HEAVY)


def test_replay_reads_records_and_prints_states() -> None:
    done = goat("replay", "-", stdin=json.dumps(RECORD))
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["ply"] == 0
    assert "legal" in json.loads(goat("replay", "--legal", "-", stdin=json.dumps(RECORD)).stdout)


def test_replay_tells_a_bad_record_by_its_status() -> None:
    done = goat("replay", "-", stdin="{}")
    assert done.returncode == 1
    assert "error" in json.loads(done.stdout)


@pytest.mark.parametrize(
    "arguments", [(), ("dance",), ("replay",), ("bench", "dance"), ("play", "--port", "x")]
)
def test_what_is_no_command_is_answered_with_the_usage(arguments: tuple[str, ...]) -> None:
    done = goat(*arguments)
    assert done.returncode == 2
    assert done.stderr.startswith("usage: goat")
    assert "Traceback" not in done.stderr


def mistake(done: subprocess.CompletedProcess[str]) -> str:
    """The one line that an operator gets."""
    assert done.returncode != 0
    assert done.stderr.startswith("goat: ")
    assert done.stderr.count("\n") == 1, done.stderr
    return done.stderr


def test_running_without_a_token_is_told_in_a_line() -> None:
    assert "BOT_TOKEN is missing" in mistake(goat("run"))


def test_wrong_variables_cost_a_line_each() -> None:
    done = goat("run", PORT="x", LOG_LEVEL="y")
    assert done.returncode == 2
    assert [line.split()[:2] for line in done.stderr.splitlines()] == [
        ["goat:", "PORT"],
        ["goat:", "LOG_LEVEL"],
    ]


TOKEN = "123456789:AAE-token-of-a-test"


def test_running_with_a_wrong_database_address_is_told_in_a_line() -> None:
    line = mistake(goat("run", BOT_TOKEN=TOKEN, DATABASE_URL="postgresql://goat:topsecret@127.0.0.1:1/goat"))
    assert "the database at 127.0.0.1:1/goat refuses the connection" in line
    assert "topsecret" not in line


def test_running_on_an_unmigrated_database_says_what_to_run(empty_database: str) -> None:
    line = mistake(goat("run", BOT_TOKEN=TOKEN, DATABASE_URL=empty_database))
    assert "run `goat migrate`" in line


def test_migrating_twice_does_it_once(empty_database: str) -> None:
    first, second = (goat("migrate", DATABASE_URL=empty_database) for _ in range(2))
    assert (first.returncode, second.returncode) == (0, 0)
    assert first.stdout.startswith("the database was empty, is now at revision ")
    assert second.stdout.endswith("nothing to do\n")


def test_a_restored_database_is_migrated_and_its_numbers_go_on_elsewhere(empty_database: str) -> None:
    assert goat("migrate", "--restored", DATABASE_URL=empty_database).returncode == 0


def test_a_data_folder_in_use_is_told_in_a_line(postgres: embedded.Server) -> None:
    line = mistake(goat("migrate", DATA_DIR=str(postgres.folder.parent)))
    assert "in use by another goat" in line


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_stopped_command_says_nothing(number: signal.Signals) -> None:
    # A command that waits: for its standard input. A background job of a shell starts with SIGINT ignored.
    script = (
        "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "from tgbot.cli import main; sys.exit(main(['replay', '-']))"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    ) as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write(json.dumps(RECORD) + "\n")
        process.stdin.flush()
        process.stdout.readline()  # it has begun
        process.send_signal(number)
        assert process.wait(10) == 128 + number
        assert process.stderr
        assert process.stderr.read() == ""


def in_a_shell(line: str, records: int, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        f"{sys.executable} -m tgbot {line}",
        shell=True,
        input="\n".join([json.dumps(RECORD)] * records),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        cwd=ROOT,
        env=os.environ | variables,
    )


def test_a_reader_that_goes_away_is_no_traceback() -> None:
    done = in_a_shell("replay - | head -c 1", records=2000)
    assert done.stdout == "{"
    assert done.stderr == ""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
@pytest.mark.parametrize("command", ["replay -", "doctor", "arena easy easy --deals 1"])
def test_a_full_disk_is_told_in_a_line(command: str) -> None:
    done = in_a_shell(f"{command} > /dev/full", records=3)
    assert done.returncode == 1
    assert re.fullmatch(r"goat[^\n]*: No space left on device\n", done.stderr)


EXPLAIN = "explain docs/deal.json --ply 6"


@pytest.mark.parametrize("command", [EXPLAIN, "arena easy easy --deals 1", "doctor", "records"])
def test_a_closed_output_is_no_traceback(command: str, tmp_path: Path) -> None:
    done = in_a_shell(f"{command} >&-", records=0, DATA_DIR=str(tmp_path))
    assert "Traceback" not in done.stderr
    done = in_a_shell(f"{command} 2>&-", records=0, DATA_DIR=str(tmp_path))
    assert "Traceback" not in done.stdout
    assert "goat: " not in done.stdout  # what is wrong doesn't get among the output


def test_an_output_that_takes_nothing_is_told_in_a_line() -> None:
    done = in_a_shell(f"{EXPLAIN} 1</dev/null", records=0)
    assert (done.returncode, done.stderr) == (1, "goat: can't write: Bad file descriptor\n")
