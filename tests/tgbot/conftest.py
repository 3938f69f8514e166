from collections.abc import AsyncIterator

import pytest

from tests.tgbot.club import Club, bot_for, club_of


@pytest.fixture
async def club(database: str) -> AsyncIterator[Club]:
    """The sandbox's club with the bot at work in it."""
    async with club_of(database) as opened, bot_for(opened):
        await opened.until(lambda: opened.messages(opened.group))  # the bot has greeted the group
        yield opened
