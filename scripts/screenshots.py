"""The pictures of README.md: `make screenshots` plays a series in the sandbox with the real bot and looks at it.

Everything is fixed, people, clock and chance, so that pictures change only when what they show has changed. People
press what they see, as in Telegram; the bot runs in this process, on a database that is thrown away afterwards.
"""

import asyncio
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import combinations
from pathlib import Path
from typing import Any, Literal

from playwright.async_api import Browser, Locator, Page, async_playwright

from db import embedded, migrate
from tgbot import app
from tgbot.handlers.flood import Rate
from tgbot.pace import Limits
from tgbot.sandbox import server
from tgbot.sandbox.model import Message
from tgbot.sandbox.world import World, first_world

ROOT = Path(__file__).resolve().parents[1]
PICTURES = ROOT / "docs" / "pictures"
EVENING = datetime(2026, 9, 18, 19, 42, tzinfo=UTC)
SEEDS = range(11, 40)
"""The first with which the series holds a trick that tells much is taken; with each the game is always the same."""
PEOPLE = ("Max", "Anna", "Boris")
GROUP = "Goat club"
PATIENCE = 30.0
STILL = 2500
"""Milliseconds after which nothing moves on the page any more."""
UNLIMITED = Limits(a_second=100_000, chat_gap=0.0, group_a_minute=100_000)
CARD, MOVE = "h:", "m:"
"""How the data of card buttons and of action buttons begin."""

Button = dict[str, Any]


@dataclass
class Evening:
    """`now` is the house's clock; `shown` the sandbox's, which leaves out how often we looked for the next turn."""

    now: datetime = EVENING
    shown: datetime = EVENING

    def __call__(self) -> datetime:
        return self.now

    def unix(self) -> float:
        return self.shown.timestamp()


@dataclass
class Game:
    """A table with three people and a computer, seen through the chats."""

    world: World
    clock: Evening
    bot: app.Running

    def messages(self, chat: str) -> list[Message]:
        where = self.world.chat(GROUP if chat == GROUP else self.world.person(chat).id)
        return [message for message in where.messages.values() if message.sender_id == self.world.bot.id]

    def hand(self, person: str) -> Message | None:
        """Where a person can choose cards, or is asked something."""
        for message in reversed(self.messages(person)):
            if any(is_card(button) or ":decline:" in data(button) for button in buttons(message)):
                return message
        return None

    async def until(self, true: Callable[[], object]) -> None:
        await self.world.until(true, PATIENCE)

    async def press(self, person: str, chat: str, message: Message, button: Button) -> None:
        where = self.world.chat(GROUP if chat == GROUP else self.world.person(chat).id)
        query = self.world.press(person, where, message.message_id, button["callback_data"])
        await self.world.answer_to(query, PATIENCE)

    async def press_in_group(self, person: str, label: str) -> None:
        def there() -> tuple[Message, Button] | None:
            pairs = [(message, button) for message in self.messages(GROUP) for button in buttons(message)]
            return next((pair for pair in reversed(pairs) if label in pair[1]["text"]), None)

        await self.until(there)
        found = there()
        assert found is not None
        await self.press(person, GROUP, *found)

    async def begin(self) -> None:
        self.world.say("Anna", GROUP, "Anybody for a game of goat?")
        self.pass_time(40, 40)
        self.world.say("Boris", GROUP, "Always 🙂")
        self.pass_time(15, 15)
        for person in PEOPLE:
            self.world.start(person)
            await self.until(lambda person=person: self.messages(person))  # type: ignore[misc]
        self.world.say("Max", GROUP, "/goat")
        for person, team in zip(PEOPLE, "🔵🟠🔵", strict=True):
            await self.press_in_group(person, f"{team} Sit here")
        await self.press_in_group(PEOPLE[0], "🟠 + computer")
        await self.press_in_group(PEOPLE[0], "Start")

    def pass_time(self, seconds: float, shown: float) -> None:
        self.clock.now += timedelta(seconds=seconds)
        self.clock.shown += timedelta(seconds=shown)
        self.bot.wake()

    def actor(self) -> str | None:
        return next((person for person in PEOPLE if self.hand(person)), None)

    def result(self) -> Message | None:
        return next((m for m in reversed(self.messages(GROUP)) if "Play again" in str(m.reply_markup)), None)

    async def next_turn(self) -> str | None:
        """Whose turn it is; None when the series is over. Computers' pauses pass."""
        while not self.actor() and not self.result():
            self.pass_time(3, 0)
            try:
                await self.world.until(lambda: self.actor() or self.result(), 0.2)
            except TimeoutError:
                continue
        return self.actor()

    async def choose(self, person: str, places: tuple[int, ...]) -> list[Button]:
        """Exactly these cards of the sorted hand; returns what can be done with them."""
        for place in range(4):
            hand = self.hand(person)
            cards = [button for button in buttons(hand) if is_card(button)]
            if hand and place < len(cards) and ("✅" in cards[place]["text"]) != (place in places):
                before = hand.reply_markup
                await self.press(person, person, hand, cards[place])
                await self.until(
                    lambda hand=hand, before=before: (
                        hand.reply_markup != before or self.hand(person) is not hand
                    )  # type: ignore[misc]
                )
        return moves(self.hand(person))

    async def plan(self, person: str) -> Button | None:
        """Chooses cards: a lead of two if there is one, the first beat there is, else cards to throw away.

        None when the turn has gone: a computer declared a molodka meanwhile.
        """
        hand = self.hand(person)
        count = sum(is_card(button) for button in buttons(hand))
        need = re.search(r"\bpass ([1-4]) card", (hand.text or "") if hand else "", re.IGNORECASE)
        possible = moves(hand)
        for size in ([int(need[1])] if need else [2, 3, 1]) if count else []:
            for places in combinations(range(count), size):
                possible = await self.choose(person, places)
                for button in possible:
                    if button["text"] in ("Beat", "Lead"):
                        return button
        return possible[-1] if possible else None

    async def act(self, person: str, button: Button) -> None:
        hand = self.hand(person)
        if hand is None:
            return
        before = (hand.text, hand.reply_markup)
        await self.press(person, person, hand, button)
        await self.until(lambda: self.hand(person) is not hand or (hand.text, hand.reply_markup) != before)

    async def play_until(self, enough: Callable[[str], bool]) -> None:
        """Until a person whose cards are chosen sees what is `enough`, or to the end of the series."""
        while person := await self.next_turn():
            self.pass_time(7, 9)
            button = await self.plan(person)
            if button is None:
                continue
            if enough(person):
                return
            await self.act(person, button)

    def tells_much(self, person: str) -> bool:
        """Not the first deal; two cards of the others to beat, somebody has passed, and a beat is chosen."""
        hand = self.hand(person)
        if person != PEOPLE[0] or hand is None:
            return False
        text = hand.text or ""
        return (
            {button["text"] for button in moves(hand)} == {"Beat", "Pass"}
            and str(hand.reply_markup).count("✅") == 2
            and "passes" in text
            and not re.search(r"👑\W*Boris", text)
            and not re.search(r"deal 1\b", text)
        )

    async def group_follows(self, person: str) -> None:
        """Until the table in the group shows the moves that the hand shows."""
        hand = self.hand(person)
        assert hand is not None
        lines = [line for line in (hand.text or "").splitlines() if line.startswith(("👑", "▫️"))]
        await self.until(lambda: set(lines) <= set((self.messages(GROUP)[-1].text or "").splitlines()))


def buttons(message: Message | None) -> list[Button]:
    rows = ((message and message.reply_markup) or {}).get("inline_keyboard", [])
    return [button for row in rows for button in row]


def is_card(button: Button) -> bool:
    return data(button).startswith(CARD) and any(suit in button["text"] for suit in "♣♦♥♠")


def data(button: Button) -> str:
    return str(button.get("callback_data", ""))


def moves(hand: Message | None) -> list[Button]:
    return [button for button in buttons(hand) if data(button).startswith(MOVE)]


@asynccontextmanager
async def game(dsn: str, seed: int) -> AsyncIterator[tuple[Game, str]]:
    """A world with the bot in it, and the address of its page."""
    clock = Evening()
    world = first_world(clock.unix)
    world.rename("Борис", "Boris")
    world.set_language("Boris", "en")
    sandbox = await server.start(world, retry_unit=0.05)
    port = free_port()
    config = app.Config(
        token=sandbox.token,
        dsn=dsn,
        webhook_url=f"http://127.0.0.1:{port}",
        port=port,
        telegram=sandbox.url,
        limits=UNLIMITED,
        rate=Rate(1000, 1000),
        clock=clock,
        rng=random.Random(seed),  # noqa: S311 - the same pictures every time
    )
    try:
        async with app.running(config) as bot:
            yield Game(world, clock, bot), sandbox.url
    finally:
        await sandbox.stop()


async def open_page(
    browser: Browser, url: str, width: int, height: int, scale: float, scheme: Literal["light", "dark"]
) -> Page:
    context = await browser.new_context(
        viewport={"width": width, "height": height},
        device_scale_factor=scale,
        color_scheme=scheme,
        locale="en-GB",
        timezone_id="UTC",
        reduced_motion="reduce",
    )
    page = await context.new_page()
    await page.goto(url)
    await page.locator("#app[data-connected=true]").wait_for()
    card = page.get_by_role("button", name="Close this card")
    if await card.is_visible():
        await card.click()
    await page.wait_for_timeout(STILL)
    return page


async def run(dsn: str, seed: int) -> bool:
    """Plays one series on an empty database; False when it shows nothing that is worth a picture."""
    await migrate.upgrade(dsn)
    async with game(dsn, seed) as (played, url):
        await played.begin()
        await played.play_until(played.tells_much)
        if played.result():
            return False
        await played.group_follows(PEOPLE[0])
        async with async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
            await take(played, browser, url)
            await browser.close()
    return True


async def take(played: Game, browser: Browser, url: str) -> None:
    near = await open_page(browser, url, 1180, 720, 2, "light")
    await shoot(near.locator(".chat-group .msg").last, "group")
    await shoot(near.locator(".chat-private .msg").last, "hand")
    # What is large is shown smaller, and need not be as sharp.
    page = await open_page(browser, url, 1180, 720, 1.25, "light")
    await page.screenshot(path=PICTURES / "page.png")
    phone = await open_page(browser, url, 390, 844, 1.5, "dark")
    await phone.screenshot(path=PICTURES / "phone.png")
    await played.play_until(lambda _: False)
    await near.wait_for_timeout(STILL)
    await shoot(near.locator(".chat-group .msg").last, "result")


async def shoot(message: Locator, name: str) -> None:
    await message.locator(".stack").screenshot(path=PICTURES / f"{name}.png", animations="disabled")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def chromium() -> str:
    found = subprocess.run(  # noqa: S603 - our own script
        [ROOT / "scripts" / "find-chromium"], capture_output=True, text=True, check=False
    )
    if found.returncode:
        raise SystemExit(
            "screenshots: no Chromium here; apt install chromium, or set CHROMIUM to its program"
        )
    return found.stdout.strip()


def main() -> None:
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))  # the folder is removed then, too
    chromium()
    PICTURES.mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(prefix="goat-pictures-"))
    folder.chmod(0o755)  # PostgreSQL may run as another account than ours
    try:
        for seed in SEEDS:
            with embedded.start(folder / str(seed), durable=False) as database:
                if asyncio.run(run(database.dsn, seed)):
                    print(f"screenshots: the series of seed {seed}, in {PICTURES.relative_to(ROOT)}")  # noqa: T201
                    return
    finally:
        shutil.rmtree(folder)
    raise SystemExit("screenshots: no series shows what the pictures should")


if __name__ == "__main__":
    main()
