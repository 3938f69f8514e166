"""Who chose a zone read his deadlines in UTC all the same; after new quiet hours the old deadline stood in all chats."""

from tests.tgbot.club import bot_for, club_of
from tests.tgbot.long_game import HOUR, four_at, said


async def test_a_deadline_is_told_anew_and_by_ones_own_clock(database: str) -> None:
    async with club_of(database) as club, bot_for(club):
        late = await four_at(club, "By day")
        chat = club.private(late)
        await club.until(lambda: said(club, "You have until Wed 2 Dec, 12:00 UTC", chat))
        await club.pass_time(8 * HOUR)
        club.world.say(late, chat, "/settings")
        for label in ("Quiet hours", "Asia", "Tashkent"):
            await club.press(late, chat, label)
        await club.until(lambda: said(club, "You have until Wed 2 Dec, 17:00.", chat))
        await club.press(late, chat, "Quiet hours")
        await club.press(late, chat, "00:00")
        # It is one at night there, and quiet until eight: forty hours, sixteen a day, from then on.
        await club.until(lambda: said(club, "You have until Thu 3 Dec, 16:00.", chat))
        await club.until(lambda: said(club, "until Thu 3 Dec, 11:00 UTC"))
