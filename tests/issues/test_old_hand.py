"""A hand that was too old to be removed stood on with its cards, also after its player had left the table."""

from tests.tgbot.club import bot_for, club_of
from tests.tgbot.long_game import DAY, four_at, holder, move, said, seat, table_of


async def test_a_hand_that_a_new_one_replaces_shows_no_cards_however_old_it_is(database: str) -> None:
    async with club_of(database) as club, bot_for(club):
        leader = await four_at(club, "No limit")
        table = await table_of(club)
        await club.pass_time(3 * DAY)
        await move(club, leader)
        following = holder(club, table, (seat(club, table, leader) + 1) % 4)
        chat = club.private(following)
        await club.until(lambda: said(club, "This message is out of date", chat))
        assert sum("Your cards: " in text for text in club.texts(chat)) == 1
        await club.say(following, "/time")
        await club.press(following, club.group, "Leave my seat")
        await club.press(following, club.group, "I leave")
        await club.until(lambda: not said(club, "Your cards: ", chat))
