"""Writes tgbot/sandbox/bot_api.json, the table of the Bot API's methods and types, from aiogram's models.

    python -m tests.sandbox.make_bot_api

The sandbox itself does not import aiogram (seconds, and it should not share the bot's idea of the protocol at run
time), so the table is committed; test_schema.py fails when it is out of date.
"""

import datetime
import enum
import json
import types
import typing
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin

import aiogram.types
import typing_extensions
from aiogram import methods
from aiogram.__meta__ import __api_version__
from aiogram.client.default import Default
from aiogram.types import InputFile, Message, Update
from aiogram.types.base import TelegramObject

TARGET = Path(__file__).parents[2] / "tgbot" / "sandbox" / "bot_api.json"

OFFERED = [
    "getMe",
    "logOut",
    "close",
    "getUpdates",
    "setWebhook",
    "deleteWebhook",
    "getWebhookInfo",
    "sendMessage",
    "sendPhoto",
    "copyMessage",
    "sendChatAction",
    "setMessageReaction",
    "editMessageText",
    "editMessageCaption",
    "editMessageReplyMarkup",
    "deleteMessage",
    "deleteMessages",
    "editEphemeralMessageText",
    "editEphemeralMessageReplyMarkup",
    "deleteEphemeralMessage",
    "answerCallbackQuery",
    "pinChatMessage",
    "unpinChatMessage",
    "unpinAllChatMessages",
    "getChat",
    "getChatMember",
    "getChatAdministrators",
    "getChatMemberCount",
    "leaveChat",
    "setMyCommands",
    "getMyCommands",
    "deleteMyCommands",
    "setMyName",
    "getMyName",
    "setMyDescription",
    "getMyDescription",
    "setMyShortDescription",
    "getMyShortDescription",
    "createForumTopic",
    "editForumTopic",
    "closeForumTopic",
    "reopenForumTopic",
    "deleteForumTopic",
]
"""The methods that the sandbox answers; of all others it knows the name only."""


def scalar(annotation: Any) -> str | None:
    names = {int: "Integer", str: "String", bool: "Boolean", float: "Float"}
    if annotation in names:
        return names[annotation]
    if annotation in (datetime.datetime, datetime.timedelta):
        return "Integer"
    if isinstance(annotation, type) and issubclass(annotation, enum.Enum):
        return "String"
    return None


def type_names(annotation: Any, reached: set[type]) -> list[str]:
    """The Bot API's names of a pydantic annotation: ["Integer", "String"], ["Array of MessageEntity"]."""
    name = scalar(annotation)
    if name:
        return [name]
    if annotation in (type(None), Default):
        return []
    origin = get_origin(annotation)
    if origin is typing.Annotated:
        return type_names(get_args(annotation)[0], reached)
    if origin in (Union, types.UnionType):
        found = [name for part in get_args(annotation) for name in type_names(part, reached)]
        return list(dict.fromkeys(found))
    if origin is list:
        return [f"Array of {'|'.join(type_names(get_args(annotation)[0], reached))}"]
    if origin is Literal:
        return ["Boolean" if isinstance(get_args(annotation)[0], bool) else scalar_of_literal(annotation)]
    if isinstance(annotation, type) and issubclass(annotation, InputFile):
        return ["InputFile"]
    if isinstance(annotation, type) and issubclass(annotation, TelegramObject):
        reached.add(annotation)
        return [annotation.__name__]
    if isinstance(annotation, typing_extensions.TypeAliasType):
        return type_names(annotation.__value__, reached)
    if annotation == "RichTextUnion":
        return ["RichText"]  # the only recursive type; the sandbox neither takes nor sends it
    raise TypeError(f"no Bot API name for {annotation!r} ({type(annotation)})")


def scalar_of_literal(annotation: Any) -> str:
    value = get_args(annotation)[0]
    return "Integer" if isinstance(value, int) else "String"


def fields_of(model: Any, reached: set[type]) -> dict[str, dict[str, Any]]:
    fields: dict[str, dict[str, Any]] = {}
    for name, info in model.model_fields.items():
        # aiogram gives constants and some required arrays defaults; a constant is what tells union members apart.
        entry: dict[str, Any] = {"type": type_names(info.annotation, reached)}
        optional = type(None) in get_args(info.annotation)
        if not optional:
            entry["required"] = True
        if get_origin(info.annotation) is Literal:
            values = [v.value if isinstance(v, enum.Enum) else v for v in get_args(info.annotation)]
            entry["values"] = values
        elif not optional and isinstance(info.default, enum.Enum | str):
            default = info.default
            entry["values"] = [default.value if isinstance(default, enum.Enum) else default]
        if (info.json_schema_extra or {}).get("deprecated"):
            entry["deprecated"] = True
        fields[info.alias or name] = entry
    return fields


def table() -> dict[str, Any]:
    by_name: dict[str, Any] = {
        method.__api_method__: method
        for method in vars(methods).values()
        if isinstance(method, type)
        and hasattr(method, "__api_method__")
        and method is not methods.TelegramMethod
    }
    reached: set[type] = {Update, Message, aiogram.types.WebhookInfo}
    offered = {}
    for name in OFFERED:
        method = by_name[name]
        returns = type_names(method.__returning__, reached)
        offered[name] = {"returns": returns, "fields": fields_of(method, reached)}
    done: dict[str, Any] = {}
    while missing := [model for model in reached if model.__name__ not in done]:
        for model in missing:
            done[model.__name__] = fields_of(model, reached)
    return {
        "api_version": __api_version__,
        "methods": offered,
        "not_offered": sorted(set(by_name) - set(OFFERED)),
        "types": dict(sorted(done.items())),
    }


def text() -> str:
    """The file's contents: one line for each method and type, so that a difference reads well."""
    made = table()

    def lines(entries: dict[str, Any]) -> str:
        return ",\n".join(f"  {json.dumps(name)}: {json.dumps(entry)}" for name, entry in entries.items())

    return (
        f'{{"api_version": {json.dumps(made["api_version"])},\n'
        f'"not_offered": {json.dumps(made["not_offered"])},\n'
        f'"methods": {{\n{lines(made["methods"])}\n}},\n'
        f'"types": {{\n{lines(made["types"])}\n}}}}\n'
    )


if __name__ == "__main__":
    TARGET.write_text(text(), encoding="utf-8")
