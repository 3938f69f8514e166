"""A person's own hours and zone, chosen by buttons: his clock stands still while he sleeps, however long that night is."""

from datetime import UTC, datetime

import pytest

from tests.tgbot.club import Club
from tests.tgbot.long_game import (
    HOUR,
    SECOND,
    four_at,
    left,
    reminders,
    said,
    the_house_acts,
    whose_turn,
)


async def choose_berlin(club: Club, person: str) -> None:
    """/settings, the zone by what the clock shows there, quiet from 22:00 to 08:00."""
    chat = club.private(person)
    club.world.say(person, chat, "/settings")
    await club.press(person, chat, "Quiet hours")
    await club.press(person, chat, "Europe")
    await club.press(person, chat, "Berlin")
    await club.until(lambda: said(club, "Berlin", chat))
    await club.press(person, chat, "Quiet hours")
    await club.press(person, chat, "22:00")
    await club.until(lambda: club.find(chat, "✅ 22:00"))
    await club.press(person, chat, "Back")
    await club.until(lambda: said(club, "Quiet hours from 22:00 to 08:00", chat))


async def test_settings_by_buttons(club: Club) -> None:
    await club.all_start("You")
    chat = club.private("You")
    club.world.say("You", chat, "/settings")
    await club.press("You", chat, "Quiet hours")
    await club.press("You", chat, "Europe")
    await club.press("You", chat, "13:00 Berlin")
    await club.until(lambda: "Berlin" in club.last(chat))
    await club.press("You", chat, "Quiet hours")
    await club.press("You", chat, "23:00")
    await club.until(lambda: club.find(chat, "✅ 23:00"))
    await club.press("You", chat, "10:00")
    await club.until(lambda: club.find(chat, "✅ 10:00"))
    answer = await club.press("You", chat, "19:00")  # to 10:00 would be fifteen hours
    assert "12 hours" in answer["text"]
    assert club.find(chat, "✅ 23:00")
    await club.press("You", chat, "Back")
    await club.until(lambda: "from 23:00 to 10:00" in club.last(chat))
    await club.press("You", chat, "No reminders")
    await club.until(lambda: "Reminders before your time is up: off" in club.last(chat))
    await club.press("You", chat, "Remind me")
    await club.until(lambda: "Reminders before your time is up: on" in club.last(chat))
    await club.press("You", chat, "Quiet hours")
    await club.press("You", chat, "No quiet hours")
    await club.until(lambda: "No quiet hours" in club.last(chat))


@pytest.mark.parametrize(
    ("evening", "hours", "until"),
    [
        (datetime(2027, 1, 14, 20, tzinfo=UTC), 88, "Mon 18 Jan, 13:00"),
        (
            datetime(2027, 3, 27, 20, tzinfo=UTC),
            87,
            "Wed 31 Mar, 13:00",
        ),  # the clocks go forward in the first night
        (datetime(2027, 10, 30, 19, tzinfo=UTC), 89, "Wed 3 Nov, 13:00"),  # and back
    ],
    ids=["winter", "spring", "autumn"],
)
async def test_a_clock_stands_still_in_the_night_however_long_it_is(
    club: Club, evening: datetime, hours: int, until: str
) -> None:
    """It is 21:00 in Berlin: an hour runs, then fourteen on each of three days and five on the fourth, by his clock."""
    club.clock.now = evening
    late = await four_at(club, "By day")
    await club.until(lambda: said(club, "You have until", club.private(late)))
    await choose_berlin(club, late)
    await club.until(lambda: said(club, f"You have until {until}", club.private(late)))
    await club.until(lambda: said(club, f"until {until[:-5]}{12 if hours > 87 else 11}:00 UTC"))
    await club.pass_time(hours * HOUR - SECOND)
    assert await whose_turn(club) == late
    assert not said(club, "time was up")
    await the_house_acts(club, SECOND)
    await club.until(lambda: said(club, "time was up"))


async def test_nothing_reminds_at_night(club: Club) -> None:
    """Half of his day's time is over at one in the morning: he hears of it when the night is over."""
    club.clock.now = datetime(2027, 1, 14, 12, tzinfo=UTC)
    late = await four_at(club, "By day")
    await choose_berlin(club, late)
    await club.pass_time(18 * HOUR)  # 13:00 to 07:00, of which nine hours ran
    assert await left(club) == 60 * HOUR  # 39 that run and 21 of nights
    assert reminders(club, late) == []
    await club.pass_time(4 * HOUR - SECOND)
    assert reminders(club, late) == []
    await club.pass_time(SECOND)
    await club.until(lambda: len(reminders(club, late)) == 1)
    assert "36 h left" in reminders(club, late)[0]


async def test_a_reminder_goes_when_its_time_is_no_longer_true(club: Club) -> None:
    """New quiet hours move the end of a turn, so what was said of it would mislead."""
    club.clock.now = datetime(2027, 1, 14, 8, tzinfo=UTC)
    late = await four_at(club, "By day")
    await club.pass_time(12 * HOUR)
    await club.until(lambda: len(reminders(club, late)) == 1)
    await choose_berlin(club, late)
    await club.until(lambda: not reminders(club, late))
    assert said(club, "You have until", club.private(late))
