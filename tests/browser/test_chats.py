"""A person in the page: chats, messages, what is unread, how things scroll."""

import asyncio
import re

from playwright.async_api import expect

from tests.browser.conftest import PHONE, Opener
from tests.browser.fakebot import FakeBot, Json, press
from tests.browser.screen import be, button, group, messages, newest, private, scroll_place, write
from tests.browser.world import club, person
from tgbot.sandbox.server import Running, start


async def test_group_and_private_chat_stand_side_by_side(open_page: Opener) -> None:
    page = await open_page()
    left, right = await group(page).bounding_box(), await private(page).bounding_box()
    assert left
    assert right
    assert left["x"] + left["width"] <= right["x"] + 1
    assert abs(left["height"] - right["height"]) < 2
    await expect(group(page).get_by_role("heading")).to_have_text("Goat club")
    await expect(private(page).get_by_role("heading")).to_have_text("Goat")


async def test_on_a_phone_they_stand_one_under_the_other_and_both_can_be_used(
    open_page: Opener, bot: FakeBot, sandbox: Running
) -> None:
    page = await open_page(PHONE)
    above, below = await group(page).bounding_box(), await private(page).bounding_box()
    assert above
    assert below
    assert above["y"] + above["height"] <= below["y"] + 1
    assert above["width"] == below["width"] == PHONE[0]
    await private(page).get_by_role("button", name="Start").click()
    await expect(newest(private(page))).to_contain_text("/start")
    await bot.send(person(sandbox, "you"), "Your hand", [press(card) for card in ("6♣", "A♠", "10♥", "K♦")])
    await button(private(page), "A♠").click()
    await bot.heard(lambda update: "callback_query" in update)
    await write(group(page), "I play")
    await expect(newest(group(page))).to_contain_text("I play")


async def test_start_and_a_message_reach_the_bot_and_its_answer_is_shown(
    open_page: Opener, bot: FakeBot
) -> None:
    async def hello(bot: FakeBot, message: Json) -> None:
        await bot.send(message["chat"]["id"], f"You said {message['text']}")

    bot.on_message = hello
    page = await open_page()
    pane = private(page)
    await pane.get_by_role("button", name="Start").click()
    await expect(newest(pane)).to_contain_text("You said /start")
    await write(pane, "hello there")
    await expect(newest(pane)).to_contain_text("You said hello there")
    await expect(pane.locator("article.out").last).to_contain_text("hello there")


async def test_an_edit_shows_edited_and_a_deletion_takes_the_message_away(
    open_page: Opener, bot: FakeBot, sandbox: Running
) -> None:
    page = await open_page()
    chat = club(sandbox)
    sent = await bot.send(chat, "Trick 1")
    await expect(newest(group(page))).to_contain_text("Trick 1")
    await expect(newest(group(page)).get_by_text("edited")).to_have_count(0)
    await bot.edit(chat, sent, "Trick 2")
    await expect(newest(group(page))).to_contain_text("Trick 2")
    await expect(newest(group(page)).get_by_text("edited")).to_be_visible()
    await bot.call("deleteMessage", chat_id=chat, message_id=sent)
    await expect(messages(group(page)).filter(has_text="Trick")).to_have_count(0)


async def test_messages_are_unread_until_their_chat_is_seen(
    open_page: Opener, bot: FakeBot, sandbox: Running
) -> None:
    page = await open_page()
    for number in range(3):
        await bot.send(club(sandbox), f"Message {number}")
    anna = page.locator(".person").filter(has_text="Anna")
    await expect(anna.locator(".badge")).to_contain_text("4")  # with the news that the bot was added
    anna_id = person(sandbox, "Anna")
    sandbox.world.start(anna_id)
    await bot.send(anna_id, "For Anna alone")
    await expect(anna.locator(".badge")).to_contain_text("5")
    await page.get_by_role("button", name="One chat").click()
    await be(page, "Anna")
    item = page.locator(".chat-item").filter(has_text="For Anna alone")
    await expect(item.locator(".badge")).to_contain_text("1")
    await item.click()
    await expect(newest(private(page))).to_contain_text("For Anna alone")
    await expect(item.locator(".badge")).to_have_count(0)


async def test_a_mention_and_a_reply_call_the_person_they_mean(
    open_page: Opener, bot: FakeBot, sandbox: Running
) -> None:
    page = await open_page()
    you, chat = person(sandbox, "you"), club(sandbox)
    await bot.send(chat, f'Your turn, <a href="tg://user?id={you}">You</a>')
    await expect(newest(group(page)).locator(".mention-me")).to_have_text("You")
    mine = sandbox.world.say(you, chat, "Who leads?")
    await bot.send(chat, "Anna leads", reply_parameters={"message_id": mine.message_id})
    answer = newest(group(page))
    await expect(answer).to_have_class(re.compile(r"\bcalls-me\b"))
    await expect(answer.locator(".quote")).to_contain_text("Who leads?")
    await bot.send(chat, "@chidi, wait")
    await expect(newest(group(page)).locator(".mention")).to_have_text("@chidi")
    await expect(newest(group(page)).locator(".mention-me")).to_have_count(0)


async def test_at_the_bottom_the_newest_stays_in_sight_and_elsewhere_nothing_moves(
    open_page: Opener, bot: FakeBot, sandbox: Running
) -> None:
    page = await open_page()
    chat, pane = club(sandbox), group(page)
    ids = [await bot.send(chat, f"Line {number}\nsecond\nthird") for number in range(40)]
    await expect(newest(pane)).to_contain_text("Line 39")
    assert (await scroll_place(pane))[1] < 2
    await bot.edit(chat, ids[-1], "Line 39\n" + "longer\n" * 8)
    await expect(newest(pane)).to_contain_text("longer")
    assert (await scroll_place(pane))[1] < 2

    seen = messages(pane).filter(has_text="Line 30\n")
    await pane.locator(".scroller").hover()
    await page.mouse.wheel(0, -900)
    await expect(pane.get_by_role("button", name="Go to the newest")).to_be_visible()
    await asyncio.sleep(0.3)  # a wheel scrolls smoothly: let it end
    before = await seen.bounding_box()
    await bot.edit(chat, ids[0], "Line 0\n" + "much longer now\n" * 12)
    await bot.edit(chat, ids[-1], "Line 39 is short again")
    await bot.send(chat, "A new one below")
    await expect(newest(pane)).to_contain_text("A new one below")
    after = await seen.bounding_box()
    assert before
    assert after
    assert abs(before["y"] - after["y"]) < 2
    await expect(pane.get_by_role("button", name="1 unread")).to_be_visible()
    await pane.get_by_role("button", name="Go to the newest").click()
    await expect(newest(pane)).to_be_in_viewport()
    await expect(pane.get_by_role("button", name="Go to the newest")).to_be_hidden()


async def test_the_page_says_that_the_sandbox_is_gone_and_goes_on_when_it_is_back(
    open_page: Opener, sandbox: Running
) -> None:
    page = await open_page()
    anna, chat = person(sandbox, "Anna"), club(sandbox)
    sandbox.world.say(anna, chat, "Before")
    await expect(newest(group(page))).to_contain_text("Before")
    await group(page).get_by_role("textbox").fill("Not sent yet")
    await sandbox.stop()
    await expect(page.get_by_role("status").first).to_have_text("Connecting…")
    sandbox.world.say(anna, chat, "While it was away")
    again = await start(sandbox.world, port=int(sandbox.url.rsplit(":", 1)[1]))
    try:
        await expect(newest(group(page))).to_contain_text("While it was away")
        await expect(page.get_by_role("status").first).to_have_text("")
        await expect(group(page).get_by_role("textbox")).to_have_value("Not sent yet")
        sandbox.world.say(anna, chat, "After")
        await expect(newest(group(page))).to_contain_text("After")
        await expect(messages(group(page))).to_have_count(3)
    finally:
        await page.close()
        await again.stop()


async def test_a_new_world_replaces_the_old_one(open_page: Opener, bot: FakeBot, sandbox: Running) -> None:
    page = await open_page()
    await bot.send(club(sandbox), "Old world")
    await expect(newest(group(page))).to_contain_text("Old world")
    await page.get_by_role("button", name="Developer tools").click()
    await page.get_by_role("button", name="Start the world anew").click()
    await page.get_by_role("dialog").get_by_role("button", name="Start anew").click()
    await expect(messages(group(page))).to_have_count(0)
    await expect(private(page).get_by_role("button", name="Start")).to_be_visible()
