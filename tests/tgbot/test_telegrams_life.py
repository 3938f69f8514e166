"""Groups grow, close and mute the bot; people block it, vanish and come back; messages get lost. Play goes on."""

import asyncio
import random
from typing import Any

import pytest

from db import notices, screens
from tests.tgbot.club import CARD, PATIENCE, PEOPLE, Club, Scripted
from tgbot.sandbox.model import Chat


async def alone_with_computers(club: Club, person: str = "You") -> Scripted:
    await club.all_start(person)
    await club.open_lobby(person)
    await club.press(person, club.group, "Play now with computers")
    players = Scripted(club, (person,), random.Random(1))
    await a_turn(club, players)
    return players


async def all_painted(club: Club) -> None:
    """Until nothing is due for painting; the clock stands still, so nothing becomes due by itself."""
    async with asyncio.timeout(PATIENCE), club.look() as db:
        # What is painted is told to nobody but the chats.
        while await screens.stale(db, club.clock()) or await notices.unsent(db, club.clock()):  # noqa: ASYNC110
            await asyncio.sleep(0.05)


async def a_turn(club: Club, players: Scripted) -> None:
    while not players.to_act():
        await players.wait_for_a_turn()


async def some_moves(club: Club, players: Scripted, count: int = 2) -> None:
    until = players.moves + count
    while players.moves < until:
        await a_turn(club, players)
        await players.act(players.to_act()[0])


async def chat_id_of_table(club: Club) -> int:
    async with club.look() as db:
        return int(await db.fetchval("SELECT chat_id FROM tables WHERE state <> 'closed'"))


async def moved_to(club: Club, new: Chat) -> None:
    await club.until(lambda: any("Deal 1" in text for text in club.texts(new)))
    assert await chat_id_of_table(club) == new.id


async def test_a_table_moves_with_its_group_into_the_supergroup(club: Club) -> None:
    players = await alone_with_computers(club)
    old = club.group
    new = club.world.upgrade_to_supergroup(old)
    await moved_to(club, new)
    assert len([text for text in club.texts(new) if "Deal 1" in text]) == 1
    await some_moves(club, players)
    club.world.say("You", new, "/table")
    await club.until(lambda: not club.world.data.updates)
    assert await chat_id_of_table(club) == new.id


async def test_the_error_reply_alone_is_enough_to_move(club: Club) -> None:
    """Neither service message arrived: Telegram tells of the move when the bot writes to the old group."""
    players = await alone_with_computers(club)
    club.world.data.webhook.allowed_updates = ["callback_query"]
    new = club.world.upgrade_to_supergroup(club.group)
    await some_moves(club, players, 1)
    await moved_to(club, new)


async def test_a_lobby_opened_before_we_hear_of_the_move_makes_room_for_the_series(club: Club) -> None:
    players = await alone_with_computers(club)
    await all_painted(club)  # a painting under way would hear of the move first
    allowed = club.world.data.webhook.allowed_updates
    club.world.data.webhook.allowed_updates = ["my_chat_member"]
    new = club.world.upgrade_to_supergroup(club.group)
    club.world.data.webhook.allowed_updates = allowed
    club.world.say("You", new, "/goat")
    await club.until(lambda: club.find(new, "Sit here"))
    await some_moves(club, players, 1)
    await moved_to(club, new)
    await club.until(lambda: club.find(new, "Sit here") is None)


async def test_a_group_that_removes_the_bot_plays_on_in_private_and_sees_the_table_when_it_is_back(
    club: Club,
) -> None:
    players = await alone_with_computers(club)
    club.world.remove_bot("You", club.group)
    await some_moves(club, players, 3)
    before = len(club.messages(club.group))
    club.world.add_bot("You", club.group)
    await club.until(lambda: len(club.messages(club.group)) > before)
    await club.until(lambda: "Deal" in club.last(club.group) or "Hello" in club.last(club.group))
    await club.until(lambda: sum("Deal" in text for text in club.texts(club.group)[before:]) >= 1)


async def test_a_muted_bot_finds_out_by_itself_that_all_may_write_again(club: Club) -> None:
    """In a plain group the right to write is everybody's, and nobody tells a bot when it changes."""
    players = await alone_with_computers(club)
    club.world.restrict_bot("You", club.group, False)
    await some_moves(club, players, 2)
    shown = [message.text for message in club.messages(club.group)]
    club.world.restrict_bot("You", club.group, True)
    await club.say("You", "/table")
    await club.until(lambda: [message.text for message in club.messages(club.group)] != shown)


async def test_a_bot_muted_in_a_supergroup_and_back(club: Club) -> None:
    group = club.world.upgrade_to_supergroup(club.group)
    await club.all_start("You")
    club.world.say("You", group, "/goat")
    await club.press("You", group, "Play now with computers")
    players = Scripted(club, ("You",), random.Random(1))
    await a_turn(club, players)
    club.world.restrict_bot("You", group, False)
    await some_moves(club, players, 2)
    club.world.restrict_bot("You", group, True)
    await club.until(lambda: "Deal" in club.last(group))


async def test_who_blocks_the_bot_is_missed_and_finds_his_cards_when_he_is_back(club: Club) -> None:
    await club.four_sit_down()
    players = Scripted(club, PEOPLE, random.Random(2))
    club.world.block("Anna")
    await club.until(lambda: any("Anna" in text and "📵" in text for text in club.texts(club.group)))
    club.world.unblock("Anna")
    await club.until(lambda: any("📶" in text for text in club.texts(club.group)))
    await club.until(lambda: "trump" in club.hand_text("Anna").lower())
    await some_moves(club, players, 4)


async def test_the_others_hear_of_a_deleted_account_and_go_on(club: Club) -> None:
    await club.four_sit_down()
    players = Scripted(club, ("You", "Anna", "Борис"), random.Random(3))
    club.world.delete_account("Chidi")
    while not any("📵" in text for text in club.texts(club.group)):
        if players.to_act():
            await players.act(players.to_act()[0])
        else:
            await club.until(lambda: any("📵" in text for text in club.texts(club.group)))
    assert sum("📵" in text for text in club.texts(club.group)) == 1


async def test_a_spurious_refusal_is_forgotten_when_the_person_presses(club: Club) -> None:
    players = await alone_with_computers(club)
    club.sandbox.faults.add("403", "*", club.private("You").id, 1)
    await club.say("You", "/table")
    hand = players.hand("You")
    assert hand is not None
    await players.press("You", hand, club.buttons(hand)[0])
    await some_moves(club, players, 1)


async def test_each_topic_has_a_table_of_its_own_and_general_too(club: Club) -> None:
    group = club.world.upgrade_to_supergroup(club.group)
    club.world.enable_topics("You", group)
    topic = club.world.create_topic("You", group, "Cards")
    await club.all_start("You", "Anna")
    club.world.say("You", group, "/goat", thread=topic.id)
    await club.until(lambda: club.find(group, "Sit here"))
    club.world.say("Anna", group, "/goat")
    await club.until(
        lambda: len([text for text in club.texts(group) if "Sit" in str(text) or "🐐" in text]) >= 2
    )
    lobbies = [m for m in club.messages(group) if any("Sit here" in b["text"] for b in club.buttons(m))]
    assert {message.thread_id for message in lobbies} == {topic.id, None}


async def topic_with_a_table(club: Club) -> tuple[Chat, int, Scripted]:
    group = club.world.upgrade_to_supergroup(club.group)
    club.world.enable_topics("You", group)
    topic = club.world.create_topic("You", group, "Cards")
    await club.all_start("You")
    club.world.say("You", group, "/goat", thread=topic.id)
    await club.press("You", group, "Play now with computers")
    players = Scripted(club, ("You",), random.Random(4))
    await a_turn(club, players)
    return group, topic.id, players


async def test_a_deleted_topic_leaves_the_table_in_general(club: Club) -> None:
    group, topic, players = await topic_with_a_table(club)
    for message in list(club.messages(group)):
        club.world.delete_message("You", group, message.message_id)
    del group.topics[topic]
    await some_moves(club, players, 1)
    await club.until(
        lambda: any(m.thread_id is None and "Deal" in (m.text or "") for m in club.messages(group))
    )


async def test_a_closed_topic_keeps_the_rest_of_the_group_open(club: Club) -> None:
    group, topic, players = await topic_with_a_table(club)
    group.topics[topic].closed = True
    await some_moves(club, players, 1)
    club.world.say("You", group, "/table")
    club.world.say("You", group, "/goat")
    await club.until(lambda: club.find(group, "Sit here"))


async def test_anonymous_admins_and_channels_are_told_why_they_have_no_vote(club: Club) -> None:
    group = club.world.upgrade_to_supergroup(club.group)
    await club.all_start("You")
    club.world.say("You", group, "/goat")
    await club.press("You", group, "Play now with computers")
    club.world.set_anonymous_admin("You", group)
    club.world.say("You", group, "/stop")
    await club.until(lambda: "anonymous admins" in club.last(group))


async def test_a_hand_older_than_two_days_is_still_played(club: Club) -> None:
    players = await alone_with_computers(club)
    club.world.advance(50 * 3600)
    hand = players.hand("You")
    assert hand is not None
    before = hand.reply_markup
    card = next(button for button in club.buttons(hand) if button["callback_data"].startswith(CARD))
    await players.press("You", hand, card)
    await club.until(
        lambda: hand.reply_markup != before or hand.message_id not in club.private("You").messages
    )
    await some_moves(club, players, 1)


async def test_a_cleared_history_and_a_deleted_table_come_back(club: Club) -> None:
    players = await alone_with_computers(club)
    club.world.clear_history("You")
    for message in list(club.messages(club.group)):
        club.world.delete_message("You", club.group, message.message_id)
    club.world.say("You", "Goat club", "/table")
    await club.until(lambda: any("Deal" in text for text in club.texts(club.group)))
    club.world.say("You", club.private("You"), "/tables")
    await club.press("You", club.private("You"), "🃏")
    await club.until(lambda: players.hand("You"))
    await some_moves(club, players, 2)


async def test_buttons_of_a_hand_that_another_message_shows_go_away(club: Club) -> None:
    """Such a message stays when a process is killed between sending it and writing that down."""
    players = await alone_with_computers(club)
    chat = club.private("You")
    hand = players.hand("You")
    assert hand is not None
    old = {"inline_keyboard": [[{"text": "x", "callback_data": "m:1:1:77:lead:1"}]]}
    lost = club.world.new_message(chat, club.world.bot.id, text="old", reply_markup=old)
    query = club.world.press("You", chat, lost.message_id, "x")
    answer = await club.world.answer_to(query)
    assert "from earlier" in answer["text"]
    await club.until(lambda: not club.buttons(lost))
    await club.until(lambda: (now := players.hand("You")) is not None and now.message_id > lost.message_id)


@pytest.mark.parametrize("command", ["/GOAT@Goat_Sandbox_Bot", "/goat@goat_sandbox_bot", "/Goat"])
async def test_the_bots_name_in_a_command_may_have_capitals(club: Club, command: str) -> None:
    await club.say("You", command)
    await club.until(lambda: club.find(club.group, "Sit here"))


async def test_commands_to_other_bots_are_ignored(club: Club) -> None:
    club.world.promote(club.group, club.world.bot.id)
    before = len(club.messages(club.group))
    await club.say("You", "/goat@another_bot")
    await club.say("You", "/help")
    await club.until(lambda: len(club.messages(club.group)) > before)
    assert club.find(club.group, "Sit here") is None


async def test_a_command_that_is_removed_at_once_is_answered_all_the_same(club: Club) -> None:
    command = club.world.say("You", club.group, "/help")
    club.world.delete_message("You", club.group, command.message_id)
    await club.until(lambda: "open a table here" in club.last(club.group))


async def test_a_message_that_may_not_be_removed_yet_stops_no_table(club: Club) -> None:
    players = await alone_with_computers(club)
    await all_painted(club)
    removals: list[dict[str, Any]] = []
    club.world.listeners.append(
        lambda kind, what: (
            removals.append(what) if kind == "call" and what["method"] == "deleteMessage" else None
        )
    )
    (old,) = [message for message in club.messages(club.group) if "Deal 1" in (message.text or "")]
    club.sandbox.faults.add("429", "deleteMessage", club.group.id, seconds=60)
    await club.say("You", "/table")
    await club.until(lambda: removals)
    shown = club.last(club.group)
    await some_moves(club, players, 1)
    await club.until(lambda: club.last(club.group) != shown)
    assert sum(removal["chat_id"] == club.group.id for removal in removals) == 1
    club.sandbox.faults.clear()
    await club.pass_time(60)
    await club.until(lambda: old.message_id not in club.group.messages)
