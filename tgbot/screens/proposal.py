"""A proposal to the table, and how it ended."""

from markupsafe import Markup

from core.table import teams_missing
from db.proposals import Proposal
from db.tables import Table
from tgbot.callbacks import VotePress
from tgbot.screens.painting import Painting, button, keyboard
from tgbot.screens.time import PACE_NAMES
from tgbot.screens.words import TEAMS, clean, isolated, names
from tgbot.texts import Texts


def stop_proposal(table: Table, proposal: Proposal, proposer: str, t: Texts) -> Painting:
    """`proposer`: the name of the one who proposed; he may have left the table since."""
    name = isolated(clean(proposer))
    if proposal.accepted is True:
        return Painting(t("🛑 It is settled: the series is stopped."))
    if proposal.accepted is False:
        return Painting(t("▶️ {name} proposed to stop; this was not agreed.", name=name))
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
            "Still needed, one player of each: {teams}. A chat admin may agree for everybody.",
            teams=" ".join(TEAMS[team] for team in missing),
        )
        if missing
        else t("Press Stop to confirm."),
    ]
    rows = [
        button(t.plain("Stop"), VotePress(proposal=proposal.id, yes=True), style="danger"),
        button(t.plain("Play on"), VotePress(proposal=proposal.id, yes=False), style="success"),
    ]
    return Painting("\n".join(lines), keyboard(rows))


def proposal_screen(table: Table, proposal: Proposal, proposer: str, t: Texts) -> Painting:
    """`proposer` as in stop_proposal."""
    if proposal.kind == "stop":
        return stop_proposal(table, proposal, proposer, t)
    name = isolated(clean(proposer))
    wish = _wish(proposal, t)
    if proposal.accepted is True:
        return Painting(t("✅ Agreed: {wish}.", wish=wish))
    if proposal.accepted is False:
        return Painting(t("✖️ Not agreed: {wish}, proposed by {name}.", wish=wish, name=name))
    called = names(table.seats, table.people, t)
    lines = [
        t("{name} proposes: <b>{wish}</b>", name=name, wish=wish),
        t(
            "Agreed so far: {names}",
            names=", ".join(called[seat] for seat in proposal.agreed if seat in called) or "–",
        ),
        t("Needed: the consent of that player's partner and of one opponent.")
        if proposal.kind == "replace"
        else t("Needed: one player of each team. A chat admin may agree for everybody."),
    ]
    rows = [
        button(t.plain("Agree"), VotePress(proposal=proposal.id, yes=True), style="success"),
        button(t.plain("No"), VotePress(proposal=proposal.id, yes=False), style="danger"),
    ]
    return Painting("\n".join(lines), keyboard(rows))


def _wish(proposal: Proposal, t: Texts) -> Markup:
    if proposal.kind == "pause":
        return t("⏸ a pause")
    if proposal.kind == "pace":
        return t("⏱ the pace “{pace}”", pace=t.plain(PACE_NAMES[proposal.args["pace"]]))
    return t("🪑 a substitute for {name}", name=isolated(clean(str(proposal.args["name"]))))
