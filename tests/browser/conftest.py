"""The page in a real Chromium, on a sandbox of its own for each test. Screenshots of failures go to test-artifacts/."""

import os
import re
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable, Generator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, BrowserContext, ConsoleMessage, Page, async_playwright, expect

from tests.browser.fakebot import FakeBot
from tgbot.sandbox.server import Running, start

HERE = Path(__file__).parent
ARTIFACTS = HERE.parents[1] / "test-artifacts"
NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
DESKTOP = (1400, 900)
PHONE = (390, 844)
PATIENCE = 20_000
"""Milliseconds that a test waits for what must come: machines that run everything at once are slow."""

Opener = Callable[..., Awaitable[Page]]
FAILED = pytest.StashKey[bool]()


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "browser: clicks through the sandbox's page in Chromium")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.browser)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.when == "call":
        item.stash[FAILED] = report.failed
    return report


@pytest.fixture(scope="session")
def chromium() -> str:
    """The browser's program. Where there is none the tests are skipped, unless REQUIRE_BROWSER says that they must run."""
    wanted = [os.environ["CHROMIUM"]] if os.environ.get("CHROMIUM") else NAMES
    found = next(filter(None, map(shutil.which, wanted)), None)
    if found is None:
        reason = (
            "no Chromium here: install it (Debian: apt-get install chromium) or set CHROMIUM to its program"
        )
        if os.environ.get("REQUIRE_BROWSER"):
            pytest.fail(reason)
        pytest.skip(reason)
    return found


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser(chromium: str) -> AsyncIterator[Browser]:
    expect.set_options(timeout=PATIENCE)
    async with async_playwright() as playwright:
        launched = await playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        yield launched
        await launched.close()


@pytest_asyncio.fixture
async def sandbox() -> AsyncIterator[Running]:
    running = await start(port=0)
    yield running
    await running.stop()


@pytest_asyncio.fixture
async def bot(sandbox: Running) -> AsyncIterator[FakeBot]:
    async with FakeBot(sandbox.url, sandbox.token) as fake:
        yield fake


@pytest_asyncio.fixture
async def open_page(
    request: pytest.FixtureRequest, browser: Browser, sandbox: Running
) -> AsyncIterator[Opener]:
    """Opens the page in a fresh profile: `await open_page(size=PHONE, scheme="dark")`. A script error fails the test."""
    contexts: list[BrowserContext] = []
    pages: list[Page] = []
    problems: list[str] = []

    async def open_it(size: tuple[int, int] = DESKTOP, scheme: str = "light") -> Page:
        context = await browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            color_scheme=scheme,  # type: ignore[arg-type]
            locale="en-GB",
            timezone_id="UTC",
            has_touch=size[0] < 500,
        )
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        page = await context.new_page()
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("console", lambda said: _note_complaint(said, problems))
        page.on("request", lambda asked: _note_stranger(asked.url, sandbox.url, problems))
        pages.append(page)
        await page.goto(sandbox.url)
        await page.locator("#app[data-connected=true]").wait_for()
        return page

    yield open_it
    if request.node.stash.get(FAILED, False):
        await _keep_screenshots(request.node.nodeid, pages)
    for context in contexts:
        await context.close()
    assert not problems, problems


def _note_complaint(said: ConsoleMessage, problems: list[str]) -> None:
    # Refused actions (400) and a lost connection are part of some tests; what the page makes of them is looked at there.
    if said.type == "error" and "Failed to load resource" not in said.text and "net::ERR" not in said.text:
        problems.append(said.text)


def _note_stranger(asked: str, own: str, problems: list[str]) -> None:
    if not asked.startswith((own, "data:", "blob:")):
        problems.append(f"the page asked for {asked}")


async def _keep_screenshots(nodeid: str, pages: list[Page]) -> None:
    ARTIFACTS.mkdir(exist_ok=True)
    name = re.sub(r"[^\w-]+", "_", nodeid.rsplit("::", 1)[-1])
    for number, page in enumerate(pages):
        await page.screenshot(path=ARTIFACTS / f"{name}-{number}.png")
