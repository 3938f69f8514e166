"""Around a running series: pace, pause, travelling, coming back, substitutes."""

from aiogram import Bot, F, Router
from aiogram.filters import Command
from aiogram.types import CallbackQuery, Message

from core.errors import TableError
from core.pace import PACES
from db import players, tables
from tgbot.callbacks import SeatPress
from tgbot.handlers.context import (
    GROUPS,
    Context,
    is_admin,
    must_stand_here,
    person_of,
    start_link,
    texts_of,
    thread_of,
)
from tgbot.handlers.lobby import can_write, named
from tgbot.screens.seat import leaving, menu
from tgbot.screens.words import clean, isolated
from tgbot.services import absence, agreements, pausing

router = Router()


@router.message(Command("time", ignore_case=True), F.chat.type.in_(GROUPS))
async def time(message: Message, context: Context) -> None:
    async with context.reading() as db:
        found = await tables.at_place(db, message.chat.id, thread_of(message))
        table = None if found is None else await tables.read(db, found)
        t = await texts_of(db, message.chat.id, context.house)
    if table is None or table.state != "playing":
        raise TableError("no_series")
    painting = menu(table, agreements.replaceable(table, context.moment), t)
    await message.reply(painting.text, reply_markup=painting.keyboard)


@router.callback_query(SeatPress.filter(F.do == "back"))
async def back(query: CallbackQuery, callback_data: SeatPress, context: Context) -> None:
    async with context.transaction() as db:
        await absence.back(db, callback_data.table, query.from_user.id, context.moment)
    await query.answer(context.t.plain("Welcome back. The seat is yours from the next move on."))


@router.callback_query(SeatPress.filter(F.do == "wake"))
async def wake(query: CallbackQuery, callback_data: SeatPress, context: Context) -> None:
    async with context.transaction() as db:
        await absence.wake(db, callback_data.table, query.from_user.id, context.moment)
    await query.answer()


@router.callback_query(SeatPress.filter(F.do == "resume"))
async def resume(query: CallbackQuery, callback_data: SeatPress, context: Context) -> None:
    async with context.transaction() as db:
        await pausing.resume(db, callback_data.table, query.from_user.id, context.moment)
    await query.answer()


@router.callback_query(SeatPress.filter(F.do == "travel"))
async def travel(query: CallbackQuery, callback_data: SeatPress, context: Context) -> None:
    async with context.transaction() as db:
        await pausing.travel(db, callback_data.table, query.from_user.id, context.moment)
    await query.answer(context.t.plain("Have a good journey! All clocks stand still for a day."))


@router.callback_query(SeatPress.filter(F.do.in_({"pause", "pace", "replace"})))
async def propose(query: CallbackQuery, callback_data: SeatPress, context: Context, bot: Bot) -> None:
    if query.message is None:
        raise TableError("old_buttons")
    chat_id, player_id = query.message.chat.id, query.from_user.id
    admin_of = chat_id if await is_admin(bot, chat_id, player_id) else None
    async with context.transaction() as db:
        await players.meet(db, person_of(query.from_user), context.moment.now)
        if callback_data.do == "pause":
            await agreements.propose(db, callback_data.table, player_id, admin_of, "pause", context.moment)
        elif callback_data.do == "pace":
            wish = {"pace": named(PACES, callback_data.arg)}
            await agreements.propose(
                db, callback_data.table, player_id, admin_of, "pace", context.moment, wish
            )
        else:
            away = {"seat": callback_data.arg}
            await agreements.propose(
                db, callback_data.table, player_id, admin_of, "replace", context.moment, away
            )
    await query.answer()


@router.callback_query(SeatPress.filter(F.do == "leave"))
async def ask_back(query: CallbackQuery, callback_data: SeatPress, context: Context, bot: Bot) -> None:
    """One press too many must not cost a seat."""
    async with context.reading() as db:
        table, _ = await absence.at_table(db, callback_data.table, query.from_user.id)
        t = await texts_of(db, table.chat_id, context.house)
    painting = leaving(table, isolated(clean(query.from_user.full_name)), t)
    await query.answer()
    await bot.send_message(
        table.chat_id, painting.text, message_thread_id=table.thread_id, reply_markup=painting.keyboard
    )


@router.callback_query(SeatPress.filter(F.do == "leave_now"))
async def leave(query: CallbackQuery, callback_data: SeatPress, context: Context) -> None:
    async with context.transaction() as db:
        await absence.leave(db, callback_data.table, query.from_user.id, context.moment)
    await query.answer(context.t.plain("You have left the table."))


@router.callback_query(SeatPress.filter(F.do == "take"))
async def take(query: CallbackQuery, callback_data: SeatPress, context: Context, bot: Bot) -> None:
    await must_stand_here(query, callback_data.table, context)
    if not await can_write(bot, query, context):
        link = start_link(context.house, f"take_{callback_data.table}_{callback_data.arg}")
        await query.answer(url=link)
        return
    async with context.transaction() as db:
        await players.meet(db, person_of(query.from_user), context.moment.now)
        await absence.take_over(
            db, callback_data.table, callback_data.arg, query.from_user.id, context.moment
        )
    await query.answer(context.t.plain("The seat is yours. Your cards are in our private chat."))
