"""An update has its effect once, however often and in whatever order it comes; no failure leaves the webhook."""

import asyncio
import json
import logging
import random
from typing import Any

import aiohttp
import pytest

from core.errors import GoatError
from tests.tgbot.chaos import DECK
from tests.tgbot.club import MOVE, PEOPLE, Club, Scripted
from tgbot import logs
from tgbot.services import deals as deal_services
from tgbot.services import lobby

HEADERS = {"X-Telegram-Bot-Api-Secret-Token": "s3cret"}


async def deliver(club: Club, *updates: dict[str, Any]) -> list[int]:
    """As Telegram does, all at the same time; the statuses."""
    url = f"http://127.0.0.1:{club.port}/webhook"

    async def one(update: dict[str, Any]) -> int:
        async with (
            aiohttp.ClientSession() as session,
            session.post(url, json=update, headers=HEADERS) as answer,
        ):
            return answer.status

    return await asyncio.gather(*(one(update) for update in updates))


async def count(club: Club, what: str) -> int:
    async with club.look() as db:
        return int(await db.fetchval(f"SELECT count(*) FROM {what}"))


def updates_of(club: Club) -> list[dict[str, Any]]:
    """What the bot is sent from now on."""
    sent: list[dict[str, Any]] = []
    club.world.listeners.append(lambda kind, what: sent.append(what["body"]) if kind == "update" else None)
    return sent


async def press_in(club: Club, sent: list[dict[str, Any]], query: str) -> dict[str, Any]:
    """The update of a press, as soon as it was taken."""

    def found() -> list[dict[str, Any]]:
        return [body for body in sent if body.get("callback_query", {}).get("id") == query]

    await club.until(found)
    return found()[0]


async def first_move(club: Club) -> tuple[str, Any, Any]:
    """Who may lead, with a card chosen: (person, hand, the button that leads it)."""
    await club.four_sit_down()
    players = Scripted(club, PEOPLE, random.Random(5))
    await club.until(players.to_act)
    person = players.to_act()[0]
    hand = players.hand(person)
    assert hand is not None
    await players.press(person, hand, club.buttons(hand)[0])
    await club.until(lambda: any(b["callback_data"].startswith(MOVE) for b in club.buttons(hand)))
    lead = next(b for b in club.buttons(hand) if b["callback_data"].startswith(MOVE))
    return person, hand, lead


@pytest.mark.on_two
async def test_a_press_delivered_five_times_at_once_and_later_again_is_one_move(club: Club) -> None:
    person, hand, lead = await first_move(club)
    sent = updates_of(club)
    query = club.world.press(person, club.private(person), hand.message_id, lead["callback_data"])
    await club.world.answer_to(query)
    update = await press_in(club, sent, query)
    assert await deliver(club, *[update] * 5) == [200] * 5
    assert await count(club, "moves") == 1
    assert await count(club, f"seen_updates WHERE update_id = {update['update_id']}") == 1


async def test_a_command_that_comes_again_is_answered_once(club: Club) -> None:
    await club.all_start("You")
    sent = updates_of(club)
    club.world.say("You", club.private("You"), "/rules")
    await club.until(lambda: "Goat" in club.last(club.private("You")) and sent)
    await club.until(lambda: not club.world.data.updates)
    before = len(club.messages(club.private("You")))
    assert await deliver(club, sent[-1], sent[-1]) == [200, 200]
    assert len(club.messages(club.private("You"))) == before


async def test_a_crash_between_commit_and_answer_still_rests_the_button(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The press had its effect, its response never arrived: what Telegram sends again is answered, not played."""
    person, hand, lead = await first_move(club)
    delivery = club.sandbox.api.delivery
    take = delivery.on_reply
    lost: list[dict[str, Any]] = []

    async def lose_the_first(response: aiohttp.ClientResponse) -> None:
        if not lost:
            lost.append(await response.json())
            raise aiohttp.ClientPayloadError
        await take(response)

    monkeypatch.setattr(delivery, "on_reply", lose_the_first)
    query = club.world.press(person, club.private(person), hand.message_id, lead["callback_data"])
    answer = await club.world.answer_to(query)
    assert [one["method"] for one in lost] == ["answerCallbackQuery"]
    assert not answer.get("text")
    assert await count(club, "moves") == 1


async def test_a_fault_of_ours_is_a_toast_and_a_line_in_the_log_without_cards(
    club: Club, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    person, hand, lead = await first_move(club)

    def broken(*_: Any) -> None:
        raise RuntimeError("broken")

    monkeypatch.setattr(deal_services, "play", broken)
    sent = updates_of(club)
    query = club.world.press(person, club.private(person), hand.message_id, lead["callback_data"])
    answer = await club.world.answer_to(query)
    assert "again" in answer["text"] or "ещё раз" in answer["text"]
    update = await press_in(club, sent, query)
    record = next(r for r in caplog.records if r.levelno == logging.ERROR)
    line = logs.Discreet([club.sandbox.token], dated=False).format(record)
    assert str(update["update_id"]) in line
    assert lead["callback_data"] in line
    assert club.sandbox.token not in line
    assert not DECK.search(line)
    monkeypatch.undo()
    assert (await club.press(person, hand.chat_id, lead["text"]))["text"]
    assert await count(club, "moves") == 1


def test_details_that_quote_a_row_are_not_logged() -> None:
    text = "new row violates a constraint\nDETAIL:  Failing row contains (1, 7C 10H AS QD, 3)."
    record = logging.LogRecord("x", logging.ERROR, "x", 1, "it failed: %s", (text,), None)
    line = logs.Discreet([], dated=False).format(record)
    assert "violates" in line
    assert "7C" not in line


async def test_two_lobbies_opened_in_one_moment_are_one(club: Club) -> None:
    chat = {"id": club.group.id, "type": "group", "title": "Goat club"}
    user = {"id": club.world.person("You").id, "is_bot": False, "first_name": "You"}

    def goat(number: int) -> dict[str, Any]:
        entity = {"type": "bot_command", "offset": 0, "length": 5}
        message = {
            "message_id": 900 + number,
            "date": 1,
            "chat": chat,
            "from": user,
            "text": "/goat",
            "entities": [entity],
        }
        return {"update_id": 10_000 + number, "message": message}

    assert await deliver(club, *[goat(number) for number in range(6)]) == [200] * 6
    assert await count(club, "tables") == 1


async def test_numbers_that_no_button_carries_mean_nothing(club: Club) -> None:
    await club.all_start("You")
    user = {"id": club.world.person("You").id, "is_bot": False, "first_name": "You"}
    for number, data in enumerate(
        (f"m:{10**25}:1:1:lead:1", "h:1:1:1:99999", "l:-1:sit:0", "v:1:maybe", "m:1:1:1:lead", "")
    ):
        query = {"id": str(number), "from": user, "chat_instance": "1", "data": data}
        assert await deliver(club, {"update_id": 20_000 + number, "callback_query": query}) == [200]


async def test_a_refusal_changes_nothing(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    await club.all_start("You")
    await club.open_lobby()

    async def refuse(*_: Any) -> None:
        raise GoatError("team_full")

    monkeypatch.setattr(lobby, "_save", refuse)
    answer = await club.press("You", club.group, "🔵 Sit here")
    assert "full" in answer["text"]
    assert await count(club, "seats") == 0
    assert json.dumps(answer)
