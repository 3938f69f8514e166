"""Words for the parts of the page, so that tests read as what a person does and sees."""

from axe_playwright_python.async_playwright import Axe  # type: ignore[import-untyped]
from playwright.async_api import Locator, Page, expect

RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}


def group(page: Page) -> Locator:
    return page.locator("section.chat-group")


def private(page: Page) -> Locator:
    return page.locator("section.chat-private")


def messages(pane: Locator) -> Locator:
    return pane.locator("article.msg:not(.service)")


def newest(pane: Locator) -> Locator:
    return messages(pane).last


def button(pane: Locator, text: str) -> Locator:
    return pane.locator("button.kb").get_by_text(text, exact=True)


async def write(pane: Locator, text: str) -> None:
    await pane.get_by_role("textbox").fill(text)
    await pane.get_by_role("textbox").press("Enter")


async def be(page: Page, first_name: str) -> None:
    """Looks with another person's eyes."""
    await page.get_by_role("toolbar", name="Whose eyes").get_by_role("button", name=first_name).click()
    await expect(page.locator(".person[aria-pressed=true]")).to_contain_text(first_name)


async def scroll_place(pane: Locator) -> tuple[float, float]:
    """How far the messages are from the top and from the bottom, in pixels."""
    top, bottom = await pane.locator(".scroller").evaluate(
        "el => [el.scrollTop, el.scrollHeight - el.scrollTop - el.clientHeight]"
    )
    return float(top), float(bottom)


async def no_barriers(page: Page) -> None:
    """What axe finds wrong for people who see, hear or point differently."""
    found = (await Axe().run(page, options=RULES)).response["violations"]
    told = [(one["id"], node["target"], node["failureSummary"]) for one in found for node in one["nodes"]]
    assert not told, told
