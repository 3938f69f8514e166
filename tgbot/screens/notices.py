"""What is said once: from a code and its arguments to a sentence."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from tgbot.callbacks import HandPress, SeatPress
from tgbot.screens.painting import Painting, button, keyboard
from tgbot.screens.time import PACE_NAMES, span, when
from tgbot.screens.words import TEAMS, clean, isolated
from tgbot.texts import Texts, marked

NOTICES = {
    "unreachable": marked(
        "📵 I can't write to {name} any more, so the cards don't arrive. "
        "{name}, unblock me in our private chat, and they come."
    ),
    "reachable": marked("📶 I can write to {name} again."),
    "time_up": marked("⏰ {name}'s time was up: the house played this turn."),
    "away": marked(
        "⏰ {name}'s time was up again: the house plays on for now. “I'm back” in our private chat ends that."
    ),
    "back": marked("🙋 {name} is back."),
    "travelling": marked(
        "🧳 {name} is travelling: all clocks stand still for a day, or until somebody goes on."
    ),
    "resumed": marked("▶️ {name} ended the pause: the clocks go on with what was left."),
    "pause_over": marked("▶️ The pause is over: the clocks go on with what was left."),
    "asleep": marked("💤 Nobody is here, so the table sleeps. Nothing is lost; one press wakes it."),
    "woken": marked("☀️ {name} woke the table."),
    "seat_free": marked("🪑 {name} has left the table. A computer sits in until somebody takes the seat."),
    "substitute": marked("🪑 {name} takes the free seat."),
    "pace": marked("⏱ The pace is now “{pace}”."),
}


def notice_painting(code: str, args: Mapping[str, Any], t: Texts) -> Painting:
    """Raises KeyError for a code that is not in NOTICES."""
    told: dict[str, str] = {}
    if "name" in args:
        told["name"] = isolated(clean(str(args["name"])))
    if "pace" in args:
        told["pace"] = t.plain(PACE_NAMES[args["pace"]])
    rows = []
    if code == "seat_free":
        seat = int(args["seat"])
        take = SeatPress(table=int(args["table"]), do="take", arg=seat)
        rows.append(button(t.plain("🪑 Take the seat {mark}", mark=TEAMS[seat % 2]), take, style="primary"))
    return Painting(t(NOTICES[code], **told), keyboard(rows))


def reminder(args: Mapping[str, Any], title: str, zone: str | None, t: Texts) -> Painting:
    """In private, of a turn; `title` is the name of the table's chat."""
    text = t(
        "⏱ <b>{title}</b> waits for you: {left} left, until {when}.",
        title=title,
        left=span(timedelta(seconds=float(args["left"])), t),
        when=when(datetime.fromisoformat(args["deadline"]), zone, t),
    )
    return Painting(text, keyboard([button(t.plain("🃏 My cards"), HandPress(table=int(args["table"])))]))


def outdated(t: Texts) -> Painting:
    """What becomes of a message that should go and can't."""
    return Painting(t("🕰 This message is out of date."))
