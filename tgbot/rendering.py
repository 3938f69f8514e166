"""A screen as it should look now: loads the current state, renders it for the eyes and the language of its chat."""

from dataclasses import dataclass

from core.deal import next_leader
from core.record import final
from core.state import Phase
from core.table import seat_of
from core.view import view
from db import chats, deals, players, proposals, tables
from db.connection import Connection
from db.notices import Notice
from db.screens import Screen
from db.tables import Table
from tgbot.screens import hand, lobby, proposal, series
from tgbot.screens.notices import notice_painting, reminder
from tgbot.screens.painting import Painting
from tgbot.screens.table import deal_result, table_in_play, unfinished_deal
from tgbot.screens.words import clean, isolated
from tgbot.texts import Texts, choose, texts


@dataclass(frozen=True, slots=True)
class Renderer:
    """`bot`: the bot's username, for links; `language`: of groups that have not chosen one."""

    bot: str
    language: str

    async def render(self, db: Connection, screen: Screen) -> Painting | None:
        """None when there is nothing to show any more."""
        table = await tables.read(db, screen.table_id)
        if table is None:
            return None
        t = await self.texts_of(db, screen.chat_id)
        if screen.kind == "lobby":
            return lobby.lobby(table, t)
        if screen.kind == "table":
            return await self._table(db, screen, table, t)
        if screen.kind == "hand":
            return await self._hand(db, screen, table, t)
        if screen.kind == "series":
            return await self._series(db, screen, table, t)
        return await self._proposal(db, screen, table, t)

    async def notice(self, db: Connection, notice: Notice) -> Painting:
        """What is said once, as its chat reads it."""
        t = await self.texts_of(db, notice.chat_id)
        if notice.code != "reminder":
            return notice_painting(notice.code, notice.args, t)
        table = await tables.read(db, int(notice.args["table"]))
        chat = None if table is None else await chats.get(db, table.chat_id)
        player = await players.get(db, notice.chat_id)
        title = isolated(clean(chat.title)) if chat else "…"
        return reminder(notice.args, title, player.zone if player else None, t)

    async def texts_of(self, db: Connection, chat_id: int) -> Texts:
        """The language of a private chat is the person's, of a group the group's."""
        if chat_id > 0:
            player = await players.get(db, chat_id)
            wishes = (player.language, player.telegram_language) if player else ()
            return texts(choose(*wishes, self.language))
        chat = await chats.get(db, chat_id)
        return texts(choose(chat.language if chat else None, self.language))

    async def _table(self, db: Connection, screen: Screen, table: Table, t: Texts) -> Painting | None:
        if table.deal is not None and table.deal.id == screen.deal_id:
            return table_in_play(table, view(final(table.deal.record), None), t, self.bot)
        if screen.deal_id is None:
            return None
        series_id = await deals.series_of(db, screen.deal_id)
        finished = [] if series_id is None else await deals.finished(db, series_id)
        result = next((deal for deal in finished if deal.id == screen.deal_id), None)
        if result is None:
            return unfinished_deal(t)
        played = [deal.loss for deal in finished if deal.number <= result.number]
        total = (sum(loss[0] for loss in played), sum(loss[1] for loss in played))
        record = await deals.record_of(db, screen.deal_id)
        leader = None
        if record is not None and max(total) < record.rules.series_length:
            state = final(record)
            leader = next_leader(state) if state.phase is Phase.OVER else None
        return deal_result(table, result, total, leader, t)

    async def _hand(self, db: Connection, screen: Screen, table: Table, t: Texts) -> Painting | None:
        chat = await chats.get(db, table.chat_id)
        title = isolated(clean(chat.title)) if chat else "…"
        seat = None if screen.player_id is None else seat_of(table.seats, screen.player_id)
        if table.state == "closed":
            return hand.closed(title, t)
        if seat is None:
            return hand.left(title, t)
        if table.deal is None:
            return hand.waiting(table, title, t)
        played = [] if table.series is None else await deals.finished(db, table.series.id)
        previous = played[-1] if played else None
        return hand.hand(table, view(final(table.deal.record), seat), title, previous, t)

    async def _series(self, db: Connection, screen: Screen, table: Table, t: Texts) -> Painting | None:
        if table.series is None or screen.series_id is None:
            return None
        state = await deals.series_state(db, screen.series_id)
        if state is None:
            return None
        live = table.state == "between" and table.series.id == screen.series_id
        finished = await deals.finished(db, screen.series_id)
        return series.series_result(table, screen.series_id, state, finished, live, t)

    async def _proposal(self, db: Connection, screen: Screen, table: Table, t: Texts) -> Painting | None:
        if screen.proposal_id is None:
            return None
        found = await proposals.get(db, screen.proposal_id)
        if found is None:
            return None
        proposer = await players.get(db, found.proposed_by)
        return proposal.proposal_screen(table, found, proposer.name if proposer else "…", t)
