"""The sandbox remembers everything over a restart, and a session can be exported and done again."""

import asyncio
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from tests.sandbox.conftest import Caller
from tests.sandbox.scene import built
from tgbot.sandbox import actions, store
from tgbot.sandbox.recorder import replay
from tgbot.sandbox.server import Running, start
from tgbot.sandbox.world import World, first_world

KEYS = {"inline_keyboard": [[{"text": "Sit", "callback_data": "sit:1"}]]}


def test_a_saved_world_comes_back_exactly(world: World, tmp_path: Path) -> None:
    scene = built(world)
    world.press("You", scene.club, scene.mine.message_id, "Go")
    world.new_ephemeral(scene.club, world.bot.id, scene.you.id, text="psst")
    world.advance(100)
    store.save(tmp_path, world.data)
    loaded = store.load(tmp_path)
    assert loaded is not None
    assert asdict(loaded) == asdict(world.data)


def test_an_empty_folder_holds_no_world(tmp_path: Path) -> None:
    assert store.load(tmp_path) is None


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"version": 1}', '{"version": 1, "data": {"people": 7}}', '{"version": 99}']
)
def test_a_damaged_file_is_named_and_not_overwritten(tmp_path: Path, text: str) -> None:
    (tmp_path / "world.json").write_text(text, encoding="utf-8")
    with pytest.raises(store.NotReadable, match="delete it to begin anew"):
        store.load(tmp_path)
    assert (tmp_path / "world.json").read_text(encoding="utf-8") == text


async def test_a_restarted_sandbox_goes_on_where_it_was(
    session: aiohttp.ClientSession, tmp_path: Path
) -> None:
    first = await start(folder=tmp_path)
    call = Caller(session, first)
    first.world.start("You")
    you = first.world.person("You").id
    sent = await call.result("sendMessage", chat_id=you, text="Table", reply_markup=KEYS)
    await call.result("setMyCommands", commands=[{"command": "goat", "description": "Play"}])
    first.world.advance(3600)
    pending = [update.update_id for update in first.world.data.updates]
    await first.stop()

    second = await start(folder=tmp_path)
    call = Caller(session, second)
    assert second.world.data.clock_offset == 3600
    assert [update.update_id for update in second.world.data.updates] == pending
    assert second.world.last_message(you).reply_markup == KEYS
    assert (await call.result("getMyCommands"))[0]["command"] == "goat"
    edited = await call.result("editMessageText", chat_id=you, message_id=sent["message_id"], text="Table 2")
    assert edited["text"] == "Table 2"
    later = await call.result("sendMessage", chat_id=you, text="later")
    assert later["message_id"] > sent["message_id"]
    await second.stop()


async def test_a_change_is_saved_without_waiting_for_the_end(tmp_path: Path) -> None:
    running = await start(folder=tmp_path)
    running.world.start("You", "kept")
    path = tmp_path / "world.json"
    saved = ""
    for _ in range(100):
        saved = path.read_text(encoding="utf-8") if path.exists() else ""
        if "/start kept" in saved:
            break
        await asyncio.sleep(0.03)
    assert "/start kept" in saved
    await running.stop()


async def test_stopping_twice_is_stopping_once(tmp_path: Path) -> None:
    running = await start(folder=tmp_path)
    running.world.start("You")
    await asyncio.gather(running.stop(), running.stop())
    await running.stop()
    assert store.load(tmp_path) == running.world.data


async def test_the_exported_session_holds_actions_updates_and_calls(call: Caller, running: Running) -> None:
    you = running.world.person("You").id
    await call.result("deleteWebhook", drop_pending_updates=True)
    await call.act("start", person=you, payload="x")
    await call.result("getUpdates")
    await call.refusal("sendMessage", chat_id=you, text="")
    async with call.session.get(f"{running.url}/api/export") as response:
        assert "goat-session.jsonl" in response.headers["Content-Disposition"]
        lines = [json.loads(line) for line in (await response.text()).splitlines()]
    kinds = [(line["kind"], line.get("method") or line.get("do") or line.get("type")) for line in lines]
    assert kinds == [
        ("call", "deleteWebhook"),
        ("act", "start"),
        ("update", "message"),
        ("call", "getUpdates"),
        ("call", "sendMessage"),
    ]
    assert lines[2]["body"]["message"]["text"] == "/start x"
    assert lines[4]["answer"]["description"] == "Bad Request: message text is empty"
    assert all(isinstance(line["at"], float) for line in lines)


def answering(world: World) -> None:
    """A tiny bot inside the world: a table for every /goat, and a table that says who pressed."""

    def listener(kind: str, what: dict[str, Any]) -> None:
        if kind == "pending" and what["update"].type == "message":
            message = what["update"].body["message"]
            if message.get("text") == "/goat":
                world.new_message(
                    world.chat(message["chat"]["id"]), world.bot.id, text="Table", reply_markup=KEYS
                )
        elif kind == "pending" and what["update"].type == "callback_query":
            query = what["update"].body["callback_query"]
            table = world.message(world.chat(query["message"]["chat"]["id"]), query["message"]["message_id"])
            assert table is not None
            table.text = f"{query['from']['first_name']} sits"

    world.listeners.append(listener)


async def test_a_recorded_session_is_done_again_in_a_fresh_world(running: Running) -> None:
    world = running.world
    answering(world)
    club, you, anna = world.chat("Goat club").id, world.person("You").id, world.person("Anna").id
    actions.perform(world, "say", {"person": you, "chat_id": club, "text": "/goat"})
    table = world.last_message(club)
    actions.perform(
        world, "press", {"person": anna, "chat_id": club, "message_id": table.message_id, "row": 0, "col": 0}
    )
    assert table.text == "Anna sits"

    fresh = first_world()
    answering(fresh)
    assert await replay(running.recorder.export().splitlines(), fresh) == 2
    assert fresh.last_message("Goat club").text == "Anna sits"


async def test_a_replay_presses_the_same_button_also_when_ids_differ(running: Running) -> None:
    world = running.world
    answering(world)
    club, you, anna = world.chat("Goat club").id, world.person("You").id, world.person("Anna").id
    actions.perform(world, "say", {"person": you, "chat_id": club, "text": "/goat"})
    press = {
        "person": anna,
        "chat_id": club,
        "message_id": world.last_message(club).message_id,
        "row": 0,
        "col": 0,
    }
    actions.perform(world, "press", press)

    fresh = first_world()
    fresh.say("You", "Goat club", "something before")
    answering(fresh)
    await replay(running.recorder.export().splitlines(), fresh)
    assert fresh.last_message("Goat club").text == "Anna sits"


async def test_a_replay_says_so_when_a_button_never_comes(running: Running) -> None:
    world = running.world
    answering(world)
    club, you = world.chat("Goat club").id, world.person("You").id
    actions.perform(world, "say", {"person": you, "chat_id": club, "text": "/goat"})
    press = {
        "person": you,
        "chat_id": club,
        "message_id": world.last_message(club).message_id,
        "row": 0,
        "col": 0,
    }
    actions.perform(world, "press", press)
    with pytest.raises(TimeoutError):
        await replay(running.recorder.export().splitlines(), first_world(), timeout=0.05)
