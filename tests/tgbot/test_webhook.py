"""What comes to the webhook, from Telegram and from anybody else."""

import asyncio
import gc
import io
import json
import os
import random
import resource
import time
import types
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Union, get_args, get_origin

import aiohttp
import pytest
from aiogram.types import Update
from aiogram.types.base import TelegramObject

from tests.tgbot.club import Club, bot_for, club_of
from tgbot.handlers.flood import Flood, Rate

SECRET = {"X-Telegram-Bot-Api-Secret-Token": "s3cret"}
JSON = {"Content-Type": "application/json"}
FUZZ = int(os.environ.get("GOAT_FUZZ", "600"))
"""Updates; the whole is 10000."""


@asynccontextmanager
async def post(club: Club, data: Any, headers: dict[str, str]) -> AsyncIterator[aiohttp.ClientResponse]:
    url = f"http://127.0.0.1:{club.port}/webhook"
    async with aiohttp.ClientSession() as session, session.post(url, data=data, headers=headers) as response:
        yield response


async def status(club: Club, data: Any, headers: dict[str, str]) -> int:
    async with post(club, data, headers) as response:
        return response.status


@pytest.mark.parametrize("secret", ["", "s3cre", "S3CRET", "\u00e9\u0448", "x" * 5000])
async def test_without_the_secret_nothing_is_parsed(club: Club, secret: str) -> None:
    headers = JSON | {"X-Telegram-Bot-Api-Secret-Token": secret.encode().decode("latin-1")}
    assert await status(club, b"{", headers) == 403


async def test_a_secret_in_no_encoding_is_a_wrong_one(club: Club) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", club.port)
    writer.write(
        b"POST /webhook HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 2\r\n"
        b"X-Telegram-Bot-Api-Secret-Token: \xff\xfe\x80\r\nConnection: close\r\n\r\n{}"
    )
    answer = await reader.read()
    writer.close()
    assert answer.startswith(b"HTTP/1.1 403")


async def test_only_telegrams_content_type_is_read(club: Club) -> None:
    assert await status(club, b"{}", SECRET | {"Content-Type": "text/plain"}) == 415
    assert await status(club, {"a": "b"}, SECRET) == 415


async def test_a_body_too_large_is_refused(club: Club) -> None:
    assert await status(club, io.BytesIO(b"[" * (2 * 1024 * 1024)), SECRET | JSON) == 413


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b"\xff\xfe",
        b"[" * 100_000,
        b'{"update_id":' + b"9" * 5000 + b"}",
        b'{"update_id":"\\ud800"}',
    ],
)
async def test_what_is_no_update_is_taken_and_forgotten(club: Club, body: bytes) -> None:
    """Telegram would send it for ever."""
    assert await status(club, body, SECRET | JSON) == 200


async def test_one_person_can_not_drown_a_table(database: str) -> None:
    async with club_of(database) as club, bot_for(club, rate=Rate(0.5, 8)):
        await club.all_start("You", "Anna")
        await club.open_lobby()
        found = club.find(club.group, "🔵 Sit here")
        assert found is not None
        queries = [
            club.world.press("Anna", club.group, found[0].message_id, found[1]["callback_data"])
            for _ in range(20)
        ]
        answers = [await club.world.answer_to(query, 20) for query in queries]
        assert any(answer["text"] == "Not so fast, please." for answer in answers)
        assert (await club.press("You", club.group, "🟠 Sit here"))["text"].startswith("You have a seat")


def test_a_person_has_twenty_presses_at_once_and_five_a_second() -> None:
    flood = Flood(Rate(5, 20), most=3)
    assert sum(flood.take(1, 0.0) for _ in range(100)) == 20
    assert sum(flood.take(1, 10.0) for _ in range(100)) == 20
    assert sum(flood.take(1, 11.0) for _ in range(100)) == 5
    for person in range(2, 100):
        flood.take(person, 11.0)
    assert len(flood._left) == 3


NASTY = (
    "<3",
    "a</b>",
    "\u202eabc",
    "\u200b\u200d\u2060",
    "😀" * 32,
    "&lt;script&gt;",
    "\u0000x",
    "{name}",
    "%s",
    "@all",
    "\ufdfd" * 60,
)


@pytest.mark.parametrize(
    "name", [name for name in NASTY if "\u0000" not in name and name.strip("\u200b\u200d\u2060")]
)
async def test_a_name_is_a_name_whatever_stands_in_it(database: str, name: str) -> None:
    async with club_of(database) as club, bot_for(club):
        person = club.world.person("Anna")
        club.world.rename(person, name[:64])
        club.world.start(person)
        await club.all_start("You")
        await club.open_lobby()
        found = club.find(club.group, "🟠 Sit here")
        assert found is not None
        club.world.press(person, club.group, found[0].message_id, found[1]["callback_data"])
        await club.press("You", club.group, "🔵 Sit here")
        await club.press("You", club.group, "Play now with computers")
        await club.until(lambda: any("Trump" in text for text in club.texts(club.group)))


IDS = (0, 1, -1, 2**31, 2**52, 2**63 - 1, 2**63, -(2**63) - 1, 10**40)
STRINGS = (
    *(
        "",
        "x",
        "/goat",
        "/start sit_1_0",
        "/start hand_" + "9" * 30,
        "/goat@" + "b" * 200,
        "<b>",
        "\u0000",
        "\ud800",
    ),
    *(
        "\u202e" * 50,
        "🐐" * 2000,
        "m:1:1:0:lead:1",
        "h:1:1:0:99",
        "l:1:sit:0",
        "l:" + "9" * 60,
        "r:1:molodka:7",
    ),
    *("g:xx", "p:999999", "v:1:1", "a:1:1:again", ":" * 64),
)


class Fuzz:
    """Updates of every kind that aiogram knows, filled with what fits, and with what doesn't."""

    def __init__(self, rng: random.Random, people: list[int], chats: list[int]) -> None:
        self.rng, self.people, self.chats = rng, people, chats
        self.next_id = 10**9

    def update(self) -> bytes:
        rng = self.rng
        kind = rng.choice([name for name in Update.model_fields if name != "update_id"])
        self.next_id += 1
        body: dict[str, Any] = {
            "update_id": rng.choice((self.next_id, self.next_id, self.next_id, rng.choice(IDS))),
            kind: self.value(Update.model_fields[kind].annotation, 0, kind),
        }
        text = json.dumps(body).encode()
        if rng.random() < 0.05:
            text = text[: rng.randrange(len(text))]
        return text

    def value(self, annotation: Any, depth: int, name: str) -> Any:
        rng = self.rng
        if rng.random() < 0.01:
            return rng.choice((None, [], {}, -1, "?", 1.5, True))
        origin, args = get_origin(annotation), get_args(annotation)
        if origin in (Union, types.UnionType):
            return self.value(rng.choice([one for one in args if one is not type(None)]), depth, name)
        if origin is list:
            return [self.value(args[0], depth + 1, name) for _ in range(rng.choice((0, 1, 2)))]
        if isinstance(annotation, type) and issubclass(annotation, TelegramObject):
            return self.object(annotation, depth + 1)
        if origin is not None and args and str(origin).endswith("Literal"):
            return rng.choice(args)
        if annotation is str:
            return rng.choice(STRINGS) if rng.random() < 0.9 else "y" * rng.choice((100, 5000))
        if annotation is bool:
            return rng.random() < 0.5
        if annotation is float:
            return rng.random()
        if name in ("id", "user_id"):
            return rng.choice((rng.choice(self.people), rng.choice(self.chats), rng.choice(IDS)))
        return rng.choice((1, int(time.time()), rng.choice(self.chats), rng.choice(IDS)))

    def object(self, kind: type[TelegramObject], depth: int) -> dict[str, Any]:
        made = {}
        for name, field in kind.model_fields.items():
            if field.is_required() or self.rng.random() < (0.25 if depth < 3 else 0.03):
                made[field.alias or {"from_user": "from"}.get(name, name)] = self.value(
                    field.annotation, depth, name
                )
        if "type" in made and kind.__name__ == "Chat":
            made["type"] = self.rng.choice(("private", "group", "supergroup", "channel"))
            made["id"] = self.rng.choice((*self.people, *self.chats, *IDS))
        return made


def test_the_fuzz_knows_every_kind_of_update() -> None:
    fuzz = Fuzz(random.Random(1), [1], [-1])
    made = [json.loads(body) for body in (fuzz.update() for _ in range(1500)) if body.endswith(b"}")]
    assert {key for update in made for key in update} >= set(Update.model_fields)


async def test_no_update_brings_the_webhook_down(database: str) -> None:
    """Not one answer but 200, and nothing kept: play goes on as before."""
    async with club_of(database) as club, bot_for(club, rate=Rate(1e6, 1e6)):
        await club.all_start("You")
        await club.open_lobby()
        await club.press("You", club.group, "Play now with computers")
        fuzz = Fuzz(
            random.Random(11),
            [person.id for person in club.world.data.people.values()],
            [club.group.id, -5, -(10**13)],
        )
        statuses: dict[int, int] = {}
        url = f"http://127.0.0.1:{club.port}/webhook"
        sizes = []
        async with aiohttp.ClientSession() as session:
            for number in range(FUZZ):
                async with session.post(url, data=fuzz.update(), headers=SECRET | JSON) as response:
                    statuses[response.status] = statuses.get(response.status, 0) + 1
                if number % max(1, FUZZ // 5) == 0:
                    gc.collect()
                    sizes.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
        print(f"{FUZZ} updates, answers {statuses}, memory {sizes} MB")
        assert statuses == {200: FUZZ}
        assert sizes[-1] - sizes[1] < 40 + FUZZ / 500, f"memory grows: {sizes} MB"
        await club.say("You", "/table")
        await club.until(lambda: "Deal" in club.last(club.group) or club.find(club.group, "Play again"))
