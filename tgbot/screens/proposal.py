"""A proposal to the table, and how it ended."""

from core.table import teams_missing
from db.proposals import Proposal
from db.tables import Table
from tgbot.callbacks import VotePress
from tgbot.screens.painting import Painting, button, keyboard
from tgbot.screens.words import TEAMS, clean, isolated, names
from tgbot.texts import Texts


def stop_proposal(table: Table, proposal: Proposal, proposer: str, t: Texts) -> Painting:
    """`proposer`: the name of the one who proposed; he may have left the table since."""
    name = isolated(clean(proposer))
    if proposal.accepted is True:
        return Painting(t("🛑 The series was stopped by agreement of both teams."))
    if proposal.accepted is False:
        return Painting(t("▶️ {name} proposed to stop; the series goes on.", name=name))
    called = names(table.seats, table.people, t)
    missing = teams_missing(table.seats, proposal.agreed)
    lines = [
        t("🛑 {name} proposes to <b>stop this series</b>.", name=name),
        t("It would end without goats: the deal in play is not counted, nothing is added to the score."),
        t(
            "Agreed so far: {names}",
            names=", ".join(called[seat] for seat in proposal.agreed if seat in called) or "–",
        ),
        t(
            "Still needed: one player of {teams}. A chat admin may agree for everybody.",
            teams=" ".join(TEAMS[team] for team in missing),
        ),
    ]
    rows = [
        button(t.plain("Stop"), VotePress(proposal=proposal.id, yes=True), style="danger"),
        button(t.plain("Play on"), VotePress(proposal=proposal.id, yes=False), style="success"),
    ]
    return Painting("\n".join(lines), keyboard(rows))
