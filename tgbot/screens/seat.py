"""What a person of a running series may ask for besides playing: pause, travel, another pace, a substitute, to leave."""

from collections.abc import Collection

from aiogram.types import InlineKeyboardButton

from core.pace import PACES
from core.table import teams_missing
from db.tables import Table
from tgbot.callbacks import SeatPress
from tgbot.screens.painting import Painting, button, keyboard
from tgbot.screens.time import pace_button_label, pace_line, pace_name
from tgbot.screens.words import names
from tgbot.texts import Texts


def menu(table: Table, replaceable: Collection[int], t: Texts) -> Painting:
    """`replaceable`: seats whose holders have been away for long enough."""
    called = names(table.seats, table.people, t)

    def press(label: str, do: str, arg: int = 0) -> list[InlineKeyboardButton]:
        return [button(label, SeatPress(table=table.id, do=do, arg=arg))]

    # A team of computers goes along with the other one.
    asks = len(teams_missing(table.seats, ())) > 1
    rows = []
    if table.asleep_at is not None:
        rows.append(press(t.plain("☀️ Wake the table"), "wake"))
    elif table.paused_at is not None:
        rows.append(press(t.plain("▶️ Go on"), "resume"))
    else:
        rows.append(press(t.plain("⏸ Propose a pause") if asks else t.plain("⏸ Pause"), "pause"))
        if table.pace.respects_quiet:
            rows.append(press(t.plain("🧳 Travelling: a day's pause"), "travel"))
    rows += [
        press(
            t.plain("⏱ Propose: {pace}", pace=pace_name(pace, t)) if asks else pace_button_label(pace, t),
            "pace",
            number,
        )
        for number, pace in enumerate(PACES.values())
        if pace != table.pace
    ]
    rows += [
        press(t.plain("🪑 A substitute for {name}", name=called[seat]), "replace", seat)
        for seat in replaceable
    ]
    rows.append(press(t.plain("🚪 Leave my seat"), "leave"))
    lines = [
        pace_line(table.pace, t),
        t("A pause or another pace needs one player of each team. Anybody at the table may go on again.")
        if asks
        else t("All people of this table sit in one team, so a pause or another pace comes at once."),
    ]
    return Painting("\n".join(lines), keyboard(*rows))


def leaving(table: Table, name: str, t: Texts) -> Painting:
    """The question back; whoever presses speaks for himself."""
    rows = [button(t.plain("🚪 I leave"), SeatPress(table=table.id, do="leave_now"), style="danger")]
    return Painting(
        t("{name}, a computer will play for you until somebody takes your seat. Leave it?", name=name),
        keyboard(rows),
    )
