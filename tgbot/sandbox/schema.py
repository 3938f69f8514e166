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
    "commands": "can't parse commands list JSON object",
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
    if isinstance(value, str) and not {"String", "Integer", "Boolean", "Float"} & set(types):
        try:
            value = json.loads(value)
        except ValueError:
            raise bad_request(_NOT_JSON.get(name, f"can't parse {name} JSON object")) from None
    return fits(name, types, value)


def fits(path: str, types: list[str], value: Any) -> Any:
    """The value as one of the types (text of a form becomes a number or truth). Raises Refused 400."""
    problem = bad_request(f'field "{path}" takes no value')
    for name in _likely(types, value) if isinstance(value, dict) else types:
        try:
            return _fits_one(path, name, value)
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


def _fits_one(path: str, name: str, value: Any) -> Any:
    wrong = bad_request(f'field "{path}" must be of type {name}')
    if name.startswith("Array of "):
        if not isinstance(value, list):
            raise wrong
        parts = name.removeprefix("Array of ")
        inner = [parts] if parts.startswith("Array of ") else parts.split("|")
        return [fits(f"{path}[{index}]", inner, item) for index, item in enumerate(value)]
    match name:
        case "String":
            if isinstance(value, str):
                return value
        case "Boolean":
            if isinstance(value, bool):
                return value
            if isinstance(value, str) and value.lower() in ("true", "false", "1", "0", "yes", "no"):
                return value.lower() in ("true", "1", "yes")
        case "Integer":
            if isinstance(value, int) and not isinstance(value, bool):
                return value
            if isinstance(value, str) and re.fullmatch(r"-?[0-9]{1,19}", value):
                return int(value)
        case "Float":
            if isinstance(value, int | float) and not isinstance(value, bool):
                return float(value)
            if isinstance(value, str) and re.fullmatch(r"-?[0-9]+(\.[0-9]+)?", value):
                return float(value)
        case "InputFile":
            if isinstance(value, Upload):
                return value
        case _:
            return _object(path, name, value, wrong)
    raise wrong


def _object(path: str, name: str, value: Any, wrong: Refused) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise wrong
    fields: dict[str, Any] = table()["types"][name]
    result: dict[str, Any] = {}
    for key, item in value.items():
        if key not in fields:
            raise bad_request(f'unknown field "{path}.{key}" of {name}')
        if item is not None:
            result[key] = fits(f"{path}.{key}", fields[key]["type"], item)
    for key, info in fields.items():
        if info.get("required") and key not in result:
            raise bad_request(f'field "{path}.{key}" of {name} is required')
        if "values" in info and key in result and result[key] not in info["values"]:
            raise bad_request(f'field "{path}.{key}" of {name} must be {info["values"][0]!r}')
    return result
