"""Ephemeral messages: shown to one member of a group only, and to nobody after a while."""

from typing import Any

from tgbot.sandbox import shapes
from tgbot.sandbox.errors import bad_request
from tgbot.sandbox.methods.checks import (
    Params,
    keyboard,
    message_text,
    must_be_admin,
    not_offered,
    open_to_bot,
    writable,
)
from tgbot.sandbox.model import Chat, Message
from tgbot.sandbox.state import QUERY_LIFE, State


def wanted(params: Params) -> dict[str, Any] | None:
    """The EphemeralMessageParameters of a send method, from the field or from those that it replaced."""
    given: dict[str, Any] | None = params.get("ephemeral_message_parameters")
    if given is None and "receiver_user_id" in params:
        given = {key: params[key] for key in ("receiver_user_id", "callback_query_id") if key in params}
    return given


def send_text(state: State, params: Params) -> Any:
    chat = writable(state, params)
    parameters = wanted(params) or {}
    receiver = parameters["receiver_user_id"]
    if chat.type == "private":
        raise bad_request("ephemeral messages can be sent only to groups and supergroups")
    if receiver not in state.data.people or not state.member(chat, receiver).present:
        raise bad_request("USER_NOT_PARTICIPANT")
    text, found = message_text(state, params)
    markup = keyboard(state, params)
    if "callback_query_id" not in parameters:
        must_be_admin(state, chat, "not enough rights to send ephemeral messages without a callback query")
    else:
        _check_query(state, chat, receiver, parameters["callback_query_id"])
    if parameters.get("replace_callback_query_message"):
        raise not_offered("replace_callback_query_message")
    message = state.new_ephemeral(
        chat,
        state.bot.id,
        receiver,
        text=text,
        entities=found,
        reply_markup=markup,
        thread_id=params.get("message_thread_id"),
    )
    return shapes.message(state, message)


def _check_query(state: State, chat: Chat, receiver: int, query_id: str) -> None:
    query = state.data.queries.get(query_id)
    if query is None or query.person_id != receiver or query.chat_id != chat.id:
        raise bad_request("QUERY_ID_INVALID")
    if state.now() - query.at > QUERY_LIFE:
        raise bad_request("query is too old and response timeout expired or query ID is invalid")


def _target(state: State, params: Params) -> tuple[Chat, Message]:
    chat = open_to_bot(state, params["chat_id"])
    message = chat.ephemeral.get(params["ephemeral_message_id"])
    if message is None or message.receiver_id != params["receiver_user_id"]:
        raise bad_request("message to edit not found")
    return chat, message


def _set(state: State, message: Message, **new: Any) -> bool:
    if all(getattr(message, name) == value for name, value in new.items()):
        raise bad_request(
            "message is not modified: specified new message content and reply markup are exactly the same "
            "as a current content and reply markup of the message"
        )
    for name, value in new.items():
        setattr(message, name, value)
    message.edit_date = int(state.now())
    state.emit("edit", message=message)
    return True


def edit_ephemeral_message_text(state: State, params: Params) -> Any:
    if params.get("rich_message"):
        raise not_offered("rich_message")
    _chat, message = _target(state, params)
    text, found = message_text(state, params)
    return _set(state, message, text=text, entities=found, reply_markup=keyboard(state, params))


def edit_ephemeral_message_reply_markup(state: State, params: Params) -> Any:
    _chat, message = _target(state, params)
    return _set(state, message, reply_markup=keyboard(state, params))


def delete_ephemeral_message(state: State, params: Params) -> Any:
    chat = open_to_bot(state, params["chat_id"])
    message = chat.ephemeral.get(params["ephemeral_message_id"])
    if message is None or message.receiver_id != params["receiver_user_id"]:
        raise bad_request("message to delete not found")
    state.remove_messages(chat, [-params["ephemeral_message_id"]])
    return True
