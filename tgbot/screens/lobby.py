"""The lobby: two teams, house rules, start."""

from aiogram.types import InlineKeyboardButton
from markupsafe import Markup

from core.computer import LEVELS
from core.rules import SERIES_LENGTHS
from core.table import is_ready, people
from db.tables import Table
from tgbot.callbacks import LobbyPress, RulePress
from tgbot.screens.painting import Painting, button, keyboard
from tgbot.screens.time import next_pace, pace_button_label, pace_line
from tgbot.screens.words import TEAMS, level_name, names
from tgbot.texts import Texts


def lobby(table: Table, t: Texts) -> Painting:
    if table.state == "closed":
        return Painting(_closed(table, t))
    if table.state != "lobby":
        return Painting(t("🐐 <b>The table is set</b> – the series has begun. Good luck!"))
    called = names(table.seats, table.people, t)
    lines = [
        t("🐐 <b>Goat</b> – a new table"),
        t.many(
            "A series to {n} loss point. Partners sit opposite.",
            "A series to {n} loss points. Partners sit opposite.",
            table.rules.series_length,
        ),
        *([pace_line(table.pace, t)] if table.pace.move is not None else []),
        Markup(""),
        *(
            Markup("{mark} {first} + {second}").format(
                mark=TEAMS[team],
                first=_sitter(table, team, called, t),
                second=_sitter(table, team + 2, called, t),
            )
            for team in (0, 1)
        ),
        Markup(""),
        _what_next(table, t),
    ]
    return Painting("\n".join(lines), keyboard(*_rows(table, t, called)))


def _sitter(table: Table, seat: int, called: dict[int, str], t: Texts) -> str:
    who = table.seats[seat]
    if who is None:
        return t("<i>free</i>")
    if who.computer is None:
        return called[seat]
    return t("{name} ({level})", name=called[seat], level=level_name(who.computer, t))


def _what_next(table: Table, t: Texts) -> Markup:
    free = sum(who is None for who in table.seats)
    if free:
        return t.many(
            "{n} seat is free: take it, or let a computer play there.",
            "{n} seats are free: take one, or let computers play there.",
            free,
        )
    if not people(table.seats):
        return t("Four computers would play alone: somebody should sit down.")
    return t("Everybody is here. Anyone at the table may start.")


def _rows(table: Table, t: Texts, called: dict[int, str]) -> list[list[InlineKeyboardButton]]:
    def press(do: str, arg: int = 0) -> LobbyPress:
        return LobbyPress(table=table.id, do=do, arg=arg)

    free = [[seat for seat in (team, team + 2) if table.seats[seat] is None] for team in (0, 1)]
    sit = [
        button(t.plain("{team} Sit here", team=TEAMS[team]), press("sit", team), style="primary")
        for team in (0, 1)
        if free[team]
    ]
    add = [
        button(t.plain("{team} + computer", team=TEAMS[team]), press("computer", team))
        for team in (0, 1)
        if free[team]
    ]
    computers = [who for who in table.seats if who is None or who.computer is not None]
    stronger = (LEVELS.index(table.computers) + 1) % len(LEVELS)
    level = [
        button(
            t.plain("🤖 Computers: {level}", level=level_name(table.computers, t)), press("level", stronger)
        )
    ]
    # Two a row: names are long, and phones narrow.
    send_away = [
        button(t.plain("✕ {name}", name=called[seat]), press("empty", seat))
        for seat, who in enumerate(table.seats)
        if who is not None and who.computer is not None
    ]
    seated = []
    if people(table.seats):
        seated = [
            button(t.plain("🎲 Draw teams"), press("shuffle")),
            button(t.plain("Leave"), press("leave")),
        ]
    start = []
    if is_ready(table.seats):
        start = [button(t.plain("▶️ Start"), press("start"), style="success")]
    elif any(free):
        start = [button(t.plain("🤖 Play now with computers"), press("fill"), style="success")]
    return [
        start,
        sit,
        add,
        level if computers else [],
        send_away[:2],
        send_away[2:],
        *_rules(table, t),
        [
            *seated,
            button(t.plain("Cancel"), press("cancel"), style="danger"),
        ],
    ]


def _rules(table: Table, t: Texts) -> list[list[InlineKeyboardButton]]:
    rules = table.rules
    longer = SERIES_LENGTHS[(SERIES_LENGTHS.index(rules.series_length) + 1) % len(SERIES_LENGTHS)]
    yes, no = "☑️", "▫️"

    def switch(rule: str, label: str, on: bool) -> InlineKeyboardButton:
        return button(f"{yes if on else no} {label}", RulePress(table=table.id, rule=rule, value=int(not on)))

    return [
        [
            button(
                t.plain("Series to {n}", n=rules.series_length),
                RulePress(table=table.id, rule="series_length", value=longer),
            ),
            button(
                pace_button_label(table.pace, t),
                LobbyPress(table=table.id, do="pace", arg=next_pace(table.pace)),
            ),
        ],
        [
            switch("molodka", t.plain("Molodka"), rules.molodka),
            switch("open_passes", t.plain("Open passes"), rules.open_passes),
        ],
        [switch("balls_doubled", t.plain("Balls doubled"), rules.balls_doubled)],
    ]


def _closed(table: Table, t: Texts) -> Markup:
    if table.closed_because == "expired":
        return t("🐐 Nobody started this table for a day, so it was cleared away. /goat opens a new one.")
    return t("🐐 This table was cancelled. /goat opens a new one.")
