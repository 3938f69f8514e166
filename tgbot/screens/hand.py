"""A player's own cards and what he may do with them, for his private chat.

The selection lives in the buttons: bit i of a mask is the i-th card of the sorted hand. Which buttons exist is read
from the engine's list of legal moves and from nothing else.
"""

from aiogram.types import InlineKeyboardButton, InlineKeyboardMarkup
from markupsafe import Markup

from core.cards import CardSet, cards_of
from core.moves import Verb
from core.state import Phase
from core.table import partner_of, team_of
from core.view import SeatView
from db.deals import FinishedDeal
from db.tables import Table
from tgbot.callbacks import MovePress, Pick
from tgbot.screens.painting import Painting, button, keyboard
from tgbot.screens.series import series_title
from tgbot.screens.table import (
    move_line,
    past_lines,
    score,
    tricks_line,
    trump_line,
    verdict,
    whose_turn,
)
from tgbot.screens.time import hand_lines, hand_rows, plays_himself
from tgbot.screens.words import TEAMS, card, cards, names
from tgbot.selection import chosen
from tgbot.texts import Texts, marked

ACTIONS = {
    Verb.LEAD: (marked("Lead"), "success"),
    Verb.BEAT: (marked("Beat"), "success"),
    Verb.PASS: (marked("Pass"), None),
}


def hand(table: Table, view: SeatView, title: str, previous: FinishedDeal | None, t: Texts) -> Painting:
    """`view` is the player's own, `title` the name of the chat where the table stands, `previous` the deal before."""
    assert table.series is not None
    assert table.deal is not None
    assert view.seat is not None
    called = names(table.seats, table.people, t)
    lines = [
        t("<b>{title}</b> · deal {n}", title=title, n=table.deal.number),
        t(
            "You are {mark}, your partner is {partner}",
            mark=TEAMS[team_of(view.seat)],
            partner=called[partner_of(view.seat)],
        ),
        t(
            "Loss points {loss} · {tricks}",
            loss=score(table.series.state.loss),
            tricks=tricks_line(view, t),
        ),
        trump_line(view, t),
        Markup(""),
        *(last_deal(previous, called, t) if previous is not None and not view.past else []),
        *past_lines(view, called, t),
        *(move_line(move, called, t, view.best) for move in view.table),
        _prompt(view, called, t) if plays_himself(table, view.seat) else whose_turn(view, called, t),
        *hand_lines(table, view.seat, t),
        t("Your cards: <b>{cards}</b>", cards=cards(view.hand, t)),
    ]
    return Painting("\n".join(lines), buttons(table, view, only_choice(view), t))


def last_deal(deal: FinishedDeal, called: dict[int, str], t: Texts) -> list[Markup]:
    told = t(
        "The deal before: {score}. {verdict}", score=score(deal.points), verdict=verdict(deal, called, t)
    )
    return [told, Markup("")]


def only_choice(view: SeatView) -> int:
    """The selection to begin with: empty, unless only one set of cards can be played."""
    playable = {move.cards for move in view.legal if move.verb in ACTIONS}
    if len(playable) != 1:
        return 0
    (only,) = playable
    return sum(1 << bit for bit, value in enumerate(cards_of(view.hand)) if only >> value & 1)


def waiting(table: Table, title: str, t: Texts) -> Painting:
    """The hand's place between series."""
    assert table.series is not None
    state = table.series.state
    called = names(table.seats, table.people, t)
    lines = [
        t("<b>{title}</b> · the series is over", title=title),
        series_title(state, called, t),
        t("Loss points {loss}", loss=score(state.loss)),
        t("Another series can be started in the group."),
    ]
    return Painting("\n".join(lines))


def left(title: str, t: Texts) -> Painting:
    """He gave his seat up, or the others did; the cards are not his any more."""
    return Painting(
        t(
            "<b>{title}</b> · you no longer sit at this table. The game can be followed in the group.",
            title=title,
        )
    )


def closed(title: str, t: Texts) -> Painting:
    return Painting(t("<b>{title}</b> · this table is closed. /tables shows the others.", title=title))


def buttons(table: Table, view: SeatView, mask: int, t: Texts) -> InlineKeyboardMarkup | None:
    """The hand's keyboard with the cards of `mask` chosen; None when this seat can do nothing now."""
    assert table.deal is not None
    assert view.seat is not None
    around = hand_rows(table, view.seat, t)
    if not plays_himself(table, view.seat):
        return keyboard(*around)
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
        actions = [
            play(verb, t.plain(label), style, mask)
            for verb, (label, style) in ACTIONS.items()
            if any(move.verb is verb and move.cards == picked for move in view.legal)
        ]
        # The row is always there: else the cards would jump, and a second tap hit something else.
        same = Pick(table=table.id, deal=deal, ply=view.ply, mask=mask)
        rows.append(actions or [button(_hint(view, picked, t), same)])
    if Verb.MOLODKA in verbs:
        label = t.plain("🐐 Lead my four") if view.phase is Phase.OFFER else t.plain("🐐 Molodka!")
        rows.append([play(Verb.MOLODKA, label, "primary")])
    if Verb.DECLINE in verbs:
        rows.append([play(Verb.DECLINE, t.plain("Decline"), "danger")])
    return keyboard(*rows, *around)


def _hint(view: SeatView, picked: CardSet, t: Texts) -> str:
    """What is missing while nothing can be done with the chosen cards."""
    if view.need:
        return t.plain_many(
            "Chosen {count} of {n} card", "Chosen {count} of {n} cards", view.need, count=picked.bit_count()
        )
    return t.plain("One suit only, please") if picked else t.plain("Choose what to lead")


def _prompt(view: SeatView, called: dict[int, str], t: Texts) -> Markup:
    verbs = {move.verb for move in view.legal}
    if Verb.DECLINE in verbs:
        return t("❗ Somebody wants to lead four of a suit. You are asked first: lead yours, or decline?")
    if Verb.LEAD in verbs:
        most = max(move.cards.bit_count() for move in view.legal if move.verb is Verb.LEAD)
        if most == 1:
            return t("❗ <b>Your lead</b>: choose a card.")
        return t("❗ <b>Your lead</b>: choose 1 to {n} cards of one suit.", n=most)
    if Verb.PASS in verbs:
        return (
            t.many(
                "❗ <b>Your turn</b>: beat, or pass {n} card.",
                "❗ <b>Your turn</b>: beat, or pass {n} cards.",
                view.need,
            )
            if Verb.BEAT in verbs
            else t.many(
                "❗ <b>Your turn</b>: nothing beats that. Pass {n} card.",
                "❗ <b>Your turn</b>: nothing beats that. Pass {n} cards.",
                view.need,
            )
        )
    return whose_turn(view, called, t)
