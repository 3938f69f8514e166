"""Whatever a bot calls and whatever a page asks for: an answer or a refusal, never an exception of another kind."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.sandbox.scene import Scene, built
from tgbot.sandbox import actions, schema
from tgbot.sandbox.errors import Impossible, Refused
from tgbot.sandbox.methods import METHODS
from tgbot.sandbox.world import first_world

Fields = dict[str, Any]

TEXTS = st.sampled_from(
    [
        "Table",
        "<b>x</b>",
        "/start@goat_sandbox_bot",
        "goat",
        "https://t.me/goat_sandbox_bot?start=1",
        "<b",
        "",
        "🐐" * 30,
    ]
) | st.text(max_size=70)
NUMBERS = st.integers(-3, 40) | st.integers(-(2**63), 2**63)
ANYTHING = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
)
MEANT: dict[str, list[Any]] = {
    "parse_mode": ["HTML", "html", "MarkdownV2"],
    "action": ["typing", "upload_photo"],
    "text": ["Table", "<b>Table</b>"],
    "emoji": ["👍", "🐐"],
    "style": ["danger", "success", "primary", "blue"],
    "language_code": ["en", "ru", "english"],
    "type": ["bold", "spoiler", "text_link", "code"],
    "url": [
        "https://goat.example/",
        "https://t.me/goat_sandbox_bot?start=1",
        "http://127.0.0.1:1/",
        "nowhere",
    ],
    "command": ["goat", "Goat"],
    "allowed_updates": [["message"], [], ["messages"]],
    "row": [0],
    "col": [0],
    "seconds": [0, 20, 50 * 3600.0],
}


@dataclass
class Maker:
    """Draws the fields of calls and actions: mostly such that mean something, now and then anything at all."""

    draw: Callable[[st.SearchStrategy[Any]], Any]
    scene: Scene

    def fields(self, table: Fields, depth: int = 0) -> Fields:
        given: Fields = {}
        for name, info in table.items():
            if not info.get("required") and self.draw(st.integers(0, 5)) < 5:
                continue
            if "values" in info:
                given[name] = self.draw(st.sampled_from(info["values"]))
            else:
                given[name] = self.value(name, info["type"], given, depth)
        return given

    def value(self, name: str, types: list[str], given: Fields, depth: int) -> Any:
        if self.draw(st.integers(0, 40)) == 40:
            return self.draw(ANYTHING)
        if self.draw(st.integers(0, 5)) < 5 and (meant := self.meant(name, given)):
            return self.draw(st.sampled_from(meant))
        kind = self.draw(st.sampled_from(types))
        if kind.startswith("Array of "):
            inner = kind.removeprefix("Array of ")
            names = [inner] if inner.startswith("Array of ") else inner.split("|")
            return [self.value("", names, {}, depth + 1) for _ in range(self.draw(st.integers(0, 2)))]
        simple: dict[str, st.SearchStrategy[Any]] = {
            "String": TEXTS,
            "Integer": NUMBERS,
            "Boolean": st.booleans(),
            "Float": st.floats(-100, 100),
            "InputFile": TEXTS,
        }
        if kind in simple:
            return self.draw(simple[kind])
        return {} if depth > 4 else self.fields(schema.table()["types"][kind], depth + 1)

    def meant(self, name: str, given: Fields) -> list[Any]:
        """Values that such a field would have in earnest."""
        scene = self.scene
        where = given.get("chat_id", given.get("from_chat_id"))
        chat = scene.world.data.chats.get(where) if isinstance(where, int) else None
        messages = [*chat.messages, *(-one for one in chat.ephemeral)] if chat else []
        match name:
            case "chat_id" | "from_chat_id":
                return [
                    one.id
                    for one in (scene.club, scene.forum, scene.plain_forum, scene.new, scene.you, scene.mute)
                ]
            case "person" | "user_id" | "receiver_user_id" | "user":
                return [scene.you.id, scene.you.id, scene.anna.id, scene.boris.id, scene.world.bot.id]
            case "message_id":
                return messages
            case "message_ids":
                return [messages]
            case "ephemeral_message_id":
                return [*scene.club.ephemeral]
            case "message_thread_id" | "thread_id":
                return [*chat.topics] if chat else []
            case "callback_query_id":
                return [*scene.world.data.queries]
            case "photo":
                return [*scene.world.data.photos]
            case _:
                return MEANT.get(name, [])


def prepared() -> Scene:
    scene = built(first_world())
    scene.world.press(scene.you, scene.club, scene.mine.message_id, "Go")
    scene.world.new_ephemeral(scene.club, scene.world.bot.id, scene.you.id, text="psst")
    return scene


def called(scene: Scene, method: str, raw: Fields) -> Any:
    """The result as JSON brings it to the bot, or the refusal."""
    try:
        return json.loads(json.dumps(METHODS[method](scene.world, schema.checked(method, raw, {}))))
    except Refused as refused:
        return refused


def acted(scene: Scene, do: str, args: Fields) -> Any:
    try:
        return json.loads(json.dumps(actions.perform(scene.world, do, args)))
    except Impossible as impossible:
        return impossible


@settings(max_examples=150, suppress_health_check=list(HealthCheck), deadline=None)
@given(st.data())
def test_every_call_is_answered_or_refused(data: st.DataObject) -> None:
    scene = prepared()
    maker = Maker(data.draw, scene)
    for _ in range(6):
        method = data.draw(st.sampled_from(sorted(METHODS)))
        table = schema.table()["methods"][method]
        raw = maker.fields(table["fields"])
        if data.draw(st.booleans()):
            raw = {name: one if isinstance(one, str) else json.dumps(one) for name, one in raw.items()}
        result = called(scene, method, raw)
        if isinstance(result, Refused):
            assert 400 <= result.code < 600
        else:
            schema.fits(method, table["returns"], result, "")
    all_updates_fit(scene)


@settings(max_examples=150, suppress_health_check=list(HealthCheck), deadline=None)
@given(st.data())
def test_every_action_is_done_or_called_impossible(data: st.DataObject) -> None:
    scene = prepared()
    maker = Maker(data.draw, scene)
    kinds = {int: ["Integer"], str: ["String"], bool: ["Boolean"], float: ["Float"]}
    for _ in range(6):
        do = data.draw(st.sampled_from(sorted(actions.ACTIONS)))
        action = actions.ACTIONS[do]
        table = {
            name: {"type": kinds[kind], "required": name in action.needs}
            for name, kind in {**action.needs, **action.takes}.items()
        }
        outcome = acted(scene, do, maker.fields(table))
        assert not isinstance(outcome, Impossible) or str(outcome).endswith(".")
    all_updates_fit(scene)


def all_updates_fit(scene: Scene) -> None:
    for update in scene.world.data.updates:
        body = {"update_id": update.update_id} | json.loads(json.dumps(update.body))
        schema.fits("update", ["Update"], body, "")
