"""What many methods check alike: may the bot reach the chat, is the text, is the keyboard as Telegram takes it."""

import re
from typing import Any

from tgbot.sandbox import entities
from tgbot.sandbox.errors import Refused, bad_request, forbidden
from tgbot.sandbox.model import Chat, Message
from tgbot.sandbox.people import PAYLOAD
from tgbot.sandbox.state import State

Params = dict[str, Any]

_ACTIONS = (
    "url",
    "callback_data",
    "web_app",
    "login_url",
    "switch_inline_query",
    "switch_inline_query_current_chat",
    "switch_inline_query_chosen_chat",
    "copy_text",
    "callback_game",
    "pay",
    "disabled",
)
_BAD_BUTTON = "can't parse inline keyboard button: "
STYLES = ("danger", "success", "primary")
MAX_BUTTONS = 100


def reachable(state: State, chat_id: int | str) -> Chat:
    """The chat, if the bot knows it and is not shut out of it. Says nothing of the right to write."""
    if isinstance(chat_id, str) and re.fullmatch(r"-?[0-9]+", chat_id):
        chat_id = int(chat_id)
    chat = state.data.chats.get(chat_id) if isinstance(chat_id, int) else None
    if chat is None or chat_id == 0:
        raise bad_request("chat not found")
    if chat.type == "private":
        if chat.id not in state.data.met:
            raise bad_request("chat not found")
        return chat
    if chat.upgraded_to is not None and state.bot.id in chat.members:
        raise bad_request("group chat was upgraded to a supergroup chat", migrate_to_chat_id=chat.upgraded_to)
    if state.bot.id not in chat.members:
        raise bad_request("chat not found")
    match state.member(chat, state.bot.id).status:
        case "kicked":
            raise forbidden(f"bot was kicked from the {chat.type} chat")
        case "left":
            raise forbidden(f"bot is not a member of the {chat.type} chat")
    return chat


def open_to_bot(state: State, chat_id: int | str) -> Chat:
    """The chat, if the person of a private chat lets the bot in."""
    chat = reachable(state, chat_id)
    if chat.type == "private":
        if state.data.people[chat.id].deleted:
            raise forbidden("user is deactivated")
        if chat.blocked:
            raise forbidden("bot was blocked by the user")
        if not chat.started:
            raise forbidden("bot can't initiate conversation with a user")
    return chat


def writable(state: State, params: Params, what: str = "text messages") -> Chat:
    """The chat of a send method, if the bot may write there, in the topic that it names."""
    chat = open_to_bot(state, params["chat_id"])
    if chat.type != "private" and not may_write(state, chat):
        raise bad_request(f"not enough rights to send {what} to the chat")
    thread = params.get("message_thread_id")
    if thread is not None:
        topic = chat.topics.get(thread) if chat.is_forum else None
        if topic is None:
            raise bad_request("message thread not found")
        if topic.closed and not state.member(chat, state.bot.id).is_admin:
            raise bad_request("TOPIC_CLOSED")
    return chat


def may_write(state: State, chat: Chat) -> bool:
    bot = state.member(chat, state.bot.id)
    if bot.is_admin:
        return True
    return bot.can_write if bot.status == "restricted" else chat.all_can_write


def must_be_admin(state: State, chat: Chat, refusal: str) -> None:
    if not state.member(chat, state.bot.id).is_admin:
        raise bad_request(refusal)


def own_message(state: State, chat: Chat, message_id: int) -> Message:
    """A message that the bot may edit."""
    message = chat.messages.get(message_id)
    if message is None:
        raise bad_request("message to edit not found")
    if message.sender_id != state.bot.id or message.service is not None:
        raise bad_request("message can't be edited")
    return message


def reply_target(state: State, chat: Chat, params: Params) -> int | None:
    wanted = params.get("reply_parameters")
    if "reply_to_message_id" in params:
        wanted = {
            "message_id": params["reply_to_message_id"],
            "allow_sending_without_reply": params.get("allow_sending_without_reply", False),
        }
    if wanted is None:
        return None
    # quote_parse_mode is about a quote's text; without one, Telegram takes no notice of it.
    for unsupported in wanted.keys() - {
        "message_id",
        "chat_id",
        "allow_sending_without_reply",
        "quote_parse_mode",
    }:
        raise not_offered(f"{unsupported} of ReplyParameters")
    if "message_id" not in wanted:
        raise bad_request('can\'t find field "message_id"')
    if reachable(state, wanted.get("chat_id", chat.id)) is not chat:
        raise not_offered("a reply to another chat")
    if wanted["message_id"] in chat.messages:
        return int(wanted["message_id"])
    if wanted.get("allow_sending_without_reply"):
        return None
    raise bad_request("message to be replied not found")


def not_offered(what: str) -> Refused:
    return Refused(501, f"Not Implemented: the sandbox does not offer {what}")


def formatted(
    state: State, params: Params, field: str = "text", own_entities: str = "entities", limit: int = 4096
) -> tuple[str, list[entities.Entity]]:
    """Text and entities of a call, parsed and cut as Telegram does it. The text may be empty (captions)."""
    text = entities.cleaned(params.get(field, ""))
    mode = params.get("parse_mode") or ""
    match mode.lower():
        case "html":
            text, found = entities.parse_html(text)
        case "":
            found = given_entities(text, params.get(own_entities) or [])
        case "markdown" | "markdownv2":
            raise not_offered(f"parse_mode {mode}")
        case _:
            raise bad_request("unsupported parse_mode")
    text, found = entities.trimmed(text, found)
    # A mention of somebody whom the bot never met loses its link, without an error.
    found = [e for e in found if "user_id" not in e or e["user_id"] in state.data.met]
    if entities.utf16_length(text) > limit:
        raise bad_request("message is too long" if limit == 4096 else "message caption is too long")
    found = entities.with_automatic(text, found)
    if len(found) > entities.MAX_ENTITIES:
        # Telegram drops what is over 100 without a word; a bot should hear of it.
        raise bad_request(
            f"can't parse entities: {len(found)} entities, at most {entities.MAX_ENTITIES} are kept"
        )
    return text, found


def message_text(state: State, params: Params) -> tuple[str, list[entities.Entity]]:
    """As `formatted`, and the text must say something."""
    if not params.get("text", ""):
        raise bad_request("message text is empty")
    text, found = formatted(state, params)
    if not text:
        raise bad_request("text must be non-empty")
    return text, found


_ENTITY_TYPES = (
    "mention hashtag cashtag bot_command url email phone_number bold italic underline strikethrough spoiler blockquote "
    "expandable_blockquote code pre text_link text_mention custom_emoji date_time"
)
_ENTITY_NEEDS = {
    "text_link": "url",
    "text_mention": "user",
    "custom_emoji": "custom_emoji_id",
    "date_time": "unix_time",
}


def given_entities(text: str, given: list[dict[str, Any]]) -> list[entities.Entity]:
    """The entities of a call's `entities`, checked against the text."""
    size = entities.utf16_length(text)
    result: list[entities.Entity] = []
    for entity in given:
        kind, begin, length = entity["type"], entity["offset"], entity["length"]
        if kind not in _ENTITY_TYPES.split():
            raise bad_request("can't parse MessageEntity: Unsupported type specified")
        if (needed := _ENTITY_NEEDS.get(kind)) and needed not in entity:
            raise bad_request(f"can't parse MessageEntity: Can't find field \"{needed}\"")
        if begin < 0:
            raise bad_request(f"receive an entity with incorrect offset {begin}")
        if length <= 0:
            raise bad_request(f"receive an entity with incorrect length {length}")
        if begin >= size:
            raise bad_request(f"entity begins after the end of the text at UTF-16 offset {begin}")
        if begin + length > size:
            raise bad_request(
                f"entity beginning at UTF-16 offset {begin} ends after the end of the text "
                f"at UTF-16 offset {begin + length}"
            )
        place = {"offset": begin, "length": length}
        if kind == "text_mention":
            result.append({"type": kind, "user_id": entity["user"]["id"]} | place)
        elif kind == "text_link":
            result.append(good_link(entity["url"]) | place)
        else:
            result.append(dict(entity))
    return entities.in_order(result)


def good_link(url: str) -> entities.Entity:
    link = entities.link_entity(url)
    if link is None:
        raise bad_request(f"entity URL '{url}' is invalid: {wrong_url(url)}")
    return link


def wrong_url(url: str) -> str:
    """Why the address is none for Telegram."""
    if not url:
        return "URL host is empty"
    return "Wrong HTTP URL" if "://" not in url or url.startswith("http") else "Unsupported URL protocol"


def keyboard(state: State, params: Params) -> dict[str, Any] | None:
    """The inline keyboard as it is kept with the message; None when there is none."""
    markup = params.get("reply_markup")
    if not markup:
        return None
    if "remove_keyboard" in markup:
        return None
    if "inline_keyboard" not in markup:
        raise not_offered("keyboards other than inline ones")
    rows = [[button(state, one) for one in row] for row in markup["inline_keyboard"] if row]
    if sum(map(len, rows)) > MAX_BUTTONS:
        raise bad_request("reply markup is too long")
    return {"inline_keyboard": rows} if rows else None


def button(state: State, given: dict[str, Any]) -> dict[str, Any]:
    actions = [name for name in _ACTIONS if name in given]
    if not given["text"].strip():
        raise bad_request(f'{_BAD_BUTTON}Field "text" must be of type String and not empty')
    if not actions:
        raise bad_request(f"{_BAD_BUTTON}Text buttons are unallowed in the inline keyboard")
    if len(actions) > 1:
        raise bad_request(f"{_BAD_BUTTON}only one of {' and '.join(actions)} can be used")
    if "style" in given and given["style"] not in STYLES:
        raise bad_request(f"{_BAD_BUTTON}Invalid button style specified")
    match actions[0]:
        case "callback_data":
            if not given["callback_data"]:
                raise bad_request(f"{_BAD_BUTTON}Text buttons are unallowed in the inline keyboard")
            if len(given["callback_data"].encode()) > 64:
                raise bad_request("BUTTON_DATA_INVALID")
        case "url":
            return given | {"url": button_url(state, given["url"])}
        case "copy_text":
            if not 1 <= len(given["copy_text"]["text"]) <= 256:
                raise bad_request("BUTTON_COPY_TEXT_INVALID")
        case "disabled":
            pass
        case _:
            raise bad_request("BUTTON_TYPE_INVALID")
    return dict(given)


def button_url(state: State, url: str) -> str:
    checked = entities.checked_url(url)
    if checked is None:
        raise bad_request(f"inline keyboard button URL '{url}' is invalid: {wrong_url(url)}")
    user = re.fullmatch(r"tg://user/?\?id=([0-9]+)", checked)
    if user and int(user.group(1)) not in state.data.met:
        raise bad_request("BUTTON_USER_INVALID")
    if (payload := start_payload(state, checked)) is not None and not PAYLOAD.fullmatch(payload):
        raise bad_request("BUTTON_URL_INVALID")
    return checked


def start_payload(state: State, url: str) -> str | None:
    """The deep link's parameter, when the address is one of this bot's with start= or startgroup=."""
    name = re.escape(state.bot.username)
    link = re.fullmatch(
        rf"(?i)https?://(?:t|telegram)\.me/{name}/?\?start(?:group)?=([^&#]*)(?:[&#].*)?"
        rf"|tg:(?://)?resolve\?domain={name}&start(?:group)?=([^&#]*)(?:[&#].*)?",
        url,
    )
    return (link.group(1) or link.group(2) or "") if link else None
