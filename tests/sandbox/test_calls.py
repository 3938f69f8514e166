"""How calls may come, flood limits, faults on demand, pictures, ephemeral messages, command menus."""

import asyncio
import struct
import time
import zlib
from typing import Any

import aiohttp
import pytest
from aiogram import Bot
from aiogram.client.default import DefaultBotProperties
from aiogram.exceptions import (
    ClientDecodeError,
    TelegramForbiddenError,
    TelegramNetworkError,
    TelegramRetryAfter,
    TelegramServerError,
)
from aiogram.types import (
    BotCommand,
    BotCommandScopeAllGroupChats,
    BotCommandScopeAllPrivateChats,
    BotCommandScopeChatAdministrators,
    BufferedInputFile,
    EphemeralMessageParameters,
    InlineKeyboardButton,
    InlineKeyboardMarkup,
    ReactionTypeEmoji,
)

from tests.sandbox.conftest import Caller
from tgbot.sandbox.methods.me import menu_for
from tgbot.sandbox.server import Running
from tgbot.sandbox.world import World

KEYS = '{"inline_keyboard": [[{"text": "Go", "callback_data": "go"}]]}'


def png(width: int, height: int) -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    rows = zlib.compress(b"".join(b"\0" + b"\0" * width for _ in range(height)))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


@pytest.fixture
def you(world: World) -> int:
    world.start("You")
    return world.person("You").id


# Bodies


@pytest.mark.parametrize("kind", ["query", "urlencoded", "multipart", "json"])
async def test_parameters_come_in_every_documented_way(
    call: Caller, you: int, world: World, kind: str
) -> None:
    text = "Козёл & 🐐 = 1+1"
    params = {"chat_id": str(you), "text": text, "reply_markup": KEYS, "disable_notification": "true"}
    url = f"{call.running.url}/bot{call.running.token}/sendMessage"
    how: dict[str, Any] = {"data": params}
    if kind == "query":
        how = {"params": params}
    elif kind == "json":
        how = {"json": params}
    elif kind == "multipart":
        form = aiohttp.FormData()
        for name, value in params.items():
            form.add_field(name, value, content_type="text/plain")
        how = {"data": form}
    async with call.session.post(url, **how) as response:
        assert response.status == 200, await response.text()
    sent = world.last_message(you)
    assert sent.text == text
    assert sent.reply_markup == {"inline_keyboard": [[{"text": "Go", "callback_data": "go"}]]}


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("application/json", b"{"),
        ("application/json", b"[1]"),
        ("application/json", b'{"chat_id": 1, "text": "\xff"}'),
        ("application/json", b'{"chat_id": 1, "text": "\\ud83d"}'),
        ("multipart/form-data", b"x"),
        ("multipart/form-data; boundary=x", b"no parts"),
        (
            "multipart/form-data; boundary=x",
            b'--x\r\nContent-Disposition: form-data; name="text"\r\n\r\n\xff\r\n--x--\r\n',
        ),
        ("multipart/form-data; boundary=x", b"--x\r\n\r\nnameless\r\n--x--\r\n"),
        ("application/x-www-form-urlencoded", b"%ff=%ff&&=&text"),
    ],
)
async def test_a_body_that_cannot_be_read_is_refused(call: Caller, kind: str, body: bytes) -> None:
    url = f"{call.running.url}/bot{call.running.token}/sendMessage"
    async with call.session.post(url, data=body, headers={"Content-Type": kind}) as response:
        assert response.status == 400
        assert (await response.json())["description"].startswith("Bad Request: ")


async def test_control_characters_reach_nobody(call: Caller, you: int, world: World) -> None:
    sent = await call.result("sendMessage", chat_id=you, text="a\0b\r\nc\u202ed")
    assert sent["text"] == "a b\ncd"
    assert world.say("You", you, "x\0y").text == "x y"
    assert world.new_person("N\0N").first_name == "N N"


async def test_aiograms_own_defaults_are_documented_fields(bot: Bot, you: int, world: World) -> None:
    bot.default = DefaultBotProperties(
        parse_mode="HTML", link_preview_is_disabled=True, disable_notification=True, protect_content=True
    )
    sent = await bot.send_message(you, "<i>hi</i>")
    assert sent.link_preview_options is not None
    assert sent.link_preview_options.is_disabled is True
    assert sent.has_protected_content is True
    assert world.last_message(you).entities[0]["type"] == "italic"


async def test_buttons_keep_their_styles_and_kinds(bot: Bot, you: int) -> None:
    rows = [
        [
            InlineKeyboardButton(text="Lead", callback_data="lead", style=style)
            for style in ("primary", "success", "danger")
        ],
        [InlineKeyboardButton(text="Chat", url="https://t.me/goat_sandbox_bot?start=hand")],
    ]
    sent = await bot.send_message(you, "hand", reply_markup=InlineKeyboardMarkup(inline_keyboard=rows))
    assert sent.reply_markup is not None
    assert sent.reply_markup.model_dump() == InlineKeyboardMarkup(inline_keyboard=rows).model_dump()


# Limits


async def test_limits_are_counted_and_only_enforced_when_asked(call: Caller, you: int) -> None:
    for number in range(10):
        await call.result("sendMessage", chat_id=you, text=str(number))
    rows = {row["chat_id"]: row for row in await call.get("/api/limits")}
    assert rows[you]["last_minute"] == rows[None]["last_minute"] == 10
    assert (rows[you]["per_second"], rows[you]["per_minute"], rows[None]["per_second"]) == (1, None, 30)


async def test_a_chat_takes_one_message_a_second_after_a_short_burst(
    call: Caller, you: int, world: World
) -> None:
    await call.act("enforce_limits", on=True)
    for _ in range(4):
        await call.result("sendMessage", chat_id=you, text="hi")
    status, answer = await call("sendMessage", chat_id=you, text="hi")
    assert status == 429
    assert answer == {
        "ok": False,
        "error_code": 429,
        "description": "Too Many Requests: retry after 1",
        "parameters": {"retry_after": 1},
    }
    world.advance(1)
    await call.result("sendMessage", chat_id=you, text="hi")
    assert (await call("sendMessage", chat_id=you, text="hi"))[0] == 429


async def test_edits_count_and_other_calls_do_not(call: Caller, you: int, running: Running) -> None:
    running.limits.burst = 0
    await call.act("enforce_limits", on=True)
    sent = await call.result("sendMessage", chat_id=you, text="hi")
    assert (await call("editMessageText", chat_id=you, message_id=sent["message_id"], text="ho"))[0] == 429
    for _ in range(3):
        await call.result("sendChatAction", chat_id=you, action="typing")
    await call.result("deleteMessage", chat_id=you, message_id=sent["message_id"])


async def test_a_group_takes_twenty_messages_a_minute(call: Caller, world: World) -> None:
    await call.act("enforce_limits", on=True)
    club = world.chat("Goat club").id
    for _ in range(20):
        await call.result("sendMessage", chat_id=club, text="hi")
        world.advance(1)
    status, answer = await call("sendMessage", chat_id=club, text="hi")
    assert status == 429
    assert 35 <= answer["parameters"]["retry_after"] <= 40
    world.advance(answer["parameters"]["retry_after"])
    await call.result("sendMessage", chat_id=club, text="hi")


async def test_all_chats_together_take_thirty_messages_a_second(
    call: Caller, world: World, running: Running
) -> None:
    await call.act("enforce_limits", on=True)
    people = [world.new_person(f"P{number}") for number in range(31)]
    for person in people:
        world.start(person)
    statuses = [(await call("sendMessage", chat_id=person.id, text="hi"))[0] for person in people]
    assert statuses.count(200) == running.limits.per_second
    assert statuses[-1] == 429


# Faults


async def test_a_fault_happens_as_often_as_ordered(bot: Bot, running: Running, you: int) -> None:
    running.faults.add("429", "sendMessage", count=2, seconds=7)
    for _ in range(2):
        with pytest.raises(TelegramRetryAfter) as raised:
            await bot.send_message(you, "hi")
        assert raised.value.retry_after == 7
    await bot.send_message(you, "hi")
    assert running.faults.waiting == []


async def test_a_fault_concerns_its_method_and_chat_only(
    bot: Bot, running: Running, you: int, world: World
) -> None:
    fault = running.faults.add("403", "sendMessage", chat_id=you)
    with pytest.raises(TelegramForbiddenError, match="bot was blocked by the user"):
        await bot.send_message(you, "hi")
    await bot.send_message(world.chat("Goat club").id, "hi")
    await bot.send_chat_action(you, "typing")
    running.faults.clear(fault.id)
    await bot.send_message(you, "hi")


async def test_servers_fail_with_json_or_with_a_gateways_page(
    bot: Bot, call: Caller, running: Running
) -> None:
    running.faults.add("500", count=1)
    with pytest.raises(TelegramServerError, match="Internal Server Error"):
        await bot.get_me()
    running.faults.add("502", count=2)
    async with call.session.get(f"{running.url}/bot{running.token}/getMe") as response:
        assert (response.status, response.content_type) == (502, "text/html")
        assert "<h1>502 Bad Gateway</h1>" in await response.text()
    with pytest.raises(
        ClientDecodeError
    ):  # aiogram's name for an answer that is no JSON; no TelegramAPIError
        await bot.get_me()


async def test_a_timeout_is_never_answered_and_nothing_is_done(bot: Bot, running: Running, you: int) -> None:
    running.faults.add("timeout", "sendMessage", count=1)
    before = len(running.world.private_chat(running.world.person("You")).messages)
    with pytest.raises(TelegramNetworkError):
        await bot.send_message(you, "hi", request_timeout=0.2)  # type: ignore[arg-type]
    assert len(running.world.private_chat(running.world.person("You")).messages) == before


async def test_a_dropped_connection_has_done_its_work(bot: Bot, running: Running, you: int) -> None:
    running.faults.add("drop", "sendMessage", count=1)
    with pytest.raises(TelegramNetworkError):
        await bot.send_message(you, "said all the same")
    assert running.world.last_message(you).text == "said all the same"


async def test_a_delay_only_delays(bot: Bot, running: Running, you: int) -> None:
    running.faults.add("delay", count=1, seconds=0.15)
    started = time.perf_counter()
    await bot.send_message(you, "late")
    assert time.perf_counter() - started >= 0.15


async def test_stopping_the_sandbox_frees_who_waits_for_an_answer(call: Caller, running: Running) -> None:
    running.faults.add("timeout", "getMe")
    waiting = asyncio.create_task(call("getMe"))
    await asyncio.sleep(0.05)
    running.api.stopping.set()
    with pytest.raises(aiohttp.ClientError):
        await waiting


# Pictures


async def test_a_picture_is_uploaded_shown_and_sent_again_by_its_id(
    bot: Bot, call: Caller, you: int, world: World
) -> None:
    sent = await bot.send_photo(
        you, BufferedInputFile(png(40, 30), "table.png"), caption="<b>Table</b>", parse_mode="HTML"
    )
    assert sent.photo is not None
    assert (sent.photo[-1].width, sent.photo[-1].height) == (40, 30)
    assert (sent.caption, sent.caption_entities and sent.caption_entities[0].type) == ("Table", "bold")
    again = await bot.send_photo(world.chat("Goat club").id, sent.photo[-1].file_id)
    assert again.photo == sent.photo
    async with call.session.get(f"{call.running.url}/api/photo/{sent.photo[-1].file_id}") as response:
        assert (response.content_type, await response.read()) == ("image/png", png(40, 30))
    edited = await bot.edit_message_caption(chat_id=you, message_id=sent.message_id, caption="New")
    assert not isinstance(edited, bool)
    assert edited.caption == "New"
    copy = await bot.copy_message(world.chat("Goat club").id, you, sent.message_id, caption="Copy")
    assert world.last_message("Goat club").caption == "Copy"
    assert world.last_message("Goat club").message_id == copy.message_id


@pytest.mark.parametrize(
    ("data", "refusal"),
    [
        (b"no picture", "IMAGE_PROCESS_FAILED"),
        (png(2000, 50), "PHOTO_INVALID_DIMENSIONS"),
        (b"", "file must be non-empty"),
    ],
)
async def test_what_is_no_proper_picture_is_refused(
    call: Caller, you: int, data: bytes, refusal: str
) -> None:
    form = aiohttp.FormData({"chat_id": str(you), "photo": "attach://it"})
    form.add_field("it", data, filename="it.png", content_type="image/png")
    async with call.session.post(
        f"{call.running.url}/bot{call.running.token}/sendPhoto", data=form
    ) as response:
        assert response.status == 400
        assert (await response.json())["description"] == f"Bad Request: {refusal}"


# Ephemeral messages


async def test_an_ephemeral_message_is_for_one_person(bot: Bot, call: Caller, world: World) -> None:
    club, anna = world.chat("Goat club"), world.person("Anna")
    table = await bot.send_message(
        club.id, "Table", reply_markup=InlineKeyboardMarkup.model_validate_json(KEYS)
    )
    query = world.press("Anna", club, table.message_id, "Go")
    parameters = EphemeralMessageParameters(receiver_user_id=anna.id, callback_query_id=query)
    sent = await bot.send_message(
        club.id,
        "Only for Anna",
        ephemeral_message_parameters=parameters,
        reply_markup=InlineKeyboardMarkup.model_validate_json(KEYS),
    )
    assert sent.message_id == 0
    assert sent.receiver_user is not None
    assert sent.receiver_user.id == anna.id
    number = sent.ephemeral_message_id
    assert number is not None
    shown = [message for message in (await call.get("/api/state"))["messages"] if message["receiver"]]
    assert [(message["message_id"], message["receiver"]) for message in shown] == [(-number, anna.id)]
    await bot.edit_ephemeral_message_text(
        chat_id=club.id,
        receiver_user_id=anna.id,
        ephemeral_message_id=number,
        text="Still",
        reply_markup=InlineKeyboardMarkup.model_validate_json(KEYS),
    )
    world.press("Anna", club, -number, "Go")
    pressed = world.data.updates[-1].body["callback_query"]["message"]
    assert (pressed["message_id"], pressed["ephemeral_message_id"], pressed["text"]) == (0, number, "Still")
    await bot.delete_ephemeral_message(chat_id=club.id, receiver_user_id=anna.id, ephemeral_message_id=number)
    assert club.ephemeral == {}


async def test_an_ephemeral_message_keeps_its_place_among_the_others(call: Caller) -> None:
    moment = [1_700_000_000.0]
    world = call.running.world
    world.real = lambda: moment[0]
    club, bot, you = world.chat("Goat club"), world.bot.id, world.person("You").id
    world.new_message(club, bot, text="first")
    world.new_ephemeral(club, bot, you, text="second")
    world.new_ephemeral(club, bot, you, text="third")
    world.new_message(club, bot, text="fourth")
    shown = [message["text"] for message in (await call.get("/api/state"))["messages"] if message["text"]]
    assert shown == ["first", "second", "third", "fourth"]


async def test_an_ephemeral_message_needs_a_fresh_press_of_that_person(call: Caller, world: World) -> None:
    club, anna, you = world.chat("Goat club"), world.person("Anna"), world.person("You")
    table = world.new_message(
        club,
        world.bot.id,
        text="Table",
        reply_markup={"inline_keyboard": [[{"text": "Go", "callback_data": "go"}]]},
    )
    query = world.press("Anna", club, table.message_id, "Go")

    async def refusal(receiver: int, query_id: str) -> str:
        parameters = {"receiver_user_id": receiver, "callback_query_id": query_id}
        return await call.refusal(
            "sendMessage", chat_id=club.id, text="x", ephemeral_message_parameters=parameters
        )

    assert await refusal(you.id, query) == "400 Bad Request: QUERY_ID_INVALID"
    assert await refusal(world.new_person("Stranger").id, query) == "400 Bad Request: USER_NOT_PARTICIPANT"
    world.advance(16)
    assert (await refusal(anna.id, query)).startswith("400 Bad Request: query is too old")


# The bot itself


async def test_the_narrowest_command_menu_in_the_persons_language_is_shown(
    bot: Bot, call: Caller, world: World
) -> None:
    club, boris, anna, you = (
        world.chat("Goat club"),
        world.person("Борис"),
        world.person("Anna"),
        world.person("You"),
    )

    async def set_menu(name: str, scope: Any = None, language: str | None = None) -> None:
        await bot.set_my_commands(
            [BotCommand(command=name, description=name)], scope=scope, language_code=language
        )

    await set_menu("help")
    await set_menu("start", BotCommandScopeAllPrivateChats())
    await set_menu("nachat", BotCommandScopeAllPrivateChats(), "ru")
    await set_menu("goat", BotCommandScopeAllGroupChats())
    await set_menu("stop", BotCommandScopeChatAdministrators(chat_id=club.id))

    def menu(person: Any, chat: Any) -> list[str]:
        return [command["command"] for command in menu_for(world, person, chat)]

    assert menu(anna, world.private_chat(anna)) == ["start"]
    assert menu(boris, world.private_chat(boris)) == ["nachat"]
    assert menu(anna, club) == ["goat"]
    assert menu(you, club) == ["stop"], "the owner is an admin"
    assert await call.get(f"/api/commands?person={boris.id}&chat={boris.id}") == [
        {"command": "nachat", "description": "nachat"}
    ]
    assert [command.command for command in await bot.get_my_commands()] == ["help"]
    await bot.delete_my_commands(scope=BotCommandScopeAllGroupChats())
    assert menu(anna, club) == ["help"]


async def test_names_and_descriptions_are_kept_by_language(bot: Bot) -> None:
    await bot.set_my_name("Goat table")
    await bot.set_my_name("Козёл", language_code="ru")
    await bot.set_my_description("A card game")
    await bot.set_my_short_description("Cards")
    assert (await bot.get_my_name(language_code="ru")).name == "Козёл"
    assert (await bot.get_my_name(language_code="de")).name == "Goat table"
    assert (await bot.get_my_description()).description == "A card game"
    assert (await bot.get_my_short_description(language_code="ru")).short_description == "Cards"
    assert (await bot.get_me()).first_name == "Goat table"
    assert await bot.log_out() is True
    assert await bot.close() is True


async def test_a_reaction_is_set_and_taken_away(bot: Bot, world: World) -> None:
    club = world.chat("Goat club")
    said = world.say("You", club, "/goat")
    await bot.set_message_reaction(club.id, said.message_id, [ReactionTypeEmoji(emoji="👍")])
    assert said.reactions == ["👍"]
    await bot.set_message_reaction(club.id, said.message_id, [])
    assert said.reactions == []
