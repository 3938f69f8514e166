"""A process killed between sending a hand and remembering it left a message whose buttons stayed for ever."""

import random

from tests.tgbot.club import PEOPLE, Club, Scripted, bot_for, club_of


async def with_an_orphan(club: Club) -> None:
    await club.four_sit_down()
    players = Scripted(club, PEOPLE, random.Random(11))
    await club.until(players.to_act)
    person = players.to_act()[0]
    hand = players.hand(person)
    assert hand is not None
    chat = club.private(person)
    orphan = club.world.new_message(
        chat, club.world.bot.id, text=hand.text, entities=hand.entities, reply_markup=hand.reply_markup
    )
    while players.moves == 0:
        await players.act(person)
    await club.until(lambda: orphan.message_id not in chat.messages)


async def test_the_press_on_it_counts_and_the_message_goes(database: str) -> None:
    async with club_of(database) as club, bot_for(club):
        await with_an_orphan(club)
        async with club.look() as db:
            assert await db.fetchval("SELECT count(*) FROM moves") == 1
