"""/settings: time zone, quiet hours, reminders, by buttons."""

from aiogram import Bot, F, Router
from aiogram.enums import ChatType
from aiogram.filters import Command
from aiogram.types import CallbackQuery, Message

from core.errors import TableError
from db import players
from db.connection import Connection
from db.players import Player
from tgbot.callbacks import SettingPress
from tgbot.handlers.context import Context, person_of
from tgbot.handlers.pages import turn_over
from tgbot.screens import settings as screens
from tgbot.screens.painting import Painting
from tgbot.services import habits
from tgbot.texts.errors import explain
from tgbot.zones import REGIONS, ZONES

router = Router()

USUAL = (22, 8)
"""The other end of quiet hours of which one is chosen."""


@router.message(Command("settings", ignore_case=True), F.chat.type == ChatType.PRIVATE)
async def settings(message: Message, context: Context) -> None:
    if message.from_user is None:
        return
    async with context.transaction() as db:
        player = await players.meet(db, person_of(message.from_user), context.moment.now)
    painting = screens.home(player, context.moment.now, context.t)
    await message.answer(painting.text, reply_markup=painting.keyboard)


@router.callback_query(SettingPress.filter(), F.message.chat.type == ChatType.PRIVATE)
async def press(query: CallbackQuery, callback_data: SettingPress, context: Context, bot: Bot) -> None:
    try:
        async with context.transaction() as db:
            player = await players.meet(db, person_of(query.from_user), context.moment.now)
            painting = await _page(db, player, callback_data, context)
    except TableError as refusal:
        # The page still shows the truth and its buttons still work: only this choice is not possible.
        await query.answer(explain(refusal, context.t), show_alert=True)
        return
    await turn_over(query, bot, context, painting)


async def _page(db: Connection, player: Player, press: SettingPress, context: Context) -> Painting:
    """Does what was pressed and returns what is to be seen next. Raises TableError."""
    now, t, arg = context.moment.now, context.t, press.arg
    if press.do == "regions":
        return screens.regions(t)
    if press.do == "region" and arg < len(REGIONS):
        return screens.region(arg, now, t)
    if press.do == "quiet":
        return screens.quiet(player, t)
    if press.do == "zone" and arg < len(ZONES):
        await habits.set_zone(db, player.id, ZONES[arg], context.moment)
    elif press.do == "start" and arg in screens.STARTS:
        end = USUAL[1] if player.quiet_end is None else player.quiet_end
        await habits.set_quiet(db, player.id, arg, end, context.moment)
    elif press.do == "end" and arg in screens.ENDS:
        start = USUAL[0] if player.quiet_start is None else player.quiet_start
        await habits.set_quiet(db, player.id, start, arg, context.moment)
    elif press.do == "none":
        await habits.set_quiet(db, player.id, None, None, context.moment)
    elif press.do == "reminders" and arg in (0, 1):
        await habits.set_reminders(db, player.id, bool(arg))
    elif press.do != "home":
        raise TableError("bad_button")
    after = await players.get(db, player.id)
    assert after is not None
    if press.do in ("start", "end"):
        return screens.quiet(after, t)
    return screens.home(after, now, t)
