"""The table in the group: what everybody may see of the deal in play, and the result of a finished one."""

from markupsafe import Markup

from core.cards import suit_of
from core.moves import Verb
from core.state import Phase
from core.view import SeatView, SeenMove
from db.deals import FinishedDeal
from db.tables import Table
from tgbot.screens.painting import Painting, button, keyboard
from tgbot.screens.time import table_lines, table_rows
from tgbot.screens.words import SUITS, TEAMS, backs, card, cards, names
from tgbot.texts import Texts


def table_in_play(table: Table, view: SeatView, t: Texts, bot: str) -> Painting:
    """`view` is the group's; `bot` the bot's username."""
    assert table.series is not None
    assert table.deal is not None
    called = names(table.seats, table.people, t)
    lines = [
        t(
            "🐐 <b>Deal {n}</b> · to {length}",
            n=table.deal.number,
            length=table.series.state.rules.series_length,
        ),
        *team_lines(called, table.series.state.loss, t),
        t("{trump} · {tricks}", trump=trump_line(view, t), tricks=tricks_line(view, t)),
        Markup(""),
        *past_lines(view, called, t),
        *(move_line(move, called, t, view.best) for move in view.table),
        whose_turn(view, called, t),
        *table_lines(table, called, t),
    ]
    mine = [button(t.plain("🃏 My cards"), url=f"https://t.me/{bot}")]
    return Painting("\n".join(lines), keyboard(mine, *table_rows(table, t)))


def deal_result(
    table: Table, result: FinishedDeal, total: tuple[int, int], next_leader: int | None, t: Texts
) -> Painting:
    """`total` is the loss points of the series after this deal; `next_leader` None at the series' end."""
    called = names(table.seats, table.people, t)
    lines = [
        t("🐐 <b>Deal {n}: the count</b>", n=result.number),
        *(
            t.many(
                "{mark} {team}: <b>{points} points</b> in {n} trick",
                "{mark} {team}: <b>{points} points</b> in {n} tricks",
                result.tricks[team],
                mark=TEAMS[team],
                team=team_name(called, team),
                points=result.points[team],
            )
            for team in (0, 1)
        ),
        verdict(result, called, t),
        t("Loss points in the series: {score}", score=score(total)),
    ]
    if next_leader is not None:
        lines.append(t("{name} leads the next deal.", name=called[next_leader]))
    return Painting("\n".join(lines))


def unfinished_deal(t: Texts) -> Painting:
    return Painting(t("🐐 This deal was not played to the end and does not count."))


def verdict(result: FinishedDeal, called: dict[int, str], t: Texts) -> Markup:
    if not any(result.loss):
        return t("⚖️ 60 : 60 – balls! Nobody gets loss points.")
    loser = 0 if result.loss[0] else 1
    return t.many(
        "➕ {team} get {n} loss point.",
        "➕ {team} get {n} loss points.",
        result.loss[loser],
        team=team_name(called, loser),
    )


def team_name(called: dict[int, str], team: int) -> Markup:
    return Markup("{} + {}").format(called[team], called[team + 2])


def team_lines(called: dict[int, str], loss: tuple[int, int], t: Texts) -> list[Markup]:
    return [
        t.many(
            "{mark} {team} – {n} loss point",
            "{mark} {team} – {n} loss points",
            loss[team],
            mark=TEAMS[team],
            team=team_name(called, team),
        )
        for team in (0, 1)
    ]


def trump_line(view: SeatView, t: Texts) -> Markup:
    return t(
        "Trump <b>{trump}</b> ({shown} shown) · stock {stock}",
        trump=SUITS[suit_of(view.shown)],
        shown=card(view.shown, t),
        stock=view.stock,
    )


def tricks_line(view: SeatView, t: Texts) -> Markup:
    return t("tricks {score}", score=score(view.tricks))


def score(pair: tuple[int, int]) -> str:
    """Both teams' numbers, always the same team first, kept together on a narrow screen."""
    return f"{TEAMS[0]} {pair[0]} : {pair[1]} {TEAMS[1]}".replace(" ", "\u00a0")


def past_lines(view: SeatView, called: dict[int, str], t: Texts) -> list[Markup]:
    """The last trick: its end may be over before anybody saw the message, so it stays until the next one ends."""
    if not view.past:
        return []
    trick = view.past[-1]
    moves = [
        f"{called[move.seat]} {backs(move.count) if move.cards is None else cards(move.cards, t)}"
        for move in trick.moves
    ]
    told = t("Last trick to {name}: {moves}", name=called[trick.winner], moves=" · ".join(moves))
    return [told, Markup("")]


def move_line(move: SeenMove, called: dict[int, str], t: Texts, best: int | None = None) -> Markup:
    shown = backs(move.count) if move.cards is None else cards(move.cards, t)
    name = called[move.seat]
    if move.verb is Verb.PASS:
        return t("▫️ {name} passes {cards}", name=name, cards=shown)
    crown = "👑" if move.seat == best else "▫️"
    if move.verb is Verb.LEAD:
        return t("{crown} {name} leads <b>{cards}</b>", crown=crown, name=name, cards=shown)
    return t("{crown} {name} beats with <b>{cards}</b>", crown=crown, name=name, cards=shown)


def whose_turn(view: SeatView, called: dict[int, str], t: Texts) -> Markup:
    if view.phase is Phase.OFFER:
        return t("⏳ The table waits for molodka rights.")
    if view.turn is None:
        return t("The deal is over.")
    if view.phase is Phase.LEAD:
        return t("➡️ {name} to lead", name=called[view.turn])
    return t.many(
        "➡️ {name} to answer with {n} card",
        "➡️ {name} to answer with {n} cards",
        view.need,
        name=called[view.turn],
    )
