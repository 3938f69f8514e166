"""Views, themes, people, the first visit; accessibility by axe in both themes and widths."""

import re

import pytest
from playwright.async_api import Page, expect

from tests.browser.conftest import DESKTOP, PHONE, Opener
from tests.browser.fakebot import FakeBot, Json, press
from tests.browser.screen import be, button, group, messages, newest, no_barriers, private, write
from tests.browser.world import club, person
from tgbot.sandbox.server import Running


async def furnish(bot: FakeBot, sandbox: Running) -> None:
    """Something of everything: talk, a table, a hand, formatting, a reply, a toast's button."""
    you, chat = person(sandbox, "you"), club(sandbox)
    anna, boris = person(sandbox, "Anna"), person(sandbox, "Борис")
    sandbox.world.start(you)
    first = sandbox.world.say(anna, chat, "Shall we play? @you too, see https://goat.invalid")
    sandbox.world.say(boris, chat, "Давайте!", None, first.message_id)
    sandbox.world.say(you, chat, "/goat")
    styles = [press("Sit", style="success"), press("Leave", style="danger"), press("Start", style="primary")]
    links: list[Json] = [
        {"text": "Cards", "url": "https://t.me/x"},
        {"text": "Copy", "copy_text": {"text": "x"}},
    ]
    table = (
        '<b>Deal 1</b> · <i>trump</i> ♠️ <a href="https://goat.invalid">rules</a> <code>7h</code> #goat\n'
        "<blockquote>quoted</blockquote><pre>v1 7h</pre>Hidden: <tg-spoiler>A♥️</tg-spoiler> /rules"
    )
    sent = await bot.send(chat, table, styles, links, [{"text": "Wait", "disabled": {}}])
    await bot.edit(chat, sent, f"{table} again", styles, links, [{"text": "Wait", "disabled": {}}])
    await bot.send(you, "Your hand", [press(card) for card in ("6♣️", "K♥️", "A♠️", "10♦️")], [press("Lead")])


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
async def test_axe_finds_no_barrier(
    open_page: Opener, bot: FakeBot, sandbox: Running, size: tuple[int, int], scheme: str
) -> None:
    page = await open_page(size, scheme)
    await no_barriers(page)
    await furnish(bot, sandbox)
    await expect(button(private(page), "Lead")).to_be_visible()
    await no_barriers(page)
    await be(page, "Anna")
    await no_barriers(page)
    await choose(page, "Four hands")
    await no_barriers(page)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
async def test_axe_finds_no_barrier_in_lists_dialogs_and_tools(
    open_page: Opener, bot: FakeBot, sandbox: Running, size: tuple[int, int], scheme: str
) -> None:
    async def answer(bot: FakeBot, query: Json) -> None:
        await bot.answer(query, "Not now", show_alert=query["message"]["chat"]["type"] == "private")

    bot.on_press = answer
    page = await open_page(size, scheme)
    await furnish(bot, sandbox)
    await group(page).get_by_role("textbox").fill("/")
    await button(group(page), "Sit").click()
    await expect(group(page).locator(".toast")).to_be_visible()
    await no_barriers(page)
    await button(private(page), "Lead").click()
    await expect(page.get_by_role("alertdialog")).to_be_visible()
    await no_barriers(page)
    await page.get_by_role("button", name="OK").click()
    if size == PHONE:
        await page.get_by_role("button", name=re.compile("^Chats")).click()
        await no_barriers(page)
        await page.keyboard.press("Escape")
    await choose(page, "Developer tools")
    await no_barriers(page)
    await page.get_by_role("tab", name="Calls").click()
    await bot.call("getMe")
    await page.locator(".call summary").filter(has_text="getMe").click()
    await no_barriers(page)
    await page.get_by_role("tab", name="Limits").click()
    await expect(page.locator(".limits tbody tr")).not_to_have_count(0)
    await no_barriers(page)


async def choose(page: Page, words: str) -> None:
    """A layout or a tool: a button of the bar, or on a phone an entry of its menu."""
    more = page.get_by_role("button", name="Layout, theme and tools")
    if await more.is_visible():
        await more.click()
        await page.get_by_role("menuitem", name=words).click()
    else:
        await page.get_by_role("button", name=words, exact=False).first.click()


async def test_four_hands_shows_all_private_chats_at_once(
    open_page: Opener, bot: FakeBot, sandbox: Running
) -> None:
    page = await open_page()
    names = ("Max", "Anna", "Борис", "Chidi")
    for name in names:
        sandbox.world.start(person(sandbox, name))
        await bot.send(person(sandbox, name), f"The hand of {name}", [press("Lead")])
    await choose(page, "Four hands")
    await expect(private(page)).to_have_count(4)
    await expect(group(page)).to_have_count(1)
    for name in names:
        pane = page.locator(f'section[data-person="{person(sandbox, name)}"].chat-private')
        await expect(pane.get_by_role("heading")).to_contain_text(name)
        await expect(newest(pane)).to_contain_text(f"The hand of {name}")
        await expect(newest(pane)).to_be_in_viewport()
        await button(pane, "Lead").click()
        await bot.heard(
            lambda update, name=name: (  # type: ignore[misc]
                update.get("callback_query", {}).get("from", {}).get("first_name") == name
            )
        )


async def test_four_hands_on_a_phone_are_one_under_the_other(open_page: Opener) -> None:
    page = await open_page(PHONE)
    await choose(page, "Four hands")
    await expect(private(page)).to_have_count(4)
    last = private(page).last
    await last.scroll_into_view_if_needed()
    box = await last.bounding_box()
    assert box
    assert box["height"] > 300
    assert box["width"] == PHONE[0]
    await last.get_by_role("button", name="Start").click()
    await expect(newest(last)).to_contain_text("/start")


async def test_a_switch_of_the_person_shows_his_side_of_everything(
    open_page: Opener, bot: FakeBot, sandbox: Running
) -> None:
    page = await open_page()
    await write(group(page), "I am here")
    await expect(messages(group(page)).last).to_have_class(re.compile(r"\bout\b"))
    await be(page, "Anna")
    await expect(messages(group(page)).last).to_have_class(re.compile(r"\bin\b"))
    await expect(private(page).get_by_role("button", name="Start")).to_be_visible()
    await write(group(page), "So am I")
    assert sandbox.world.last_message(club(sandbox)).sender_id == person(sandbox, "Anna")
    await page.reload()
    await expect(page.locator(".person[aria-pressed=true]")).to_contain_text("Anna")


async def test_the_theme_follows_the_system_and_can_be_chosen(open_page: Opener) -> None:
    page = await open_page(scheme="dark")

    async def ground() -> str:
        return str(await page.evaluate("getComputedStyle(document.body).backgroundColor"))

    dark = await ground()
    await page.emulate_media(color_scheme="light")
    light = await ground()
    assert dark != light
    await page.get_by_role("button", name="Theme: as the system").click()
    await page.get_by_role("button", name="Theme: light").click()
    assert await ground() == dark
    await page.reload()
    await expect(page.get_by_role("button", name="Theme: dark")).to_be_visible()
    assert await ground() == dark


async def test_the_two_chats_can_be_sized_by_keyboard(open_page: Opener) -> None:
    page = await open_page()
    before = await group(page).bounding_box()
    await page.get_by_role("separator").focus()
    for _ in range(4):
        await page.keyboard.press("ArrowRight")
    after = await group(page).bounding_box()
    assert before
    assert after
    assert after["width"] > before["width"] + 100


async def test_tab_goes_through_the_whole_page_and_out_again(
    open_page: Opener, bot: FakeBot, sandbox: Running
) -> None:
    page = await open_page()
    await furnish(bot, sandbox)
    await expect(button(private(page), "Lead")).to_be_visible()
    seen: list[str | None] = []
    for _ in range(80):
        await page.keyboard.press("Tab")
        place = await page.evaluate(
            "document.activeElement === document.body ? null"
            " : document.activeElement.ariaLabel || document.activeElement.textContent.trim()"
        )
        if place is None and seen:
            break
        seen.append(place)
    else:
        pytest.fail("80 tabs did not leave the page: there is a trap")
    assert {"Sit", "Lead", "Message to Goat club", "Message to Goat", "Send"} <= set(seen)


async def test_the_card_of_the_first_visit_leads_to_the_first_card_in_four_clicks(
    open_page: Opener, bot: FakeBot, sandbox: Running
) -> None:
    you = person(sandbox, "you")
    lead = press("Lead", style="success")

    async def talk(bot: FakeBot, message: Json) -> None:
        if message["text"] == "/start":
            await bot.send(you, "Hello!")
        if message["text"] == "/goat":
            await bot.send(club(sandbox), "A table", [press("Play now with computers", style="success")])

    async def pressed(bot: FakeBot, query: Json) -> None:
        await bot.answer(query)
        if query["message"]["chat"]["id"] != you:
            await bot.send(you, "Your turn", [press(card) for card in ("6♣️", "K♥️", "A♠️", "10♦️")])
        elif query["data"] == lead["callback_data"]:
            await bot.edit(you, query["message"]["message_id"], "You led A♠️")
        else:
            await bot.edit(you, query["message"]["message_id"], "A♠️ is chosen", [lead])

    bot.on_message, bot.on_press = talk, pressed
    page = await open_page()
    card = page.get_by_role("complementary", name="How to play")
    await card.get_by_role("button", name="Open a table").click()
    await button(group(page), "Play now with computers").click()
    await private(page).locator(".kb").filter(has_text="A♠").click()
    await button(private(page), "Lead").click()
    await expect(newest(private(page))).to_contain_text("You led A♠")
    await expect(card).to_be_hidden()


async def test_the_card_can_be_closed_for_good(open_page: Opener) -> None:
    page = await open_page(PHONE)
    card = page.get_by_role("complementary", name="How to play")
    await expect(card).to_contain_text("Press Start")
    await card.get_by_role("button", name="Close").click()
    await expect(card).to_be_hidden()
    await page.reload()
    await expect(group(page)).to_be_visible()
    await expect(card).to_be_hidden()
