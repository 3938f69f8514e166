"""Messages that are turned over like pages by their own buttons: the rules, the settings, a choice of language."""

from aiogram import Bot
from aiogram.exceptions import TelegramBadRequest
from aiogram.types import CallbackQuery

from core.errors import TableError
from db import screens
from tgbot.handlers.context import Context, place_of
from tgbot.screens.painting import Painting
from tgbot.telegram import gone, unchanged


async def turn_over(query: CallbackQuery, bot: Bot, context: Context, painting: Painting) -> None:
    """The press is answered, and the message that was pressed becomes this, or a new one does when that one is gone.

    By its number: of a message that is two days old Telegram tells nothing else, and lets it be edited all the same.
    Raises TableError(bad_button) when it is a table's message, a lobby or a hand: those have no such buttons, somebody
    has made one up.
    """
    place = place_of(query)
    if place is not None:
        async with context.reading() as db:
            if await screens.lives(db, *place):
                raise TableError("bad_button")
    await query.answer()
    if place is None:
        return
    chat_id, message_id = place
    try:
        await bot.edit_message_text(
            painting.text, chat_id=chat_id, message_id=message_id, reply_markup=painting.keyboard
        )
    except TelegramBadRequest as error:
        if gone(error):
            await bot.send_message(chat_id, painting.text, reply_markup=painting.keyboard)
        elif not unchanged(error):
            raise
