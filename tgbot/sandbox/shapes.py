"""Telegram's JSON objects made from the sandbox's data, with every field that the Bot API requires."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tgbot.sandbox.model import ADMIN_RIGHTS, ANONYMOUS_BOT_ID, Chat, Member, Message, Photo, Topic

if TYPE_CHECKING:
    from tgbot.sandbox.state import State

Json = dict[str, Any]

SEND_RIGHTS = (
    "can_send_messages",
    "can_send_audios",
    "can_send_documents",
    "can_send_photos",
    "can_send_videos",
    "can_send_video_notes",
    "can_send_voice_notes",
    "can_send_polls",
    "can_send_other_messages",
    "can_add_web_page_previews",
    "can_react_to_messages",
    "can_edit_tag",
)
MEMBER_RIGHTS = ("can_change_info", "can_invite_users", "can_pin_messages", "can_manage_topics")


def present(**fields: Any) -> Json:
    return {name: value for name, value in fields.items() if value is not None}


def bot_user(state: State) -> Json:
    return {
        "id": state.bot.id,
        "is_bot": True,
        "first_name": state.bot.names.get("", state.bot.name),
        "username": state.bot.username,
    }


def user(state: State, user_id: int) -> Json:
    if user_id == state.bot.id:
        return bot_user(state)
    if user_id == ANONYMOUS_BOT_ID:
        return {"id": user_id, "is_bot": True, "first_name": "Group", "username": "GroupAnonymousBot"}
    person = state.data.people[user_id]
    if person.deleted:
        return {"id": person.id, "is_bot": False, "first_name": ""}
    return present(
        id=person.id,
        is_bot=False,
        first_name=person.first_name,
        last_name=person.last_name,
        username=person.username,
        language_code=person.language_code,
    )


def chat(state: State, which: Chat) -> Json:
    if which.type == "private":
        person = state.data.people[which.id]
        return present(
            id=which.id,
            type="private",
            first_name="" if person.deleted else person.first_name,
            last_name=person.last_name,
            username=person.username,
        )
    return present(id=which.id, type=which.type, title=which.title, is_forum=which.is_forum or None)


def chat_member(state: State, which: Chat, user_id: int) -> Json:
    return member(user(state, user_id), state.member(which, user_id), which)


def member(who: Json, of: Member, which: Chat) -> Json:
    base: Json = {"status": of.status, "user": who}
    match of.status:
        case "creator":
            return base | {"is_anonymous": of.anonymous}
        case "administrator":
            rights = {right: right != "can_promote_members" for right in ADMIN_RIGHTS}
            if which.type == "group":
                rights.pop("can_manage_topics")
            stories = {"can_post_stories": False, "can_edit_stories": False, "can_delete_stories": False}
            return base | {"can_be_edited": False, "is_anonymous": of.anonymous} | rights | stories
        case "restricted":
            send = dict.fromkeys(SEND_RIGHTS, of.can_write)
            other = dict.fromkeys(MEMBER_RIGHTS, False)
            return base | {"is_member": True, "until_date": 0} | send | other
        case "kicked":
            return base | {"until_date": 0}
        case _:
            return base


def photo_sizes(photo: Photo) -> list[Json]:
    return [
        {
            "file_id": photo.id,
            "file_unique_id": photo.id[-10:],
            "width": photo.width,
            "height": photo.height,
            "file_size": len(photo.data),
        }
    ]


def entities(state: State, of: list[Json]) -> list[Json] | None:
    """Entities as Telegram sends them; a mention without username carries the user."""
    result = []
    for entity in of:
        if "user_id" in entity:
            rest = {key: value for key, value in entity.items() if key != "user_id"}
            result.append(rest | {"user": user(state, entity["user_id"])})
        else:
            result.append(entity)
    return result or None


def message(state: State, of: Message, *, with_reply: bool = True) -> Json:
    where = state.data.chats[of.chat_id]
    body: Json = {"message_id": of.message_id, "date": of.date, "chat": chat(state, where)}
    if of.sender_id is None:
        body |= {"from": user(state, ANONYMOUS_BOT_ID), "sender_chat": chat(state, where)}
    else:
        body["from"] = user(state, of.sender_id)
    if of.thread_id is not None:
        body |= {"message_thread_id": of.thread_id, "is_topic_message": True}
    if with_reply:
        body |= reply(state, where, of)
    photo = state.data.photos.get(of.photo) if of.photo else None
    body |= present(
        edit_date=of.edit_date,
        text=of.text,
        entities=entities(state, of.entities),
        photo=photo_sizes(photo) if photo else None,
        caption=of.caption,
        caption_entities=entities(state, of.caption_entities),
        reply_markup=of.reply_markup,
        ephemeral_message_id=of.ephemeral_id,
        receiver_user=user(state, of.receiver_id) if of.receiver_id is not None else None,
    )
    return body | of.extra | service(state, of)


def reply(state: State, where: Chat, of: Message) -> Json:
    """reply_to_message; in a topic Telegram names the message that opened it when nothing else is replied to."""
    target = of.reply_to
    if target is None and of.thread_id is not None and of.thread_id != of.message_id:
        target = of.thread_id
    replied = where.messages.get(target) if target is not None else None
    return {"reply_to_message": message(state, replied, with_reply=False)} if replied else {}


def service(state: State, of: Message) -> Json:
    """The fields of a service message. Users are kept as ids, so that a renamed person is told right."""
    made: Json = {}
    for name, value in (of.service or {}).items():
        if name == "new_chat_members":
            made[name] = [user(state, who) for who in value]
        elif name == "left_chat_member":
            made[name] = user(state, value)
        elif name == "pinned_message":
            pinned = state.data.chats[of.chat_id].messages.get(value)
            made[name] = (
                message(state, pinned, with_reply=False)
                if pinned
                else {"chat": chat(state, state.data.chats[of.chat_id]), "message_id": value, "date": 0}
            )
        else:
            made[name] = value
    return made


def accessible(state: State, of: Message, age_limit: float) -> Json:
    """The message as a callback query carries it: whole, or only its name when it is too old."""
    if state.now() - of.date > age_limit:
        return {"chat": chat(state, state.data.chats[of.chat_id]), "message_id": of.message_id, "date": 0}
    return message(state, of)


def topic(of: Topic) -> Json:
    return present(
        message_thread_id=of.id,
        name=of.name,
        icon_color=of.icon_color,
        icon_custom_emoji_id=of.icon_custom_emoji_id,
    )
