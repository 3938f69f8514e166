"""The embedded PostgreSQL: what it keeps, what it survives, and what it says when it can't start."""

import errno
import os
import pwd
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import asyncpg
import pytest

from db import embedded, leftovers, programs
from db.errors import OperatorError

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root starts programs as somebody else")


@pytest.fixture(scope="module")
def data() -> Iterator[Path]:
    """A data folder that was made once; a server is started on it by every test that asks."""
    folder = Path(tempfile.mkdtemp(prefix="goat-embedded-"))
    folder.chmod(0o755)
    start(folder / "data").stop()
    yield folder / "data"
    assert servers(folder / "data") == []
    shutil.rmtree(folder)


def start(folder: Path) -> embedded.Server:
    return embedded.start(folder, durable=False, timeout=20)


def wait_until(condition: Callable[[], bool], what: str) -> None:
    deadline = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < deadline, what
        time.sleep(0.02)


def servers(folder: Path) -> list[int]:
    """The processes of a folder's server, its children too."""
    return [pid for pid, _ in leftovers.processes(folder / "cluster")]


async def ask(dsn: str, query: str) -> object:
    connection = await asyncpg.connect(dsn)
    try:
        return await connection.fetchval(query)
    finally:
        await connection.close()


async def remember(dsn: str, name: str) -> None:
    connection = await asyncpg.connect(dsn)
    await connection.execute("DROP TABLE IF EXISTS goats; CREATE TABLE goats (name text)")
    await connection.execute("INSERT INTO goats VALUES ($1)", name)
    await connection.close()


async def remembered(dsn: str) -> object:
    return await ask(dsn, "SELECT name FROM goats")


CHILD = """
import sys, time
from pathlib import Path
from db import embedded
server = embedded.start(Path(sys.argv[1]), durable=sys.argv[2:] == ["durable"])
print(server.dsn, flush=True)
time.sleep(60)
"""


@pytest.fixture
def another_goat(data: Path) -> Iterator[Callable[..., tuple[subprocess.Popen[str], str]]]:
    """Starts a server from another process; gives that process and the server's address."""
    started: list[subprocess.Popen[str]] = []

    def begin(folder: Path, *arguments: str) -> tuple[subprocess.Popen[str], str]:
        child = subprocess.Popen(
            [sys.executable, "-c", CHILD, str(folder), *arguments], stdout=subprocess.PIPE, text=True
        )
        started.append(child)
        assert child.stdout
        return child, child.stdout.readline().strip()

    yield begin
    for child in started:
        child.kill()
        child.communicate()
    wait_until(lambda: not servers(data), "a server was left behind")


async def test_a_server_keeps_its_data_between_runs(data: Path) -> None:
    with start(data) as server:
        await remember(server.dsn, "billy")
    with start(data) as server:
        assert await remembered(server.dsn) == "billy"


async def test_text_is_unicode_whatever_the_system_speaks(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "C")
    monkeypatch.setenv("PGPORT", "1")
    monkeypatch.setenv("PGOPTIONS", "-c timezone=Asia/Tokyo")
    with start(data) as server:
        monkeypatch.delenv("PGOPTIONS")
        assert await ask(server.dsn, "SHOW server_encoding") == "UTF8"
        assert await ask(server.dsn, "SELECT upper('козёл')") == "КОЗЁЛ"
        assert await ask(server.dsn, "SHOW timezone") == "UTC"


async def test_nobody_gets_in_without_the_password(data: Path) -> None:
    with start(data) as server:
        with pytest.raises(asyncpg.InvalidPasswordError):
            await asyncpg.connect(
                host="127.0.0.1", port=server.port, user="goat", password="x", database="goat"
            )
        assert await ask(server.dsn, "SHOW listen_addresses") == "127.0.0.1"
        assert await ask(server.dsn, "SHOW unix_socket_directories") == ""
        for name, mode in (("password", 0o600), ("server.log", 0o600), ("cluster", 0o700)):
            assert stat.S_IMODE((data / name).stat().st_mode) == mode
        password = (data / "password").read_text()
        assert len(password) >= 32
        assert password not in repr(server)
        assert not any(password in line for _, line in leftovers.command_lines())


async def test_only_tests_do_without_the_disk(data: Path) -> None:
    names = ("fsync", "full_page_writes", "synchronous_commit")
    with embedded.start(data) as server:
        assert [await ask(server.dsn, f"SHOW {name}") for name in names] == ["on", "on", "on"]
    with start(data) as server:
        assert [await ask(server.dsn, f"SHOW {name}") for name in names] == ["off", "off", "off"]


def test_stopping_leaves_no_process_and_may_be_done_twice(data: Path) -> None:
    server = start(data)
    assert servers(data)
    server.stop()
    server.stop()
    assert servers(data) == []


async def test_open_connections_do_not_hold_up_a_stop(data: Path) -> None:
    server = start(data)
    connection = await asyncpg.connect(server.dsn)
    await connection.execute("BEGIN")
    began = time.monotonic()
    server.stop()
    assert time.monotonic() - began < 5
    connection.terminate()


def test_a_second_starter_is_told_who_has_the_folder(data: Path) -> None:
    with start(data), pytest.raises(embedded.FolderInUse) as caught:
        start(data)
    assert f"in use by another goat (process {os.getpid()}): stop it first" in str(caught.value)
    with start(data):
        pass  # the refused one holds nothing back


def test_two_folders_have_two_servers(place: Path) -> None:
    with start(place / "one") as one, start(place / "two") as two:
        assert one.port != two.port


async def test_a_killed_starter_takes_its_server_along(
    data: Path, another_goat: Callable[..., tuple[subprocess.Popen[str], str]]
) -> None:
    child, dsn = another_goat(data, "durable")
    await remember(dsn, "nanny")
    child.kill()
    child.wait()
    wait_until(lambda: not servers(data), "the server outlived its starter")
    with start(data) as server:
        assert await remembered(server.dsn) == "nanny"


async def test_a_start_right_after_a_kill_finds_everything_committed(
    data: Path, another_goat: Callable[..., tuple[subprocess.Popen[str], str]]
) -> None:
    child, dsn = another_goat(data, "durable")
    await remember(dsn, "kid")
    child.kill()
    with start(data) as server:
        assert await remembered(server.dsn) == "kid"


async def test_a_server_without_starter_and_guard_is_replaced(data: Path) -> None:
    first = start(data)
    await remember(first.dsn, "stray")
    first._guard.kill()
    first._guard.communicate()
    os.close(first._lock)  # as the system does when a starter dies
    first._lock = -1
    with start(data) as second:
        assert await remembered(second.dsn) == "stray"
        assert first._postgres.wait(5) == 0, "the stray one was not stopped properly"


async def test_a_server_killed_with_everything_recovers(data: Path) -> None:
    with embedded.start(data) as server:
        await remember(server.dsn, "phoenix")
        for pid in servers(data):
            os.kill(pid, signal.SIGKILL)
    assert (data / "cluster" / "postmaster.pid").exists()
    with embedded.start(data) as server:
        assert await remembered(server.dsn) == "phoenix"


async def test_a_pid_file_that_names_a_stranger_is_no_obstacle(data: Path) -> None:
    start(data).stop()
    identity = programs.account_for(data)
    with programs.popen(("/bin/sleep", "60"), identity) as stranger:
        pid_file = data / "cluster" / "postmaster.pid"
        pid_file.write_text(f"{stranger.pid}\n{data}/cluster\n1\n5432\n\n127.0.0.1\n1 1\nready\n")
        pid_file.chmod(0o644)
        with start(data) as server:
            assert await ask(server.dsn, "SELECT 1") == 1
        assert stranger.poll() is None, "a program that isn't ours was ended"
        stranger.kill()


def test_data_that_were_only_half_made_are_made_anew(place: Path) -> None:
    half = place / "data" / "cluster.new"
    half.mkdir(parents=True)
    (half / "PG_VERSION").write_text("18\n")
    with start(place / "data"):
        assert not half.exists()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_starter_that_ends_by_itself_stops_its_server_first(data: Path, number: signal.Signals) -> None:
    script = (
        "import signal, sys; from pathlib import Path; from db import embedded\n"
        "signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))\n"
        # A background job of a shell starts with SIGINT ignored.
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "embedded.start(Path(sys.argv[1]), durable=False); print('ready', flush=True); signal.pause()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script, str(data)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as child:
        assert child.stdout
        assert child.stdout.readline() == "ready\n"
        child.send_signal(number)
        child.wait(10)
    assert servers(data) == []
    assert "database system is shut down" in (data / "server.log").read_text()


# What it says when it can't start: one line, and what to do.


def refusal(folder: Path) -> OperatorError:
    with pytest.raises(OperatorError) as caught:
        start(folder).stop()
    assert "\n" not in str(caught.value)
    return caught.value


def test_data_of_another_version_are_left_alone(data: Path) -> None:
    version = data / "cluster" / "PG_VERSION"
    kept = version.read_text()
    version.write_text("9\n")
    error = refusal(data)
    version.write_text(kept)
    assert isinstance(error, embedded.VersionDiffers)
    assert "written by PostgreSQL 9, installed is" in str(error)


def test_a_file_in_the_place_of_the_folder(place: Path) -> None:
    (place / "data").write_text("")
    assert isinstance(refusal(place / "data"), embedded.FolderUnusable)
    assert isinstance(refusal(place / "data" / "deeper"), embedded.FolderUnusable)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_may_not_be_written(place: Path) -> None:
    place.chmod(0o555)
    error = refusal(place / "data")
    assert isinstance(error, embedded.FolderUnusable)
    assert "Permission denied" in str(error)


def test_broken_data_are_reported_in_the_words_of_postgresql(place: Path) -> None:
    start(place / "data").stop()
    (place / "data" / "cluster" / "global" / "pg_control").unlink()
    error = refusal(place / "data")
    assert isinstance(error, embedded.StartFailed)
    assert "doesn't start: " in str(error)
    assert "FATAL" in str(error) or "could not" in str(error)


@pytest.mark.skipif(sys.platform != "linux" or os.geteuid() != 0, reason="mounts a small file system")
def test_a_full_disk_is_called_by_its_name(place: Path) -> None:
    disk = place / "disk"
    disk.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=12m,mode=755", "goat-test", disk],
        check=False,
        capture_output=True,
    )
    if mounted.returncode != 0:
        pytest.skip("this container doesn't let us mount")
    try:
        error = refusal(disk / "data")
        assert isinstance(error, embedded.DiskFull)
        assert not (disk / "data" / "cluster").exists()
    finally:
        subprocess.run(["umount", disk], check=True)


def test_no_space_for_our_own_files_is_a_full_disk_too(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "open", full)
    with pytest.raises(embedded.DiskFull):
        start(place / "data")


@as_root
def test_a_folder_closed_to_the_account_that_runs_postgresql(place: Path) -> None:
    place.chmod(0o700)
    error = refusal(place / "data")
    assert isinstance(error, embedded.FolderUnusable)
    assert "nobody can't enter" in str(error)
    assert "set DATA_DIR" in str(error)


@as_root
async def test_programs_in_a_closed_place_are_copied_once(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed = place / "closed"
    shutil.copytree(max(programs.installed().items())[1].parent, closed / "site" / programs.PACKAGE)
    libraries = max(programs.installed().items())[1].parent.with_suffix(".libs")
    shutil.copytree(libraries, closed / "site" / libraries.name)
    closed.chmod(0o700)
    found = {int(p.name[9:]): p for p in (closed / "site" / programs.PACKAGE).glob("pginstall?*")}
    monkeypatch.setattr(programs, "installed", lambda: found)
    for _ in range(2):
        with start(place / "data") as server:
            assert await ask(server.dsn, "SELECT 1") == 1
        copies = list((place / "data").glob("programs-*"))
        assert len(copies) == 1
        assert copies[0].owner() == "root"
        (copies[0] / "kept").touch()
    assert (copies[0] / "kept").exists()


@as_root
async def test_root_runs_it_as_the_owner_of_the_folder(place: Path) -> None:
    os.chown(place, 12345, 12345)
    with pytest.raises(programs.ProgramsMissing, match="user id 12345 has no account here"):
        start(place / "data")
    owner = pwd.getpwnam("daemon")
    os.chown(place, owner.pw_uid, owner.pw_gid)
    with start(place / "data") as server:
        assert await ask(server.dsn, "SELECT 1") == 1
        assert {path.owner() for path in (place / "data").iterdir()} == {"daemon"}
        assert (place / "data").owner() == "daemon"


@as_root
def test_root_owns_what_nobody_need_not_write(data: Path) -> None:
    with start(data):
        owners = {path.name: path.owner() for path in (data).iterdir()}
    assert owners["cluster"] == "nobody"
    assert owners["lock"] == owners["server.log"] == "root"
