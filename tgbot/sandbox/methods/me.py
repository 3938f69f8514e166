"""The bot's own account: getMe, names, descriptions, command menus."""

import re
from typing import Any

from tgbot.sandbox import shapes
from tgbot.sandbox.errors import bad_request
from tgbot.sandbox.methods.checks import Params, reachable
from tgbot.sandbox.model import Chat, Person
from tgbot.sandbox.state import State

Commands = list[dict[str, Any]]


def get_me(state: State, _params: Params) -> Any:
    return shapes.bot_user(state) | {
        "can_join_groups": state.bot.can_join_groups,
        "can_read_all_group_messages": state.bot.can_read_all,
        "supports_inline_queries": False,
        "can_connect_to_business": False,
        "has_main_web_app": False,
        "has_topics_enabled": False,
    }


def log_out(_state: State, _params: Params) -> Any:
    return True


def language(params: Params) -> str:
    code: str = params.get("language_code", "")
    if code and not re.fullmatch(r"[a-z]{2}", code):
        raise bad_request("invalid language code specified")
    return code


def _set(texts: dict[str, str], params: Params, field: str, limit: int, refusal: str) -> bool:
    value: str = params.get(field, "")
    code = language(params)
    if len(value) > limit:
        raise bad_request(refusal)
    if value:
        texts[code] = value
    else:
        texts.pop(code, None)
    return True


def _get(texts: dict[str, str], params: Params, field: str, default: str = "") -> dict[str, str]:
    return {field: texts.get(language(params)) or texts.get("") or default}


def set_my_name(state: State, params: Params) -> Any:
    return _set(state.bot.names, params, "name", 64, "BOT_TITLE_INVALID")


def get_my_name(state: State, params: Params) -> Any:
    return _get(state.bot.names, params, "name", state.bot.name)


def set_my_description(state: State, params: Params) -> Any:
    return _set(state.bot.descriptions, params, "description", 512, "BOT_DESCRIPTION_TOO_LONG")


def get_my_description(state: State, params: Params) -> Any:
    return _get(state.bot.descriptions, params, "description")


def set_my_short_description(state: State, params: Params) -> Any:
    return _set(
        state.bot.short_descriptions, params, "short_description", 120, "BOT_SHORT_DESCRIPTION_TOO_LONG"
    )


def get_my_short_description(state: State, params: Params) -> Any:
    return _get(state.bot.short_descriptions, params, "short_description")


def scope_key(state: State, params: Params) -> str:
    """Where a command menu is kept: "type", "type:chat" or "type:chat:user", and the language."""
    scope = params.get("scope") or {"type": "default"}
    parts = [scope["type"]]
    if "chat_id" in scope:
        chat = reachable(state, scope["chat_id"])
        if scope["type"] != "chat" and chat.type == "private":
            raise bad_request("can't use the scope in private chats")
        parts.append(str(chat.id))
    if "user_id" in scope:
        if scope["user_id"] not in state.data.people:
            raise bad_request("user not found")
        parts.append(str(scope["user_id"]))
    return f"{':'.join(parts)}|{language(params)}"


def set_my_commands(state: State, params: Params) -> Any:
    commands: Commands = params["commands"]
    if len(commands) > 100:
        raise bad_request("BOT_COMMANDS_TOO_MUCH")
    for command in commands:
        if not re.fullmatch(r"[a-z0-9_]{1,32}", command["command"]):
            raise bad_request("BOT_COMMAND_INVALID")
        if not 1 <= len(command["description"].strip()) <= 256:
            raise bad_request("BOT_COMMAND_DESCRIPTION_INVALID")
    key = scope_key(state, params)
    if commands:
        state.bot.commands[key] = commands
    else:
        state.bot.commands.pop(key, None)
    state.emit("commands")
    return True


def get_my_commands(state: State, params: Params) -> Any:
    return state.bot.commands.get(scope_key(state, params), [])


def delete_my_commands(state: State, params: Params) -> Any:
    state.bot.commands.pop(scope_key(state, params), None)
    state.emit("commands")
    return True


def menu_for(state: State, person: Person, chat: Chat) -> Commands:
    """The commands that the person's app offers in that chat: the narrowest scope that has any, in his language first.

    Source: the Bot API's «Determining list of commands».
    """
    scopes = [f"chat:{chat.id}", "all_private_chats", "default"]
    if chat.type != "private":
        admin = state.member(chat, person.id).is_admin
        scopes = [
            f"chat_member:{chat.id}:{person.id}",
            *([f"chat_administrators:{chat.id}"] if admin else []),
            f"chat:{chat.id}",
            *(["all_chat_administrators"] if admin else []),
            "all_group_chats",
            "default",
        ]
    code = (person.language_code or "")[:2]
    for scope in scopes:
        for key in (f"{scope}|{code}", f"{scope}|"):
            if key in state.bot.commands:
                return state.bot.commands[key]
    return []
