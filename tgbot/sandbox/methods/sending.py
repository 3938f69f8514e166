"""sendMessage, sendPhoto, copyMessage, sendChatAction, setMessageReaction."""

from typing import Any

from tgbot.sandbox import entities, images, shapes
from tgbot.sandbox.errors import bad_request
from tgbot.sandbox.methods import ephemeral
from tgbot.sandbox.methods.checks import (
    Params,
    formatted,
    keyboard,
    message_text,
    not_offered,
    reachable,
    reply_target,
    writable,
)
from tgbot.sandbox.model import Chat
from tgbot.sandbox.schema import Upload
from tgbot.sandbox.state import State

_UNOFFERED = (
    "business_connection_id",
    "direct_messages_topic_id",
    "allow_paid_broadcast",
    "suggested_post_parameters",
)
_CHAT_ACTIONS = [
    "typing",
    "upload_photo",
    "record_video",
    "upload_video",
    "record_voice",
    "upload_voice",
    "upload_document",
    "choose_sticker",
    "find_location",
    "record_video_note",
    "upload_video_note",
]


def send_message(state: State, params: Params) -> Any:
    refuse_unoffered(params)
    if ephemeral.wanted(params):
        return ephemeral.send_text(state, params)
    chat = writable(state, params)
    text, found = message_text(state, params)
    message = state.new_message(chat, state.bot.id, text=text, entities=found, **common(state, chat, params))
    return shapes.message(state, message)


def send_photo(state: State, params: Params) -> Any:
    refuse_unoffered(params)
    if ephemeral.wanted(params):
        raise not_offered("ephemeral photos")
    chat = writable(state, params, "photos")
    caption, found = formatted(state, params, "caption", "caption_entities", 1024)
    message = state.new_message(
        chat,
        state.bot.id,
        photo=photo_id(state, params["photo"]),
        caption=caption or None,
        caption_entities=found,
        **common(state, chat, params),
    )
    return shapes.message(state, message)


def photo_id(state: State, given: str | Upload) -> str:
    if isinstance(given, str):
        if given in state.data.photos:
            return given
        if given.startswith(("http://", "https://")):
            raise not_offered("photos by URL")
        raise bad_request("wrong remote file identifier specified: Wrong string length")
    if not given.data:
        raise bad_request("file must be non-empty")
    if len(given.data) > 10 * 1024 * 1024:
        raise bad_request("file is too big for a photo")
    size = images.size(given.data)
    if size is None:
        raise bad_request("IMAGE_PROCESS_FAILED")
    mime, width, height = size
    if width + height > 10_000 or max(width, height) > 20 * min(width, height) or min(width, height) == 0:
        raise bad_request("PHOTO_INVALID_DIMENSIONS")
    return state.new_photo(given.data, mime, width, height).id


def common(state: State, chat: Chat, params: Params) -> dict[str, Any]:
    """The fields that every sent message has alike."""
    extra: dict[str, Any] = {}
    if params.get("link_preview_options"):
        check_preview(params["link_preview_options"])
        extra["link_preview_options"] = params["link_preview_options"]
    if params.get("protect_content"):
        extra["has_protected_content"] = True
    if "message_effect_id" in params:
        if chat.type != "private" or not params["message_effect_id"].isdigit():
            raise bad_request("EFFECT_ID_INVALID")
        extra["effect_id"] = params["message_effect_id"]
    reply_to = reply_target(state, chat, params)
    thread = params.get("message_thread_id")
    if thread is None and reply_to is not None and chat.is_forum:
        thread = chat.messages[reply_to].thread_id
    return {
        "thread_id": thread,
        "reply_to": reply_to,
        "reply_markup": keyboard(state, params),
        "extra": extra,
    }


def check_preview(options: dict[str, Any]) -> None:
    url = options.get("url")
    if url and entities.checked_url(url) is None:
        raise bad_request("WEBPAGE_URL_INVALID")


def refuse_unoffered(params: Params) -> None:
    for name in _UNOFFERED:
        if params.get(name):
            raise not_offered(name)


def copy_message(state: State, params: Params) -> Any:
    chat = writable(state, params)
    source = reachable(state, params["from_chat_id"])
    original = source.messages.get(params["message_id"])
    if original is None:
        raise bad_request("message to copy not found")
    if original.service is not None:
        raise bad_request("message can't be copied")
    caption, caption_entities = original.caption, original.caption_entities
    if "caption" in params:
        caption, caption_entities = formatted(state, params, "caption", "caption_entities", 1024)
    copied = state.new_message(
        chat,
        state.bot.id,
        text=original.text,
        entities=[dict(entity) for entity in original.entities],
        photo=original.photo,
        caption=caption or None,
        caption_entities=[dict(entity) for entity in caption_entities],
        **common(state, chat, params),
    )
    return {"message_id": copied.message_id}


def send_chat_action(state: State, params: Params) -> Any:
    if params.get("business_connection_id"):
        raise not_offered("business_connection_id")
    chat = writable(state, params)
    if params["action"] not in _CHAT_ACTIONS:
        raise bad_request("wrong parameter action in request")
    state.emit("action", chat_id=chat.id, thread_id=params.get("message_thread_id"), action=params["action"])
    return True
