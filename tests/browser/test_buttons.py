"""Inline keyboards: presses, toasts, alerts, links, copying, styles."""

import asyncio

from playwright.async_api import Page, expect

from tests.browser.conftest import PHONE, Opener
from tests.browser.fakebot import FakeBot, Json, press
from tests.browser.screen import be, button, group, messages, newest, private, write
from tests.browser.world import club, person
from tgbot.sandbox.server import Running


async def test_a_press_shows_progress_until_the_toast_comes(
    open_page: Opener, bot: FakeBot, sandbox: Running
) -> None:
    pressed = asyncio.Event()
    go_on = asyncio.Event()

    async def answer(bot: FakeBot, query: Json) -> None:
        pressed.set()
        await go_on.wait()
        await bot.answer(query, "It is Anna's turn")

    bot.on_press = answer
    page = await open_page()
    await bot.send(club(sandbox), "Table", [press("Beat"), press("Pass")])
    beat = group(page).get_by_role("button", name="Beat")
    await beat.click()
    await pressed.wait()
    await expect(beat).to_have_attribute("aria-busy", "true")
    await expect(group(page).get_by_role("button", name="Pass")).not_to_have_attribute("aria-busy", "true")
    await beat.click()  # while it waits, a second press does nothing
    go_on.set()
    await expect(group(page).locator(".toast")).to_have_text("It is Anna's turn")
    await expect(private(page).locator(".toast")).to_have_count(0)
    await expect(page.locator("#announcer")).to_contain_text("It is Anna's turn")
    await expect(beat).not_to_have_attribute("aria-busy", "true")
    assert len([update for update in bot.seen if "callback_query" in update]) == 1
    await expect(group(page).locator(".toast")).to_have_count(0)  # it goes by itself


async def test_an_answer_without_text_only_ends_the_progress(
    open_page: Opener, bot: FakeBot, sandbox: Running
) -> None:
    async def answer(bot: FakeBot, query: Json) -> None:
        await bot.answer(query)

    bot.on_press = answer
    page = await open_page()
    await bot.send(club(sandbox), "Table", [press("7♥️")])
    card = group(page).get_by_role("button", name="7♥")
    await card.click()
    await bot.heard(lambda update: "callback_query" in update)
    await expect(card).not_to_have_attribute("aria-busy", "true")
    await expect(page.locator(".toast, dialog")).to_have_count(0)


async def test_a_toast_does_not_stand_in_the_way_of_the_buttons(
    open_page: Opener, bot: FakeBot, sandbox: Running
) -> None:
    async def answer(bot: FakeBot, query: Json) -> None:
        await bot.answer(query, "Choose cards of one suit. " * 6)

    bot.on_press = answer
    page = await open_page(PHONE)
    await bot.send(club(sandbox), "Table", [press("Beat")], [press("Pass")])
    await group(page).get_by_role("button", name="Beat").click()
    toast = await group(page).locator(".toast").bounding_box()
    buttons = await newest(group(page)).locator(".keyboard").bounding_box()
    assert toast
    assert buttons
    assert toast["y"] + toast["height"] < buttons["y"]


async def test_a_bot_that_never_answers_is_said_to(open_page: Opener, bot: FakeBot, sandbox: Running) -> None:
    page = await open_page()
    await bot.send(club(sandbox), "Table", [press("Beat")])
    beat = group(page).get_by_role("button", name="Beat")
    await beat.click()
    await expect(beat).to_have_attribute("aria-busy", "true")
    sandbox.world.advance(60)
    await expect(group(page).locator(".toast")).to_have_text("The bot did not answer.")
    await expect(beat).not_to_have_attribute("aria-busy", "true")


async def test_an_alert_is_a_dialog_that_gives_the_focus_back(
    open_page: Opener, bot: FakeBot, sandbox: Running
) -> None:
    async def answer(bot: FakeBot, query: Json) -> None:
        await bot.answer(query, "Only a chat admin can stop the series.", show_alert=True)

    bot.on_press = answer
    page = await open_page()
    await bot.send(club(sandbox), "Table", [press("Stop")])
    stop = group(page).get_by_role("button", name="Stop")
    await stop.focus()
    await page.keyboard.press("Enter")
    alert = page.get_by_role("alertdialog")
    await expect(alert).to_contain_text("Only a chat admin can stop the series.")
    await expect(alert.get_by_role("button", name="OK")).to_be_focused()
    await page.keyboard.press("Enter")
    await expect(alert).to_have_count(0)
    await expect(stop).to_be_focused()


async def test_a_stale_button_is_refused_in_words(open_page: Opener, bot: FakeBot, sandbox: Running) -> None:
    page = await open_page()
    sent = await bot.send(club(sandbox), "Table", [press("Beat")])
    beat = group(page).get_by_role("button", name="Beat")
    await expect(beat).to_be_visible()
    sandbox.world.leave(person(sandbox, "you"), club(sandbox))
    await beat.click()
    await expect(group(page).locator(".toast")).to_contain_text("Max is not in Goat club")
    assert sent


async def test_styles_and_switched_off_buttons_look_and_act_as_they_are(
    open_page: Opener, bot: FakeBot, sandbox: Running
) -> None:
    page = await open_page()
    styled = [press("Yes", style="success"), press("No", style="danger"), press("More", style="primary")]
    await bot.send(club(sandbox), "Table", styled, [{"text": "Wait", "disabled": {}}])
    pane = group(page)
    colors = {
        name: await pane.get_by_role("button", name=name).evaluate(
            "el => getComputedStyle(el).backgroundColor"
        )
        for name in ("Yes", "No", "More", "Wait")
    }
    assert len(set(colors.values())) == 4
    await expect(pane.get_by_role("button", name="Wait")).to_have_attribute("aria-disabled", "true")
    await pane.get_by_role("button", name="Wait").click(force=True)
    await pane.get_by_role("button", name="Yes").click()
    await bot.heard(lambda update: "callback_query" in update)
    assert len([update for update in bot.seen if "callback_query" in update]) == 1


async def test_a_copy_button_copies(open_page: Opener, bot: FakeBot, sandbox: Running) -> None:
    page = await open_page()
    await page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    await bot.send(club(sandbox), "Record", [{"text": "Copy", "copy_text": {"text": "v1 7h 9h"}}])
    await group(page).get_by_role("button", name="Copy").click()
    await expect(group(page).locator(".toast")).to_have_text("Copied to the clipboard.")
    assert await page.evaluate("navigator.clipboard.readText()") == "v1 7h 9h"


async def test_a_deep_link_opens_the_private_chat_and_starts_with_its_payload(
    open_page: Opener, bot: FakeBot, sandbox: Running
) -> None:
    page = await open_page()
    url = f"https://t.me/{sandbox.world.bot.username}?start=seat_2"
    await bot.send(club(sandbox), "Take a seat", [{"text": "Sit", "url": url}])
    await group(page).get_by_role("button", name="Sit").click()
    update = await bot.heard(
        lambda update: update.get("message", {}).get("chat", {}).get("type") == "private"
    )
    assert update["message"]["text"] == "/start seat_2"
    await expect(private(page).locator("article.out").last).to_contain_text("/start")
    await expect(private(page).get_by_role("textbox")).to_be_focused()


async def test_a_link_to_the_bot_opens_the_private_chat_where_it_was_not_open(
    open_page: Opener, bot: FakeBot, sandbox: Running
) -> None:
    page = await open_page()
    sandbox.world.start(person(sandbox, "you"))
    await page.get_by_role("button", name="One chat").click()
    await page.locator(".chat-item").filter(has_text="Goat club").click()
    await expect(private(page)).to_have_count(0)
    await bot.send(club(sandbox), f'<a href="https://t.me/{sandbox.world.bot.username}">My cards</a>')
    await group(page).get_by_role("link", name="My cards").click()
    await expect(private(page)).to_be_visible()
    await expect(group(page)).to_have_count(0)


async def test_a_callback_answer_with_a_link_does_the_same(
    open_page: Opener, bot: FakeBot, sandbox: Running
) -> None:
    async def answer(bot: FakeBot, query: Json) -> None:
        await bot.answer(query, url=f"https://t.me/{sandbox.world.bot.username}?start=join_7")

    bot.on_press = answer
    page = await open_page()
    await bot.send(club(sandbox), "Take a seat", [press("Sit")])
    await group(page).get_by_role("button", name="Sit").click()
    await expect(private(page).locator("article.out").last).to_contain_text("/start")
    await bot.heard(lambda update: update.get("message", {}).get("text") == "/start join_7")


async def test_another_address_is_asked_about_before_it_opens(
    open_page: Opener, bot: FakeBot, sandbox: Running
) -> None:
    page = await open_page()
    await bot.send(club(sandbox), "Read", [{"text": "Elsewhere", "url": "https://goat.invalid/rules"}])
    await group(page).get_by_role("button", name="Elsewhere").click()
    asked = page.get_by_role("dialog")
    await expect(asked).to_contain_text("https://goat.invalid/rules")
    await asked.get_by_role("button", name="Cancel").click()
    await expect(asked).to_have_count(0)
    assert len(page.context.pages) == 1


async def test_an_edit_leaves_the_focus_on_the_button_that_is_there(
    open_page: Opener, bot: FakeBot, sandbox: Running
) -> None:
    page = await open_page()
    cards = [press(card) for card in ("6♣", "7♣", "8♣", "9♣")]
    sent = await bot.send(club(sandbox), "Hand", cards, [press("Lead")])
    await group(page).get_by_role("button", name="7♣").focus()
    chosen = [*cards[:1], press("✓ 7♣"), *cards[2:]]
    await bot.edit(club(sandbox), sent, "Hand, 7♣ chosen", chosen, [press("Lead", style="success")])
    await expect(group(page).get_by_role("button", name="✓ 7♣")).to_be_focused()
    await bot.edit(club(sandbox), sent, "Hand", [press("6♣")])
    await expect(group(page).get_by_role("button", name="6♣")).to_be_focused()


async def test_a_hand_sent_anew_takes_the_focus_of_the_one_before(
    open_page: Opener, bot: FakeBot, sandbox: Running
) -> None:
    page = await open_page()
    chat = club(sandbox)
    old = await bot.send(chat, "Hand 1", [press("6♣"), press("7♣")])
    await group(page).get_by_role("button", name="7♣").focus()
    await bot.call("deleteMessage", chat_id=chat, message_id=old)
    await expect(messages(group(page)).filter(has_text="Hand 1")).to_have_count(0)
    await bot.send(chat, "Hand 2", [press("8♣"), press("9♣")])
    await expect(group(page).get_by_role("button", name="8♣")).to_be_focused()


async def play_by_keyboard(page: Page) -> None:
    await private(page).get_by_role("textbox").focus()
    await page.keyboard.press("ArrowUp")
    await page.keyboard.press("ArrowRight")
    await page.keyboard.press("Enter")


async def test_a_card_can_be_played_with_the_keyboard_alone(
    open_page: Opener, bot: FakeBot, sandbox: Running
) -> None:
    page = await open_page()
    you = person(sandbox, "you")
    sandbox.world.start(you)
    cards = [press("6♣"), press("A♥"), press("K♠")]
    await bot.send(you, "Hand", cards, [press("Lead")])
    await expect(button(private(page), "K♠")).to_be_visible()
    await play_by_keyboard(page)
    update = await bot.heard(lambda update: "callback_query" in update)
    assert update["callback_query"]["data"] == cards[1]["callback_data"]


async def test_toasts_of_another_person_are_not_shown(
    open_page: Opener, bot: FakeBot, sandbox: Running
) -> None:
    async def answer(bot: FakeBot, query: Json) -> None:
        await bot.answer(query, f"Only for {query['from']['first_name']}")

    bot.on_press = answer
    page = await open_page()
    chat = club(sandbox)
    sent = await bot.send(chat, "Table", [press("Beat")])
    sandbox.world.press(person(sandbox, "Anna"), chat, sent, (0, 0))
    await bot.heard(lambda update: "callback_query" in update)
    await be(page, "Chidi")
    await write(group(page), "hm")
    await expect(newest(group(page))).to_contain_text("hm")
    await expect(page.locator(".toast")).to_have_count(0)
