"""Whole series through Telegram's own protocol, played by people who see nothing but their chats."""

import random

from core.deal import next_leader
from core.record import final
from db import deals
from tests.tgbot.club import PEOPLE, Club, Scripted


async def everything_recorded(club: Club) -> list[tuple[int, int]]:
    """The loss points of each deal, recomputed from the records, which must replay."""
    losses = []
    async with club.look() as db:
        rows = await db.fetch(
            "SELECT id, leader, series_id FROM deals WHERE ended_at IS NOT NULL ORDER BY id"
        )
        leader = None
        for row in rows:
            record = await deals.record_of(db, row["id"])
            assert record is not None
            state = final(record)
            assert sum(state.points) == 120
            assert leader in (None, row["leader"])
            leader = next_leader(state)
            stored = await db.fetchrow("SELECT loss_0, loss_1 FROM deals WHERE id = $1", row["id"])
            assert stored is not None
            losses.append((stored["loss_0"], stored["loss_1"]))
    return losses


async def test_four_people_play_a_series_to_the_goats(club: Club) -> None:
    await club.four_sit_down()
    players = Scripted(club, PEOPLE, random.Random(1))
    await players.series()
    losses = await everything_recorded(club)
    totals = [sum(loss[team] for loss in losses) for team in (0, 1)]
    assert max(totals) >= 12 > min(totals)
    goats = ("Max", "Борис") if totals[0] >= 12 else ("Anna", "Chidi")
    result = club.last(club.group)
    assert "goats" in result
    assert all(name in result.splitlines()[0] for name in goats)


async def test_one_person_plays_a_series_with_three_computers(club: Club) -> None:
    await club.all_start("You")
    await club.open_lobby()
    await club.press("You", club.group, "Play now with computers")
    await Scripted(club, ("You",), random.Random(2)).series()
    assert await everything_recorded(club)


async def test_each_deal_leaves_its_result_in_the_group(club: Club) -> None:
    await club.all_start("You")
    await club.open_lobby()
    await club.press("You", club.group, "Play now with computers")
    await Scripted(club, ("You",), random.Random(3)).series()
    counts = [text for text in club.texts(club.group) if "the count" in text]
    assert len(counts) == len(await everything_recorded(club))


async def test_play_again_deals_to_the_same_four(club: Club) -> None:
    await club.four_sit_down()
    await Scripted(club, PEOPLE, random.Random(4)).series()
    await club.press("Anna", club.group, "Play again")
    await club.until(lambda: club.last(club.group).startswith("🐐 Deal 1"))
    assert club.find(club.group, "Play again") is None
