"""The real bot behind the page: a new person plays by clicking, against computers, and sees what Telegram would show."""

import re
from collections.abc import AsyncIterator
from dataclasses import dataclass
from itertools import combinations

import pytest
from playwright.async_api import Locator, Page, expect

from tests.browser.conftest import PHONE, Opener
from tests.browser.screen import button, group, messages, newest, no_barriers, private
from tests.tgbot.club import Club, bot_for, club_of
from tgbot.sandbox.server import Running

YOU_LEAD = 9
"""A seed with which the first lead is the person's own."""

TOASTS = {"Lead": "You led.", "Beat": "You beat.", "Pass": "You passed."}


@pytest.fixture
async def club(database: str) -> AsyncIterator[Club]:
    async with club_of(database, YOU_LEAD) as opened, bot_for(opened):
        yield opened


@pytest.fixture
async def sandbox(club: Club) -> Running:
    return club.sandbox


@dataclass
class Visitor:
    """Somebody who knows nothing but the page, and clicks."""

    page: Page
    club: Club
    clicks: int = 0

    @property
    def hand(self) -> Locator:
        return messages(private(self.page)).filter(has_text="· deal").last

    @property
    def cards(self) -> Locator:
        """Of those that can be chosen."""
        return self.hand.locator(".kb").filter(has=self.page.locator(".sign"))

    @property
    def turn(self) -> Locator:
        return self.hand.get_by_text(re.compile("Your turn|Your lead"))

    @property
    def count(self) -> Locator:
        return group(self.page).get_by_text("Deal 1: the count")

    async def click(self, what: Locator) -> None:
        self.clicks += 1
        await what.click()

    async def begin(self) -> None:
        card = self.page.get_by_role("complementary", name="How to play")
        await self.click(card.get_by_role("button", name="Open a table"))
        await self.click(button(group(self.page), "🤖 Play now with computers"))
        await expect(self.hand).to_be_visible()

    async def choose(self, *places: int) -> None:
        """Exactly these of the cards, counted from the left."""
        for place in range(await self.cards.count()):
            card = self.cards.nth(place)
            chosen = "✅" in await card.inner_text()
            if chosen != (place in places):
                await self.click(card)
                await (expect(card).not_to_contain_text if chosen else expect(card).to_contain_text)("✅")

    async def move(self) -> str:
        """Leads the first card, beats if that is possible, else passes the first cards. Returns what was done."""
        said = await self.hand.inner_text()
        if "Your lead" in said:
            await self.choose(0)
            return await self.act("Lead")
        need = int((re.search(r"\bpass ([1-4]) card", said, re.IGNORECASE) or [0, 0])[1])
        if "nothing beats" not in said:
            for places in combinations(range(await self.cards.count()), need):
                await self.choose(*places)
                if await button(self.hand, "Beat").is_visible():
                    return await self.act("Beat")
            pytest.fail(f"no {need} of the cards beat, but the hand says so: {said}")
        await self.choose(*range(need))
        return await self.act("Pass")

    async def act(self, verb: str) -> str:
        await self.click(button(self.hand, verb))
        await expect(private(self.page).locator(".toast").last).to_have_text(TOASTS[verb])
        await expect(self.turn).to_be_hidden()
        return verb

    async def wait_for_turn(self) -> None:
        """Computers' pauses pass at once."""
        for _ in range(60):
            await self.club.pass_time(3)
            try:
                await expect(self.turn).to_be_visible(timeout=250)
            except AssertionError:
                continue
            return
        pytest.fail("minutes of pauses have passed, and it is never his turn")


async def test_a_new_person_plays_a_whole_deal_against_computers_by_clicking(
    open_page: Opener, club: Club
) -> None:
    page = await open_page()
    visitor = Visitor(page, club)
    await visitor.begin()
    await expect(visitor.turn).to_contain_text("Your lead")
    assert await visitor.move() == "Lead"
    assert visitor.clicks <= 4
    await expect(group(page).get_by_text(re.compile(r"Max\W leads")).first).to_be_visible()
    await expect(page.get_by_role("complementary", name="How to play")).to_be_hidden()
    done = {"Lead"}
    while not await visitor.count.is_visible() or done != set(TOASTS):  # some deals give nothing to beat
        await visitor.wait_for_turn()
        done.add(await visitor.move())
    result = group(page).get_by_role("article").filter(has_text="Deal 1: the count")
    points = [int(number) for number in re.findall(r": (\d+) points? in \d trick", await result.inner_text())]
    assert sum(points) == 120


async def test_on_a_phone_in_the_dark_a_live_table_can_be_played_and_has_no_barriers(
    open_page: Opener, club: Club
) -> None:
    page = await open_page(PHONE, "dark")
    visitor = Visitor(page, club)
    await visitor.begin()
    for _ in range(3):
        await visitor.move()
        await visitor.wait_for_turn()
    await visitor.choose(0)
    await expect(visitor.hand).to_be_in_viewport()
    await expect(newest(group(page))).to_be_in_viewport()
    await no_barriers(page)
    await page.emulate_media(color_scheme="light")
    await no_barriers(page)
