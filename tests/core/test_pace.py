"""Time at the table: budgets, quiet hours and nights on which the clocks are changed."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.pace import LONGEST_QUIET, NO_LIMIT, PACES, ZERO, Budget, Quiet, runs_out, used_between

HOUR = timedelta(hours=1)
MINUTE = timedelta(minutes=1)
ZONES = (
    "UTC",
    "Europe/Berlin",
    "Europe/London",
    "America/New_York",
    "Asia/Kolkata",
    "Australia/Lord_Howe",  # changes by half an hour
    "America/St_Johns",
    "Asia/Kathmandu",
)

spans = st.timedeltas(min_value=ZERO, max_value=timedelta(days=4))
instants = st.datetimes(
    min_value=datetime(2026, 1, 1),  # noqa: DTZ001 - hypothesis adds the zone
    max_value=datetime(2027, 12, 31),  # noqa: DTZ001
    timezones=st.just(UTC),
)
# Nights on which some zone changes its clocks are rare in a year: look there more often.
nights = st.builds(
    lambda day, offset: day + offset,
    st.sampled_from(
        [
            datetime(2026, 3, 8, tzinfo=UTC),
            datetime(2026, 3, 28, tzinfo=UTC),
            datetime(2026, 4, 4, tzinfo=UTC),
            datetime(2026, 10, 3, tzinfo=UTC),
            datetime(2026, 10, 24, tzinfo=UTC),
            datetime(2026, 10, 31, tzinfo=UTC),
        ]
    ),
    spans,
)
quiets = st.builds(
    lambda zone, start, hours: Quiet(zone, start, (start + hours) % 24),
    st.sampled_from(ZONES),
    st.integers(0, 23),
    st.integers(0, LONGEST_QUIET),
)


def by_the_minute(quiet: Quiet, begin: datetime, minutes: int) -> timedelta:
    """Slow and plain: looks at the clock on the wall once a minute."""
    return sum(
        (MINUTE for minute in range(minutes) if not quiet.holds_at(begin + minute * MINUTE)), start=ZERO
    )


@settings(max_examples=60)
@given(quiets, st.one_of(instants, nights), st.integers(0, 60 * 60))
def test_time_runs_exactly_while_the_clock_on_the_wall_is_outside_the_quiet_hours(
    quiet: Quiet, begin: datetime, minutes: int
) -> None:
    begin = begin.replace(second=0, microsecond=0)
    assert used_between(quiet, begin, begin + minutes * MINUTE) == by_the_minute(quiet, begin, minutes)


@given(quiets, st.one_of(instants, nights), spans)
def test_what_runs_out_was_used_and_not_a_moment_earlier(
    quiet: Quiet, begin: datetime, amount: timedelta
) -> None:
    end = runs_out(quiet, begin, amount)
    assert end >= begin
    assert used_between(quiet, begin, end) == amount
    if amount > ZERO:
        assert used_between(quiet, begin, end - timedelta(microseconds=1)) < amount


@given(quiets, st.one_of(instants, nights), spans, spans)
def test_time_adds_up_over_any_break(
    quiet: Quiet, begin: datetime, first: timedelta, second: timedelta
) -> None:
    middle, end = begin + first, begin + first + second
    whole = used_between(quiet, begin, end)
    assert whole == used_between(quiet, begin, middle) + used_between(quiet, middle, end)


@given(spans, spans, spans, spans)
def test_a_budget_is_used_in_any_portions_alike(
    move: timedelta, reserve: timedelta, first: timedelta, second: timedelta
) -> None:
    budget = Budget(move, reserve)
    assert budget.after(first).after(second) == budget.after(first + second)
    assert budget.after(first).total == max(ZERO, budget.total - first)
    assert budget.after(first).reserve == reserve or budget.after(first).move == ZERO


def test_without_quiet_hours_time_is_time() -> None:
    begin = datetime(2026, 11, 30, 12, tzinfo=UTC)
    assert runs_out(None, begin, 25 * HOUR) == begin + 25 * HOUR
    assert used_between(None, begin, begin + 25 * HOUR) == 25 * HOUR
    assert used_between(Quiet("Europe/Berlin", 7, 7), begin, begin + 25 * HOUR) == 25 * HOUR
    assert used_between(None, begin, begin - HOUR) == ZERO


@pytest.mark.parametrize(
    "evening",
    [
        "2026-11-30 21:00",  # an ordinary night
        "2026-03-28 21:00",  # clocks go forward: the night has 9 h, the day 23
        "2026-10-24 21:00",  # clocks go back: the night has 11 h, the day 25
    ],
)
def test_a_night_with_a_change_of_clocks_costs_no_time_and_gives_none(evening: str) -> None:
    quiet = Quiet("Europe/Berlin", 22, 8)
    begin = datetime.fromisoformat(evening).replace(tzinfo=ZoneInfo("Europe/Berlin"))
    next_evening = begin + timedelta(days=1)  # by the clock on the wall
    assert used_between(quiet, begin, next_evening.astimezone(UTC)) == 14 * HOUR
    assert runs_out(quiet, begin, 2 * HOUR).astimezone(begin.tzinfo).hour == 9


def test_a_turn_that_begins_in_quiet_hours_starts_with_the_morning() -> None:
    quiet = Quiet("Europe/Berlin", 22, 8)
    begin = datetime(2026, 11, 30, 2, tzinfo=UTC)
    assert runs_out(quiet, begin, HOUR) == datetime(2026, 11, 30, 8, tzinfo=UTC)


@pytest.mark.parametrize(("start", "end"), [(0, 13), (20, 9), (-1, 3), (24, 3)])
def test_quiet_hours_have_a_limit(start: int, end: int) -> None:
    with pytest.raises(ValueError, match="quiet hours"):
        Quiet("UTC", start, end)


def test_each_pace_has_move_time_and_as_much_reserve_a_deal() -> None:
    assert {name: (pace.move, pace.reserve) for name, pace in PACES.items()} == {
        "none": (None, ZERO),
        "table": (MINUTE, MINUTE),
        "relaxed": (10 * MINUTE, 10 * MINUTE),
        "day": (24 * HOUR, 24 * HOUR),
    }
    assert NO_LIMIT.turn(ZERO) is None
    assert NO_LIMIT.offer() is None


def test_a_molodka_offer_has_a_quarter_of_the_move_time_and_no_reserve() -> None:
    assert PACES["day"].offer() == Budget(6 * HOUR)
    assert PACES["table"].offer() == Budget(timedelta(seconds=15))


def test_reminders_come_before_the_end_and_never_at_the_beginning() -> None:
    day, relaxed = PACES["day"], PACES["relaxed"]
    assert day.reminders(Budget(24 * HOUR, 24 * HOUR)) == (12 * HOUR, 47 * HOUR)
    assert day.reminders(Budget(24 * HOUR)) == (12 * HOUR, 23 * HOUR)
    assert day.reminders(Budget(10 * HOUR)) == (9 * HOUR,)  # half time is past
    assert day.reminders(Budget(HOUR)) == ()
    assert relaxed.reminders(Budget(10 * MINUTE, 10 * MINUTE)) == (18 * MINUTE,)
    assert relaxed.reminders(Budget(MINUTE)) == ()
    assert PACES["table"].reminders(Budget(MINUTE, MINUTE)) == ()
    assert NO_LIMIT.reminders(Budget(ZERO)) == ()
