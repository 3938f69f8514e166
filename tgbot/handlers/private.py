"""The private chat: Start and its deep links, help, rules, a person's tables."""

import re

from aiogram import Bot, F, Router
from aiogram.enums import ChatType
from aiogram.filters import Command, CommandObject, CommandStart
from aiogram.types import CallbackQuery, InlineKeyboardMarkup, Message

from core.errors import TableError
from db import tables as table_rows
from db.connection import Connection
from tgbot.callbacks import HandPress, PagePress
from tgbot.handlers.context import Context, is_member, person_of
from tgbot.handlers.language import language_keyboard
from tgbot.handlers.pages import turn_over
from tgbot.screens.painting import button, keyboard
from tgbot.screens.rules import PAGES, rules_page
from tgbot.screens.words import clean, html, isolated, names
from tgbot.services import absence, lobby, people, play

router = Router()
router.message.filter(F.chat.type == ChatType.PRIVATE)

SIT = re.compile(r"sit_(\d{1,18})_([01])")
FILL = re.compile(r"fill_(\d{1,18})")
TAKE = re.compile(r"take_(\d{1,18})_([0-3])")
HAND = re.compile(r"hand_(\d{1,18})")


@router.message(CommandStart(ignore_case=True))
async def start(message: Message, command: CommandObject, context: Context, bot: Bot) -> None:
    """Start makes a person reachable, so a seat that waited for it is taken now."""
    if message.from_user is None:
        return
    refusal = await _not_in_the_group(bot, command.args or "", message.from_user.id, context)
    async with context.transaction() as db:
        await people.can_be_written_to(db, person_of(message.from_user), context.moment)
        done = None
        if refusal is None:
            try:
                async with db.transaction():
                    done = await _follow(db, command.args or "", message.from_user.id, context)
            except TableError as error:
                refusal = error
    if refusal is not None:
        raise refusal
    await message.answer(done or _welcome(context), reply_markup=None if done else _add_to_group(context))


async def _not_in_the_group(bot: Bot, payload: str, player_id: int, context: Context) -> TableError | None:
    """A link to a seat is for the people of the group in which the table stands."""
    wanted = SIT.fullmatch(payload) or FILL.fullmatch(payload) or TAKE.fullmatch(payload)
    if wanted is None:
        return None
    async with context.reading() as db:
        chat_id = await table_rows.chat_of(db, int(wanted[1]))
    if chat_id is None or not await is_member(bot, chat_id, player_id):
        return TableError("not_in_group")
    return None


async def _follow(db: Connection, payload: str, player_id: int, context: Context) -> str | None:
    """What the link wanted; returns the answer, None for a plain Start. Raises TableError."""
    if match := SIT.fullmatch(payload):
        await lobby.take_seat(db, int(match[1]), player_id, int(match[2]), context.moment)
        return context.t("✅ You have a seat. Your cards will come here, only you see them.")
    if match := FILL.fullmatch(payload):
        await lobby.start_with_computers(db, int(match[1]), player_id, context.moment)
        return context.t("✅ The series begins. Your cards come here, only you see them.")
    if match := TAKE.fullmatch(payload):
        await absence.take_over(db, int(match[1]), int(match[2]), player_id, context.moment)
        return context.t("✅ The seat is yours. Your cards come here, only you see them.")
    if match := HAND.fullmatch(payload):
        await play.show_hand(db, int(match[1]), player_id, context.moment)
        return context.t("Here are your cards.")
    return None


@router.message(Command("help", ignore_case=True))
async def help_(message: Message, context: Context) -> None:
    await message.answer(_welcome(context), reply_markup=_add_to_group(context))


@router.message(Command("rules", ignore_case=True))
async def rules(message: Message, context: Context) -> None:
    page = rules_page(0, context.t)
    await message.answer(page.text, reply_markup=page.keyboard)


@router.callback_query(PagePress.filter(), F.message.chat.type == ChatType.PRIVATE)
async def turn_page(query: CallbackQuery, callback_data: PagePress, context: Context, bot: Bot) -> None:
    if callback_data.page not in range(PAGES):
        raise TableError("bad_button")
    await turn_over(query, bot, context, rules_page(callback_data.page, context.t))


@router.message(Command("tables", ignore_case=True))
async def tables(message: Message, context: Context) -> None:
    if message.from_user is None:
        return
    t = context.t
    async with context.reading() as db:
        mine = await people.my_tables(db, message.from_user.id)
    if not mine:
        await message.answer(t("You sit at no table. /goat in a group opens one."))
        return
    lines, buttons = [], []
    for one in mine:
        called = names(one.table.seats, one.table.people, t)
        title = isolated(clean(one.title))
        if one.table.state == "lobby":
            state = t("waiting for players")
        elif one.table.state == "between":
            state = t("between two series")
        elif one.table.asleep_at is not None:
            state = t("asleep")
        elif one.table.paused_at is not None:
            state = t("paused")
        elif one.seat in one.table.away:
            state = t("the house plays for you")
        elif one.turn is None:
            state = t("waiting for molodka rights")
        elif one.turn == one.seat:
            state = t("<b>your turn</b>")
        else:
            state = t("{name} is to play", name=called[one.turn])
        lines.append(t("• {title}: {state}", title=html(title), state=state))
        if one.table.state == "playing":
            buttons.append([button(f"🃏 {title}", HandPress(table=one.table.id))])
    await message.answer("\n".join(lines), reply_markup=keyboard(*buttons))


@router.message(Command("language", ignore_case=True))
async def language(message: Message, context: Context) -> None:
    await message.answer(context.t("Your language:"), reply_markup=language_keyboard(context.t.language))


@router.message(Command("goat", "table", "time", "stop", ignore_case=True))
async def in_group(message: Message, context: Context) -> None:
    await message.answer(
        context.t("That one works in a group, where the table stands."), reply_markup=_add_to_group(context)
    )


@router.message(F.text | F.caption | F.sticker | F.photo | F.voice | F.document)
async def anything_else(message: Message, context: Context) -> None:
    await message.answer(
        context.t("I understand buttons and commands. /tables shows your games, /help what I do.")
    )


def _welcome(context: Context) -> str:
    return context.t(
        "🐐 <b>Goat</b>: two against two, four cards each; the team that collects 12 loss points are the goats.\n\n"
        "1. Add me to a group of friends and write /goat there.\n"
        "2. Take seats; computers can play where somebody is missing.\n"
        "3. Your cards come here, only you see them.\n\n"
        "/tables – your games and whose turn it is\n/rules – how it is played\n"
        "/settings – time zone, quiet hours, reminders\n/language – your language"
    )


def _add_to_group(context: Context) -> InlineKeyboardMarkup | None:
    link = f"https://t.me/{context.house.bot_username}?startgroup=goat"
    return keyboard([button(context.t.plain("➕ Add to a group"), url=link)])
