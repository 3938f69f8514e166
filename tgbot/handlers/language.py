"""/language: a person's own in private, the chat's in a group."""

from aiogram import Bot, Router
from aiogram.types import CallbackQuery, InlineKeyboardMarkup

from core.errors import TableError
from core.table import seat_of
from db import chats, players, tables
from db.connection import Connection
from tgbot.callbacks import LanguagePress
from tgbot.handlers.context import Context, chat_of, is_admin, person_of
from tgbot.handlers.pages import turn_over
from tgbot.screens.painting import Painting, button, keyboard
from tgbot.services import people
from tgbot.texts import LANGUAGES, texts

router = Router()


def language_keyboard(spoken: str) -> InlineKeyboardMarkup | None:
    """`spoken`: the code of the present one."""
    return keyboard(
        [
            button(f"✅ {name}" if code == spoken else name, LanguagePress(code=code))
            for code, name in LANGUAGES.items()
        ]
    )


@router.callback_query(LanguagePress.filter())
async def choose_language(
    query: CallbackQuery, callback_data: LanguagePress, context: Context, bot: Bot
) -> None:
    """In a group, admins and who sits at a table there may choose for everybody."""
    code = callback_data.code
    if code not in LANGUAGES or query.message is None:
        raise TableError("bad_button")
    chat = query.message.chat
    private = chat.type == "private"
    admin = False if private else await is_admin(bot, chat.id, query.from_user.id)
    async with context.transaction() as db:
        if private:
            await players.meet(db, person_of(query.from_user), context.moment.now)
            await players.set_language(db, query.from_user.id, code)
        else:
            if not admin and not await _sits_in(db, chat.id, query.from_user.id):
                raise TableError("not_your_language")
            await chats.meet(db, chat_of(chat), code)
            await chats.set_language(db, chat.id, code)
        await people.repaint_all(db, chat.id, context.moment)
    t = texts(code)
    await turn_over(
        query, bot, context, Painting(t("This chat speaks {language} now.", language=LANGUAGES[code]))
    )


async def _sits_in(db: Connection, chat_id: int, player_id: int) -> bool:
    for table_id in await tables.in_chat(db, chat_id):
        table = await tables.read(db, table_id)
        if table is not None and seat_of(table.seats, player_id) is not None:
            return True
    return False
