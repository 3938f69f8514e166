"""A server's processes, found and ended without its starter, who may be long gone.

They are told by their command lines: what else /proc knows of a process of another account is closed even to root
in a container.
"""

import contextlib
import os
import signal
import sys
import time
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from db import programs


def tag(cluster: Path) -> str:
    """A name that stands in the command lines of all processes of one cluster's server, whoever asks."""
    return f"goat-{sha256(os.fsencode(cluster)).hexdigest()[:16]}"


def processes(cluster: Path) -> Iterator[tuple[int, str]]:
    """PostgreSQL processes of one cluster: number and program name."""
    mark = tag(cluster)
    for pid, line in command_lines():
        name = line.split(" ", 1)[0]
        if mark in line and (name.endswith("/postgres") or name == "postgres:"):
            yield pid, name


def end(cluster: Path, deadline: float) -> list[int]:
    """Ends a server whose starter is gone; the processes that are left at `deadline` (time.monotonic).

    The caller holds the folder's lock, so that nobody else wants the server.
    """
    alive: dict[int, str] = {}
    for number, patience in ((signal.SIGINT, 10.0), (signal.SIGQUIT, 10.0)):
        until = min(deadline, time.monotonic() + patience)
        alive = dict(processes(cluster))
        # A server's children leave when it does.
        for pid in [pid for pid, name in alive.items() if name.endswith("/postgres")]:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, number)
        while alive and time.monotonic() < until:
            time.sleep(0.02)
            alive = dict(processes(cluster))
        if not alive:
            break
    return sorted(alive)


def forget_stranger(cluster: Path) -> None:
    """Removes a pid file whose number now belongs to another program, as after a restart of the machine.

    PostgreSQL would take that program for a running server and refuse to start. A number that nobody has is
    left to PostgreSQL, which then looks closer.
    """
    path = cluster / "postmaster.pid"
    try:
        pid = int(path.read_text(errors="replace").split("\n", 1)[0])
        os.kill(pid, 0)
    except (FileNotFoundError, ValueError, ProcessLookupError):
        return
    except PermissionError:
        pass  # somebody else's program: alive
    path.unlink(missing_ok=True)


def command_lines() -> Iterator[tuple[int, str]]:
    if sys.platform == "linux":
        for name in os.listdir("/proc"):
            if name.isdigit():
                with contextlib.suppress(FileNotFoundError, ProcessLookupError, PermissionError):
                    raw = Path("/proc", name, "cmdline").read_bytes()
                    yield int(name), raw.replace(b"\0", b" ").decode(errors="replace")
    else:
        _, output = programs.run(("/bin/ps", "-axww", "-o", "pid=,command="), None)
        for row in output.splitlines():
            number, _, line = row.strip().partition(" ")
            yield int(number), line.strip()
