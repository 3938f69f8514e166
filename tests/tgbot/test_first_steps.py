"""From an empty group to the first card."""

import pytest

from tests.tgbot.club import Club


async def test_start_welcomes_and_tells_what_to_do(club: Club) -> None:
    club.world.start("You")
    await club.until(lambda: club.messages(club.private("You")))
    assert "/goat" in club.last(club.private("You"))


async def test_goat_opens_a_lobby_with_two_teams(club: Club) -> None:
    await club.open_lobby()
    assert "free" in club.last(club.group)
    assert len(club.messages(club.group)) >= 1


@pytest.mark.on_two
async def test_four_people_sit_down_and_get_their_cards(club: Club) -> None:
    await club.four_sit_down()
    await club.until(lambda: all("Your cards" in club.hand_text(one) for one in ("You", "Anna", "Chidi")))
    await club.until(lambda: "Ваши карты" in club.hand_text("Борис"))
