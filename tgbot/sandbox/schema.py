"""The documented shape of Bot API calls, from bot_api.json (made by tests/sandbox/make_bot_api.py).

Telegram ignores a field that it does not know. The sandbox refuses it, because a misspelt field is a fault of the bot.
"""

import json
import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from tgbot.sandbox.errors import Refused, bad_request

_EMPTY = {
    "chat_id": "chat_id is empty",
    "text": "message text is empty",
    "message_id": "message identifier is not specified",
    "message_ids": "message identifiers are not specified",
    "user_id": "invalid user_id specified",
    "callback_query_id": "query ID is not specified",
    "photo": "there is no photo in the request",
    "action": "parameter action is missing in the request",
}
_NOT_JSON = {
    "reply_markup": "can't parse reply keyboard markup JSON object",
    "reply_parameters": "can't parse reply parameters JSON object",
    "link_preview_options": "can't parse link preview options JSON object",
    "entities": "can't parse entities JSON object",
    "caption_entities": "can't parse entities JSON object",
    "commands": "can't parse commands JSON object",
    "scope": "can't parse BotCommandScope JSON object",
}


@dataclass(frozen=True)
class Upload:
    """A file that came in a multipart body."""

    name: str
    data: bytes
    mime: str


@cache
def table() -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((files(__package__) / "bot_api.json").read_text(encoding="utf-8"))
    return loaded


@cache
def _by_lower_name() -> dict[str, str]:
    return {name.lower(): name for name in (*table()["methods"], *table()["not_offered"])}


def canonical(method: str) -> str:
    """The method's documented spelling (Telegram ignores case). Raises Refused 404 or 501."""
    name = _by_lower_name().get(method.lower())
    if name is None:
        raise Refused(404, "Not Found")
    if name not in table()["methods"]:
        raise Refused(501, f"Not Implemented: the sandbox does not offer {name}")
    return name


def checked(method: str, raw: dict[str, Any], uploads: dict[str, Upload]) -> dict[str, Any]:
    """The call's parameters, each of its documented type. Text that came from a form is parsed.

    Raises Refused 400 for a missing, unknown or ill-typed field.
    """
    fields: dict[str, Any] = table()["methods"][method]["fields"]
    result: dict[str, Any] = {}
    for name, value in raw.items():
        if name not in fields:
            raise bad_request(f'unknown field "{name}" in {method}')
        if value is not None:
            result[name] = _value(name, fields[name]["type"], value, uploads)
    for name, info in fields.items():
        if info.get("required") and (name not in result or (result[name] == "" and name in _EMPTY)):
            raise bad_request(_EMPTY.get(name, f'parameter "{name}" is required'))
    return result


def _value(name: str, types: list[str], value: Any, uploads: dict[str, Upload]) -> Any:
    if "InputFile" in types and isinstance(value, Upload):
        return value
    if "InputFile" in types and isinstance(value, str) and value.startswith("attach://"):
        upload = uploads.get(value.removeprefix("attach://"))
        if upload is None:
            raise bad_request(f"file {value!r} was not attached")
        return upload
    if isinstance(value, Upload):
        raise bad_request(f'field "{name}" is not a file')
    if isinstance(value, str):
        if not _SCALARS & set(types):
            try:
                value = json.loads(value)
            except ValueError:
                raise bad_request(_NOT_JSON.get(name, f"can't parse {name} JSON object")) from None
        else:
            value = _from_form(types, value)
    return fits(name, types, value, "")


_SCALARS = {"String", "Integer", "Boolean", "Float"}
_SAID_OF = {
    "InlineKeyboardButton": "can't parse inline keyboard button: ",
    "MessageEntity": "can't parse MessageEntity: ",
    "BotCommand": "can't parse BotCommand: ",
}


def _from_form(types: list[str], value: str) -> Any:
    """Text of a form as the number or truth that it stands for; other text stays text."""
    if "Integer" in types and re.fullmatch(r"-?[0-9]{1,19}", value):
        return int(value)
    if "Boolean" in types and value.lower() in ("true", "false", "1", "0", "yes", "no"):
        return value.lower() in ("true", "1", "yes")
    if "Float" in types and re.fullmatch(r"-?[0-9]+(\.[0-9]+)?", value):
        return float(value)
    return value


def said(of: str, what: str) -> Refused:
    """Telegram names the object in which a field is wrong, for some objects."""
    return bad_request(of + what if of else what[0].lower() + what[1:])


def fits(name: str, types: list[str], value: Any, of: str) -> Any:
    """The value, if it is of one of the types, objects checked to the bottom. Raises Refused 400.

    `of` is how Telegram begins its complaint about the object that the value is in.
    """
    problem = said(of, f'Field "{name}" takes no value')
    for one in _likely(types, value) if isinstance(value, dict) else types:
        try:
            return _fits_one(name, one, value, of)
        except Refused as refused:
            problem = refused
    raise problem


def _likely(types: list[str], value: dict[str, Any]) -> list[str]:
    """The one object type that the value was meant to be, by its constants and then by its keys."""

    def likeness(name: str) -> tuple[bool, int]:
        fields = table()["types"].get(name, {})
        constants = [key for key, info in fields.items() if "values" in info]
        agree = bool(constants) and all(value.get(key) in fields[key]["values"] for key in constants)
        return agree, len(fields.keys() & value.keys())

    return [max(types, key=likeness)]


def _fits_one(name: str, kind: str, value: Any, of: str) -> Any:
    if kind.startswith("Array of "):
        if not isinstance(value, list):
            raise said(of, f'Field "{name}" must be of type Array')
        parts = kind.removeprefix("Array of ")
        inner = [parts] if parts.startswith("Array of ") else parts.split("|")
        return [fits(name, inner, item, of) for item in value]
    fine = {
        "String": isinstance(value, str),
        "Boolean": isinstance(value, bool),
        "Integer": isinstance(value, int) and not isinstance(value, bool),
        "Float": isinstance(value, int | float) and not isinstance(value, bool),
    }
    if kind == "Integer" and isinstance(value, str) and re.fullmatch(r"-?[0-9]{1,19}", value):
        return int(value)  # Telegram takes numbers as text, too
    if kind in fine:
        if not fine[kind]:
            raise said(
                of, f'Field "{name}" must be of type {"Number" if kind in ("Integer", "Float") else kind}'
            )
        if kind == "String" and any("\ud800" <= character <= "\udfff" for character in value):
            raise bad_request("strings must be encoded in UTF-8")
        return value
    return _object(name, kind, value, of)


def _object(name: str, kind: str, value: Any, of: str) -> dict[str, Any]:
    if not isinstance(value, dict) or kind not in table()["types"]:
        raise said(of, f'Field "{name}" must be of type Object')
    fields: dict[str, Any] = table()["types"][kind]
    inside = "can't parse BotCommandScope: " if kind.startswith("BotCommandScope") else _SAID_OF.get(kind, of)
    result: dict[str, Any] = {}
    for key, item in value.items():
        if key not in fields:
            raise bad_request(f'unknown field "{key}" in {kind}')
        if item is not None:
            result[key] = fits(key, fields[key]["type"], item, inside)
    for key, info in fields.items():
        if info.get("required") and key not in result:
            raise said(inside, f'Can\'t find field "{key}"')
        if "values" in info and key in result and result[key] not in info["values"]:
            raise said(inside, "Unsupported type specified")
    return result
