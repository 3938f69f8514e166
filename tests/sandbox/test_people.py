"""What people do, and what the bot hears of it."""

from typing import Any

import pytest

from tests.sandbox.conftest import Judge
from tgbot.sandbox.errors import Impossible
from tgbot.sandbox.model import Message
from tgbot.sandbox.world import World


@pytest.fixture(autouse=True)
def judge(world: World) -> Any:
    judge = Judge(world)
    world.data.updates.clear()
    yield judge
    assert not judge.faults, judge.faults


def heard(world: World) -> list[str]:
    """The kinds of updates that wait for the bot, and what they say."""
    return [
        f"{update.type} {update.body[update.type].get('text', '')}".strip() for update in world.data.updates
    ]


def last(world: World) -> Any:
    update = world.data.updates[-1]
    return update.body[update.type]


def table(world: World, *rows: list[dict[str, Any]]) -> Message:
    markup = {"inline_keyboard": list(rows)}
    return world.new_message(world.chat("Goat club"), world.bot.id, text="Table", reply_markup=markup)


def test_the_first_world_has_a_group_with_four_people_and_the_bot(world: World) -> None:
    club = world.chat("Goat club")
    names = [world.person(who).first_name for who in club.members if who != world.bot.id]
    assert names == ["Max", "Anna", "Борис", "Chidi"]
    assert club.members[world.bot.id].status == "member"
    assert world.person("Борис").language_code == "ru"
    assert not any(chat.started for chat in world.data.chats.values())


def test_ids_of_people_and_groups_need_more_than_32_bits(world: World) -> None:
    assert world.person("You").id > 2**32
    assert abs(world.upgrade_to_supergroup("Goat club").id) > 2**32


def test_start_sends_the_command_and_its_payload(world: World) -> None:
    world.start("You", "seat_7-a")
    assert heard(world) == ["message /start seat_7-a"]
    assert last(world)["entities"] == [{"type": "bot_command", "offset": 0, "length": 6}]
    assert last(world)["chat"]["id"] == world.person("You").id


@pytest.mark.parametrize("payload", ["", "a b", "ё", "x" * 65, "a.b"])
def test_a_start_payload_is_up_to_64_letters_digits_underscores_and_dashes(
    world: World, payload: str
) -> None:
    with pytest.raises(Impossible):
        world.start("You", payload)


@pytest.mark.parametrize(
    ("text", "hears"),
    [
        ("/goat", True),
        ("/goat@goat_sandbox_bot", True),
        ("/goat@GOAT_Sandbox_Bot now", True),
        ("/goat@other_bot", False),
        ("good evening", False),
        ("@goat_sandbox_bot hello", False),
    ],
)
def test_in_a_group_the_bot_hears_only_commands_that_may_be_its_own(
    world: World, text: str, hears: bool
) -> None:
    world.say("Anna", "Goat club", text)
    assert heard(world) == ([f"message {text}"] if hears else [])


def test_the_bot_hears_replies_to_itself_and_everything_as_an_admin(world: World) -> None:
    world.say("Anna", "Goat club", "nice", reply_to=table(world).message_id)
    assert last(world)["reply_to_message"]["text"] == "Table"
    world.say("Anna", "Goat club", "unheard")
    assert heard(world) == ["message nice"]
    world.promote("Goat club", world.bot.id)
    world.say("Anna", "Goat club", "heard")
    assert heard(world) == ["message nice", "my_chat_member", "message heard"]


def test_a_press_carries_the_whole_message_with_its_keyboard(world: World) -> None:
    message = table(world, [{"text": "Sit", "callback_data": "sit:1"}])
    query = world.press("Anna", "Goat club", message.message_id, (0, 0))
    callback = last(world)
    assert callback["id"] == query
    assert callback["data"] == "sit:1"
    assert callback["from"]["first_name"] == "Anna"
    assert callback["message"]["reply_markup"]["inline_keyboard"][0][0]["text"] == "Sit"
    assert callback["message"]["from"]["is_bot"] is True


def test_a_button_is_found_by_place_data_or_text(world: World) -> None:
    message = table(world, [{"text": "Sit", "callback_data": "sit:1"}, {"text": "Go", "callback_data": "go"}])
    for button in ((0, 1), "go", "Go"):
        world.press("Anna", "Goat club", message.message_id, button)
        assert last(world)["data"] == "go"


def test_a_press_on_a_message_of_more_than_two_days_ago_carries_only_its_name(world: World) -> None:
    message = table(world, [{"text": "Go", "callback_data": "go"}])
    world.advance(48 * 3600 + 1)
    world.press("Anna", "Goat club", message.message_id, "go")
    assert last(world)["message"].keys() == {"chat", "message_id", "date"}
    assert last(world)["message"]["date"] == 0


@pytest.mark.parametrize(
    ("button", "complaint"),
    [
        ({"text": "x", "disabled": {}}, "disabled"),
        ({"text": "x", "url": "https://goat.example/"}, "sends nothing"),
        ({"text": "x", "copy_text": {"text": "y"}}, "sends nothing"),
    ],
)
def test_a_button_that_sends_nothing_is_no_press(
    world: World, button: dict[str, Any], complaint: str
) -> None:
    message = table(world, [button])
    with pytest.raises(Impossible, match=complaint):
        world.press("Anna", "Goat club", message.message_id, "x")
    assert heard(world) == []


def test_nobody_presses_in_another_persons_chat_or_in_a_group_that_he_left(world: World) -> None:
    message = table(world, [{"text": "Go", "callback_data": "go"}])
    world.leave("Anna", "Goat club")
    with pytest.raises(Impossible, match="not in Goat club"):
        world.press("Anna", "Goat club", message.message_id, "go")
    with pytest.raises(Impossible, match="somebody else's"):
        world.press("Anna", world.person("You").id, 1, "go")


def test_blocking_and_unblocking_is_told_in_the_private_chat(world: World) -> None:
    world.start("You")
    world.block("You")
    assert last(world)["new_chat_member"]["status"] == "kicked"
    with pytest.raises(Impossible, match="unblock"):
        world.say("You", world.person("You").id, "hello")
    world.start("You")
    assert heard(world) == ["message /start", "my_chat_member", "my_chat_member", "message /start"]


def test_a_deleted_account_has_no_name_and_does_nothing(world: World) -> None:
    message = table(world, [{"text": "Go", "callback_data": "go"}])
    world.delete_account("Anna")
    anna = next(person for person in world.data.people.values() if person.deleted)
    with pytest.raises(Impossible, match="deleted"):
        world.press(anna, "Goat club", message.message_id, "go")
    with pytest.raises(Impossible, match="deleted"):
        world.say(anna, "Goat club", "/goat")


def test_links_to_the_bot_are_followed(world: World) -> None:
    you = world.person("You")
    assert world.open_link("You", "https://t.me/goat_sandbox_bot")["chat_id"] == you.id
    assert heard(world) == []
    world.open_link("You", "t.me/Goat_Sandbox_Bot?start=join_7")
    world.open_link("You", "tg://resolve?domain=goat_sandbox_bot&start=join_8")
    assert heard(world) == ["message /start join_7", "message /start join_8"]
    assert world.open_link("You", "https://t.me/goat_sandbox_bot?startgroup=x")["startgroup"] == "x"
    assert world.open_link("You", "https://goat.example/") == {"external": "https://goat.example/"}
    with pytest.raises(Impossible):
        world.open_link("You", "https://t.me/goat_sandbox_bot?start=a.b")


def test_a_link_to_a_supergroup_opens_it_for_its_members(world: World) -> None:
    new = world.upgrade_to_supergroup("Goat club")
    link = f"https://t.me/c/{str(new.id).removeprefix('-100')}/5"
    assert world.open_link("You", link) == {"chat_id": new.id, "message_id": 5}
    with pytest.raises(Impossible, match="not in"):
        world.open_link(world.new_person("Stranger"), link)


def test_an_edited_command_is_told_as_edited(world: World) -> None:
    said = world.say("You", "Goat club", "/gaot")
    world.edit_message("You", "Goat club", said.message_id, "/goat")
    assert heard(world) == ["message /gaot", "edited_message /goat"]
    with pytest.raises(Impossible):
        world.edit_message("Anna", "Goat club", said.message_id, "/stop")


def test_clearing_the_history_takes_the_messages_away(world: World) -> None:
    world.start("You")
    world.clear_history("You")
    assert not world.private_chat(world.person("You")).messages


def test_resending_the_last_update_keeps_its_id(world: World) -> None:
    world.start("You")
    first = world.data.updates[-1].update_id
    again = world.resend_last_update()
    assert again.update_id == first
    assert [update.update_id for update in world.data.updates] == [first, first]


def test_the_clock_goes_forward_only(world: World) -> None:
    before = world.now()
    world.advance(3600)
    assert 3600 <= world.now() - before < 3605
    with pytest.raises(Impossible):
        world.advance(-1)


async def test_a_press_that_the_bot_leaves_alone_expires(world: World) -> None:
    toasts: list[Any] = []
    world.listeners.append(lambda kind, what: toasts.append(what["query"].id) if kind == "toast" else None)
    message = table(world, [{"text": "Go", "callback_data": "go"}])
    query = world.press("Anna", "Goat club", message.message_id, "go")
    world.advance(14)
    assert toasts == []
    world.advance(2)
    assert toasts == [query]
    with pytest.raises(TimeoutError):
        await world.answer_to(query, timeout=0.01)


@pytest.mark.parametrize("text", ["", "  \n ", "x" * 4097])
def test_telegrams_apps_send_no_empty_and_no_endless_message(world: World, text: str) -> None:
    with pytest.raises(Impossible):
        world.say("You", "Goat club", text)
