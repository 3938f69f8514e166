"""PostgreSQL goes away and comes back: nothing is half done, and no process needs a restart."""

import asyncio
import random
from collections.abc import AsyncIterator

import asyncpg
import pytest

from tests.tgbot.club import PEOPLE, Club, Scripted, bot_for, club_of
from tests.tgbot.fleet import Relay, through
from tests.tgbot.test_exactly_once import count, first_move
from tgbot.handlers import context
from tgbot.services import deals, play


@pytest.fixture
async def relay(database: str) -> AsyncIterator[Relay]:
    wire = Relay(int(database.rsplit(":", 1)[1].split("/")[0]))
    await wire.open()
    yield wire
    await wire.refuse()


@pytest.fixture
async def wired(database: str, relay: Relay) -> AsyncIterator[Club]:
    """A club whose bot reaches its database by the relay."""
    async with club_of(database) as opened, bot_for(opened, dsn=through(database, relay.port)):
        await opened.until(lambda: opened.messages(opened.group))
        yield opened


async def test_a_connection_cut_in_mid_transaction_costs_a_press_nothing(
    wired: Club, relay: Relay, monkeypatch: pytest.MonkeyPatch
) -> None:
    person, hand, lead = await first_move(wired)
    real, cuts = deals.play_move, list[int]()

    async def cutting(*arguments: object) -> None:
        await real(*arguments)  # type: ignore[arg-type]
        if not cuts:
            cuts.append(1)
            relay.cut()

    monkeypatch.setattr(play, "play_move", cutting)
    query = wired.world.press(person, wired.private(person), hand.message_id, lead["callback_data"])
    answer = await wired.world.answer_to(query, 20)
    assert answer["text"] in ("You led.", "Вы сходили.")
    assert cuts
    assert await count(wired, "moves") == 1


async def test_while_it_refuses_people_are_asked_to_try_again_and_then_all_goes_on(
    wired: Club, relay: Relay
) -> None:
    person, hand, lead = await first_move(wired)
    await relay.refuse()
    query = wired.world.press(person, wired.private(person), hand.message_id, lead["callback_data"])
    answer = await wired.world.answer_to(query, 20)
    assert "try again" in answer["text"].lower() or "ещё раз" in answer["text"]
    wired.world.say("You", wired.group, "/table")  # nobody waits at a button: Telegram sends it again
    await asyncio.sleep(2)
    shown = len(wired.messages(wired.group))
    await relay.open()
    await wired.until(lambda: not wired.world.data.updates)
    players = Scripted(wired, PEOPLE, random.Random(1))
    while players.moves < 3:
        await wired.until(players.to_act)
        await players.act(players.to_act()[0])
    await wired.until(
        lambda: any(
            "leads" in text or "beats" in text or "passes" in text for text in wired.texts(wired.group)
        )
    )
    assert shown
    assert wired.bot is not None
    assert not wired.bot.failed.done()


async def test_the_clock_and_the_painter_heal_too(wired: Club, relay: Relay) -> None:
    await wired.all_start("You")
    await wired.open_lobby()
    await wired.press("You", wired.group, "Play now with computers")
    players = Scripted(wired, ("You",), random.Random(1))
    for _ in range(2):
        relay.cut()
        until = players.moves + 2
        while players.moves < until:
            if players.to_act():
                await players.act("You")
            else:
                await players.wait_for_a_turn()


async def test_an_exhausted_pool_is_said_and_passes(wired: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(context, "ACQUIRE_WITHIN", 0.1)
    monkeypatch.setattr("tgbot.handlers.middleware.ACQUIRE_WITHIN", 0.1)
    await wired.all_start("You")
    await wired.open_lobby()
    assert wired.bot is not None
    pool = wired.bot.pool
    taken = [await pool.acquire() for _ in range(pool.get_max_size())]
    answer = await wired.press("You", wired.group, "🔵 Sit here")
    assert "try again" in answer["text"]
    for connection in taken:
        await pool.release(connection)
    assert (await wired.press("You", wired.group, "🔵 Sit here"))["text"].startswith("You have a seat")


MENDED = (
    asyncpg.SerializationError,
    asyncpg.DeadlockDetectedError,
    asyncpg.LockNotAvailableError,
    asyncpg.AdminShutdownError,
    asyncpg.ReadOnlySQLTransactionError,
)


@pytest.mark.parametrize("fault", MENDED)
async def test_what_another_try_mends_is_tried_again(
    wired: Club, monkeypatch: pytest.MonkeyPatch, fault: type[Exception]
) -> None:
    person, hand, lead = await first_move(wired)
    real, failed = deals.play_move, list[int]()

    async def failing(*arguments: object) -> None:
        await real(*arguments)  # type: ignore[arg-type]
        if len(failed) < 2:
            failed.append(1)
            raise fault("once more")

    monkeypatch.setattr(play, "play_move", failing)
    answer = await wired.press(person, hand.chat_id, lead["text"])
    assert answer["text"] in ("You led.", "Вы сходили.")
    assert await count(wired, "moves") == 1
