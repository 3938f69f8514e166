"""A table that closed because its group moved kept its clock, and then no process started any more."""

import asyncio

from tests.tgbot.club import PATIENCE, bot_for, club_of
from tests.tgbot.test_telegrams_life import all_painted, alone_with_computers, some_moves


async def test_of_two_tables_that_meet_in_a_grown_group_one_closes_for_good(database: str) -> None:
    """The bot hears of the move only when it paints: by then both are played at. It must start again after that, too."""
    async with club_of(database) as club:
        async with bot_for(club):
            await club.until(lambda: club.messages(club.group))
            players = await alone_with_computers(club)
            await all_painted(club)
            webhook = club.world.data.webhook
            heard, webhook.allowed_updates = webhook.allowed_updates, ["my_chat_member"]
            grown = club.world.upgrade_to_supergroup(club.group)
            webhook.allowed_updates = heard
            await club.all_start("Anna")
            club.world.say("Anna", grown, "/goat")
            await club.press("Anna", grown, "Play now with computers")
            await club.until(lambda: "Trump" in club.hand_text("Anna"))
            await some_moves(club, players, 1)
            async with club.look() as db, asyncio.timeout(PATIENCE):
                while not await db.fetchval("SELECT count(*) FROM tables WHERE state = 'closed'"):  # noqa: ASYNC110
                    await asyncio.sleep(0.05)
                assert await db.fetchval("SELECT count(*) FROM tables WHERE state = 'playing'") == 1
                closed = "SELECT turn_since, act_at, series.ended_at IS NULL AS running FROM tables"
                rows = await db.fetch(f"{closed} JOIN series ON table_id = tables.id WHERE state = 'closed'")
                assert [tuple(row) for row in rows] == [(None, None, False)]
        club.clock.advance(60)
        async with bot_for(club):
            club.world.say("You", grown, "/help")
            await club.until(lambda: "open a table here" in club.last(grown))
