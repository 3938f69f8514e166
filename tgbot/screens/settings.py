"""A person's own settings, for his private chat: language apart, all of them are about time."""

from datetime import datetime
from zoneinfo import ZoneInfo

from aiogram.types import InlineKeyboardButton
from babel.dates import get_timezone_location

from core.pace import LONGEST_QUIET
from db.players import Player
from tgbot.callbacks import SettingPress
from tgbot.screens.painting import Painting, button, keyboard
from tgbot.texts import Texts, marked
from tgbot.zones import REGIONS, ZONES

REGION_NAMES = {
    "Europe": marked("Europe"),
    "Asia": marked("Asia"),
    "Africa": marked("Africa"),
    "America": marked("America"),
    "Australia": marked("Australia and Oceania"),
}
STARTS = (19, 20, 21, 22, 23, 0, 1, 2)
ENDS = (5, 6, 7, 8, 9, 10)


def home(player: Player, now: datetime, t: Texts) -> Painting:
    if player.zone is None:
        zone = t("🌍 Your time zone is not chosen yet.")
    else:
        zone = t("🌍 Your clock: {time}, {city}", time=clock(player.zone, now), city=city(player.zone, t))
    if player.quiet_start is None or player.quiet_end is None:
        quiet = t("🌙 No quiet hours.")
    else:
        quiet = t(
            "🌙 Quiet hours from {start} to {end}: your clock stands still in games by day.",
            start=hour(player.quiet_start),
            end=hour(player.quiet_end),
        )
    lines = [
        zone,
        quiet,
        t("🔔 Reminders before your time is up: on.")
        if player.reminders
        else t("🔕 Reminders before your time is up: off."),
    ]
    rows = [
        [button(t.plain("🌍 Time zone"), SettingPress(do="regions"))],
        [button(t.plain("🌙 Quiet hours"), SettingPress(do="quiet" if player.zone else "regions"))],
        [
            button(
                t.plain("🔕 No reminders") if player.reminders else t.plain("🔔 Remind me"),
                SettingPress(do="reminders", arg=int(not player.reminders)),
            )
        ],
    ]
    return Painting("\n".join(lines), keyboard(*rows))


def regions(t: Texts) -> Painting:
    rows = [
        [button(t.plain(REGION_NAMES[name]), SettingPress(do="region", arg=number))]
        for number, name in enumerate(REGIONS)
    ]
    return Painting(t("🌍 Where are you? Your clock is needed for quiet hours."), keyboard(*rows, _back(t)))


def region(number: int, now: datetime, t: Texts) -> Painting:
    """`number` counts the regions."""
    zones = list(REGIONS.values())[number]
    buttons = [
        button(f"{clock(zone, now)} {city(zone, t)}", SettingPress(do="zone", arg=ZONES.index(zone)))
        for zone in zones
    ]
    rows = [buttons[index : index + 2] for index in range(0, len(buttons), 2)]
    return Painting(t("🌍 Choose a city whose clock shows the same as yours."), keyboard(*rows, _back(t)))


def quiet(player: Player, t: Texts) -> Painting:
    """Two rows: from when, until when; the chosen ones are marked."""

    def row(do: str, hours: tuple[int, ...], chosen: int | None) -> list[list[InlineKeyboardButton]]:
        buttons = [
            button(f"✅ {hour(value)}" if value == chosen else hour(value), SettingPress(do=do, arg=value))
            for value in hours
        ]
        return [buttons[index : index + 4] for index in range(0, len(buttons), 4)]

    text = t(
        "🌙 In your quiet hours your clock stands still in games by day, and nothing reminds you. "
        "The first rows are the beginning, the others the end; {n} hours at most.",
        n=LONGEST_QUIET,
    )
    none = [button(t.plain("No quiet hours"), SettingPress(do="none"))]
    return Painting(
        text,
        keyboard(
            *row("start", STARTS, player.quiet_start), *row("end", ENDS, player.quiet_end), none, _back(t)
        ),
    )


def clock(zone: str, now: datetime) -> str:
    return now.astimezone(ZoneInfo(zone)).strftime("%H:%M")


def city(zone: str, t: Texts) -> str:
    return get_timezone_location(zone, locale=t.language, return_city=True)


def hour(value: int) -> str:
    return f"{value:02}:00"


def _back(t: Texts) -> list[InlineKeyboardButton]:
    return [button(t.plain("◀️ Back"), SettingPress(do="home"))]
