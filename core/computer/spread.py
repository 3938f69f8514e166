"""Work that is spread over processes: what comes out does not depend on how many there are."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from multiprocessing import get_context
from typing import Final, Protocol, TypeVar

MOST: Final = 256
"""Processes."""

Task = TypeVar("Task")
Result = TypeVar("Result")


class Spread(Protocol):
    """`map`, or the same by several processes."""

    def __call__(self, work: Callable[[Task], Result], tasks: Iterable[Task], /) -> Iterable[Result]: ...


@contextmanager
def processes(jobs: int) -> Iterator[Spread]:
    """`jobs`: from 1, this process, to MOST."""
    if jobs == 1:
        yield map
    else:
        with get_context("spawn").Pool(jobs, _leave_ctrl_c_to_the_first) as pool:
            yield pool.imap


def _leave_ctrl_c_to_the_first() -> None:
    """It ends us; each of us would print a traceback."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
