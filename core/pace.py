"""How long a table waits for a person: a pace, what is left of a turn, and hours in which a clock stands still.

Everything is a pure function of instants that are given; an instant is a datetime with a time zone.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

ZERO = timedelta()

OFFER_PART = 4
"""An offered molodka has this part of the move time, and no reserve."""


@dataclass(frozen=True, slots=True)
class Budget:
    """What a seat may still use: first the move time, then the reserve, which lasts for the whole deal."""

    move: timedelta
    reserve: timedelta = ZERO

    @property
    def total(self) -> timedelta:
        return self.move + self.reserve

    def after(self, used: timedelta) -> Budget:
        """Never below nothing."""
        over = max(ZERO, used - self.move)
        return Budget(max(ZERO, self.move - used), max(ZERO, self.reserve - over))


@dataclass(frozen=True, slots=True)
class Pace:
    """`move`: time for one turn, None when the table waits without limit. `reserve`: for what turns take beyond
    it, refilled at each deal. `respects_quiet`: whether clocks stand still in people's quiet hours."""

    name: str
    move: timedelta | None = None
    reserve: timedelta = ZERO
    respects_quiet: bool = False

    @property
    def replace_after(self) -> timedelta:
        """How long somebody must be away before the others may ask for a substitute."""
        return timedelta(days=1) if self.respects_quiet else timedelta(hours=1)

    def turn(self, reserve_used: timedelta) -> Budget | None:
        if self.move is None:
            return None
        return Budget(self.move, max(ZERO, self.reserve - reserve_used))

    def offer(self) -> Budget | None:
        return None if self.move is None else Budget(self.move / OFFER_PART)

    def reminders(self, left: Budget) -> tuple[timedelta, ...]:
        """How long from now a person is to be reminded of a turn of which this is left, ascending.

        By day when half the move time is left and an hour before the end, relaxed two minutes before it. What
        is past already is not repeated, so that a turn which was interrupted reminds of nothing twice.
        """
        if self.move is None or self.move < timedelta(minutes=5):
            return ()
        if self.move < timedelta(hours=12):
            wanted = [left.total - timedelta(minutes=2)]
        else:
            wanted = [left.move - self.move / 2, left.total - timedelta(hours=1)]
        return tuple(sorted({wait for wait in wanted if wait > ZERO}))


NO_LIMIT = Pace("none")
PACES: dict[str, Pace] = {
    pace.name: pace
    for pace in (
        NO_LIMIT,
        Pace("table", timedelta(seconds=60), timedelta(seconds=60)),
        Pace("relaxed", timedelta(minutes=10), timedelta(minutes=10)),
        Pace("day", timedelta(hours=24), timedelta(hours=24), respects_quiet=True),
    )
}

LONGEST_QUIET = 12
"""Hours a day: a clock that never runs would be no clock."""

_DAY = 24 * 60
_QUARTER = timedelta(minutes=15)  # no zone's offset changes anywhere else today


@dataclass(frozen=True, slots=True)
class Quiet:
    """Hours of every day in which a person's clock stands still, from `start` until `end` (0 to 23) by the clocks of
    his `zone` (an IANA name); equal ones mean none. Whether an instant is quiet depends on nothing but what these
    clocks show then, so a night with a change to or from daylight-saving time is an hour shorter or longer.

    Raises ValueError for hours out of range or more than LONGEST_QUIET, ZoneInfoNotFoundError for an unknown zone.
    """

    zone: str
    start: int
    end: int

    def __post_init__(self) -> None:
        if self.start not in range(24) or self.end not in range(24) or self.hours > LONGEST_QUIET:
            raise ValueError(f"quiet hours {self.start} to {self.end}")
        ZoneInfo(self.zone)

    @property
    def hours(self) -> int:
        return (self.end - self.start) % 24

    def holds_at(self, instant: datetime) -> bool:
        local = instant.astimezone(ZoneInfo(self.zone))
        return (local.hour - self.start) % 24 < self.hours

    def _stretches(self, begin: datetime) -> Iterator[tuple[datetime, datetime, bool]]:
        """Stretches of time from `begin` on, for ever, each either quiet or not."""
        zone = ZoneInfo(self.zone)
        at = begin.astimezone(UTC)
        while True:
            local = at.astimezone(zone)
            quiet = (local.hour - self.start) % 24 < self.hours
            edge = self.end if quiet else self.start
            minute = local.hour * 60 + local.minute
            wait = timedelta(minutes=(edge * 60 - minute - 1) % _DAY + 1)
            wait -= timedelta(seconds=local.second, microseconds=local.microsecond)
            if (at + wait).astimezone(zone).utcoffset() != local.utcoffset():
                # The clocks are changed on the way: go there by steps that can't jump over anything.
                past = timedelta(minutes=at.minute % 15, seconds=at.second, microseconds=at.microsecond)
                wait = min(wait, _QUARTER - past)
            yield at, at + wait, quiet
            at += wait


def used_between(quiet: Quiet | None, begin: datetime, end: datetime) -> timedelta:
    """The time that runs from `begin` to `end` outside the quiet hours; none when `end` is not later."""
    if quiet is None or quiet.hours == 0:
        return max(ZERO, end - begin)
    used = ZERO
    for start, stop, still in quiet._stretches(begin):
        if start >= end:
            return used
        if not still:
            used += min(stop, end) - start
    raise AssertionError("time does not end")


def runs_out(quiet: Quiet | None, begin: datetime, amount: timedelta) -> datetime:
    """The first instant at which `amount` of time has run since `begin` outside the quiet hours."""
    if amount <= ZERO or quiet is None or quiet.hours == 0:
        return begin + max(ZERO, amount)
    left = amount
    for start, stop, still in quiet._stretches(begin):
        if still:
            continue
        if left <= stop - start:
            return start + left
        left -= stop - start
    raise AssertionError("time does not end")
