"""The Bot API's table: made from aiogram's models, complete, and held against every call."""

import pytest

from tests.sandbox import make_bot_api
from tests.sandbox.conftest import Caller
from tgbot.sandbox import schema
from tgbot.sandbox.errors import Refused
from tgbot.sandbox.methods import METHODS
from tgbot.sandbox.world import World


def test_the_committed_table_is_what_aiograms_models_say() -> None:
    made = make_bot_api.text()
    assert made == make_bot_api.TARGET.read_text(encoding="utf-8"), "run python -m tests.sandbox.make_bot_api"


def test_every_method_of_the_table_is_answered_and_no_other() -> None:
    assert set(schema.table()["methods"]) == set(METHODS) | {"getUpdates"}


async def test_an_unknown_method_is_not_found(call: Caller) -> None:
    assert await call.refusal("sendTelegram") == "404 Not Found"


async def test_a_documented_method_that_the_sandbox_lacks_says_so(call: Caller) -> None:
    assert (
        await call.refusal("sendDice", chat_id=1)
        == "501 Not Implemented: the sandbox does not offer sendDice"
    )


async def test_telegram_ignores_the_case_of_a_methods_name(call: Caller) -> None:
    assert (await call.result("GETME"))["username"] == "goat_sandbox_bot"


async def test_an_unknown_field_is_an_error_and_not_ignored(call: Caller, world: World) -> None:
    club = world.chat("Goat club").id
    refused = await call.refusal("sendMessage", chat_id=club, text="hi", tekst="hi")
    assert refused == '400 Bad Request: unknown field "tekst" in sendMessage'


async def test_an_unknown_field_deep_inside_is_an_error_too(call: Caller, world: World) -> None:
    club = world.chat("Goat club").id
    button = {"text": "Go", "callback_data": "go", "colour": "red"}
    refused = await call.refusal(
        "sendMessage", chat_id=club, text="hi", reply_markup={"inline_keyboard": [[button]]}
    )
    assert refused == '400 Bad Request: unknown field "colour" in InlineKeyboardButton'


@pytest.mark.parametrize(
    ("params", "complaint"),
    [
        ({"message_id": "seven"}, 'field "message_id" must be of type Number'),
        ({"message_id": True}, 'field "message_id" must be of type Number'),
        ({"message_id": 7, "text": 7}, 'field "text" must be of type String'),
        (
            {"message_id": 7, "link_preview_options": {"is_disabled": "yes"}},
            'field "is_disabled" must be of type Boolean',
        ),
        ({"message_id": 7, "entities": {"type": "bold"}}, 'field "entities" must be of type Array'),
        (
            {"message_id": 7, "reply_markup": {"inline_keyboard": 7}},
            'field "inline_keyboard" must be of type Array',
        ),
        ({"message_id": 7, "reply_markup": "{"}, "can't parse reply keyboard markup JSON object"),
        (
            {"message_id": 7, "reply_markup": {"inline_keyboard": [[{"callback_data": "x"}]]}},
            "can't parse inline keyboard button: Can't find field \"text\"",
        ),
    ],
)
def test_a_field_of_the_wrong_type_is_named(params: dict[str, object], complaint: str) -> None:
    with pytest.raises(Refused) as refused:
        schema.checked("editMessageText", {"chat_id": 1, "text": "hi"} | params, {})
    assert refused.value.description == f"Bad Request: {complaint}"


def test_text_of_a_form_becomes_numbers_truth_and_objects() -> None:
    given = {
        "chat_id": "-100200",
        "text": "12",
        "message_id": "7",
        "link_preview_options": '{"is_disabled": true}',
    }
    checked = schema.checked("editMessageText", given, {})
    assert checked == {
        "chat_id": -100200,
        "text": "12",
        "message_id": 7,
        "link_preview_options": {"is_disabled": True},
    }
    assert (
        schema.checked("sendMessage", {"chat_id": "1", "text": "x", "protect_content": "true"}, {})[
            "protect_content"
        ]
        is True
    )


async def test_a_wrong_token_is_unauthorized_and_none_at_all_is_not_found(call: Caller) -> None:
    base = call.running.url
    async with call.session.get(f"{base}/bot123:wrong/getMe") as response:
        assert (response.status, (await response.json())["description"]) == (401, "Unauthorized")
    async with call.session.get(f"{base}/botnonsense/getMe") as response:
        assert (response.status, (await response.json())["description"]) == (404, "Not Found")
