"""Presses in a lobby."""

from collections.abc import Awaitable, Callable, Iterable
from typing import Any

from aiogram import Bot, F, Router
from aiogram.exceptions import TelegramBadRequest, TelegramForbiddenError
from aiogram.types import CallbackQuery, TelegramObject

from core.computer import LEVELS
from core.errors import TableError
from core.pace import PACES
from db import players
from tgbot.callbacks import AgainPress, LobbyPress, RulePress
from tgbot.handlers.context import Context, is_admin, must_stand_here, person_of, start_link
from tgbot.screens.words import level_means
from tgbot.services import lobby, play

router = Router()


async def only_in_its_chat(
    handler: Callable[[TelegramObject, dict[str, Any]], Awaitable[Any]],
    event: TelegramObject,
    data: dict[str, Any],
) -> None:
    """For all buttons here, a lobby's and a finished series'."""
    assert isinstance(event, CallbackQuery)
    await must_stand_here(event, data["callback_data"].table, data["context"])
    await handler(event, data)


router.callback_query.middleware.register(only_in_its_chat)


async def can_write(bot: Bot, query: CallbackQuery, context: Context) -> bool:
    """A seat means that the bot can write to who sits there, so it is tried first.

    Telegram refuses any chat action to people who never pressed Start or blocked the bot; it leaves no trace in the chat.
    """
    async with context.reading() as db:
        player = await players.get(db, query.from_user.id)
    if player is None or not player.reachable:
        return False
    try:
        await bot.send_chat_action(query.from_user.id, "typing")
    except TelegramForbiddenError:
        return False
    except TelegramBadRequest as error:
        if "chat not found" in error.message:
            return False
        raise
    return True


@router.callback_query(LobbyPress.filter(F.do == "sit"))
async def sit(query: CallbackQuery, callback_data: LobbyPress, context: Context, bot: Bot) -> None:
    if not await can_write(bot, query, context):
        link = start_link(context.house, f"sit_{callback_data.table}_{callback_data.arg}")
        await query.answer(url=link)
        return
    async with context.transaction() as db:
        await players.meet(db, person_of(query.from_user), context.moment.now)
        await lobby.take_seat(db, callback_data.table, query.from_user.id, callback_data.arg, context.moment)
    await query.answer(context.t.plain("You have a seat. Your cards will come to our private chat."))


@router.callback_query(LobbyPress.filter(F.do == "fill"))
async def fill(query: CallbackQuery, callback_data: LobbyPress, context: Context, bot: Bot) -> None:
    if not await can_write(bot, query, context):
        await query.answer(url=start_link(context.house, f"fill_{callback_data.table}"))
        return
    async with context.transaction() as db:
        await players.meet(db, person_of(query.from_user), context.moment.now)
        await lobby.start_with_computers(db, callback_data.table, query.from_user.id, context.moment)
    await query.answer(context.t.plain("Your cards are in our private chat."))


@router.callback_query(LobbyPress.filter(F.do == "computer"))
async def computer(query: CallbackQuery, callback_data: LobbyPress, context: Context) -> None:
    async with context.transaction() as db:
        await lobby.seat_computer(
            db, callback_data.table, query.from_user.id, callback_data.arg, context.moment
        )
    await query.answer()


@router.callback_query(LobbyPress.filter(F.do == "empty"))
async def empty(query: CallbackQuery, callback_data: LobbyPress, context: Context) -> None:
    async with context.transaction() as db:
        await lobby.send_computer_away(
            db, callback_data.table, query.from_user.id, callback_data.arg, context.moment
        )
    await query.answer()


@router.callback_query(LobbyPress.filter(F.do == "leave"))
async def leave(query: CallbackQuery, callback_data: LobbyPress, context: Context) -> None:
    async with context.transaction() as db:
        await lobby.leave_seat(db, callback_data.table, query.from_user.id, context.moment)
    await query.answer(context.t.plain("Your seat is free again."))


@router.callback_query(LobbyPress.filter(F.do == "shuffle"))
async def shuffle(query: CallbackQuery, callback_data: LobbyPress, context: Context) -> None:
    async with context.transaction() as db:
        await lobby.draw_teams(db, callback_data.table, query.from_user.id, context.moment)
    await query.answer(context.t.plain("The teams are drawn by lot."))


@router.callback_query(LobbyPress.filter(F.do == "start"))
async def start(query: CallbackQuery, callback_data: LobbyPress, context: Context) -> None:
    async with context.transaction() as db:
        await lobby.start(db, callback_data.table, query.from_user.id, context.moment)
    await query.answer(context.t.plain("Good luck!"))


@router.callback_query(LobbyPress.filter(F.do == "cancel"))
async def cancel(query: CallbackQuery, callback_data: LobbyPress, context: Context, bot: Bot) -> None:
    if query.message is None:
        raise TableError("lobby_gone")
    admin = await is_admin(bot, query.message.chat.id, query.from_user.id)
    async with context.transaction() as db:
        await lobby.cancel(
            db,
            callback_data.table,
            query.from_user.id,
            query.message.chat.id if admin else None,
            context.moment,
        )
    await query.answer()


@router.callback_query(RulePress.filter())
async def rule(query: CallbackQuery, callback_data: RulePress, context: Context) -> None:
    async with context.transaction() as db:
        await lobby.set_rule(
            db,
            callback_data.table,
            query.from_user.id,
            callback_data.rule,
            callback_data.value,
            context.moment,
        )
    await query.answer()


@router.callback_query(LobbyPress.filter(F.do == "pace"))
async def choose_pace(query: CallbackQuery, callback_data: LobbyPress, context: Context) -> None:
    pace = named(PACES, callback_data.arg)
    async with context.transaction() as db:
        await lobby.set_pace(db, callback_data.table, query.from_user.id, pace, context.moment)
    await query.answer()


@router.callback_query(LobbyPress.filter(F.do == "level"))
async def choose_level(query: CallbackQuery, callback_data: LobbyPress, context: Context) -> None:
    level = named(LEVELS, callback_data.arg)
    async with context.transaction() as db:
        await lobby.set_level(db, callback_data.table, query.from_user.id, level, context.moment)
    await query.answer(level_means(level, context.t))


@router.callback_query(AgainPress.filter(F.do == "again"))
async def again(query: CallbackQuery, callback_data: AgainPress, context: Context) -> None:
    async with context.transaction() as db:
        await play.again(db, callback_data.table, callback_data.series, query.from_user.id, context.moment)
    await query.answer(context.t.plain("A new series!"))


@router.callback_query(AgainPress.filter(F.do == "seats"))
async def change_seats(query: CallbackQuery, callback_data: AgainPress, context: Context) -> None:
    async with context.transaction() as db:
        await play.change_seats(
            db, callback_data.table, callback_data.series, query.from_user.id, context.moment
        )
    await query.answer()


def named(choices: Iterable[str], number: int) -> str:
    """What a button means that carries the number of a choice. Raises TableError "bad_button"."""
    names = list(choices)
    if not 0 <= number < len(names):
        raise TableError("bad_button")
    return names[number]
