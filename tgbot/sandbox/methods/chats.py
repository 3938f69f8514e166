"""Chats, their members and their topics."""

from typing import Any

from tgbot.sandbox import shapes
from tgbot.sandbox.errors import bad_request
from tgbot.sandbox.methods.checks import Params, may_write, must_be_admin, reachable
from tgbot.sandbox.model import Chat, Topic
from tgbot.sandbox.state import State

_ICON_COLORS = (7322096, 16766590, 13338331, 9367192, 16749490, 16478047)
_GIFTS = ("unlimited_gifts", "limited_gifts", "unique_gifts", "premium_subscription", "gifts_from_channels")
_PERMISSIONS = [
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
]


def get_chat(state: State, params: Params) -> Any:
    chat = reachable(state, params["chat_id"])
    info = shapes.chat(state, chat) | {
        "accent_color_id": abs(chat.id) % 7,
        "max_reaction_count": 11,
        "accepted_gift_types": dict.fromkeys(_GIFTS, chat.type == "private"),
    }
    if chat.type != "private":
        info["permissions"] = dict.fromkeys(_PERMISSIONS, chat.all_can_write) | dict.fromkeys(
            shapes.MEMBER_RIGHTS, False
        )
    elif username := state.data.people[chat.id].username:
        info["active_usernames"] = [username]
    pinned = [message for message in chat.messages.values() if message.pinned]
    if pinned:
        info["pinned_message"] = shapes.message(state, pinned[-1], with_reply=False)
    return info


def get_chat_member(state: State, params: Params) -> Any:
    chat = reachable(state, params["chat_id"])
    user_id = params["user_id"]
    if user_id != state.bot.id and user_id not in state.data.people:
        raise bad_request("user not found" if chat.type != "supergroup" else "PARTICIPANT_ID_INVALID")
    if chat.type == "private":
        if user_id not in (chat.id, state.bot.id):
            raise bad_request("member not found")
        return {"status": "member", "user": shapes.user(state, user_id)}
    if user_id not in chat.members and chat.type == "group":
        raise bad_request("member not found")
    return shapes.chat_member(state, chat, user_id)


def get_chat_administrators(state: State, params: Params) -> Any:
    chat = reachable(state, params["chat_id"])
    if chat.type == "private":
        raise bad_request("there are no administrators in the private chat")
    return [shapes.chat_member(state, chat, who) for who, member in chat.members.items() if member.is_admin]


def get_chat_member_count(state: State, params: Params) -> Any:
    chat = reachable(state, params["chat_id"])
    return 2 if chat.type == "private" else sum(member.present for member in chat.members.values())


def leave_chat(state: State, params: Params) -> Any:
    chat = reachable(state, params["chat_id"])
    if chat.type == "private":
        raise bad_request("chat not found")
    state.service_message(chat, state.bot.id, {"left_chat_member": state.bot.id})
    state.set_member(chat, state.bot.id, state.bot.id, status="left")
    return True


def _forum(state: State, params: Params) -> Chat:
    chat = reachable(state, params["chat_id"])
    if chat.type != "supergroup" or not chat.is_forum:
        raise bad_request("the chat is not a forum")
    must_be_admin(state, chat, "not enough rights to create a topic")
    return chat


def _topic(state: State, params: Params) -> tuple[Chat, Topic]:
    chat = _forum(state, params)
    topic = chat.topics.get(params["message_thread_id"])
    if topic is None:
        raise bad_request("TOPIC_ID_INVALID")
    return chat, topic


def create_forum_topic(state: State, params: Params) -> Any:
    chat = _forum(state, params)
    if not may_write(state, chat):
        raise bad_request("not enough rights to create a topic")
    if not 1 <= len(params["name"].strip()) <= 128:
        raise bad_request("TOPIC_TITLE_EMPTY")
    color = params.get("icon_color", _ICON_COLORS[0])
    if color not in _ICON_COLORS:
        raise bad_request("invalid topic icon color specified")
    icon = params.get("icon_custom_emoji_id") or None
    topic = state.new_topic(
        chat, params["name"].strip(), state.bot.id, icon_color=color, icon_custom_emoji_id=icon
    )
    return shapes.topic(topic)


def edit_forum_topic(state: State, params: Params) -> Any:
    chat, topic = _topic(state, params)
    name = params.get("name", "")
    if len(name) > 128:
        raise bad_request("TOPIC_TITLE_EMPTY")
    if not name or name == topic.name:
        raise bad_request("TOPIC_NOT_MODIFIED")
    topic.name = name
    state.service_message(chat, state.bot.id, {"forum_topic_edited": {"name": name}}, topic.id)
    state.emit("chat", chat=chat)
    return True


def close_forum_topic(state: State, params: Params) -> Any:
    return _set_closed(state, params, True)


def reopen_forum_topic(state: State, params: Params) -> Any:
    return _set_closed(state, params, False)


def _set_closed(state: State, params: Params, closed: bool) -> bool:
    chat, topic = _topic(state, params)
    if topic.closed == closed:
        raise bad_request("TOPIC_NOT_MODIFIED")
    topic.closed = closed
    kind = "forum_topic_closed" if closed else "forum_topic_reopened"
    state.service_message(chat, state.bot.id, {kind: {}}, topic.id)
    state.emit("chat", chat=chat)
    return True


def delete_forum_topic(state: State, params: Params) -> Any:
    chat, topic = _topic(state, params)
    del chat.topics[topic.id]
    gone = [message_id for message_id, message in chat.messages.items() if message.thread_id == topic.id]
    state.remove_messages(chat, gone)
    state.emit("chat", chat=chat)
    return True
