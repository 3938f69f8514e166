"""What a handler is given with each update: the person, his language, the time, and a transaction that counts once."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from random import Random

from aiogram import Bot
from aiogram.enums import ChatType
from aiogram.exceptions import TelegramBadRequest, TelegramForbiddenError, TelegramMigrateToChat
from aiogram.types import CallbackQuery, Chat, ChatMemberRestricted, Message, User

from core.errors import TableError
from db import chats, players, tables, updates
from db.connection import Connection
from db.pool import Pool
from tgbot.selections import Selections
from tgbot.services.moment import Moment
from tgbot.texts import Texts, choose, texts

GROUPS = frozenset({ChatType.GROUP, ChatType.SUPERGROUP})

ANONYMOUS_ADMIN = 1087968824
"""Telegram's @GroupAnonymousBot, in whose name anonymous admins speak."""

ACQUIRE_WITHIN = 2.0
"""Seconds to wait for a free connection; then the press is tried again, or its person asked to."""


@dataclass(frozen=True, slots=True)
class House:
    """What does not change from update to update. `language` is the one of groups that have not chosen."""

    pool: Pool
    clock: Callable[[], datetime]
    rng: Random
    bot_username: str
    language: str
    ring: Callable[[], None]
    """Tells clock and painter, wherever they run, that something has changed."""
    selections: Selections
    may_act: Callable[[int], bool]
    """Takes one action of a person; False when he has had too many."""
    sends_again: bool
    """Whether Telegram delivers again what we could not take (a webhook), or we must keep at it (polling)."""


@dataclass(slots=True)
class Context:
    """`committed`: a transaction of this update has been."""

    house: House
    update_id: int
    moment: Moment
    t: Texts
    """The language of the person who caused the update; of the chat when nobody did."""
    committed: bool = False

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[Connection]:
        """Everything that an update changes, together with the memory of that update.

        Raises db.updates.SeenBefore when an earlier transaction had this update's effect.
        """
        async with self.house.pool.acquire(timeout=ACQUIRE_WITHIN) as db, db.transaction():
            await updates.remember(db, self.update_id, self.moment.now)
            yield db
        self.committed = True
        self.house.ring()

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[Connection]:
        async with self.house.pool.acquire(timeout=ACQUIRE_WITHIN) as db:
            yield db


def person_of(user: User) -> players.Person:
    return players.Person(
        id=user.id,
        name=storable(user.full_name),
        username=user.username,
        telegram_language=user.language_code,
    )


def chat_of(chat: Chat) -> chats.Chat:
    return chats.Chat(id=chat.id, kind=chat.type, title=storable(chat.title or chat.full_name or ""))


def storable(text: str) -> str:
    """A name as PostgreSQL takes it, and no longer than Telegram allows: 128 + 1 + 128 characters are plenty."""
    return "".join(sign for sign in text if sign != "\0" and not "\ud800" <= sign <= "\udfff")[:257]


def speaker(message: Message) -> User | None:
    """The person who wrote it; None for channels and anonymous admins, who can't be told from each other."""
    if message.sender_chat is not None or message.from_user is None:
        return None
    if message.from_user.is_bot or message.from_user.id == ANONYMOUS_ADMIN:
        return None
    return message.from_user


def thread_of(message: Message) -> int | None:
    """The forum topic; replies in plain groups carry thread ids that are none."""
    return message.message_thread_id if message.is_topic_message else None


def place_of(query: CallbackQuery) -> tuple[int, int] | None:
    """(chat, message) of the pressed button; None for an inline message, which we never send."""
    return None if query.message is None else (query.message.chat.id, query.message.message_id)


async def texts_of(db: Connection, chat_id: int, house: House) -> Texts:
    """In a group's own language: what is sent there is for everybody."""
    chat = await chats.get(db, chat_id)
    return texts(choose(chat.language if chat else None, house.language))


async def is_admin(bot: Bot, chat_id: int, user_id: int) -> bool:
    """False also where Telegram doesn't tell: in a group that we were removed from, or of a stranger."""
    try:
        member = await bot.get_chat_member(chat_id, user_id)
    except TelegramMigrateToChat:
        raise
    except (TelegramBadRequest, TelegramForbiddenError):
        return False
    return member.status in ("creator", "administrator")


async def is_member(bot: Bot, chat_id: int, user_id: int) -> bool:
    """Whether a person is in a group; False also where the bot itself is not."""
    try:
        member = await bot.get_chat_member(chat_id, user_id)
    except TelegramMigrateToChat:
        raise
    except (TelegramBadRequest, TelegramForbiddenError):
        return False
    return member.status in ("creator", "administrator", "member") or (
        isinstance(member, ChatMemberRestricted) and member.is_member
    )


async def must_stand_here(query: CallbackQuery, table_id: int, context: Context) -> None:
    """A button of a table counts in the chat where that table stands: any data can be written by hand elsewhere.

    Raises TableError "old_buttons".
    """
    async with context.reading() as db:
        chat_id = await tables.chat_of(db, table_id)
    if query.message is None or query.message.chat.id != chat_id:
        raise TableError("old_buttons")


def start_link(house: House, payload: str = "") -> str:
    return f"https://t.me/{house.bot_username}?start={payload}"
