"""Presses on a hand, and votes."""

from aiogram import Bot, Router
from aiogram.types import CallbackQuery, Message

from core.errors import TableError
from core.moves import Verb
from db import tables
from tgbot.callbacks import HandPress, MovePress, Pick, VotePress
from tgbot.handlers.context import Context, is_admin, place_of
from tgbot.selections import shown_in
from tgbot.services import people, play, stopping
from tgbot.texts import Texts

router = Router()


@router.callback_query(Pick.filter())
async def pick(query: CallbackQuery, callback_data: Pick, context: Context) -> None:
    """Changes buttons only: the selection lives in them, so nothing is written."""
    async with context.reading() as db:
        standing = await tables.standing(db, callback_data.table, query.from_user.id)
    if standing is None:
        raise TableError("not_your_table")
    if (standing.deal_id, standing.ply) != (callback_data.deal, callback_data.ply):
        raise TableError("old_buttons")
    if standing.paused:
        raise TableError("paused")
    if standing.away:
        raise TableError("old_buttons")
    place = place_of(query)
    if place is not None and place[0] != query.from_user.id:
        # Data written by hand: a hand is shown in its player's private chat and nowhere else.
        raise TableError("bad_button")
    if place is not None:
        pressed = query.message.reply_markup if isinstance(query.message, Message) else None
        shown = shown_in(pressed, callback_data)
        context.house.selections.choose(
            callback_data, shown, query.from_user.id, place, context.t, context.moment
        )
    await query.answer()


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
        place = place_of(query)
        if place is not None and place[0] == query.from_user.id:
            await people.remove_orphan(db, *place, context.moment)
    await query.answer(said(played.verb, context.t))


def said(verb: Verb, t: Texts) -> str:
    return {
        Verb.LEAD: t.plain("You led."),
        Verb.BEAT: t.plain("You beat."),
        Verb.PASS: t.plain("You passed."),
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
