"""How updates reach the bot: webhook with its secret, order and patience; long polling and its conflicts."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from aiogram import Bot, Dispatcher
from aiogram.types import CallbackQuery
from aiogram.types import Message as TelegramMessage
from aiohttp import web

from tests.sandbox.conftest import Caller
from tgbot.sandbox.server import Running
from tgbot.sandbox.world import World


@dataclass
class Hook:
    """A bot's webhook server that answers as it is told: `answers` one by one, then 200."""

    url: str = ""
    updates: list[dict[str, Any]] = field(default_factory=list)
    secrets: list[str | None] = field(default_factory=list)
    answers: list[web.Response] = field(default_factory=list)
    gate: asyncio.Event | None = None
    inside: int = 0
    most_inside: int = 0
    two_inside: asyncio.Event = field(default_factory=asyncio.Event)

    async def handle(self, request: web.Request) -> web.Response:
        self.inside += 1
        self.most_inside = max(self.most_inside, self.inside)
        if self.inside == 2:
            self.two_inside.set()
        self.updates.append(await request.json())
        self.secrets.append(request.headers.get("X-Telegram-Bot-Api-Secret-Token"))
        if self.gate is not None:
            await self.gate.wait()
        self.inside -= 1
        return self.answers.pop(0) if self.answers else web.Response()

    def texts(self) -> list[str]:
        return [update["message"].get("text", "") for update in self.updates if "message" in update]


@pytest.fixture
async def hook() -> AsyncIterator[Hook]:
    hook = Hook()
    app = web.Application()
    app.router.add_post("/hook", hook.handle)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    hook.url = f"http://127.0.0.1:{runner.addresses[0][1]}/hook"
    yield hook
    await runner.cleanup()


def all_taken(world: World) -> Any:
    return lambda: not world.data.updates


async def set_hook(call: Caller, hook: Hook, **more: Any) -> None:
    assert await call.result("setWebhook", url=hook.url, drop_pending_updates=True, **more) is True


async def test_a_webhook_gets_every_update_with_the_secret(call: Caller, world: World, hook: Hook) -> None:
    await set_hook(call, hook, secret_token="s3cret-_")
    world.start("You", "x")
    await world.until(all_taken(world))
    assert hook.texts() == ["/start x"]
    assert hook.secrets == ["s3cret-_"]


async def test_a_refused_update_comes_again_and_later_ones_of_the_chat_wait(
    call: Caller, world: World, hook: Hook
) -> None:
    await set_hook(call, hook)
    hook.answers = [web.Response(status=500), web.Response(status=502), web.Response(status=404)]
    world.start("You", "a")
    world.start("You", "b")
    await world.until(all_taken(world))
    assert hook.texts() == ["/start a"] * 4 + ["/start b"]
    assert len({update["update_id"] for update in hook.updates}) == 2
    info = await call.result("getWebhookInfo")
    assert info["last_error_message"] == "Wrong response from the webhook: 404 Not Found"
    assert info["pending_update_count"] == 0


async def test_an_update_that_is_refused_does_not_hold_up_other_chats(
    call: Caller, world: World, hook: Hook
) -> None:
    await set_hook(call, hook)
    hook.answers = [web.Response(status=500, headers={"Retry-After": "60"})]
    world.start("You")
    await world.until(lambda: len(hook.updates) == 1)
    world.start("Anna")
    await world.until(lambda: len(hook.updates) == 2)
    assert [update["message"]["from"]["first_name"] for update in hook.updates] == ["Max", "Anna"]
    assert len(world.data.updates) == 1
    world.advance(61)
    await world.until(all_taken(world))


async def test_a_bot_that_is_down_is_tried_again_until_it_is_back(call: Caller, world: World) -> None:
    assert await call.result("setWebhook", url="http://127.0.0.1:9/", drop_pending_updates=True)
    world.start("You")
    await world.until(lambda: world.data.webhook.last_error_message == "Connection refused")
    hook = Hook()
    app = web.Application()
    app.router.add_post("/hook", hook.handle)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    await call.result("setWebhook", url=f"http://127.0.0.1:{runner.addresses[0][1]}/hook")
    await world.until(all_taken(world))
    assert hook.texts() == ["/start"]
    await runner.cleanup()


async def test_one_persons_presses_come_in_order_and_different_peoples_side_by_side(
    call: Caller, world: World, hook: Hook
) -> None:
    await set_hook(call, hook, max_connections=2)
    hook.gate = asyncio.Event()
    markup = {
        "inline_keyboard": [[{"text": str(number), "callback_data": str(number)} for number in range(3)]]
    }
    table = world.new_message(world.chat("Goat club"), world.bot.id, text="Table", reply_markup=markup)
    for who in ("Max", "Anna", "Chidi"):
        for number in range(3):
            world.press(who, "Goat club", table.message_id, str(number))
    await asyncio.wait_for(hook.two_inside.wait(), 5)
    await asyncio.sleep(0.02)
    assert hook.inside == 2, "max_connections"
    hook.gate.set()
    await world.until(all_taken(world))
    assert hook.most_inside == 2
    for who in ("Max", "Anna", "Chidi"):
        pressed = [
            update["callback_query"]["data"]
            for update in hook.updates
            if update["callback_query"]["from"]["first_name"] == who
        ]
        assert pressed == ["0", "1", "2"]


async def test_only_allowed_updates_are_sent(call: Caller, world: World, hook: Hook) -> None:
    await set_hook(call, hook, allowed_updates=["callback_query"])
    world.start("You")
    assert world.data.updates == []
    await call.result("setWebhook", url=hook.url)
    world.start("You")
    assert world.data.updates == [], "what is not said again stays"
    await call.result("setWebhook", url=hook.url, allowed_updates=[])
    world.start("You", "now")
    await world.until(all_taken(world))
    assert hook.texts() == ["/start now"]


async def test_a_press_is_kept_for_two_and_a_half_minutes_only(
    call: Caller, world: World, hook: Hook
) -> None:
    await call.result("setWebhook", url="http://127.0.0.1:9/", drop_pending_updates=True)
    markup = {"inline_keyboard": [[{"text": "Go", "callback_data": "go"}]]}
    table = world.new_message(world.chat("Goat club"), world.bot.id, text="Table", reply_markup=markup)
    world.press("You", "Goat club", table.message_id, "Go")
    world.say("You", "Goat club", "/goat")
    world.advance(151)
    await set_hook_and_keep(call, hook)
    await world.until(all_taken(world))
    assert [update.keys() - {"update_id"} for update in hook.updates] == [{"message"}]


async def set_hook_and_keep(call: Caller, hook: Hook) -> None:
    assert await call.result("setWebhook", url=hook.url) is True


async def test_updates_are_kept_for_a_day(call: Caller, world: World, hook: Hook) -> None:
    await call.result("setWebhook", url="http://127.0.0.1:9/", drop_pending_updates=True)
    world.start("You")
    world.advance(24 * 3600 + 1)
    await set_hook(call, hook)
    world.start("Anna")
    await world.until(all_taken(world))
    assert [update["message"]["from"]["first_name"] for update in hook.updates] == ["Anna"]


@pytest.mark.parametrize("kind", ["json", "form"])
async def test_a_webhooks_answer_may_be_a_call(call: Caller, world: World, hook: Hook, kind: str) -> None:
    await set_hook(call, hook)
    you = world.person("You").id
    answer = {"method": "sendMessage", "chat_id": you, "text": "at once"}
    if kind == "json":
        hook.answers = [web.json_response(answer)]
    else:
        boundary = "--x\r\nContent-Disposition: form-data; name="
        body = "".join(f'{boundary}"{key}"\r\n\r\n{value}\r\n' for key, value in answer.items()) + "--x--\r\n"
        headers = {"Content-Type": "multipart/form-data; boundary=x"}
        hook.answers = [web.Response(body=body.encode(), headers=headers)]
    world.start("You")
    await world.until(lambda: world.last_message(you).text == "at once")


async def test_polling_beside_a_webhook_is_a_conflict(call: Caller, hook: Hook) -> None:
    await set_hook(call, hook)
    assert await call.refusal("getUpdates") == (
        "409 Conflict: can't use getUpdates method while webhook is active; "
        "use deleteWebhook to delete the webhook first"
    )
    assert await call.result("deleteWebhook") is True
    assert await call.result("getUpdates") == []


async def test_a_second_poll_ends_the_first(call: Caller, running: Running) -> None:
    await call.result("deleteWebhook", drop_pending_updates=True)
    first = asyncio.create_task(call("getUpdates", timeout=30))
    await asyncio.sleep(0.05)
    second = asyncio.create_task(call("getUpdates", timeout=30))
    status, answer = await first
    assert (status, answer["description"]) == (
        409,
        "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running",
    )
    running.world.start("You")
    _, answer = await second
    assert answer["result"][0]["message"]["text"] == "/start"


async def test_a_poll_gives_updates_until_their_offset_is_confirmed(call: Caller, world: World) -> None:
    await call.result("deleteWebhook", drop_pending_updates=True)
    for payload in ("a", "b", "c"):
        world.start("You", payload)
    first = await call.result("getUpdates", limit=2)
    assert [update["message"]["text"] for update in first] == ["/start a", "/start b"]
    assert await call.result("getUpdates", limit=2) == first
    rest = await call.result("getUpdates", offset=first[1]["update_id"] + 1)
    assert [update["message"]["text"] for update in rest] == ["/start c"]
    world.start("You", "d")
    newest = await call.result("getUpdates", offset=-1)
    assert [update["message"]["text"] for update in newest] == ["/start d"]
    assert len(world.data.updates) == 1


async def test_setting_a_webhook_ends_a_waiting_poll(call: Caller, hook: Hook) -> None:
    await call.result("deleteWebhook", drop_pending_updates=True)
    poll = asyncio.create_task(call("getUpdates", timeout=30))
    await asyncio.sleep(0.05)
    await set_hook(call, hook)
    status, answer = await poll
    assert (status, answer["description"]) == (409, "Conflict: terminated by setWebhook request")


async def test_an_ordinary_aiogram_bot_plays_by_polling(bot: Bot, world: World) -> None:
    dispatcher = Dispatcher()

    @dispatcher.message()
    async def hear(message: TelegramMessage) -> None:
        await message.answer("<b>Hello</b>", parse_mode="HTML")

    @dispatcher.callback_query()
    async def pressed(query: CallbackQuery) -> None:
        await query.answer("Sat down", show_alert=True)

    task = asyncio.create_task(
        dispatcher.start_polling(bot, handle_signals=False, polling_timeout=1, close_bot_session=False)
    )
    start = world.start("You")
    await world.until(lambda: world.last_message(start.chat_id).text == "Hello")
    assert world.last_message(start.chat_id).entities == [{"type": "bold", "offset": 0, "length": 5}]
    table = world.new_message(
        world.chat("Goat club"),
        world.bot.id,
        text="Table",
        reply_markup={"inline_keyboard": [[{"text": "Sit", "callback_data": "sit"}]]},
    )
    query = world.press("Anna", "Goat club", table.message_id, "Sit")
    assert await world.answer_to(query) == {"text": "Sat down", "alert": True, "url": None}
    await dispatcher.stop_polling()
    await task
