"""Editing, deleting and pinning."""

from typing import Any

from tgbot.sandbox import shapes
from tgbot.sandbox.errors import bad_request
from tgbot.sandbox.methods.checks import (
    Params,
    formatted,
    keyboard,
    message_text,
    must_be_admin,
    not_offered,
    open_to_bot,
    own_message,
)
from tgbot.sandbox.model import Chat, Message
from tgbot.sandbox.state import OLD, State


def _target(state: State, params: Params) -> tuple[Chat, Message]:
    for name in ("inline_message_id", "business_connection_id", "rich_message"):
        if params.get(name):
            raise not_offered(name)
    if "chat_id" not in params:
        raise bad_request("chat_id is empty")
    if "message_id" not in params:
        raise bad_request("message identifier is not specified")
    chat = open_to_bot(state, params["chat_id"])
    return chat, own_message(state, chat, params["message_id"])


def changed(state: State, message: Message, stamp: bool = True, **new: Any) -> Any:
    """Sets the message's fields. Raises Refused when nothing would change."""
    if all(getattr(message, name) == value for name, value in new.items()):
        raise bad_request(
            "message is not modified: specified new message content and reply markup are exactly the same "
            "as a current content and reply markup of the message"
        )
    for name, value in new.items():
        setattr(message, name, value)
    if stamp:
        message.edit_date = int(state.now())
    state.emit("edit", message=message)
    return shapes.message(state, message)


def edit_message_text(state: State, params: Params) -> Any:
    _chat, message = _target(state, params)
    text, found = message_text(state, params)
    if message.text is None:
        raise bad_request("there is no text in the message to edit")
    extra = {key: value for key, value in message.extra.items() if key != "link_preview_options"}
    if params.get("link_preview_options"):
        extra["link_preview_options"] = params["link_preview_options"]
    return changed(
        state,
        message,
        text=text,
        entities=found,
        reply_markup=keyboard(state, params),
        extra=extra,
    )


def edit_message_caption(state: State, params: Params) -> Any:
    _chat, message = _target(state, params)
    caption, found = formatted(state, params, "caption", "caption_entities", 1024)
    if message.photo is None:
        raise bad_request("there is no caption in the message to edit")
    return changed(
        state,
        message,
        caption=caption or None,
        caption_entities=found,
        reply_markup=keyboard(state, params),
    )


def edit_message_reply_markup(state: State, params: Params) -> Any:
    _chat, message = _target(state, params)
    return changed(state, message, reply_markup=keyboard(state, params))


def refuse_deletion(state: State, chat: Chat, message: Message) -> None:
    """Raises Refused unless the documented rules of deleteMessage let the bot delete it."""
    bot = state.member(chat, state.bot.id)
    if chat.type == "supergroup" and bot.is_admin:
        first = message.service and message.service.keys() & {"migrate_from_chat_id", "forum_topic_created"}
        if first:
            raise bad_request("message can't be deleted")
        return
    own = message.sender_id == state.bot.id
    if chat.type != "private" and not own and not bot.is_admin:
        raise bad_request("message can't be deleted")
    if state.now() - message.date > OLD:
        raise bad_request("message can't be deleted for everyone")


def delete_message(state: State, params: Params) -> Any:
    chat = open_to_bot(state, params["chat_id"])
    message = chat.messages.get(params["message_id"])
    if message is None:
        raise bad_request("message to delete not found")
    refuse_deletion(state, chat, message)
    state.remove_messages(chat, [message.message_id])
    return True


def delete_messages(state: State, params: Params) -> Any:
    """Those that are not found are skipped; one that may not be deleted refuses the whole call."""
    chat = open_to_bot(state, params["chat_id"])
    wanted = params["message_ids"]
    if not wanted:
        raise bad_request("message identifiers are not specified")
    if len(wanted) > 100:
        raise bad_request("too many message identifiers specified")
    found = [chat.messages[one] for one in wanted if one in chat.messages]
    for message in found:
        refuse_deletion(state, chat, message)
    state.remove_messages(chat, [message.message_id for message in found])
    return True


def _may_pin(state: State, params: Params) -> Chat:
    if params.get("business_connection_id"):
        raise not_offered("business_connection_id")
    chat = open_to_bot(state, params["chat_id"])
    if chat.type != "private":
        must_be_admin(state, chat, "not enough rights to manage pinned messages in the chat")
    return chat


def pin_chat_message(state: State, params: Params) -> Any:
    chat = _may_pin(state, params)
    message = chat.messages.get(params["message_id"])
    if message is None:
        raise bad_request("message to pin not found")
    if message.service is not None:
        raise bad_request("message can't be pinned")
    if not message.pinned:
        message.pinned = True
        state.emit("edit", message=message)
        pinned = {"pinned_message": message.message_id}
        state.service_message(chat, state.bot.id, pinned, message.thread_id)
    return True


def unpin_chat_message(state: State, params: Params) -> Any:
    chat = _may_pin(state, params)
    pinned = [message for message in chat.messages.values() if message.pinned]
    if "message_id" in params:
        pinned = [message for message in pinned if message.message_id == params["message_id"]]
    if not pinned:
        raise bad_request("message to unpin not found")
    pinned[-1].pinned = False
    state.emit("edit", message=pinned[-1])
    return True


def unpin_all_chat_messages(state: State, params: Params) -> Any:
    chat = _may_pin(state, params)
    for message in chat.messages.values():
        if message.pinned:
            message.pinned = False
            state.emit("edit", message=message)
    return True
