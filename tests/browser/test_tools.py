"""The developers' drawer."""

import json

import pytest
from playwright.async_api import Locator, Page, expect

from tests.browser.conftest import Opener
from tests.browser.fakebot import FakeBot, Refused
from tests.browser.screen import group, messages, newest, private, write
from tests.browser.world import club, person
from tgbot.sandbox.server import Running


async def tools(page: Page, tab: str = "Controls") -> Locator:
    await page.get_by_role("button", name="Developer tools", exact=True).click()
    drawer = page.get_by_role("complementary", name="Developer tools")
    await drawer.get_by_role("tab", name=tab).click()
    return drawer


async def do(drawer: Locator, words: str) -> None:
    await drawer.get_by_role("button", name=words, exact=True).click()


async def test_the_clock_goes_on(open_page: Opener, sandbox: Running) -> None:
    page = await open_page()
    drawer = await tools(page)
    await do(drawer, "+1 h")
    await do(drawer, "+10 min")
    await expect(drawer.locator(".clock")).to_contain_text("1 h 10 min ahead")
    assert sandbox.world.data.clock_offset == 4200


async def test_a_fault_meets_the_next_call_and_is_gone(
    open_page: Opener, bot: FakeBot, sandbox: Running
) -> None:
    page = await open_page()
    drawer = await tools(page)
    await drawer.get_by_label("Method").fill("sendMessage")
    await drawer.get_by_label("Seconds").fill("7")
    await do(drawer, "Inject")
    await expect(drawer.locator(".faults li")).to_contain_text("429 for sendMessage, 1 more, 7 s")
    with pytest.raises(Refused, match="retry after 7"):
        await bot.send(club(sandbox), "Too fast")
    await expect(drawer.locator(".faults li")).to_have_count(0)
    await bot.send(club(sandbox), "Now")
    await expect(newest(group(page))).to_contain_text("Now")


async def test_calls_are_listed_with_what_they_held(
    open_page: Opener, bot: FakeBot, sandbox: Running
) -> None:
    page = await open_page()
    drawer = await tools(page, "Calls")
    await bot.send(club(sandbox), "Look at me")
    call = drawer.locator(".call").filter(has_text="sendMessage").first
    await expect(call).to_contain_text("200")
    await expect(call).to_contain_text("Goat club")
    await call.locator("summary").click()
    await expect(call.locator("pre")).to_contain_text("Look at me")
    with pytest.raises(Refused):
        await bot.send(4242, "To nobody")
    await expect(drawer.locator(".call.bad").first).to_contain_text("400")
    await drawer.get_by_role("searchbox").fill("nothing like this")
    await expect(drawer.locator(".call:visible")).to_have_count(0)


async def test_limits_count_the_calls_of_a_chat(open_page: Opener, bot: FakeBot, sandbox: Running) -> None:
    page = await open_page()
    for number in range(5):
        await bot.send(club(sandbox), f"Message {number}")
    drawer = await tools(page, "Limits")
    await expect(drawer.get_by_role("row").filter(has_text="Goat club")).to_contain_text("5 of 20")


async def test_who_blocks_the_bot_sees_unblock_and_the_bot_is_refused(
    open_page: Opener, bot: FakeBot, sandbox: Running
) -> None:
    page = await open_page()
    you = person(sandbox, "you")
    sandbox.world.start(you)
    drawer = await tools(page)
    await do(drawer, "Block the bot")
    await expect(private(page).get_by_role("button", name="Unblock")).to_be_visible()
    with pytest.raises(Refused, match="blocked by the user"):
        await bot.send(you, "Hello?")
    await private(page).get_by_role("button", name="Unblock").click()
    await expect(private(page).get_by_role("textbox")).to_be_visible()


async def test_a_group_that_becomes_a_supergroup_stays_open_under_its_new_id(
    open_page: Opener, bot: FakeBot, sandbox: Running
) -> None:
    page = await open_page()
    old = club(sandbox)
    drawer = await tools(page)
    await do(drawer, "Make it a supergroup")
    await expect(page.locator(f'section.chat-group[data-chat="{club(sandbox)}"]')).to_be_visible()
    assert club(sandbox) != old
    await bot.send(club(sandbox), "In the new one")
    await expect(newest(group(page))).to_contain_text("In the new one")


async def test_topics_are_tabs_and_what_is_written_goes_into_the_open_one(
    open_page: Opener, bot: FakeBot, sandbox: Running
) -> None:
    page = await open_page()
    drawer = await tools(page)
    await do(drawer, "Make it a supergroup")
    await do(drawer, "Topics on")
    await drawer.get_by_label("Name of a new topic").fill("Cards")
    await do(drawer, "Create a topic")
    tabs = group(page).get_by_role("toolbar", name="Topics")
    await tabs.get_by_role("button", name="Cards").click()
    await write(group(page), "In the topic")
    await expect(newest(group(page))).to_contain_text("In the topic")
    topic = next(iter(sandbox.world.chat(club(sandbox)).topics))
    assert sandbox.world.last_message(club(sandbox)).thread_id == topic
    await tabs.get_by_role("button", name="General").click()
    await expect(messages(group(page)).filter(has_text="In the topic")).to_have_count(0)
    await bot.send(club(sandbox), "Here too", message_thread_id=topic)
    await expect(tabs.get_by_role("button", name="Cards").locator(".badge")).to_contain_text("1")


async def test_an_anonymous_admin_writes_as_the_group(open_page: Opener, sandbox: Running) -> None:
    page = await open_page()
    drawer = await tools(page)
    await do(drawer, "Make it a supergroup")
    await do(drawer, "Be an anonymous admin")
    await expect(drawer.get_by_role("button", name="Show as himself")).to_be_visible()
    await write(group(page), "Nobody knows me")
    await expect(newest(group(page)).locator(".author")).to_have_text("Goat club")


async def test_leaving_and_removing_are_said_in_the_group(open_page: Opener, sandbox: Running) -> None:
    page = await open_page()
    drawer = await tools(page)
    await do(drawer, "Remove the bot")
    await expect(group(page).locator(".service").last).to_contain_text("removed Goat")
    await do(drawer, "Add the bot")
    await expect(group(page).locator(".service").last).to_contain_text("added Goat")
    await do(drawer, "Leave the group")
    await expect(group(page).get_by_role("button", name="Join group")).to_be_visible()
    await group(page).get_by_role("button", name="Join group").click()
    await expect(group(page).get_by_role("textbox")).to_be_visible()


async def test_a_new_person_joins_and_can_be_played(open_page: Opener, sandbox: Running) -> None:
    page = await open_page()
    drawer = await tools(page)
    await drawer.get_by_label("Name of a new person").fill("Zoë")
    await do(drawer, "Add a person")
    await expect(page.locator(".person")).to_have_count(5)
    await page.locator(".person").filter(has_text="Zoë").click()
    await write(group(page), "Hello from Zoë")
    assert sandbox.world.last_message(club(sandbox)).sender_id == person(sandbox, "Zoë")


async def test_the_last_update_can_be_sent_once_more(
    open_page: Opener, bot: FakeBot, sandbox: Running
) -> None:
    page = await open_page()
    await write(group(page), "/goat")
    first = await bot.heard(lambda update: update.get("message", {}).get("text") == "/goat")
    bot.seen.clear()
    await do(await tools(page), "Resend the last update")
    again = await bot.heard(lambda update: update.get("message", {}).get("text") == "/goat")
    assert again == first


async def test_without_a_process_of_its_own_the_sandbox_cannot_kill_the_bot(open_page: Opener) -> None:
    drawer = await tools(await open_page())
    await expect(drawer.get_by_role("button", name="Kill")).to_be_disabled()


async def test_the_session_is_exported_as_json_lines(open_page: Opener, sandbox: Running) -> None:
    page = await open_page()
    await write(group(page), "For the record")
    drawer = await tools(page)
    async with page.expect_download() as started:
        await drawer.get_by_role("link", name="Export").click()
    saved = await (await started.value).path()
    lines = [json.loads(line) for line in saved.read_text("utf-8").splitlines()]
    assert any("For the record" in json.dumps(line) for line in lines)
