"""The session as JSON lines: people's actions, updates sent, Bot API calls with their answers; and its replay.

{"at": unix seconds, "kind": "act", "do": …, "args": {…}, "result": {…}, "data": callback data of a press}
{"at": …, "kind": "update", "update_id", "type", "status", "ms", "body"}
{"at": …, "kind": "call", "method", "chat_id", "ok", "code", "description", "ms", "body", "answer"}
"""

import json
from collections import deque
from collections.abc import Iterable
from typing import Any

from tgbot.sandbox import actions
from tgbot.sandbox.model import Message
from tgbot.sandbox.world import World

KEPT = 50_000
"""Lines; older ones go."""


class Recorder:
    def __init__(self, world: World) -> None:
        self.world = world
        self.lines: deque[str] = deque(maxlen=KEPT)
        world.listeners.append(self._heard)

    def stop(self) -> None:
        self.world.listeners.remove(self._heard)

    def _heard(self, kind: str, what: dict[str, Any]) -> None:
        if kind in ("act", "update", "call"):
            line = {"at": round(self.world.now(), 3), "kind": kind} | what
            self.lines.append(json.dumps(line, ensure_ascii=False, default=str))

    def export(self) -> str:
        return "".join(f"{line}\n" for line in self.lines)


async def replay(lines: Iterable[str], world: World, timeout: float = 5.0) -> int:
    """Does again what the people of a recorded session did, in a world that began as that one did.

    Before each press it waits until the button is there. Ids of messages may differ from the recorded ones: then the
    newest message with a button of the same data, or else of the same text, is pressed. Returns how many actions
    were done. Raises TimeoutError when a button never comes, Impossible when an action can't be done.
    """
    done = 0
    for line in lines:
        record = json.loads(line)
        if record["kind"] != "act":
            continue
        args = dict(record["args"])
        if record["do"] == "press":
            found: list[tuple[int, int, int]] = []

            def look(
                args: dict[str, Any] = args, record: dict[str, Any] = record, found: Any = found
            ) -> bool:
                place = find_press(world, args, record)
                if place is not None:
                    found[:] = [place]
                return place is not None

            await world.until(look, timeout)
            args["message_id"], args["row"], args["col"] = found[0]
        actions.perform(world, record["do"], args)
        done += 1
    return done


def find_press(world: World, args: dict[str, Any], record: dict[str, Any]) -> tuple[int, int, int] | None:
    """Message id, row and column of the button that the recorded press meant."""
    chat = world.chat(args["chat_id"])
    here = world.message(chat, args["message_id"])
    newest = [*reversed(chat.messages.values()), *reversed(chat.ephemeral.values())]
    candidates = ([here] if here else []) + newest
    for field in ("data", "text"):
        for message in candidates:
            if record.get(field) is not None and (place := _button(message, field, record[field])):
                message_id = -message.ephemeral_id if message.ephemeral_id else message.message_id
                return message_id, *place
    return None


def _button(message: Message, field: str, value: str) -> tuple[int, int] | None:
    key = "callback_data" if field == "data" else "text"
    for row, buttons in enumerate((message.reply_markup or {}).get("inline_keyboard", [])):
        for col, button in enumerate(buttons):
            if button.get(key) == value:
                return row, col
    return None
