"""The life of chats: the bot comes and goes, people block it, groups grow into supergroups."""

from aiogram import F, Router
from aiogram.enums import ChatMemberStatus, ChatType
from aiogram.types import ChatMemberRestricted, ChatMemberUpdated, Message

from db import chats
from tgbot.handlers.context import GROUPS, Context, chat_of, person_of, thread_of
from tgbot.services import moving, people

router = Router()

GONE = frozenset({ChatMemberStatus.KICKED, ChatMemberStatus.LEFT})


@router.my_chat_member(F.chat.type == ChatType.PRIVATE)
async def person_blocks(event: ChatMemberUpdated, context: Context) -> None:
    async with context.transaction() as db:
        if event.new_chat_member.status in GONE:
            await people.cannot_be_written_to(db, event.from_user.id, context.moment)
        else:
            await people.can_be_written_to(db, person_of(event.from_user), context.moment)


@router.my_chat_member(F.chat.type.in_(GROUPS))
async def bot_comes_or_goes(event: ChatMemberUpdated, context: Context) -> None:
    member = event.new_chat_member
    muted = isinstance(member, ChatMemberRestricted) and not (member.can_send_messages and member.is_member)
    writable = member.status not in GONE and not muted
    # A group tells a bot nothing when all its members are muted, or may write again: the painter finds out.
    newly = event.old_chat_member.status in GONE and writable
    async with context.transaction() as db:
        await chats.meet(db, chat_of(event.chat), context.t.language)
        await people.chat_writable(db, event.chat.id, writable, context.moment)
    if newly and event.bot is not None:
        await event.bot.send_message(
            event.chat.id,
            context.t("🐐 Hello! Write /goat to play Goat here: four friends, or you and computers."),
        )


@router.message(F.migrate_to_chat_id)
async def group_grew(message: Message, context: Context) -> None:
    if message.migrate_to_chat_id is not None:
        async with context.transaction() as db:
            await moving.move(db, message.chat.id, message.migrate_to_chat_id, context.moment)


@router.message(F.migrate_from_chat_id)
async def supergroup_came(message: Message, context: Context) -> None:
    if message.migrate_from_chat_id is not None:
        async with context.transaction() as db:
            await moving.move(db, message.migrate_from_chat_id, message.chat.id, context.moment)


@router.message(F.forum_topic_reopened)
async def topic_reopened(message: Message, context: Context) -> None:
    thread_id = thread_of(message)
    if thread_id is not None:
        async with context.transaction() as db:
            await chats.ring_topic(db, message.chat.id, thread_id, context.moment.now)
