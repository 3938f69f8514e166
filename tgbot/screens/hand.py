"""A player's own cards and what he may do with them, for his private chat.

The selection lives in the buttons: bit i of a mask is the i-th card of the sorted hand. Which buttons exist is read
from the engine's list of legal moves and from nothing else.
"""

from aiogram.types import InlineKeyboardButton, InlineKeyboardMarkup
from markupsafe import Markup

from core.cards import cards_of
from core.moves import Verb
from core.state import Phase
from core.table import team_of
from core.view import SeatView
from db.tables import Table
from tgbot.callbacks import MovePress, Pick
from tgbot.screens.painting import Painting, button, keyboard
from tgbot.screens.table import last_trick, move_line, situation_line, whose_turn
from tgbot.screens.words import TEAMS, card, cards, names
from tgbot.selection import chosen
from tgbot.texts import Texts, marked

ACTIONS = {
    Verb.LEAD: (marked("Lead"), "success"),
    Verb.BEAT: (marked("Beat"), "success"),
    Verb.PASS: (marked("Pass face down"), None),
}


def hand(table: Table, view: SeatView, title: str, t: Texts) -> Painting:
    """`view` is the player's own, `title` the name of the chat where the table stands."""
    assert table.series is not None
    assert table.deal is not None
    assert view.seat is not None
    called = names(table.seats, table.people, t)
    us = team_of(view.seat)
    loss = table.series.state.loss
    lines = [
        t("<b>{title}</b> · deal {n}", title=title, n=table.deal.number),
        t(
            "Partner {partner} · loss points {mark} {ours} : {theirs}",
            partner=called[(view.seat + 2) % 4],
            mark=TEAMS[us],
            ours=loss[us],
            theirs=loss[1 - us],
        ),
        situation_line(view, t),
        Markup(""),
        *([last_trick(view.past[-1], called, t)] if view.past and not view.table else []),
        *(move_line(move, called, t, view.best) for move in view.table),
        _prompt(view, called, t),
        t("Your cards: <b>{cards}</b>", cards=cards(view.hand, t)),
    ]
    return Painting("\n".join(lines), buttons(table, view, 0, t))


def waiting(title: str, t: Texts) -> Painting:
    """The hand's place between series."""
    return Painting(t("<b>{title}</b> · the series is over. The result is in the group.", title=title))


def closed(title: str, t: Texts) -> Painting:
    return Painting(t("<b>{title}</b> · this table is closed. /tables shows the others.", title=title))


def buttons(table: Table, view: SeatView, mask: int, t: Texts) -> InlineKeyboardMarkup | None:
    """The hand's keyboard with the cards of `mask` chosen; None when this seat can do nothing now."""
    assert table.deal is not None
    deal = table.deal.id

    def play(verb: Verb, label: str, style: str | None, cards_mask: int = 0) -> InlineKeyboardButton:
        press = MovePress(table=table.id, deal=deal, ply=view.ply, verb=verb.value, mask=cards_mask)
        return button(label, press, style=style)

    verbs = {move.verb for move in view.legal}
    rows: list[list[InlineKeyboardButton]] = []
    if verbs & set(ACTIONS):
        rows.append(
            [
                button(
                    f"✅ {card(value, t)}" if mask >> bit & 1 else card(value, t),
                    Pick(table=table.id, deal=deal, ply=view.ply, mask=mask ^ (1 << bit)),
                )
                for bit, value in enumerate(cards_of(view.hand))
            ]
        )
        picked = chosen(view.hand, mask)
        rows.append(
            [
                play(verb, t.plain(label), style, mask)
                for verb, (label, style) in ACTIONS.items()
                if any(move.verb is verb and move.cards == picked for move in view.legal)
            ]
        )
    if Verb.MOLODKA in verbs:
        label = t.plain("🐐 Lead my four") if view.phase is Phase.OFFER else t.plain("🐐 Molodka!")
        rows.append([play(Verb.MOLODKA, label, "primary")])
    if Verb.DECLINE in verbs:
        rows.append([play(Verb.DECLINE, t.plain("Decline"), "danger")])
    return keyboard(*rows)


def _prompt(view: SeatView, called: dict[int, str], t: Texts) -> Markup:
    verbs = {move.verb for move in view.legal}
    if Verb.DECLINE in verbs:
        return t("❗ Somebody wants to lead four of a suit. You are asked first: lead yours, or decline?")
    if Verb.LEAD in verbs:
        return t("❗ <b>Your lead</b>: choose 1 to 4 cards of one suit.")
    if Verb.PASS in verbs:
        return (
            t.many(
                "❗ <b>Your turn</b>: beat, or pass {n} card face down.",
                "❗ <b>Your turn</b>: beat, or pass {n} cards face down.",
                view.need,
            )
            if Verb.BEAT in verbs
            else t.many(
                "❗ <b>Your turn</b>: nothing beats that. Pass {n} card face down.",
                "❗ <b>Your turn</b>: nothing beats that. Pass {n} cards face down.",
                view.need,
            )
        )
    return whose_turn(view, called, t)
