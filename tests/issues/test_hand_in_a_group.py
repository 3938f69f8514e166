"""A private message that asks about a group which has grown moved the person's hands into that group."""

from tests.tgbot.club import bot_for, club_of
from tests.tgbot.test_telegrams_life import all_painted, alone_with_computers


async def test_asking_about_a_grown_group_in_private_sends_nobody_s_hand_there(database: str) -> None:
    """The link into a seat asks Telegram about a group that grew without our hearing of it."""
    async with club_of(database) as club, bot_for(club):
        other = club.world.add_group("You", "Second club")
        club.world.add_bot("You", other)
        club.world.say("You", other, "/goat")
        await club.until(lambda: club.find(other, "Sit here"))
        await alone_with_computers(club)
        await all_painted(club)
        webhook = club.world.data.webhook
        heard, webhook.allowed_updates = webhook.allowed_updates, ["my_chat_member"]
        grown = club.world.upgrade_to_supergroup(other)
        webhook.allowed_updates = heard
        async with club.look() as db:
            lobby = await db.fetchval("SELECT id FROM tables WHERE state = 'lobby'")
            club.world.start("You", f"sit_{lobby}_0")
            await club.until(lambda: club.find(grown, "Sit here"))
            await all_painted(club)
            assert (
                await db.fetchval("SELECT chat_id FROM screens WHERE kind = 'hand'") == club.private("You").id
            )
        assert not any("Your cards" in text for text in club.texts(grown))
