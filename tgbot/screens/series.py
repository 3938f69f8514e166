"""The end of a series: who are the goats, deal by deal, and what next."""

from collections.abc import Sequence

from markupsafe import Markup

from core.series import Series
from db.deals import FinishedDeal
from db.tables import Table
from tgbot.callbacks import AgainPress
from tgbot.screens.painting import Painting, button, keyboard
from tgbot.screens.table import score, team_name
from tgbot.screens.words import TEAMS, names
from tgbot.texts import Texts


def series_result(
    table: Table, series_id: int, state: Series, deals: Sequence[FinishedDeal], live: bool, t: Texts
) -> Painting:
    """`live`: another series may still be started from here."""
    called = names(table.seats, table.people, t)
    lines = [
        series_title(state, called, t),
        t("Loss points {loss}", loss=score(state.loss)),
        Markup(""),
        *(_deal_line(deal, t) for deal in deals),
    ]
    rows = []
    if live:
        rows = [
            button(
                t.plain("🔁 Play again"),
                AgainPress(table=table.id, series=series_id, do="again"),
                style="success",
            ),
            button(t.plain("Change seats"), AgainPress(table=table.id, series=series_id, do="seats")),
        ]
    return Painting("\n".join(lines), keyboard(rows))


def series_title(state: Series, called: dict[int, str], t: Texts) -> Markup:
    if state.goats is None:
        return t("🐐 <b>The series was stopped</b>")
    team = team_name(called, state.goats)
    if state.goats_with_balls:
        return t("🐐🥚 <b>{team} are goats with balls!</b>", team=team)
    return t("🐐 <b>{team} are the goats!</b>", team=team)


def _deal_line(deal: FinishedDeal, t: Texts) -> Markup:
    if not any(deal.loss):
        return t("{n}. 60 : 60 – balls", n=deal.number)
    return t(
        "{n}. {first} : {second} → {mark} +{loss}",
        n=deal.number,
        first=deal.points[0],
        second=deal.points[1],
        mark=TEAMS[0 if deal.loss[0] else 1],
        loss=max(deal.loss),
    )
