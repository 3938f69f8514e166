"""Clocks that several processes share: one that is moved by hand, and one that runs faster than the world's."""

import mmap
import os
import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path

UNIX = datetime(1970, 1, 1, tzinfo=UTC)
BEGIN = datetime(2026, 11, 30, 12, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)
SIZE = 8


class ManualClock:
    """Stands still until it is moved. The time lies in a file, so whoever opens the same one sees it move at once."""

    def __init__(self, file: Path | None = None) -> None:
        """Another process's clock if `file` is given, else a new one."""
        if file is None:
            handle, name = tempfile.mkstemp(prefix="goat-clock-")
            self.file = Path(name)
            os.truncate(handle, SIZE)
        else:
            self.file = file
            handle = os.open(file, os.O_RDWR)
        # One aligned number is written and read as a whole: nobody sees half of a new time.
        self._cell = memoryview(mmap.mmap(handle, SIZE)).cast("q")
        os.close(handle)
        if file is None:
            self.now = BEGIN

    @property
    def now(self) -> datetime:
        return UNIX + self._cell[0] * MICROSECOND

    @now.setter
    def now(self, then: datetime) -> None:
        self._cell[0] = (then - UNIX) // MICROSECOND

    def __call__(self) -> datetime:
        return self.now

    def advance(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)

    def order(self) -> dict[str, object]:
        return {"file": str(self.file)}

    def remove(self) -> None:
        """The file; who has it open keeps the time that it was."""
        self.file.unlink(missing_ok=True)


class FastClock:
    """The same time in every process: `speed` times as fast as the machine's since unix time `since`."""

    def __init__(self, speed: float, since: float) -> None:
        self.speed, self.since = speed, since

    def __call__(self) -> datetime:
        passed = datetime.now(UTC).timestamp() - self.since
        return datetime(2026, 1, 1, tzinfo=UTC) + timedelta(seconds=passed * self.speed)

    def order(self) -> dict[str, object]:
        return {"speed": self.speed, "since": self.since}


def ordered(order: dict[str, object]) -> "ManualClock | FastClock":
    """The clock of another process, from what its `order` said."""
    if "file" in order:
        return ManualClock(Path(str(order["file"])))
    return FastClock(float(str(order["speed"])), float(str(order["since"])))
