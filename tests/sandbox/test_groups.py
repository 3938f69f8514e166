"""Groups: who comes and goes, rights, supergroups, topics, anonymous admins."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.sandbox.conftest import Caller, Judge
from tgbot.sandbox.errors import Impossible
from tgbot.sandbox.model import ANONYMOUS_BOT_ID
from tgbot.sandbox.world import World


@pytest.fixture(autouse=True)
def judge(world: World) -> Iterator[Judge]:
    judge = Judge(world)
    world.data.updates.clear()
    yield judge
    assert not judge.faults, judge.faults


def updates(world: World) -> list[tuple[str, Any]]:
    taken = [(update.type, update.body[update.type]) for update in world.data.updates]
    world.data.updates.clear()
    return taken


def test_adding_the_bot_is_told_twice_as_membership_and_as_message(world: World) -> None:
    group = world.add_group("You", "New table")
    world.add_bot("You", group, payload="from_link")
    (first, membership), (second, message), (third, start) = updates(world)
    assert (first, second, third) == ("my_chat_member", "message", "message")
    assert (membership["old_chat_member"]["status"], membership["new_chat_member"]["status"]) == (
        "left",
        "member",
    )
    assert message["new_chat_members"][0]["username"] == "goat_sandbox_bot"
    assert start["text"] == "/start@goat_sandbox_bot from_link"


def test_removing_the_bot_is_the_last_that_it_hears(world: World) -> None:
    world.remove_bot("You", "Goat club")
    (first, membership), (second, message) = updates(world)
    assert (first, membership["new_chat_member"]["status"]) == ("my_chat_member", "kicked")
    assert (second, message["left_chat_member"]["id"]) == ("message", world.bot.id)
    world.say("You", "Goat club", "/goat")
    world.leave("Anna", "Goat club")
    assert updates(world) == []
    world.add_bot("You", "Goat club")
    assert [kind for kind, _ in updates(world)] == ["my_chat_member", "message"]


def test_people_who_join_and_leave_are_told_by_service_messages(world: World) -> None:
    guest = world.new_person("Guest")
    world.join(guest, "Goat club")
    world.leave(guest, "Goat club")
    (_, joined), (_, left) = updates(world)
    assert [who["first_name"] for who in joined["new_chat_members"]] == ["Guest"]
    assert left["left_chat_member"]["first_name"] == "Guest"
    with pytest.raises(Impossible):
        world.leave(guest, "Goat club")


def test_an_admin_bot_that_asks_for_it_hears_of_every_membership(world: World) -> None:
    world.data.webhook.allowed_updates = ["message", "chat_member", "my_chat_member"]
    world.leave("Anna", "Goat club")
    assert [kind for kind, _ in updates(world)] == ["message"]
    world.promote("Goat club", world.bot.id)
    world.leave("Chidi", "Goat club")
    assert [kind for kind, _ in updates(world)] == ["my_chat_member", "message", "chat_member"]


def test_rights_are_told_to_the_bot(world: World) -> None:
    new = world.upgrade_to_supergroup("Goat club")
    updates(world)
    world.restrict_bot("You", new, False)
    world.restrict_bot("You", new, True)
    world.promote(new, world.bot.username)
    world.promote(new, world.bot.id, admin=False)
    statuses = [body["new_chat_member"]["status"] for _, body in updates(world)]
    assert statuses == ["restricted", "member", "administrator", "member"]


def test_a_group_becomes_a_supergroup_with_a_new_id_and_two_service_messages(world: World) -> None:
    old = world.chat("Goat club")
    new = world.upgrade_to_supergroup(old, "You")
    (_, there), (_, here) = updates(world)
    assert (there["chat"]["id"], there["migrate_to_chat_id"]) == (old.id, new.id)
    assert (here["chat"]["id"], here["migrate_from_chat_id"]) == (new.id, old.id)
    assert here["message_id"] == 1, "a supergroup counts its own messages"
    assert here["sender_chat"]["id"] == new.id
    assert new.members.keys() == old.members.keys()
    with pytest.raises(Impossible, match="became a supergroup"):
        world.say("You", old, "/goat")
    assert world.chat("Goat club") is new
    with pytest.raises(Impossible, match="supergroup already"):
        world.upgrade_to_supergroup(new)


def test_an_anonymous_admin_writes_as_the_group_and_presses_as_himself(world: World) -> None:
    with pytest.raises(Impossible, match="supergroups"):
        world.set_anonymous_admin("You", "Goat club")
    new = world.upgrade_to_supergroup("Goat club")
    world.set_anonymous_admin("You", new)
    updates(world)
    world.say("You", new, "/stop")
    message = world.new_message(
        new,
        world.bot.id,
        text="Table",
        reply_markup={"inline_keyboard": [[{"text": "Go", "callback_data": "go"}]]},
    )
    world.press("You", new, message.message_id, "go")
    (_, said), (_, pressed) = updates(world)
    assert said["from"]["id"] == ANONYMOUS_BOT_ID
    assert said["sender_chat"]["id"] == new.id
    assert pressed["from"]["id"] == world.person("You").id
    with pytest.raises(Impossible, match="no admin"):
        world.set_anonymous_admin("Anna", new)


def test_topics_need_a_supergroup_and_give_messages_a_thread(world: World) -> None:
    with pytest.raises(Impossible, match="supergroup"):
        world.enable_topics("You", "Goat club")
    new = world.upgrade_to_supergroup("Goat club")
    world.enable_topics("You", new)
    updates(world)
    topic = world.create_topic("Anna", new, "Evening table")
    world.say("Anna", new, "/goat", thread=topic.id)
    world.say("Anna", new, "/goat")
    (_, created), (_, inside), (_, general) = updates(world)
    assert created["forum_topic_created"]["name"] == "Evening table"
    assert created["message_thread_id"] == created["message_id"] == topic.id
    assert (inside["message_thread_id"], inside["is_topic_message"]) == (topic.id, True)
    assert inside["reply_to_message"]["forum_topic_created"]["name"] == "Evening table"
    assert "message_thread_id" not in general
    assert general["chat"]["is_forum"] is True
    with pytest.raises(Impossible, match="no such topic"):
        world.say("Anna", new, "/goat", thread=999)


async def test_the_bot_makes_and_closes_topics_as_an_admin(call: Caller, world: World) -> None:
    new = world.upgrade_to_supergroup("Goat club")
    world.enable_topics("You", new)
    world.promote(new, world.bot.id)
    topic = await call.result("createForumTopic", chat_id=new.id, name="Deals", icon_color=7322096)
    thread = topic["message_thread_id"]
    sent = await call.result("sendMessage", chat_id=new.id, text="hi", message_thread_id=thread)
    assert (sent["message_thread_id"], sent["is_topic_message"]) == (thread, True)
    assert await call.result("closeForumTopic", chat_id=new.id, message_thread_id=thread)
    with pytest.raises(Impossible, match="closed"):
        world.say("Anna", new, "hi", thread=thread)
    assert await call.result("reopenForumTopic", chat_id=new.id, message_thread_id=thread)
    assert await call.result("editForumTopic", chat_id=new.id, message_thread_id=thread, name="Games")
    assert await call.result("deleteForumTopic", chat_id=new.id, message_thread_id=thread)
    refused = await call.refusal("sendMessage", chat_id=new.id, text="hi", message_thread_id=thread)
    assert refused == "400 Bad Request: message thread not found"


async def test_what_the_bot_can_ask_of_a_chat(call: Caller, world: World) -> None:
    club, you, anna = world.chat("Goat club"), world.person("You"), world.person("Anna")
    world.promote(club, anna)
    chat = await call.result("getChat", chat_id=club.id)
    assert (chat["title"], chat["type"], chat["permissions"]["can_send_messages"]) == (
        "Goat club",
        "group",
        True,
    )
    admins = await call.result("getChatAdministrators", chat_id=club.id)
    assert {admin["user"]["id"]: admin["status"] for admin in admins} == {
        you.id: "creator",
        anna.id: "administrator",
    }
    assert await call.result("getChatMemberCount", chat_id=club.id) == 5
    world.leave("Chidi", club)
    gone = await call.result("getChatMember", chat_id=club.id, user_id=world.person("Chidi").id)
    assert gone["status"] == "left"
    world.start("You")
    private = await call.result("getChat", chat_id=you.id)
    assert (private["type"], private["first_name"], private["active_usernames"]) == (
        "private",
        "Max",
        ["you"],
    )
    assert (await call.result("getChatMember", chat_id=you.id, user_id=you.id))["status"] == "member"
    assert await call.result("getChatMemberCount", chat_id=you.id) == 2


async def test_the_bot_leaves_and_says_no_more(call: Caller, world: World) -> None:
    club = world.chat("Goat club").id
    assert await call.result("leaveChat", chat_id=club) is True
    refused = await call.refusal("sendMessage", chat_id=club, text="hi")
    assert refused == "403 Forbidden: bot is not a member of the group chat"
    assert [kind for kind, _ in updates(world)] == ["message", "my_chat_member"]


async def test_an_admin_bot_pins_and_unpins(call: Caller, world: World) -> None:
    club = world.chat("Goat club")
    world.promote(club, world.bot.id)
    sent = await call.result("sendMessage", chat_id=club.id, text="Table")
    await call.result(
        "pinChatMessage", chat_id=club.id, message_id=sent["message_id"], disable_notification=True
    )
    assert (await call.result("getChat", chat_id=club.id))["pinned_message"]["text"] == "Table"
    assert world.last_message(club).service == {"pinned_message": sent["message_id"]}
    assert updates(world)[-1][1]["pinned_message"]["text"] == "Table", "a bot hears of its own pin"
    await call.result("unpinChatMessage", chat_id=club.id)
    assert "pinned_message" not in await call.result("getChat", chat_id=club.id)
    await call.result("pinChatMessage", chat_id=club.id, message_id=sent["message_id"])
    await call.result("unpinAllChatMessages", chat_id=club.id)
    assert not any(message.pinned for message in club.messages.values())


async def test_messages_of_private_chats_and_groups_share_one_count(call: Caller, world: World) -> None:
    start = world.start("You")
    first = await call.result("sendMessage", chat_id=world.chat("Goat club").id, text="a")
    second = await call.result("sendMessage", chat_id=start.chat_id, text="b")
    assert [first["message_id"], second["message_id"]] == [start.message_id + 1, start.message_id + 2]
