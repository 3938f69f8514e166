"""An own PostgreSQL for one data folder: no installation, no account, no port to choose.

The folder holds `cluster` (the data), `password`, `server.log`, `lock` and, where root must run the programs
as somebody else who can't see the virtual environment, `programs-…`.

The server lives as long as its starter. Normally `Server.stop` ends it; when the starter is killed, a guard
process notices that its pipe closed and ends it; and what even that left behind is ended by the next start.
"""

import atexit
import contextlib
import errno
import fcntl
import os
import secrets
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Self

from db import leftovers, programs
from db.errors import OperatorError
from db.programs import Account

USER = DATABASE = "goat"
LOCK_PATIENCE = 1.0  # seconds
LOG_LIMIT = 4 * 1024 * 1024  # bytes; a longer log is begun anew at the next start

# The role's password has 256 random bits: the many rounds that slow down guessing would only slow us down.
INITDB = (
    *("--username", USER, "--auth", "scram-sha-256", "-c", "scram_iterations=1"),
    *("--encoding", "UTF8", "--locale", "C", "--locale-provider", "builtin", "--builtin-locale", "C.UTF-8"),
)

SETTINGS = {
    "listen_addresses": "127.0.0.1",
    "unix_socket_directories": "",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "log_error_verbosity": "terse",  # a failing row's DETAIL would write a pack of cards into the log
    "max_connections": "60",
    "shared_buffers": "32MB",
    "max_wal_size": "256MB",
    "wal_level": "minimal",
    "max_wal_senders": "0",
    "io_method": "sync",
    "jit": "off",
    "max_parallel_workers_per_gather": "0",  # they need shared memory, of which containers are short
}

# For tests: the data may be lost with the machine, so nothing waits for the disk.
THROWAWAY = {"fsync": "off", "full_page_writes": "off", "synchronous_commit": "off", "autovacuum": "off"}


class EmbeddedError(OperatorError):
    """The embedded PostgreSQL can't be started."""


class FolderInUse(EmbeddedError):
    """Another process runs a server on this data folder."""


class FolderUnusable(EmbeddedError):
    """The data folder can't be made, written, or entered by the account that runs PostgreSQL."""


class DiskFull(EmbeddedError):
    """No space is left where the data folder is."""


class VersionDiffers(EmbeddedError):
    """The data were written by a PostgreSQL that isn't installed any more."""


class StartFailed(EmbeddedError):
    """PostgreSQL ended or stayed silent when it should have become ready."""


class Server:
    """A running server. A context manager that stops it at the end; also stopped when Python exits."""

    def __init__(
        self,
        folder: Path,
        port: int,
        password: str,
        lock: int,
        processes: tuple[subprocess.Popen[bytes], ...],
    ) -> None:
        self.folder = folder
        self.port = port
        self._password = password
        self._lock = lock
        self._postgres, self._guard = processes
        self._owner = os.getpid()
        atexit.register(self.stop)

    def __repr__(self) -> str:
        return f"Server(folder={str(self.folder)!r}, port={self.port})"

    @property
    def dsn(self) -> str:
        """The address of the database `goat`, with its password: never log it."""
        return self.dsn_of(DATABASE)

    def dsn_of(self, database: str) -> str:
        return _address(self._password, self.port, database)

    @property
    def pid(self) -> int:
        return self._postgres.pid

    def stop(self) -> None:
        """Ends the server, open connections included. May be called again."""
        atexit.unregister(self.stop)
        if os.getpid() != self._owner or self._lock < 0:
            return
        _end(self._postgres)
        self._guard.kill()
        self._guard.communicate()
        os.close(self._lock)
        self._lock = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()


def start(folder: Path, *, durable: bool = True, timeout: float = 60.0) -> Server:
    """Starts the server of a data folder, making the folder and its database when they don't exist.

    Blocks: about a second the first time, a fraction of it later; `timeout` (seconds) is longer because a
    server that crashed first goes through its log. `durable=False` is for tests: nothing waits for the disk.
    Raises subclasses of OperatorError.
    """
    folder = folder.absolute()
    account = programs.account_for(folder)
    with _explained(folder):
        _make_folder(folder)
        lock = _lock(folder)
    try:
        with _explained(folder):
            return _start(folder, account, lock, durable, time.monotonic() + timeout)
    except BaseException:
        os.close(lock)
        raise


def exists(folder: Path) -> bool:
    """Whether a server was ever started on this folder. Raises FolderUnusable when we may not look."""
    with _explained(folder):
        return (folder / "cluster" / "PG_VERSION").exists()


def running(folder: Path) -> str | None:
    """The address of the database whose server another process runs on this folder, with its password.

    None when none runs, or is just starting or stopping. Raises FolderUnusable when we may not read the folder.
    """
    cluster = folder / "cluster"
    if not exists(folder):
        return None
    with _explained(folder):
        if not any(leftovers.processes(cluster)):
            return None
        try:
            lines = (cluster / "postmaster.pid").read_text(errors="replace").splitlines()
        except FileNotFoundError:
            return None
        password = (folder / "password").read_text(encoding="ascii")
    return None if len(lines) < 4 else _address(password, int(lines[3]), DATABASE)


def _address(password: str, port: int, database: str) -> str:
    return f"postgresql://{USER}:{password}@127.0.0.1:{port}/{database}"


def _start(folder: Path, account: Account | None, lock: int, durable: bool, deadline: float) -> Server:
    if not programs.reachable(folder, account):
        raise FolderUnusable(
            f"PostgreSQL may not run as root, and {account.name if account else 'we'} can't enter {folder}: "
            "set DATA_DIR to a folder whose parents let everybody through, such as /var/lib/goat"
        )
    cluster = folder / "cluster"
    home = _home(cluster)
    binaries = programs.usable(home, folder, account)
    left = leftovers.end(cluster, deadline)
    if left:
        raise FolderInUse(f"a server that an earlier run left in {folder} doesn't end: processes {left}")
    leftovers.forget_stranger(cluster)
    if not cluster.exists():
        _make_cluster(cluster, binaries, account, durable)
    password = (folder / "password").read_text(encoding="ascii")
    settings = SETTINGS | ({} if durable else THROWAWAY)
    for attempt in range(5):
        port = _free_port()
        try:
            postgres = _launch(cluster, binaries, account, settings | {"port": str(port)}, deadline)
            break
        except StartFailed as error:
            # Somebody took the port between our look and the server's.
            if attempt == 4 or "in use" not in str(error):
                raise
    try:
        guard = programs.guard(postgres.pid, account, signal.SIGINT)
    except BaseException:
        _end(postgres)
        raise
    return Server(folder, port, password, lock, (postgres, guard))


def _home(cluster: Path) -> Path:
    found = programs.installed()
    newest = max(found)
    try:
        version = int((cluster / "PG_VERSION").read_text(encoding="ascii"))
    except FileNotFoundError:
        return found[newest]
    except ValueError:
        raise FolderUnusable(
            f"{cluster}/PG_VERSION is damaged: restore {cluster.parent} from a backup, or set DATA_DIR to a new folder"
        ) from None
    if version not in found:
        raise VersionDiffers(
            f"the data in {cluster} were written by PostgreSQL {version}, installed is {newest}: dump them "
            "with the version of goat that wrote them, or set DATA_DIR to a new folder"
        )
    return found[version]


def _make_folder(folder: Path) -> None:
    missing = []
    path = folder
    while not path.exists():
        missing.append(path)
        path = path.parent
    for path in reversed(missing):
        path.mkdir(exist_ok=True)
        path.chmod(0o755)  # whatever the umask: an unprivileged account must get through
        _give(path, path.parent.stat().st_uid)
    if not folder.is_dir():
        raise FolderUnusable(f"{folder} is not a folder: set DATA_DIR to another one")


def _give(path: Path, owner: int) -> None:
    if os.geteuid() == 0 and owner != 0:
        shutil.chown(path, owner)


def _lock(folder: Path) -> int:
    path = folder / "lock"
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    try:
        _give(path, folder.stat().st_uid)
        _flock(descriptor)
    except BlockingIOError:
        holder = os.read(descriptor, 20).decode(errors="replace").strip()
        os.close(descriptor)
        raise FolderInUse(
            f"the database in {folder} is in use by another goat"
            f"{f' (process {holder})' if holder else ''}: stop it first, or set DATA_DIR to another folder"
        ) from None
    except BaseException:
        os.close(descriptor)
        raise
    os.ftruncate(descriptor, 0)
    os.write(descriptor, f"{os.getpid()}\n".encode())
    return descriptor


def _flock(descriptor: int) -> None:
    """Takes the lock, patient with a holder who was killed and is just going. Raises BlockingIOError."""
    deadline = time.monotonic() + LOCK_PATIENCE
    while True:
        try:
            return fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.02)


def _make_cluster(cluster: Path, binaries: Path, account: Account | None, durable: bool) -> None:
    """Makes a new server's data under another name, then renames them: they are there whole or not at all."""
    folder = cluster.parent
    password = folder / "password"
    unfinished = folder / "cluster.new"
    if unfinished.exists():
        shutil.rmtree(unfinished)
    unfinished.mkdir(mode=0o700)
    password.unlink(missing_ok=True)
    descriptor = os.open(password, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with open(descriptor, "w", encoding="ascii") as file:
        file.write(secrets.token_hex(32))
    if account is not None:
        os.chown(unfinished, account.uid, account.gid)
        os.chown(password, account.uid, account.gid)
    command: list[str | Path] = [binaries / "initdb", "-D", unfinished, "--pwfile", password, *INITDB]
    if not durable:
        command.append("--no-sync")
    status, output = programs.run(command, account)
    if status == 0:
        status, output = _create_database(unfinished, binaries, account)
    if status != 0:
        shutil.rmtree(unfinished)
        raise _failure(folder, output)
    unfinished.rename(cluster)


def _create_database(cluster: Path, binaries: Path, account: Account | None) -> tuple[int, str]:
    """Creates the database `goat` in single-user mode: that needs neither a port nor a connection."""
    command = (binaries / "postgres", "--single", "-D", cluster, "-c", "log_statement=none", "postgres")
    with programs.popen(
        command, account, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    ) as process:
        output = process.communicate(f"CREATE DATABASE {DATABASE};\n".encode())[0].decode(errors="replace")
    return (1 if "ERROR:" in output else process.returncode), output


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _launch(
    cluster: Path, binaries: Path, account: Account | None, settings: dict[str, str], deadline: float
) -> subprocess.Popen[bytes]:
    """Starts `postgres` and waits until it takes connections. Raises StartFailed and its kin."""
    arguments = [
        f"--{name}={value}" for name, value in (settings | {"cluster_name": leftovers.tag(cluster)}).items()
    ]
    log, begin = _open_log(cluster.parent)
    try:
        postgres = programs.popen(
            (binaries / "postgres", "-D", cluster, *arguments), account, stdout=log, stderr=log
        )
        try:
            while not _ready(cluster, postgres.pid):
                if postgres.poll() is not None:
                    raise _failure(cluster.parent, os.pread(log, 65536, begin).decode(errors="replace"))
                if time.monotonic() > deadline:
                    raise StartFailed(
                        f"PostgreSQL in {cluster.parent} didn't become ready in time: see server.log there"
                    )
                time.sleep(0.01)
        except BaseException:
            _end(postgres)
            raise
    finally:
        os.close(log)
    return postgres


def _open_log(folder: Path) -> tuple[int, int]:
    """The log's descriptor, and where in it this start begins."""
    path = folder / "server.log"
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW, 0o600)
    _give(path, folder.stat().st_uid)
    size = os.fstat(descriptor).st_size
    if size > LOG_LIMIT:
        os.ftruncate(descriptor, 0)
        size = 0
    return descriptor, size


def _ready(cluster: Path, pid: int) -> bool:
    """Whether this very server says that it's ready: the eighth line of its pid file is for launchers."""
    try:
        lines = (cluster / "postmaster.pid").read_text(errors="replace").splitlines()
    except FileNotFoundError:
        return False
    return len(lines) >= 8 and lines[0].strip() == str(pid) and lines[7].strip() == "ready"


def _end(postgres: subprocess.Popen[bytes]) -> None:
    """Fast shutdown, which ends connections; then less and less politely."""
    for number, patience in ((signal.SIGINT, 10.0), (signal.SIGQUIT, 5.0), (signal.SIGKILL, 5.0)):
        if postgres.poll() is not None:
            return
        postgres.send_signal(number)
        with contextlib.suppress(subprocess.TimeoutExpired):
            postgres.wait(patience)


def _failure(folder: Path, output: str) -> EmbeddedError:
    """What PostgreSQL's programs said, as the error that it means."""
    if "No space left on device" in output:
        return _disk_full(folder)
    told = [line for line in output.splitlines() if "FATAL:" in line or "error:" in line or "ERROR:" in line]
    reason = (told or output.strip().splitlines() or ["it said nothing"])[-1]
    return StartFailed(f"PostgreSQL in {folder} doesn't start: {reason.strip()}")


def _disk_full(folder: Path) -> DiskFull:
    return DiskFull(f"no space is left on the disk of {folder}: free some, or set DATA_DIR to another folder")


@contextlib.contextmanager
def _explained(folder: Path) -> Iterator[None]:
    """Turns the system's errors about the folder into ours."""
    try:
        yield
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise _disk_full(folder) from None
        what = f"{error.strerror}: {error.filename}" if error.filename else error.strerror
        advice = (
            "restore it from a backup"
            if error.errno == errno.ENOENT
            else "run goat as the account that owns it, make it writable for that"
        )
        raise FolderUnusable(
            f"the data folder {folder} can't be used ({what}): {advice}, or set DATA_DIR to another"
        ) from None
