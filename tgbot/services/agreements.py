"""What a table decides together: to stop, to pause, to play at another pace, to ask a substitute in.

One player of each team must agree, or a chat admin alone; one "no" of the table settles it. Somebody who is away is
replaced when his partner and an opponent agree, and by nobody else's wish.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from core.errors import TableError
from core.pace import PACES
from core.record import final
from core.table import partner_of, seat_of, team_of, teams_missing
from db import proposals, screens, tables
from db.connection import Connection
from db.proposals import Kind, Proposal
from db.tables import Table
from tgbot.services import absence, pausing, turns
from tgbot.services.deals import end_series, say, schedule
from tgbot.services.moment import Moment


async def propose(
    db: Connection,
    table_id: int,
    player_id: int,
    admin_of: int | None,
    kind: Kind,
    moment: Moment,
    args: Mapping[str, Any] | None = None,
) -> None:
    """Asks the table. A stop always waits for somebody's press; the rest is done at once when nobody else is left to
    ask. Proposing again shows the question again.

    `admin_of`: the chat in which the person is known to be an admin; `args` as in Proposal, of a replacement the seat.
    Raises TableError: "no_series", "not_your_table" for who neither sits here nor is a chat admin, "paused",
    "no_such_rule", "not_away_long_enough".
    """
    table = await absence.playing(db, table_id)
    seat = seat_of(table.seats, player_id)
    if seat is None and admin_of != table.chat_id:
        raise TableError("not_your_table")
    wish = _checked(table, kind, args or {}, moment)
    running = await proposals.running(db, table.id, kind)
    if running is not None and running.args != wish:
        await proposals.settle(db, running.id, False, moment.now)
        await screens.finish(db, table.id, "proposal", moment.now)
        running = None
    if running is None:
        agreed = () if seat is None else (seat,)
        proposal_id = await proposals.open_proposal(db, table.id, kind, player_id, agreed, moment.now, wish)
    else:
        proposal_id = running.id
    await screens.put(
        db,
        table.id,
        "proposal",
        table.chat_id,
        moment.now,
        thread_id=table.thread_id,
        proposal_id=proposal_id,
    )
    opened = await proposals.get(db, proposal_id)
    assert opened is not None
    if running is None and kind != "stop" and agrees(table, opened):
        await _settle(db, table, opened, moment)


async def vote(
    db: Connection, proposal_id: int, player_id: int, admin_of: int | None, yes: bool, moment: Moment
) -> None:
    """Raises TableError: "no_series", "old_buttons", "not_your_table"."""
    proposal = await proposals.get(db, proposal_id)
    if proposal is None:
        raise TableError("old_buttons")
    table = await absence.playing(db, proposal.table_id)
    proposal = await proposals.get(db, proposal_id)
    if proposal is None or proposal.accepted is not None:
        raise TableError("old_buttons")
    seat = seat_of(table.seats, player_id)
    # Whose seat it is, is no business of a chat's admins: that is for those who play with him.
    admin = admin_of == table.chat_id and proposal.kind != "replace"
    if seat is None and not admin:
        raise TableError("not_your_table")
    if not yes:
        await proposals.settle(db, proposal.id, False, moment.now)
        await screens.finish(db, table.id, "proposal", moment.now)
        return
    agreed = proposal.agreed if seat is None else tuple(sorted({*proposal.agreed, seat}))
    await proposals.agree(db, proposal.id, agreed)
    proposal = await proposals.get(db, proposal.id)
    assert proposal is not None
    if admin or agrees(table, proposal):
        await _settle(db, table, proposal, moment)
    else:
        await screens.touch(db, table.id, "proposal", moment.now)


def agrees(table: Table, proposal: Proposal) -> bool:
    """Whether everybody has agreed who must."""
    if proposal.kind == "replace":
        return not still_to_ask(table, proposal.args["seat"], proposal.agreed)
    return not teams_missing(table.seats, proposal.agreed)


def still_to_ask(table: Table, seat: int, agreed: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """Of each side whose consent to a substitute in `seat` is missing, the seats that may give it: his partner, and
    one of the opponents. Who is away himself, or no person, is not waited for."""
    sides = ((partner_of(seat),), tuple(other for other in range(4) if team_of(other) != team_of(seat)))
    asked = [tuple(other for other in side if other in table.present) for side in sides]
    return tuple(side for side in asked if side and not set(side) & set(agreed))


def replaceable(table: Table, moment: Moment) -> tuple[int, ...]:
    """The seats whose holders have been away for so long that the others may look for substitutes."""
    return tuple(
        seat
        for seat in table.away
        if (since := table.tenures[seat].away_since) is not None
        and moment.now - since >= table.pace.replace_after
    )


def _checked(table: Table, kind: Kind, args: Mapping[str, Any], moment: Moment) -> dict[str, Any]:
    """What the proposal will remember. Raises TableError when it makes no sense at this table now."""
    if kind == "pause" and table.paused_at is not None:
        raise TableError("paused")
    if kind == "pace":
        if args["pace"] not in PACES or args["pace"] == table.pace.name:
            raise TableError("no_such_rule")
        return {"pace": args["pace"]}
    if kind == "replace":
        seat = args["seat"]
        if seat not in replaceable(table, moment):
            raise TableError("not_away_long_enough")
        who = table.seats[seat]
        assert who is not None
        assert who.person is not None
        return {"seat": seat, "person": who.person, "name": table.people[who.person].name}
    return {}


async def _settle(db: Connection, table: Table, proposal: Proposal, moment: Moment) -> None:
    """Everybody agreed: it is done."""
    await proposals.settle(db, proposal.id, True, moment.now)
    await screens.finish(db, table.id, "proposal", moment.now)
    if proposal.kind == "stop":
        await end_series(db, table, "stopped", moment)
    elif proposal.kind == "pause":
        await pausing.pause(db, table, moment)
    elif proposal.kind == "pace":
        await _change_pace(db, table, proposal.args["pace"], moment)
    elif table.tenures[proposal.args["seat"]].away_since is not None:
        await absence.offer_seat(db, table, proposal.args["seat"], moment)


async def _change_pace(db: Connection, table: Table, name: str, moment: Moment) -> None:
    """Whose turn it is begins it anew, at the new pace."""
    table = replace(await turns.end(db, table, moment), pace=PACES[name])
    assert table.deal is not None
    await say(db, table, "pace", moment, pace=name)
    if table.paused_at is not None:
        await tables.change(
            db, table, act_at=table.act_at, paused_at=table.paused_at, pause_until=table.pause_until
        )
    elif table.asleep_at is not None:
        await tables.change(db, table, asleep_at=table.asleep_at)
    else:
        await schedule(db, table, final(table.deal.record), moment)
    await absence.show(db, table, moment)
