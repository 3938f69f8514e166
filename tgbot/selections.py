"""The cards that a person has chosen so far, shown in the buttons of his hand.

The selection lives in those buttons and nowhere else. They are edited after the press was answered, at the pace that
Telegram allows: presses that come faster are put together, and what is shown in the end has all of them in it.
"""

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace

from aiogram import Bot
from aiogram.exceptions import TelegramAPIError, TelegramBadRequest, TelegramRetryAfter
from aiogram.types import InlineKeyboardMarkup

from core.record import final
from core.table import seat_of
from core.view import view
from db import screens, tables
from db.connection import Connection
from db.faults import PASSING
from db.pool import Pool
from tgbot.callbacks import Pick
from tgbot.pace import PRESS_ROOM, Pace
from tgbot.screens.hand import buttons
from tgbot.services.moment import Moment
from tgbot.telegram import ACCOUNTED, TROUBLE, gone, unchanged
from tgbot.texts import Texts

log = logging.getLogger(__name__)

IN_TRANSIT = 0.5
"""Seconds after which everybody sees what we showed."""

Place = tuple[int, int]
"""(chat, message)."""


@dataclass(slots=True)
class _Wish:
    """What a hand's buttons shall show: `mask` as in Pick, of this deal and ply only."""

    press: Pick
    shown: int | None
    mask: int
    player_id: int
    t: Texts
    moment: Moment

    @property
    def at(self) -> tuple[int, int]:
        return self.press.deal, self.press.ply


@dataclass(slots=True)
class _Drawn:
    """What we showed lately. A press that comes now may have been made before that arrived on its screen."""

    ply: tuple[int, int]
    masks: list[int]
    until: float = 0.0

    def shows(self, press: Pick, shown: int | None, now: float) -> bool:
        """Whether what the pressed buttons showed is older than what we showed last."""
        mine = self.ply == (press.deal, press.ply) and now <= self.until
        return mine and shown in self.masks and shown != self.masks[-1]


@dataclass(slots=True)
class Selections:
    """`ticks` is the monotonic clock, in seconds, of the pace; `ring` tells the painter."""

    pool: Pool
    bot: Bot
    pace: Pace
    ticks: Callable[[], float]
    ring: Callable[[], None]
    _wishes: dict[Place, _Wish] = field(default_factory=dict)
    _drawn: dict[Place, _Drawn] = field(default_factory=dict)
    _tasks: set["asyncio.Task[None]"] = field(default_factory=set)

    def choose(
        self, press: Pick, shown: int | None, player_id: int, place: Place, t: Texts, moment: Moment
    ) -> None:
        """`shown`: the selection that the pressed buttons showed, None when not known. Returns at once."""
        wish, drawn = self._wishes.get(place), self._drawn.get(place)
        mask = press.mask
        if wish is not None and wish.at == (press.deal, press.ply):
            wish.mask = _with(mask, shown, wish.mask)
            return
        if drawn is not None and drawn.shows(press, shown, self.ticks()):
            mask = _with(mask, shown, drawn.masks[-1])
        self._wishes[place] = _Wish(press, shown, mask, player_id, t, moment)
        if wish is None:
            task = asyncio.create_task(self._show(place), name=f"selection {place}")
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    def _drew(self, place: Place, wish: _Wish, mask: int) -> None:
        now = self.ticks()
        drawn = self._drawn.get(place)
        if drawn is None or drawn.ply != wish.at or drawn.until < now:
            if len(self._drawn) > 1000:
                self._drawn = {where: one for where, one in self._drawn.items() if one.until >= now}
            drawn = self._drawn[place] = _Drawn(wish.at, [] if wish.shown is None else [wish.shown])
        drawn.masks.append(mask)
        drawn.until = now + IN_TRANSIT

    async def close(self) -> None:
        """Shows what was chosen, as far as that takes no more than two seconds."""
        if self._tasks:
            _, late = await asyncio.wait(self._tasks, timeout=2)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)

    async def _show(self, place: Place) -> None:
        ACCOUNTED.set(True)
        try:
            while True:
                while (delay := self.pace.delay(place[0], self.ticks(), PRESS_ROOM)) > 0:  # noqa: ASYNC110
                    await asyncio.sleep(delay)
                # Spent in the same breath: else all who wait would take the one call that has become free.
                spent_at = self.ticks()
                self.pace.spend(place[0], spent_at, PRESS_ROOM)
                wish = self._wishes[place]
                mask = wish.mask
                if not await self._edit(place, wish, mask):
                    self.pace.refund(place[0], spent_at, PRESS_ROOM)
                if self._wishes[place] is wish and wish.mask == mask:
                    return
        except PASSING + TROUBLE as error:
            # He sees that nothing is chosen, and chooses again.
            log.warning("a selection is not shown: %s", type(error).__name__)
        finally:
            self._wishes.pop(place, None)

    async def _edit(self, place: Place, wish: _Wish, mask: int) -> bool:
        """Whether Telegram was called: the table may have moved on."""
        async with self.pool.acquire() as db:
            keyboard = await _keyboard(db, wish, mask)
        if keyboard is None:
            return False
        try:
            await self.bot.edit_message_reply_markup(
                chat_id=place[0], message_id=place[1], reply_markup=keyboard
            )
        except TelegramRetryAfter:
            # The chat is held; the loop comes back for the newest wish.
            if self._wishes[place] is wish:
                self._wishes[place] = replace(wish)
            return True
        except TelegramBadRequest as error:
            if gone(error):
                async with self.pool.acquire() as db:
                    await screens.ring(
                        db, wish.press.table, "hand", wish.moment.now, player_id=wish.player_id
                    )
                return True
            if not unchanged(error):
                log.warning("chat %s refuses a selection: %s", place[0], error.message)
            return True
        except TelegramAPIError as error:
            log.warning("chat %s: %s: %s", place[0], type(error).__name__, error.message)
            return True
        self._drew(place, wish, mask)
        # The table may have moved on meanwhile, and the painter have been overwritten: he paints again.
        async with self.pool.acquire() as db:
            if await _keyboard(db, wish, mask) is None:
                await screens.repaint(db, *place, wish.moment.now)
                self.ring()
        return True


def _with(pressed: int, shown: int | None, wanted: int) -> int:
    """`wanted` with the one card turned that the press turned, as far as that can be told.

    A press changes what is shown, so where that came out unchanged another process had shown it.
    """
    turned = pressed ^ shown if shown is not None else 0
    both = wanted ^ turned
    return both if turned.bit_count() == 1 and both != shown else pressed


async def _keyboard(db: Connection, wish: _Wish, mask: int) -> InlineKeyboardMarkup | None:
    """None when the wish is of another deal or ply than the table by now."""
    table = await tables.read(db, wish.press.table)
    deal = None if table is None else table.deal
    if (
        table is None
        or deal is None
        or (deal.id, len(deal.record.moves)) != (wish.press.deal, wish.press.ply)
    ):
        return None
    seat = seat_of(table.seats, wish.player_id)
    return None if seat is None else buttons(table, view(final(deal.record), seat), mask, wish.t)


def shown_in(keyboard: InlineKeyboardMarkup | None, press: Pick) -> int | None:
    """The selection that a hand's buttons show, if they are of the same deal and ply as the press."""
    for row in keyboard.inline_keyboard if keyboard else ():
        for bit, button in enumerate(row):
            with suppress(TypeError, ValueError):
                other = Pick.unpack(button.callback_data or "")
                if (other.table, other.deal, other.ply) == (press.table, press.deal, press.ply):
                    return other.mask ^ (1 << bit)
        # Card buttons stand in one row; only their own row counts bits.
    return None
