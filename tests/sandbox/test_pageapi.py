"""What the page asks, and what it is told as things happen."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import pytest

from tests.sandbox.conftest import Caller
from tgbot.sandbox.errors import Impossible
from tgbot.sandbox.server import Running, start
from tgbot.sandbox.world import World, first_world

KEYS = {
    "inline_keyboard": [
        [{"text": "Sit", "callback_data": "sit"}, {"text": "Web", "url": "https://goat.example/"}]
    ]
}


class Events:
    """The page's stream of events, read as EventSource does."""

    def __init__(self, response: aiohttp.ClientResponse) -> None:
        self.response = response

    async def next(self, *kinds: str) -> dict[str, Any]:
        """The next event of one of the kinds."""
        async with asyncio.timeout(5):
            while True:
                line = (await self.response.content.readline()).decode()
                if line.startswith("data: "):
                    event: dict[str, Any] = json.loads(line.removeprefix("data: "))
                    if event["kind"] in kinds:
                        return event


@pytest.fixture
async def events(call: Caller) -> AsyncIterator[Events]:
    seq = (await call.get("/api/state"))["seq"]
    async with call.session.get(f"{call.running.url}/api/events?since={seq}") as response:
        assert response.content_type == "text/event-stream"
        yield Events(response)


async def test_the_state_is_whole(call: Caller, world: World) -> None:
    state = await call.get("/api/state")
    assert state.keys() == {
        "bot",
        "clock",
        "people",
        "chats",
        "messages",
        "faults",
        "limits_enforced",
        "process",
        "seq",
    }
    club = next(chat for chat in state["chats"] if chat["title"] == "Goat club")
    assert club["type"] == "group"
    assert len(club["members"]) == 5
    you = next(chat for chat in state["chats"] if chat["person"] == world.person("You").id)
    assert (you["id"], you["started"], you["blocked"]) == (world.person("You").id, False, False)
    assert [person["language_code"] for person in state["people"]] == ["en", "en", "ru", "en"]
    assert state["messages"][0]["service"] == {"kind": "new_chat_members", "text": "Max added Goat"}
    assert await call.get("/clock") == {"now": pytest.approx(world.now(), abs=5), "offset": 0.0}


async def test_a_press_is_followed_from_click_to_toast(call: Caller, events: Events, world: World) -> None:
    club, anna = world.chat("Goat club").id, world.person("Anna").id
    sent = await call.result("sendMessage", chat_id=club, text="Table", reply_markup=KEYS)
    assert (await events.next("message"))["message"]["reply_markup"] == KEYS
    at = {"chat_id": club, "message_id": sent["message_id"]}
    _, pressed = await call.act("press", person=anna, row=0, col=0, **at)
    query = pressed["result"]["query_id"]
    assert (await events.next("query"))["query_id"] == query
    await call.result("answerCallbackQuery", callback_query_id=query, text="Sat down")
    toast = await events.next("toast")
    assert {key: toast[key] for key in ("query_id", "person", "text", "alert", "url", "timeout")} == {
        "query_id": query,
        "person": anna,
        "text": "Sat down",
        "alert": False,
        "url": None,
        "timeout": False,
    }
    await call.result("editMessageText", text="Table: Anna", **at)
    edit = (await events.next("edit"))["message"]
    assert (edit["text"], edit["reply_markup"], edit["edit_date"] is not None) == ("Table: Anna", None, True)
    await call.result("deleteMessage", **at)
    assert (await events.next("delete"))["message_ids"] == [sent["message_id"]]
    shown = await events.next("call")
    assert (shown["method"], shown["code"], shown["ok"]) == ("deleteMessage", 200, True)


async def test_link_and_copy_buttons_are_told_to_the_page(call: Caller, world: World) -> None:
    club, anna = world.chat("Goat club").id, world.person("Anna").id
    sent = await call.result("sendMessage", chat_id=club, text="Table", reply_markup=KEYS)
    _, answer = await call.act(
        "press", person=anna, chat_id=club, message_id=sent["message_id"], row=0, col=1
    )
    assert answer == {"ok": True, "result": {"url": "https://goat.example/"}}


async def test_events_go_on_from_where_the_page_left_off(call: Caller, world: World) -> None:
    seq = (await call.get("/api/state"))["seq"]
    world.start("You", "a")
    world.start("You", "b")
    async with call.session.get(f"{call.running.url}/api/events?since={seq}") as response:
        first = await Events(response).next("message")
        second = await Events(response).next("message")
    assert [first["message"]["text"], second["message"]["text"]] == ["/start a", "/start b"]
    headers = {"Last-Event-ID": str(first["seq"])}
    async with call.session.get(f"{call.running.url}/api/events?since={seq}", headers=headers) as response:
        assert (await Events(response).next("message"))["message"]["text"] == "/start b"


@pytest.mark.parametrize("since", ["0", "99999999999999"])
async def test_a_page_that_missed_too_much_is_told_to_begin_again(
    call: Caller, world: World, since: str
) -> None:
    world.start("You")
    async with call.session.get(f"{call.running.url}/api/events?since={since}") as response:
        event = await Events(response).next("reset", "message")
        assert event["kind"] == "reset"
        world.start("You", "next")
        assert (await Events(response).next("message"))["message"]["text"] == "/start next"


@pytest.mark.parametrize(
    ("action", "complaint"),
    [
        ({"do": "fly"}, "There is no action 'fly'."),
        ({"do": "say", "person": 1}, "say needs 'chat_id'."),
        ({"do": "say", "person": "1", "chat_id": 1, "text": "x"}, "'person' of say must be of type int."),
        ({"do": "say", "person": True, "chat_id": 1, "text": "x"}, "'person' of say must be of type int."),
        ({"do": "block", "person": 1, "why": "x"}, "block takes no 'why'."),
        ({"do": "block", "person": 1}, "There is no person 1."),
        (
            {"do": "fault", "kind": "fire"},
            "There is no fault 'fire'; there are 429, 403, 500, 502, timeout, drop, delay.",
        ),
        ({"do": "bot_restart"}, "The sandbox did not start the bot, so it can't stop or start it."),
        ({"do": 7}, 'An action is an object with a "do".'),
        ({"do": "advance", "seconds": -5}, "The clock goes forward only, by ten years at most."),
        (
            {"do": "add_person", "first_name": "\ud83d"},
            "'first_name' of add_person has half a character in it.",
        ),
        (
            {"do": "add_person", "first_name": " "},
            "A first name has 1 to 64 characters, a last name up to 64.",
        ),
        ({"do": "resend"}, "No update has been sent yet."),
    ],
)
async def test_what_cannot_be_done_is_said_in_a_sentence(
    session: aiohttp.ClientSession, action: dict[str, Any], complaint: str
) -> None:
    running = await start(World())
    async with session.post(f"{running.url}/api/act", json=action) as response:
        assert response.status == 400
        assert (await response.json())["error"] == complaint
    await running.stop()


async def test_a_foreign_sites_form_can_do_nothing(call: Caller) -> None:
    body = json.dumps({"do": "reset"})
    async with call.session.post(
        f"{call.running.url}/api/act", data=body, headers={"Content-Type": "text/plain"}
    ) as response:
        assert (response.status, (await response.json())["error"]) == (400, "Actions are JSON.")


async def test_every_control_of_the_drawer_works(call: Caller, world: World) -> None:
    you, club = world.person("You").id, world.chat("Goat club").id

    async def act(do: str, **args: Any) -> Any:
        status, answer = await call.act(do, **args)
        assert status == 200, answer
        return answer["result"]

    assert (await act("advance", seconds=60))["offset"] == 60
    await act("start", person=you)
    await act("block", person=you)
    await act("unblock", person=you)
    guest = (await act("add_person", first_name="Guest", language_code="nl", chat_id=club))["person"]
    await act("leave", person=guest, chat_id=club)
    await act("join", person=guest, chat_id=club)
    await act("promote", chat_id=club, user=guest, admin=True)
    await act("promote", chat_id=club, user=world.bot.id, admin=True)
    await act("restrict_bot", person=you, chat_id=club, can_write=False)
    new = (await act("supergroup", person=you, chat_id=club))["chat_id"]
    await act("anonymous", person=you, chat_id=new, on=True)
    await act("topics", person=you, chat_id=new, on=True)
    thread = (await act("create_topic", person=you, chat_id=new, name="Table"))["thread_id"]
    said = (await act("say", person=guest, chat_id=new, thread_id=thread, text="hi"))["message_id"]
    await act("edit_message", person=guest, chat_id=new, message_id=said, text="hello")
    await act("delete_message", person=guest, chat_id=new, message_id=said)
    await act("remove_bot", person=you, chat_id=new)
    await act("add_bot", person=you, chat_id=new, payload="x")
    other = (await act("add_group", person=you, title="Second", type="supergroup"))["chat_id"]
    assert world.chat(other).type == "supergroup"
    await act("language", person=you, language_code="ru")
    await act("rename", person=you, first_name="Ты")
    await act("clear_history", person=you)
    await act("open_link", person=you, url="https://t.me/goat_sandbox_bot?start=x")
    await act("resend")
    fault = (await act("fault", method="sendMessage", kind="429", count=1, seconds=3))["id"]
    state = await call.get("/api/state")
    assert [one["id"] for one in state["faults"]] == [fault]
    await act("clear_faults", id=fault)
    await act("enforce_limits", on=True)
    assert (await call.get("/api/state"))["limits_enforced"] is True
    await act("delete_account", person=you)


async def test_resetting_begins_anew_with_new_ids(call: Caller, events: Events, world: World) -> None:
    before = {chat["id"] for chat in (await call.get("/api/state"))["chats"]}
    await call.act("reset")
    await events.next("reset")
    after = await call.get("/api/state")
    assert before.isdisjoint(chat["id"] for chat in after["chats"])
    assert [person["first_name"] for person in after["people"]] == ["Max", "Anna", "Борис", "Chidi"]


class Process:
    """A bot's process that is only said to run."""

    def __init__(self) -> None:
        self.alive = True

    def running(self) -> bool:
        return self.alive

    async def start(self) -> None:
        if self.alive:
            raise Impossible("The bot runs already.")
        self.alive = True

    async def kill(self) -> None:
        self.alive = False

    async def restart(self) -> None:
        self.alive = True


async def test_the_bots_process_is_killed_and_started_from_the_page(session: aiohttp.ClientSession) -> None:
    running = await start(first_world(), supervisor=Process())
    call = Caller(session, running)
    assert (await call.get("/api/state"))["process"] == "running"
    await call.act("bot_kill")
    assert (await call.get("/api/state"))["process"] == "stopped"
    await call.act("bot_start")
    assert await call.act("bot_start") == (400, {"ok": False, "error": "The bot runs already."})
    await call.act("bot_restart")
    assert (await call.get("/api/state"))["process"] == "running"
    await running.stop()


async def test_the_page_and_nothing_else_is_served(call: Caller, running: Running) -> None:
    async with call.session.get(f"{running.url}/") as response:
        assert response.content_type == "text/html"
    for path in ("/page/nothing.js", "/page/..%2Fpageapi.py", "/page/%2Fetc%2Fpasswd", "/api/photo/none"):
        async with call.session.get(f"{running.url}{path}") as response:
            assert response.status == 404, path
    for path in ("/api/commands", "/api/commands?person=1&chat=1", "/api/events?since=x"):
        async with call.session.get(f"{running.url}{path}") as response:
            assert response.status == 400, path


async def test_a_taken_port_is_an_error_and_leaves_nothing_behind(running: Running) -> None:
    port = int(running.url.rsplit(":", 1)[1])
    with pytest.raises(OSError, match="address already in use"):
        await start(first_world(), port=port)
