"""Commands in a group: the chat is the table's room."""

from aiogram import Bot, F, Router
from aiogram.filters import Command
from aiogram.types import InlineKeyboardMarkup, Message

from core.errors import TableError
from db import chats, players, tables
from tgbot.handlers.context import (
    GROUPS,
    Context,
    chat_of,
    is_admin,
    person_of,
    speaker,
    start_link,
    texts_of,
    thread_of,
)
from tgbot.handlers.language import language_keyboard
from tgbot.screens.painting import button, keyboard
from tgbot.screens.words import clean
from tgbot.services import lobby, play, stopping

router = Router()
router.message.filter(F.chat.type.in_(GROUPS))


@router.message(Command("goat", ignore_case=True))
async def goat(message: Message, context: Context) -> None:
    person = speaker(message)
    async with context.transaction() as db:
        await chats.meet(db, chat_of(message.chat), context.t.language)
        if person is not None:
            await players.meet(db, person_of(person), context.moment.now)
        opened_by = None if person is None else person.id
        await lobby.open_table(db, message.chat.id, thread_of(message), opened_by, context.moment)


@router.message(Command("table", ignore_case=True))
async def table(message: Message, context: Context) -> None:
    async with context.transaction() as db:
        found = await tables.at_place(db, message.chat.id, thread_of(message))
        if found is None:
            raise TableError("no_table")
        await play.show_table(db, found, context.moment)


@router.message(Command("stop", ignore_case=True))
async def stop(message: Message, context: Context, bot: Bot) -> None:
    person = speaker(message)
    if person is None:
        await message.reply(
            context.t("Please write as yourself: anonymous admins and channels have no seat and no vote.")
        )
        return
    admin = await is_admin(bot, message.chat.id, person.id)
    async with context.transaction() as db:
        found = await tables.at_place(db, message.chat.id, thread_of(message))
        if found is None:
            raise TableError("no_series")
        await players.meet(db, person_of(person), context.moment.now)
        await stopping.propose(db, found, person.id, message.chat.id if admin else None, context.moment)


@router.message(Command("language", ignore_case=True))
async def language(message: Message, context: Context) -> None:
    async with context.reading() as db:
        spoken = (await texts_of(db, message.chat.id, context.house)).language
    await message.reply(context.t("The language of this chat:"), reply_markup=language_keyboard(spoken))


@router.message(Command("start", "help", ignore_case=True))
async def help_(message: Message, context: Context) -> None:
    await message.reply(
        context.t(
            "🐐 <b>Goat</b>, the card game for four.\n"
            "/goat – open a table here\n/table – show the table again\n"
            "/time – pace, pause, substitutes\n/stop – propose to end the series\n"
            "/language – the language of this chat\n\nThe rules and your own tables are in our private chat."
        ),
        reply_markup=_private(context),
    )


@router.message(Command("rules", "tables", "settings", ignore_case=True))
async def in_private(message: Message, context: Context) -> None:
    await message.reply(context.t("That one works in our private chat."), reply_markup=_private(context))


@router.message(F.text.startswith("/"))
async def unknown(message: Message, context: Context) -> None:
    """Only when it was meant for us: other bots have commands of their own."""
    command = (message.text or "").split()[0]
    if command.lower().endswith(f"@{context.house.bot_username}".lower()):
        await message.reply(
            context.t("I don't know {command}. /help shows what I do.", command=clean(command.split("@")[0]))
        )


def _private(context: Context) -> InlineKeyboardMarkup | None:
    return keyboard(
        [button(context.t.plain("💬 Open our private chat"), url=start_link(context.house, "hello"))]
    )
