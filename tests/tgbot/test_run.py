"""`goat run`, in this process: how it gets its updates, and what it says when it can't."""

import random
import socket
from urllib.parse import urlsplit

import asyncpg
import pytest

from db.errors import OperatorError
from tests.tgbot.club import Club, Scripted, bot_for, club_of
from tgbot.app import running


async def test_without_a_webhook_address_it_polls(database: str) -> None:
    async with club_of(database) as club, bot_for(club, webhook_url=None):
        await club.all_start("You")
        await club.open_lobby("You")
        await club.press("You", club.group, "Play now with computers")
        players = Scripted(club, ("You",), random.Random(9))
        while players.moves < 5:
            if players.to_act():
                await players.act("You")
            else:
                await players.wait_for_a_turn()


async def what_it_says(club: Club, **changes: object) -> str:
    with pytest.raises(OperatorError) as refusal:
        async with running(club.config(**changes)):
            raise AssertionError("it started")
    line = str(refusal.value)
    assert "\n" not in line
    return line


async def test_a_port_in_use(database: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO")
    async with club_of(database) as club:
        with socket.socket() as other:
            other.bind(("127.0.0.1", club.port))
            other.listen()
            assert "set HOST and PORT" in await what_it_says(club)
    assert "this process leads" not in caplog.text


async def test_a_token_that_telegram_does_not_know(database: str) -> None:
    async with club_of(database) as club:
        assert "copy it again from @BotFather" in await what_it_says(club, token="1:not-a-token")


async def test_telegram_out_of_reach(database: str) -> None:
    async with club_of(database) as club:
        assert "TELEGRAM_API_URL" in await what_it_says(club, telegram="http://127.0.0.1:1")


async def test_an_unmigrated_database(empty_database: str) -> None:
    async with club_of(empty_database) as club:
        assert "goat migrate" in await what_it_says(club)


async def test_a_database_of_another_program(empty_database: str) -> None:
    connection = await asyncpg.connect(empty_database)
    await connection.execute(
        "CREATE TABLE alembic_version (version_num text); INSERT INTO alembic_version VALUES ('dead')"
    )
    await connection.close()
    async with club_of(empty_database) as club:
        assert "another program" in await what_it_says(club)


async def test_a_database_user_without_rights(database: str) -> None:
    connection = await asyncpg.connect(database)
    await connection.execute("CREATE ROLE weak LOGIN PASSWORD 'weak'")
    await connection.close()
    address = urlsplit(database)
    weak = address._replace(netloc=f"weak:weak@{address.hostname}:{address.port}").geturl()
    try:
        async with club_of(weak) as club:
            assert "no rights on goat's tables" in await what_it_says(club)
    finally:
        connection = await asyncpg.connect(database)
        await connection.execute("DROP ROLE weak")
        await connection.close()


async def test_a_webhook_address_that_telegram_refuses(database: str) -> None:
    async with club_of(database) as club:
        assert "correct WEBHOOK_URL" in await what_it_says(club, webhook_url="ftp://nowhere")


async def test_after_a_stop_another_one_takes_over_where_it_was(database: str) -> None:
    async with club_of(database) as club:
        async with bot_for(club):
            await club.all_start("You")
            await club.open_lobby("You")
        async with bot_for(club):
            await club.press("You", club.group, "Play now with computers")
            await club.until(lambda: "Trump" in club.hand_text("You"))
