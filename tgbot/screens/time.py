"""Time and absence as people read them: paces, spans, instants, and the buttons of a table that stands still."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from aiogram.types import InlineKeyboardButton
from babel.dates import format_datetime
from markupsafe import Markup

from core.pace import PACES, Pace
from db.tables import Table
from tgbot.callbacks import SeatPress
from tgbot.screens.painting import button
from tgbot.screens.words import TEAMS
from tgbot.texts import Texts, marked

PACE_NAMES = {
    "none": marked("No limit"),
    "table": marked("At the table"),
    "relaxed": marked("Relaxed"),
    "day": marked("By day"),
}

UNITS = (
    (timedelta(days=1), marked("{n} d")),
    (timedelta(hours=1), marked("{n} h")),
    (timedelta(minutes=1), marked("{n} min")),
    (timedelta(seconds=1), marked("{n} s")),
)


def pace_name(pace: Pace, t: Texts) -> str:
    return t.plain(PACE_NAMES[pace.name])


def pace_line(pace: Pace, t: Texts) -> Markup:
    if pace.move is None:
        return t("⏱ No limit: the table waits.")
    return t(
        "⏱ {pace}: {move} a turn, {reserve} in reserve each deal",
        pace=pace_name(pace, t),
        move=span(pace.move, t),
        reserve=span(pace.reserve, t),
    )


def span(time: timedelta, t: Texts) -> str:
    """The two largest units, rounded down: "3 h 20 min"; whole days only from two of them on."""
    left = max(time, timedelta())
    parts = []
    for unit, name in UNITS if left >= timedelta(days=2) else UNITS[1:]:
        n, left = divmod(left, unit)
        if n:
            parts.append(t.plain(name, n=n))
        elif parts:
            break
        if len(parts) == 2:
            break
    return "\u00a0".join(" ".join(parts).split()) or t.plain("{n} s", n=0)


def when(instant: datetime, zone: str | None, t: Texts) -> Markup:
    """Telegram shows it in the reader's own zone; programs that can't show it in `zone`, or in UTC and say so."""
    local = instant.astimezone(ZoneInfo(zone) if zone else UTC)
    told = format_datetime(local, "EEE d MMM, HH:mm", locale=t.language)
    if zone is None:
        told += " UTC"
    return Markup('<tg-time unix="{unix}" format="wDt">{told}</tg-time>').format(
        unix=int(instant.timestamp()), told=told
    )


def table_lines(table: Table, called: dict[int, str], t: Texts) -> list[Markup]:
    """What everybody should know: until when the table waits, or why it stands still; who is away."""
    lines = [
        t("🤖 {name} is away, the house plays on.", name=called[seat])
        for seat in table.away
        if seat in called
    ]
    lines += [
        t("🪑 {mark} A computer sits in until somebody takes the seat.", mark=TEAMS[seat % 2])
        for seat in table.offered
    ]
    if table.asleep_at is not None:
        lines.append(t("💤 Nobody has been here for long. The table sleeps; nothing is lost."))
    elif table.pause_until is not None:
        lines.append(
            t("🧳 Paused until {when}: all clocks stand still.", when=when(table.pause_until, None, t))
        )
    elif table.paused_at is not None:
        lines.append(t("⏸ Paused: all clocks stand still."))
    elif table.deadline is not None:
        lines.append(
            t("⏱ {pace} · until {when}", pace=pace_name(table.pace, t), when=when(table.deadline, None, t))
        )
    elif table.pace.move is not None:
        lines.append(t("⏱ {pace}", pace=pace_name(table.pace, t)))
    return lines


def table_rows(table: Table, t: Texts) -> list[list[InlineKeyboardButton]]:
    """What anybody may press in the group."""
    rows = [
        [
            button(
                t.plain("🪑 Take the seat {mark}", mark=TEAMS[seat % 2]),
                SeatPress(table=table.id, do="take", arg=seat),
                style="primary",
            )
        ]
        for seat in table.offered
    ]
    return [*rows, *_still_rows(table, t)]


def hand_lines(table: Table, seat: int, t: Texts) -> list[Markup]:
    """The same for one person: in his own time, and only what concerns him."""
    who = table.seats[seat]
    zone = None if who is None or who.person is None else table.people[who.person].zone
    lines = []
    if seat in table.away:
        lines.append(t("🤖 You were away, so the house plays for you."))
    if table.asleep_at is not None:
        lines.append(t("💤 The table sleeps until somebody of you comes back."))
    elif table.pause_until is not None:
        lines.append(
            t("🧳 Paused until {when}: all clocks stand still.", when=when(table.pause_until, zone, t))
        )
    elif table.paused_at is not None:
        lines.append(t("⏸ Paused: all clocks stand still."))
    elif table.deadline is not None and table.turn is not None and table.turn.seat == seat:
        lines.append(t("⏱ You have until {when}.", when=when(table.deadline, zone, t)))
    return lines


def hand_rows(table: Table, seat: int, t: Texts) -> list[list[InlineKeyboardButton]]:
    if seat in table.away:
        press = SeatPress(table=table.id, do="back")
        return [[button(t.plain("🙋 I'm back"), press, style="success")]]
    return _still_rows(table, t)


def plays_himself(table: Table, seat: int) -> bool:
    """Whether a hand offers its cards to be played."""
    return table.paused_at is None and seat not in table.away


def _still_rows(table: Table, t: Texts) -> list[list[InlineKeyboardButton]]:
    if table.asleep_at is not None:
        return [[button(t.plain("☀️ Wake the table"), SeatPress(table=table.id, do="wake"), style="success")]]
    if table.paused_at is not None:
        return [[button(t.plain("▶️ Go on"), SeatPress(table=table.id, do="resume"), style="success")]]
    return []


def pace_button_label(pace: Pace, t: Texts) -> str:
    return t.plain("⏱ {pace}", pace=pace_name(pace, t))


def next_pace(pace: Pace) -> int:
    """The number, in the order of PACES, of the one that a press chooses next."""
    names = list(PACES)
    return (names.index(pace.name) + 1) % len(names)
