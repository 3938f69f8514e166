"""The strictness table: method by method, what Telegram refuses, with its codes and words.

Each line is driven twice over HTTP: raw, and through aiogram's Bot. Wording is that of telegram-bot-api's and TDLib's
sources and of live answers that other projects keep in their tests.
"""

from collections.abc import Callable
from typing import Any

import pytest
from aiogram import Bot, methods
from aiogram.exceptions import TelegramAPIError, TelegramForbiddenError, TelegramMigrateToChat

from tests.sandbox.conftest import Caller
from tests.sandbox.scene import Scene, built
from tgbot.sandbox.world import World

Params = dict[str, Any]
Make = Callable[[Scene], Params]

NOT_MODIFIED = (
    "400 Bad Request: message is not modified: specified new message content and reply markup are exactly the same "
    "as a current content and reply markup of the message"
)
TOO_OLD = "400 Bad Request: query is too old and response timeout expired or query ID is invalid"
BUTTON = "400 Bad Request: can't parse inline keyboard button: "


@pytest.fixture
def scene(world: World) -> Scene:
    return built(world)


def to(name: str, /, **more: Any) -> Make:
    return lambda scene: {"chat_id": scene.id_of(name), "text": "hi"} | more


def keys(*buttons: Params, **more: Any) -> Make:
    return to("club", reply_markup={"inline_keyboard": [list(buttons)]}, **more)


def button(**fields: Any) -> Make:
    return keys({"text": "Go"} | fields)


def mine(**more: Any) -> Make:
    return lambda scene: {"chat_id": scene.club.id, "message_id": scene.mine.message_id} | more


def yours(**more: Any) -> Make:
    return lambda scene: {"chat_id": scene.club.id, "message_id": scene.yours.message_id} | more


def service(**more: Any) -> Make:
    return lambda scene: {"chat_id": scene.club.id, "message_id": scene.service.message_id} | more


def picture(**more: Any) -> Make:
    return lambda scene: {"chat_id": scene.you.id, "message_id": scene.photo.message_id} | more


def nothing(**more: Any) -> Make:
    return lambda scene: {"chat_id": scene.club.id, "message_id": 999_999} | more


def at(name: str, /, **more: Any) -> Make:
    return lambda scene: {"chat_id": scene.id_of(name)} | more


def html(text: str) -> Make:
    return to("club", text=text, parse_mode="HTML")


def entities(**entity: Any) -> Make:
    return to("club", text="hello", entities=[{"type": "bold", "offset": 0, "length": 1} | entity])


def chat_member(name: str, user: Callable[[Scene], int]) -> Make:
    return lambda scene: {"chat_id": scene.id_of(name), "user_id": user(scene)}


def commands(*given: tuple[str, str], **more: Any) -> Make:
    return lambda scene: {"commands": [{"command": c, "description": d} for c, d in given]} | more


TABLE: list[tuple[str, Make, str]] = [
    # Who can be written to
    ("sendMessage", to("anna"), "403 Forbidden: bot can't initiate conversation with a user"),
    ("sendMessage", to("boris"), "403 Forbidden: bot was blocked by the user"),
    ("sendMessage", to("chidi"), "403 Forbidden: user is deactivated"),
    ("sendMessage", to("stranger"), "400 Bad Request: chat not found"),
    ("sendMessage", to("foreign"), "400 Bad Request: chat not found"),
    ("sendMessage", lambda s: {"chat_id": 0, "text": "hi"}, "400 Bad Request: chat not found"),
    (
        "sendMessage",
        lambda s: {"chat_id": "@nowhere_at_all", "text": "hi"},
        "400 Bad Request: chat not found",
    ),
    ("sendMessage", to("kicked"), "403 Forbidden: bot was kicked from the group chat"),
    ("sendMessage", to("kicked_super"), "403 Forbidden: bot was kicked from the supergroup chat"),
    ("sendMessage", to("left"), "403 Forbidden: bot is not a member of the group chat"),
    ("sendMessage", to("old"), "400 Bad Request: group chat was upgraded to a supergroup chat"),
    ("sendMessage", to("mute"), "400 Bad Request: not enough rights to send text messages to the chat"),
    ("sendMessage", to("mute_group"), "400 Bad Request: not enough rights to send text messages to the chat"),
    # Topics
    ("sendMessage", to("club", message_thread_id=1), "400 Bad Request: message thread not found"),
    ("sendMessage", to("you", message_thread_id=1), "400 Bad Request: message thread not found"),
    ("sendMessage", to("forum", message_thread_id=999), "400 Bad Request: message thread not found"),
    ("sendMessage", to("forum", message_thread_id=1), "400 Bad Request: message thread not found"),
    (
        "sendMessage",
        lambda s: {"chat_id": s.plain_forum.id, "text": "hi", "message_thread_id": s.closed_topic},
        "400 Bad Request: TOPIC_CLOSED",
    ),
    # Text
    ("sendMessage", to("club", text=""), "400 Bad Request: message text is empty"),
    ("sendMessage", to("club", text=" \n "), "400 Bad Request: text must be non-empty"),
    ("sendMessage", html("<b> </b>"), "400 Bad Request: text must be non-empty"),
    ("sendMessage", to("club", text="x" * 4097), "400 Bad Request: message is too long"),
    ("sendMessage", html(f"<b>{'x' * 4097}</b>"), "400 Bad Request: message is too long"),
    ("sendMessage", to("club", parse_mode="BBCode"), "400 Bad Request: unsupported parse_mode"),
    (
        "sendMessage",
        html("<h1>x</h1>"),
        '400 Bad Request: can\'t parse entities: Unsupported start tag "h1" at byte offset 0',
    ),
    (
        "sendMessage",
        html("ход <b>x"),
        "400 Bad Request: can't parse entities: Can't find end tag corresponding to start tag \"b\"",
    ),
    (
        "sendMessage",
        html("<b><i>test</b></i>"),
        '400 Bad Request: can\'t parse entities: Unmatched end tag at byte offset 10, expected "</i>", found "</b>"',
    ),
    (
        "sendMessage",
        html("<b>x</b> " * 101),
        "400 Bad Request: can't parse entities: 101 entities, at most 100 are kept",
    ),
    (
        "sendMessage",
        entities(type="loud"),
        "400 Bad Request: can't parse MessageEntity: Unsupported type specified",
    ),
    ("sendMessage", entities(offset=-1), "400 Bad Request: receive an entity with incorrect offset -1"),
    (
        "sendMessage",
        entities(offset=100),
        "400 Bad Request: entity begins after the end of the text at UTF-16 offset 100",
    ),
    (
        "sendMessage",
        entities(length=100),
        "400 Bad Request: entity beginning at UTF-16 offset 0 ends after the end of the text at UTF-16 offset 100",
    ),
    (
        "sendMessage",
        entities(type="text_link"),
        "400 Bad Request: can't parse MessageEntity: Can't find field \"url\"",
    ),
    (
        "sendMessage",
        entities(type="text_link", url="not-a-url"),
        "400 Bad Request: entity URL 'not-a-url' is invalid: Wrong HTTP URL",
    ),
    (
        "sendMessage",
        to("club", link_preview_options={"url": "no url"}),
        "400 Bad Request: WEBPAGE_URL_INVALID",
    ),
    (
        "sendMessage",
        to("club", message_effect_id="5104841245755180586"),
        "400 Bad Request: EFFECT_ID_INVALID",
    ),
    # Replies
    (
        "sendMessage",
        to("club", reply_parameters={"message_id": 999_999}),
        "400 Bad Request: message to be replied not found",
    ),
    ("sendMessage", to("club", reply_parameters={}), '400 Bad Request: can\'t find field "message_id"'),
    # Keyboards
    ("sendMessage", button(callback_data="x" * 65), "400 Bad Request: BUTTON_DATA_INVALID"),
    ("sendMessage", button(callback_data="к" * 33), "400 Bad Request: BUTTON_DATA_INVALID"),
    ("sendMessage", button(callback_data=""), f"{BUTTON}Text buttons are unallowed in the inline keyboard"),
    ("sendMessage", button(), f"{BUTTON}Text buttons are unallowed in the inline keyboard"),
    (
        "sendMessage",
        button(callback_data="x", url="https://goat.example"),
        f"{BUTTON}only one of url and callback_data can be used",
    ),
    ("sendMessage", button(callback_data="x", style="blue"), f"{BUTTON}Invalid button style specified"),
    (
        "sendMessage",
        button(text=" ", callback_data="x"),
        f'{BUTTON}Field "text" must be of type String and not empty',
    ),
    (
        "sendMessage",
        button(url="not-a-url"),
        "400 Bad Request: inline keyboard button URL 'not-a-url' is invalid: Wrong HTTP URL",
    ),
    (
        "sendMessage",
        button(url="http://localhost:8080/"),
        "400 Bad Request: inline keyboard button URL 'http://localhost:8080/' is invalid: Wrong HTTP URL",
    ),
    (
        "sendMessage",
        button(url="ftp://goat.example"),
        "400 Bad Request: inline keyboard button URL 'ftp://goat.example' is invalid: Unsupported URL protocol",
    ),
    (
        "sendMessage",
        button(url="https://t.me/goat_sandbox_bot?start=a.b"),
        "400 Bad Request: BUTTON_URL_INVALID",
    ),
    (
        "sendMessage",
        button(url=f"https://t.me/goat_sandbox_bot?start={'x' * 65}"),
        "400 Bad Request: BUTTON_URL_INVALID",
    ),
    ("sendMessage", button(url="tg://user?id=12345"), "400 Bad Request: BUTTON_USER_INVALID"),
    ("sendMessage", button(copy_text={"text": ""}), "400 Bad Request: BUTTON_COPY_TEXT_INVALID"),
    ("sendMessage", button(copy_text={"text": "x" * 257}), "400 Bad Request: BUTTON_COPY_TEXT_INVALID"),
    ("sendMessage", button(pay=True), "400 Bad Request: BUTTON_TYPE_INVALID"),
    (
        "sendMessage",
        keys(*[{"text": "x", "callback_data": "x"}] * 101),
        "400 Bad Request: reply markup is too long",
    ),
    # Editing
    ("editMessageText", nothing(text="x"), "400 Bad Request: message to edit not found"),
    ("editMessageText", yours(text="x"), "400 Bad Request: message can't be edited"),
    ("editMessageText", service(text="x"), "400 Bad Request: message can't be edited"),
    ("editMessageText", picture(text="x"), "400 Bad Request: there is no text in the message to edit"),
    (
        "editMessageText",
        mine(text="Table", reply_markup={"inline_keyboard": [[{"text": "Go", "callback_data": "go"}]]}),
        NOT_MODIFIED,
    ),
    ("editMessageText", mine(text=""), "400 Bad Request: message text is empty"),
    ("editMessageText", mine(text="x" * 4097), "400 Bad Request: message is too long"),
    ("editMessageText", at("boris", message_id=1, text="x"), "403 Forbidden: bot was blocked by the user"),
    (
        "editMessageText",
        at("kicked", message_id=1, text="x"),
        "403 Forbidden: bot was kicked from the group chat",
    ),
    (
        "editMessageText",
        at("old", message_id=1, text="x"),
        "400 Bad Request: group chat was upgraded to a supergroup chat",
    ),
    ("editMessageText", lambda s: {"text": "x"}, "400 Bad Request: chat_id is empty"),
    ("editMessageText", at("club", text="x"), "400 Bad Request: message identifier is not specified"),
    (
        "editMessageReplyMarkup",
        mine(reply_markup={"inline_keyboard": [[{"text": "Go", "callback_data": "go"}]]}),
        NOT_MODIFIED,
    ),
    ("editMessageReplyMarkup", yours(), "400 Bad Request: message can't be edited"),
    ("editMessageReplyMarkup", nothing(), "400 Bad Request: message to edit not found"),
    ("editMessageCaption", mine(caption="x"), "400 Bad Request: there is no caption in the message to edit"),
    ("editMessageCaption", picture(caption="x" * 1025), "400 Bad Request: message caption is too long"),
    ("editMessageCaption", picture(), NOT_MODIFIED),
    # Deleting
    ("deleteMessage", nothing(), "400 Bad Request: message to delete not found"),
    ("deleteMessage", yours(), "400 Bad Request: message can't be deleted"),
    ("deleteMessage", at("left", message_id=1), "403 Forbidden: bot is not a member of the group chat"),
    ("deleteMessages", at("club", message_ids=[]), "400 Bad Request: message identifiers are not specified"),
    (
        "deleteMessages",
        at("club", message_ids=list(range(1, 102))),
        "400 Bad Request: too many message identifiers specified",
    ),
    # Presses
    ("answerCallbackQuery", lambda s: {"callback_query_id": "12"}, TOO_OLD),
    # The rest
    ("sendChatAction", at("club", action="dancing"), "400 Bad Request: wrong parameter action in request"),
    (
        "sendChatAction",
        at("anna", action="typing"),
        "403 Forbidden: bot can't initiate conversation with a user",
    ),
    (
        "sendPhoto",
        at("club", photo="nonsense"),
        "400 Bad Request: wrong remote file identifier specified: Wrong string length",
    ),
    (
        "sendPhoto",
        at("mute", photo="nonsense"),
        "400 Bad Request: not enough rights to send photos to the chat",
    ),
    ("copyMessage", nothing(from_chat_id=0), "400 Bad Request: chat not found"),
    (
        "copyMessage",
        lambda s: {"chat_id": s.you.id, "from_chat_id": s.club.id, "message_id": 999_999},
        "400 Bad Request: message to copy not found",
    ),
    (
        "copyMessage",
        lambda s: {"chat_id": s.you.id, "from_chat_id": s.club.id, "message_id": s.service.message_id},
        "400 Bad Request: message can't be copied",
    ),
    ("setMessageReaction", nothing(reaction=[]), "400 Bad Request: message to react not found"),
    (
        "setMessageReaction",
        yours(reaction=[{"type": "emoji", "emoji": "🐐"}]),
        "400 Bad Request: REACTION_INVALID",
    ),
    (
        "setMessageReaction",
        yours(reaction=[{"type": "emoji", "emoji": "👍"}, {"type": "emoji", "emoji": "🔥"}]),
        "400 Bad Request: REACTIONS_TOO_MANY",
    ),
    ("pinChatMessage", mine(), "400 Bad Request: not enough rights to manage pinned messages in the chat"),
    ("pinChatMessage", at("forum", message_id=999), "400 Bad Request: message to pin not found"),
    ("unpinChatMessage", at("forum"), "400 Bad Request: message to unpin not found"),
    ("getChat", at("stranger"), "400 Bad Request: chat not found"),
    ("getChat", at("kicked"), "403 Forbidden: bot was kicked from the group chat"),
    ("getChatMember", chat_member("club", lambda s: 12345), "400 Bad Request: user not found"),
    ("getChatMember", chat_member("club", lambda s: s.stranger.id), "400 Bad Request: member not found"),
    ("getChatMember", chat_member("forum", lambda s: 12345), "400 Bad Request: PARTICIPANT_ID_INVALID"),
    (
        "getChatMember",
        chat_member("old", lambda s: s.you.id),
        "400 Bad Request: group chat was upgraded to a supergroup chat",
    ),
    ("getChatAdministrators", at("you"), "400 Bad Request: there are no administrators in the private chat"),
    ("getChatMemberCount", at("foreign"), "400 Bad Request: chat not found"),
    ("leaveChat", at("left"), "403 Forbidden: bot is not a member of the group chat"),
    ("createForumTopic", at("club", name="x"), "400 Bad Request: the chat is not a forum"),
    ("createForumTopic", at("plain_forum", name="x"), "400 Bad Request: not enough rights to create a topic"),
    ("createForumTopic", at("forum", name=" "), "400 Bad Request: TOPIC_TITLE_EMPTY"),
    (
        "createForumTopic",
        at("forum", name="x", icon_color=1),
        "400 Bad Request: invalid topic icon color specified",
    ),
    ("closeForumTopic", at("forum", message_thread_id=999), "400 Bad Request: TOPIC_ID_INVALID"),
    # The bot itself
    ("setMyCommands", commands(("Goat", "x")), "400 Bad Request: BOT_COMMAND_INVALID"),
    ("setMyCommands", commands(("козёл", "x")), "400 Bad Request: BOT_COMMAND_INVALID"),
    ("setMyCommands", commands(("x" * 33, "x")), "400 Bad Request: BOT_COMMAND_INVALID"),
    ("setMyCommands", commands(("goat", "")), "400 Bad Request: BOT_COMMAND_DESCRIPTION_INVALID"),
    ("setMyCommands", commands(("goat", "x" * 257)), "400 Bad Request: BOT_COMMAND_DESCRIPTION_INVALID"),
    ("setMyCommands", commands(*[("goat", "x")] * 101), "400 Bad Request: BOT_COMMANDS_TOO_MUCH"),
    (
        "setMyCommands",
        commands(("goat", "x"), language_code="english"),
        "400 Bad Request: invalid language code specified",
    ),
    (
        "setMyCommands",
        commands(("goat", "x"), scope={"type": "chat", "chat_id": 5}),
        "400 Bad Request: chat not found",
    ),
    ("setMyName", lambda s: {"name": "x" * 65}, "400 Bad Request: BOT_TITLE_INVALID"),
    ("setMyDescription", lambda s: {"description": "x" * 513}, "400 Bad Request: BOT_DESCRIPTION_TOO_LONG"),
    (
        "setMyShortDescription",
        lambda s: {"short_description": "x" * 121},
        "400 Bad Request: BOT_SHORT_DESCRIPTION_TOO_LONG",
    ),
    (
        "setWebhook",
        lambda s: {"url": "http://goat.example/hook"},
        "400 Bad Request: bad webhook: An HTTPS URL must be provided for webhook",
    ),
    (
        "setWebhook",
        lambda s: {"url": "https://goat.example:8080/hook"},
        "400 Bad Request: bad webhook: Webhook can be set up only on ports 80, 88, 443 or 8443",
    ),
    (
        "setWebhook",
        lambda s: {"url": "gopher://x"},
        "400 Bad Request: bad webhook: An HTTPS URL must be provided for webhook",
    ),
    (
        "setWebhook",
        lambda s: {"url": "http://127.0.0.1:1/", "secret_token": "with spaces"},
        "400 Bad Request: secret token contains unallowed characters",
    ),
    (
        "setWebhook",
        lambda s: {"url": "http://127.0.0.1:1/", "secret_token": "x" * 257},
        "400 Bad Request: secret token is too long",
    ),
    (
        "setWebhook",
        lambda s: {"url": "http://127.0.0.1:1/", "allowed_updates": ["messages"]},
        '400 Bad Request: unknown update type "messages" in allowed_updates',
    ),
]
IDS = [f"{method}-{number}" for number, (method, _, _) in enumerate(TABLE)]


@pytest.mark.parametrize(("method", "make", "refusal"), TABLE, ids=IDS)
async def test_what_telegram_refuses_is_refused(
    scene: Scene, call: Caller, method: str, make: Make, refusal: str
) -> None:
    before = len(scene.club.messages)
    assert await call.refusal(method, **make(scene)) == refusal
    assert len(scene.club.messages) == before, "a refused call changes nothing"


AIOGRAM = {
    method.__api_method__: method
    for method in vars(methods).values()
    if isinstance(method, type)
    and issubclass(method, methods.TelegramMethod)
    and method is not methods.TelegramMethod
}


@pytest.mark.parametrize(("method", "make", "refusal"), TABLE, ids=IDS)
async def test_aiogram_raises_the_same_refusal(
    bot: Bot, scene: Scene, method: str, make: Make, refusal: str
) -> None:
    try:
        wanted = AIOGRAM[method](**make(scene))
    except ValueError:
        pytest.skip("aiogram itself takes no such call")
    with pytest.raises(TelegramAPIError) as raised:
        await bot(wanted)
    code, description = refusal.split(" ", 1)
    assert isinstance(raised.value, TelegramForbiddenError) is (code == "403")
    if not isinstance(raised.value, TelegramMigrateToChat):
        assert raised.value.message == description


async def test_an_upgraded_groups_refusal_names_the_new_group(bot: Bot, scene: Scene) -> None:
    with pytest.raises(TelegramMigrateToChat) as raised:
        await bot.send_message(scene.old.id, "hi")
    assert raised.value.migrate_to_chat_id == scene.new.id
    assert (await bot.send_message(scene.new.id, "hi")).chat.id == scene.new.id


async def test_what_is_just_within_the_limits_is_taken(call: Caller, scene: Scene) -> None:
    buttons = [[{"text": "x", "callback_data": "x" * 64}] * 8] * 12 + [
        [{"text": "x", "callback_data": "к" * 32}] * 4
    ]
    sent = await call.result(
        "sendMessage",
        chat_id=scene.club.id,
        text="<b>" + "x" * 4096 + "</b>",
        parse_mode="HTML",
        reply_markup={"inline_keyboard": buttons},
    )
    assert len(sent["text"]) == 4096
    assert sum(map(len, sent["reply_markup"]["inline_keyboard"])) == 100


async def test_an_edit_without_keyboard_takes_the_keyboard_away(call: Caller, scene: Scene) -> None:
    edited = await call.result("editMessageText", **mine(text="Table")(scene))
    assert "reply_markup" not in edited
    assert edited["edit_date"] >= edited["date"]


async def test_a_query_is_answered_once(call: Caller, scene: Scene) -> None:
    query = scene.world.press("You", scene.club, scene.mine.message_id, "Go")
    assert await call.result("answerCallbackQuery", callback_query_id=query) is True
    assert await call.refusal("answerCallbackQuery", callback_query_id=query) == TOO_OLD


async def test_a_query_is_answered_within_fifteen_seconds(call: Caller, scene: Scene) -> None:
    late = scene.world.press("You", scene.club, scene.mine.message_id, "Go")
    scene.world.advance(16)
    assert await call.refusal("answerCallbackQuery", callback_query_id=late) == TOO_OLD
    in_time = scene.world.press("You", scene.club, scene.mine.message_id, "Go")
    scene.world.advance(14)
    assert await call.result("answerCallbackQuery", callback_query_id=in_time) is True


@pytest.mark.parametrize(
    ("answer", "refusal"),
    [
        ({"text": "x" * 201}, "400 Bad Request: MESSAGE_TOO_LONG"),
        ({"url": "https://goat.example"}, "400 Bad Request: URL_INVALID"),
        ({"url": "https://t.me/other_bot?start=x"}, "400 Bad Request: URL_INVALID"),
        ({"url": "https://t.me/goat_sandbox_bot?start=a b"}, "400 Bad Request: URL_INVALID"),
        ({"url": "https://t.me/goat_sandbox_bot?start="}, "400 Bad Request: URL_INVALID"),
    ],
)
async def test_a_bad_answer_to_a_press_is_refused_and_may_be_mended(
    call: Caller, scene: Scene, answer: Params, refusal: str
) -> None:
    query = scene.world.press("You", scene.club, scene.mine.message_id, "Go")
    assert await call.refusal("answerCallbackQuery", callback_query_id=query, **answer) == refusal
    link = "https://t.me/goat_sandbox_bot?start=join_7"
    assert await call.result("answerCallbackQuery", callback_query_id=query, text="x" * 200, url=link) is True


async def test_a_message_is_deleted_for_two_days_only(call: Caller, scene: Scene) -> None:
    scene.world.advance(48 * 3600 + 1)
    refused = await call.refusal("deleteMessage", **mine()(scene))
    assert refused == "400 Bad Request: message can't be deleted for everyone"
    private = scene.world.say("You", scene.you.id, "hello")
    assert await call.result("deleteMessage", chat_id=scene.you.id, message_id=private.message_id) is True


async def test_an_admin_bot_deletes_what_others_wrote_and_at_any_age(call: Caller, scene: Scene) -> None:
    said = scene.world.say("You", scene.forum, "hello")
    scene.world.advance(72 * 3600)
    assert await call.result("deleteMessage", chat_id=scene.forum.id, message_id=said.message_id) is True
    topic = await call.refusal("deleteMessage", chat_id=scene.forum.id, message_id=scene.topic)
    assert topic == "400 Bad Request: message can't be deleted"


async def test_deleting_many_skips_those_that_are_gone(call: Caller, scene: Scene) -> None:
    wanted = [scene.mine.message_id, 999_998]
    assert await call.result("deleteMessages", chat_id=scene.club.id, message_ids=wanted) is True
    assert scene.mine.message_id not in scene.club.messages


async def test_a_reply_to_nothing_is_sent_alone_when_the_bot_allows_it(call: Caller, scene: Scene) -> None:
    reply = {"message_id": 999_999, "allow_sending_without_reply": True}
    sent = await call.result("sendMessage", chat_id=scene.club.id, text="hi", reply_parameters=reply)
    assert "reply_to_message" not in sent
    reply = {"message_id": scene.yours.message_id}
    sent = await call.result("sendMessage", chat_id=scene.club.id, text="hi", reply_parameters=reply)
    assert sent["reply_to_message"]["text"] == "/goat"
