"""Presses on a hand, and votes."""

from aiogram import Bot, Router
from aiogram.exceptions import TelegramBadRequest
from aiogram.types import CallbackQuery, Message

from core.errors import TableError
from core.moves import Verb
from core.record import final
from core.table import seat_of
from core.view import view
from db import tables
from tgbot.callbacks import HandPress, MovePress, Pick, VotePress
from tgbot.handlers.context import Context, is_admin
from tgbot.screens.hand import buttons
from tgbot.services import play, stopping
from tgbot.texts import Texts

router = Router()


@router.callback_query(Pick.filter())
async def pick(query: CallbackQuery, callback_data: Pick, context: Context) -> None:
    """Changes buttons only: the selection lives in them, so nothing is written."""
    async with context.reading() as db:
        table = await tables.read(db, callback_data.table)
    seat = None if table is None else seat_of(table.seats, query.from_user.id)
    if table is None or seat is None:
        raise TableError("not_your_table")
    deal = table.deal
    if deal is None or deal.id != callback_data.deal or len(deal.record.moves) != callback_data.ply:
        raise TableError("old_buttons")
    keyboard = buttons(table, view(final(deal.record), seat), callback_data.mask, context.t)
    await query.answer()
    if isinstance(query.message, Message):
        try:
            await query.message.edit_reply_markup(reply_markup=keyboard)
        except TelegramBadRequest as error:
            if "message is not modified" not in error.message:
                raise


@router.callback_query(MovePress.filter())
async def move(query: CallbackQuery, callback_data: MovePress, context: Context) -> None:
    async with context.transaction() as db:
        played = await play.press(
            db,
            callback_data.table,
            callback_data.deal,
            callback_data.ply,
            query.from_user.id,
            callback_data.verb,
            callback_data.mask,
            context.moment,
        )
    await query.answer(said(played.verb, context.t))


def said(verb: Verb, t: Texts) -> str:
    return {
        Verb.LEAD: t.plain("You led."),
        Verb.BEAT: t.plain("You beat."),
        Verb.PASS: t.plain("You passed face down."),
        Verb.MOLODKA: t.plain("Molodka!"),
        Verb.DECLINE: t.plain("You declined."),
    }[verb]


@router.callback_query(HandPress.filter())
async def show_hand(query: CallbackQuery, callback_data: HandPress, context: Context) -> None:
    async with context.transaction() as db:
        await play.show_hand(db, callback_data.table, query.from_user.id, context.moment)
    await query.answer()


@router.callback_query(VotePress.filter())
async def vote(query: CallbackQuery, callback_data: VotePress, context: Context, bot: Bot) -> None:
    if query.message is None:
        raise TableError("old_buttons")
    chat_id = query.message.chat.id
    admin = await is_admin(bot, chat_id, query.from_user.id)
    async with context.transaction() as db:
        await stopping.vote(
            db,
            callback_data.proposal,
            query.from_user.id,
            chat_id if admin else None,
            callback_data.yes,
            context.moment,
        )
    await query.answer()
