"""Messages that are turned over like pages by their own buttons: the rules, the settings, a choice of language."""

from aiogram import Bot
from aiogram.exceptions import TelegramBadRequest
from aiogram.types import CallbackQuery

from tgbot.handlers.context import place_of
from tgbot.screens.painting import Painting
from tgbot.telegram import gone, unchanged


async def turn_over(query: CallbackQuery, bot: Bot, painting: Painting) -> None:
    """The message that was pressed becomes this, or a new one does when that one is gone.

    By its number: of a message that is two days old Telegram tells nothing else, and lets it be edited all the same.
    """
    place = place_of(query)
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
