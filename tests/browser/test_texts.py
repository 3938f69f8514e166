"""What messages look like: formatting, spoilers, odd names, commands, pictures, messages for one person."""

import struct
import zlib

import aiohttp
from playwright.async_api import expect

from tests.browser.conftest import PHONE, Opener
from tests.browser.fakebot import FakeBot, Json, press
from tests.browser.screen import be, group, messages, newest, private, write
from tests.browser.world import club
from tgbot.sandbox.server import Running


async def test_formatting_is_shown_also_when_it_nests(
    open_page: Opener, bot: FakeBot, sandbox: Running
) -> None:
    page = await open_page()
    html = (
        "🐐 <b>bold <i>both</i></b> <u>under</u> <s>gone</s> <code>7h</code>\n"
        '<pre><code class="language-python">deal()</code></pre>\n<blockquote>said</blockquote>\nafter '
        '<a href="https://goat.invalid/">link</a>'
    )
    await bot.send(club(sandbox), html)
    text = newest(group(page)).locator(".text")
    await expect(text.locator("strong")).to_have_text("bold both")
    await expect(text.locator("strong em")).to_have_text("both")
    await expect(text.locator("u")).to_have_text("under")
    await expect(text.locator("s")).to_have_text("gone")
    await expect(text.locator(":scope > code")).to_have_text("7h")
    await expect(text.locator("pre")).to_have_attribute("data-language", "python")
    await expect(text.locator("blockquote")).to_have_text("said")
    await expect(text.locator("a")).to_have_attribute("href", "https://goat.invalid/")


async def test_a_spoiler_is_hidden_until_it_is_pressed(
    open_page: Opener, bot: FakeBot, sandbox: Running
) -> None:
    page = await open_page()
    await bot.send(club(sandbox), "The stock: <tg-spoiler>A♠ and the seven of hearts</tg-spoiler>")
    message = newest(group(page))
    hidden = message.locator(".spoiler-text")
    assert await hidden.evaluate("el => getComputedStyle(el).opacity") == "0"
    await expect(hidden).to_have_attribute("aria-hidden", "true")
    await expect(page.locator(".chat-item").filter(has_text="The stock")).not_to_contain_text("hearts")
    await message.locator(".spoiler").click()
    assert await hidden.evaluate("el => getComputedStyle(el).opacity") == "1"
    await expect(hidden).not_to_have_attribute("aria-hidden", "true")


async def test_a_spoiler_opens_by_keyboard(open_page: Opener, bot: FakeBot, sandbox: Running) -> None:
    page = await open_page()
    await bot.send(club(sandbox), "Who? <tg-spoiler>Anna</tg-spoiler>")
    await newest(group(page)).get_by_role("button", name="Hidden text").press("Enter")
    await expect(newest(group(page)).locator(".spoiler.revealed")).to_have_text("Anna")


async def test_what_people_write_is_never_taken_for_html(
    open_page: Opener, bot: FakeBot, sandbox: Running
) -> None:
    page = await open_page()
    evil = '<img src=x onerror="document.title=\'owned\'"><script>document.title="owned"</script>'
    mallory = sandbox.world.new_person(evil[:60], None, "mallory", "en")
    sandbox.world.join(mallory, club(sandbox))
    sandbox.world.say(mallory, club(sandbox), evil)
    await bot.call(
        "sendMessage", chat_id=club(sandbox), text=evil, reply_markup={"inline_keyboard": [[press(evil)]]}
    )
    await expect(newest(group(page)).locator(".text")).to_contain_text("<script>")
    await expect(group(page).locator("article img, article script")).to_have_count(0)
    assert "owned" not in await page.title()


async def test_long_words_odd_names_and_big_keyboards_stay_inside(
    open_page: Opener, bot: FakeBot, sandbox: Running
) -> None:
    page = await open_page(PHONE)
    chat = club(sandbox)
    names = ("نورا الهاشمي", "🦊" * 20, "W" * 60, "Zoë-Ann van der Bovenkamp tot Lange Naam")
    for name in names:
        odd = sandbox.world.new_person(name, None, None, "en")
        sandbox.world.join(odd, chat)
        sandbox.world.say(odd, chat, f"{name} " + "x" * 300)
    ranks = ("6", "7", "8", "9", "J", "Q", "K", "10", "A")
    rows = [
        [press(f"{rank}{suit}️") for rank in ranks[half]]
        for suit in "♠♥♦♣"
        for half in (slice(5), slice(5, 9))
    ]
    await bot.send(chat, "All thirty-six", *rows)
    await expect(newest(group(page)).locator(".kb")).to_have_count(36)
    for pane in (group(page), private(page)):
        wide = await pane.locator(".scroller").evaluate("el => [el.scrollWidth, el.clientWidth]")
        assert wide[0] <= wide[1]
    assert await page.evaluate("document.documentElement.scrollWidth") == PHONE[0]
    smallest = (
        await newest(group(page))
        .locator(".kb")
        .evaluate_all("all => Math.min(...all.map(el => el.getBoundingClientRect().width))")
    )
    assert smallest >= 40
    clipped = (
        await newest(group(page))
        .locator(".kb-text")
        .evaluate_all("all => all.filter(el => el.scrollWidth > el.clientWidth + 1).length")
    )
    assert clipped == 0


async def test_a_slash_offers_the_commands_in_the_persons_language(
    open_page: Opener, bot: FakeBot, sandbox: Running
) -> None:
    english = [
        {"command": "goat", "description": "Open a table"},
        {"command": "table", "description": "Show the table"},
        {"command": "stop", "description": "End the series"},
    ]
    russian = [{"command": "goat", "description": "Открыть стол"}]
    scope = {"type": "all_group_chats"}
    await bot.call("setMyCommands", commands=english, scope=scope)
    await bot.call("setMyCommands", commands=russian, scope=scope, language_code="ru")
    page = await open_page()
    box = group(page).get_by_role("textbox")
    await box.press_sequentially("/")
    offers = group(page).get_by_role("option")
    await expect(offers).to_have_count(3)
    await box.press_sequentially("t")
    await expect(offers).to_have_text(["/tableShow the table"])
    await box.press("Tab")
    await expect(box).to_have_value("/table ")
    await expect(offers).to_have_count(0)
    await box.fill("/")
    await box.press("ArrowDown")
    await box.press("ArrowDown")
    await box.press("Enter")
    await expect(newest(group(page))).to_contain_text(f"/stop@{sandbox.world.bot.username}")
    await expect(box).to_have_value("")
    await be(page, "Борис")
    await group(page).get_by_role("button", name="Commands").click()
    await expect(group(page).get_by_role("option")).to_have_text(["/goatОткрыть стол"])
    await page.keyboard.press("Escape")
    await expect(group(page).get_by_role("option")).to_have_count(0)


async def test_a_command_in_a_text_can_be_pressed(open_page: Opener, bot: FakeBot, sandbox: Running) -> None:
    page = await open_page()
    await bot.send(club(sandbox), "Try /rules first")
    await newest(group(page)).get_by_role("button", name="/rules").click()
    await bot.heard(
        lambda update: update.get("message", {}).get("text") == f"/rules@{sandbox.world.bot.username}"
    )


async def test_an_ephemeral_message_is_seen_by_its_receiver_only(
    open_page: Opener, bot: FakeBot, sandbox: Running
) -> None:
    async def answer(bot: FakeBot, query: Json) -> None:
        whom = {"receiver_user_id": query["from"]["id"], "callback_query_id": query["id"]}
        await bot.send(club(sandbox), "That seat is taken", ephemeral_message_parameters=whom)
        await bot.answer(query)

    bot.on_press = answer
    page = await open_page()
    await bot.send(club(sandbox), "Take a seat", [press("Sit")])
    await group(page).get_by_role("button", name="Sit").click()
    await expect(newest(group(page))).to_contain_text("That seat is taken")
    await expect(newest(group(page))).to_contain_text("Only visible to you")
    await be(page, "Anna")
    await expect(newest(group(page))).to_contain_text("Take a seat")
    await expect(messages(group(page)).filter(has_text="That seat is taken")).to_have_count(0)
    await be(page, "Max")
    await expect(messages(group(page)).filter(has_text="That seat is taken")).to_have_count(1)


def png(width: int, height: int) -> bytes:
    """A plain green picture."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    rows = (b"\0" + b"\x1f\x7a\x3a" * width) * height
    body = chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + body


async def test_a_picture_is_shown_with_its_caption_and_opens_large(
    open_page: Opener, bot: FakeBot, sandbox: Running
) -> None:
    page = await open_page()
    form = aiohttp.FormData()
    form.add_field("chat_id", str(club(sandbox)))
    form.add_field("caption", "The result of <b>deal 3</b>")
    form.add_field("parse_mode", "HTML")
    form.add_field("photo", png(320, 180), filename="deal.png", content_type="image/png")
    async with bot.http.post(f"{bot.base}/sendPhoto", data=form) as response:
        assert (await response.json())["ok"]
    message = newest(group(page))
    await expect(message.locator("strong")).to_have_text("deal 3")
    await expect(message.get_by_role("img")).to_have_js_property("naturalWidth", 320)
    await message.get_by_role("button", name="Open the photo").click()
    await expect(page.get_by_role("dialog").get_by_role("img")).to_be_visible()
    await page.keyboard.press("Escape")
    await expect(page.get_by_role("dialog")).to_have_count(0)


async def test_a_pinned_message_is_one_press_away(open_page: Opener, bot: FakeBot, sandbox: Running) -> None:
    page = await open_page()
    chat = club(sandbox)
    sandbox.world.promote(chat, sandbox.world.bot.id, True)
    sent = await bot.send(chat, "The table of today")
    for number in range(30):
        await bot.send(chat, f"Talk {number}")
    await bot.call("pinChatMessage", chat_id=chat, message_id=sent)
    table = messages(group(page)).filter(has_text="The table of today")
    await expect(table).not_to_be_in_viewport()
    await group(page).get_by_role("button", name="Pinned message").click()
    await expect(table).to_be_in_viewport()
    await expect(table).to_be_focused()


async def test_a_person_replies_edits_and_deletes(open_page: Opener, bot: FakeBot, sandbox: Running) -> None:
    page = await open_page()
    await bot.send(club(sandbox), "Shall we begin?")
    question = newest(group(page))
    await question.click(button="right")
    await page.get_by_role("menuitem", name="Reply").click()
    await write(group(page), "Yess")
    mine = newest(group(page))
    await expect(mine.locator(".quote")).to_contain_text("Shall we begin?")
    await mine.focus()
    await page.keyboard.press("Enter")
    await page.get_by_role("menuitem", name="Edit").click()
    await expect(group(page).get_by_role("textbox")).to_have_value("Yess")
    await write(group(page), "Yes!")
    await expect(mine).to_contain_text("Yes!")
    await expect(mine.get_by_text("edited")).to_be_visible()
    await mine.click(button="right")
    await page.get_by_role("menuitem", name="Delete").click()
    await expect(messages(group(page)).filter(has_text="Yes!")).to_have_count(0)
