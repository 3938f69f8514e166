"""A card is shown in a chat only when the rules let that chat see it. Decided by the records, not by the screens."""

import os
import random
import time
from dataclasses import replace

from core.cards import card_set, parse_card
from tests.tgbot.clocks import FastClock
from tests.tgbot.club import PEOPLE, Club, Scripted, bot_for, club_of
from tests.tgbot.eavesdrop import Eavesdropper, cards_in, knowledge, leaks

DEALS = int(os.environ.get("GOAT_LEAK_DEALS", "6"))
"""Deals to listen to; the whole is 300."""


async def listened(club: Club, ear: Eavesdropper, deals: int, rng: random.Random) -> None:
    """Four people play series after series, with all house rules in turn."""
    players = Scripted(club, PEOPLE, rng)
    await club.four_sit_down()
    while True:
        actors = players.to_act()
        again = club.find(club.group, "Play again")
        if again:
            async with club.look() as db:
                if await db.fetchval("SELECT count(*) FROM deals") >= deals:
                    return
            await club.press("You", club.group, "Play again")
            await club.until(lambda: not club.find(club.group, "Play again"))
        elif actors:
            await players.act(rng.choice(actors))
        else:
            await club.until(lambda: players.to_act() or club.find(club.group, "Play again"))
        async with club.look() as db:
            if await db.fetchval("SELECT count(*) FROM deals") > deals:
                return


async def test_no_card_was_shown_where_it_must_not_be_seen(database: str) -> None:
    clock = FastClock(10, time.time())
    async with club_of(database) as club:
        ear = Eavesdropper(club.world, clock)
        async with bot_for(club, clock=clock) as bot:
            await listened(club, ear, DEALS, random.Random(12))
            async with bot.pool.acquire() as db:
                known = await knowledge(db)
        assert len(known) > DEALS // 2
        assert len(ear.seen) > 40 * DEALS
        assert not leaks(ear.seen, known, club.world)
        # The proof can fail: the same showings, one chat further or a little earlier, are leaks.
        anna = club.world.person("Anna").id
        hands = [look for look in ear.seen if look.chat_id == club.world.person("You").id]
        assert leaks([replace(look, chat_id=anna) for look in hands], known, club.world)
        assert leaks([replace(look, chat_id=club.group.id) for look in hands], known, club.world)
        assert leaks([replace(look, at=known[0].started) for look in ear.seen], known, club.world)


def test_cards_are_read_in_both_languages() -> None:
    assert cards_in("10♣️ J♦️ x 6♠ В♥️ Т♠️") == card_set(
        parse_card(name) for name in ("10C", "JD", "6S", "JH", "AS")
    )
    assert cards_in("Your cards: Q♥️") == card_set([parse_card("QH")])
