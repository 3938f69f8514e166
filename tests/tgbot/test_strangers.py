"""Buttons pressed by the wrong person, too late, twice, or out of thin air."""

import random

from tests.tgbot.club import CARD, MOVE, PEOPLE, Club, Scripted


async def test_a_stranger_can_neither_start_nor_set_up_a_table(club: Club) -> None:
    await club.all_start("You", "Anna")
    await club.open_lobby("You")
    await club.press("You", club.group, "🔵 Sit here")
    for label in ("+ computer", "Draw teams", "Series to 12", "Play now with computers"):
        answer = await club.press("Anna", club.group, label)
        assert answer["text"] == "Take a seat first."
    answer = await club.press("Anna", club.group, "Cancel")
    assert answer["text"] == "Only the one who opened the table or a chat admin can cancel it."
    assert club.find(club.group, "Sit here")


async def test_a_press_on_buttons_of_an_earlier_ply_plays_nothing_and_brings_the_current_hand(
    club: Club,
) -> None:
    await club.four_sit_down()
    players = Scripted(club, PEOPLE, random.Random(5))
    await club.until(players.to_act)
    person = players.to_act()[0]
    hand = players.hand(person)
    assert hand is not None
    card = next(button for button in club.buttons(hand) if button["callback_data"].startswith(CARD))
    await players.press(person, hand, card)
    await club.until(lambda: any(b["callback_data"].startswith(MOVE) for b in club.buttons(hand)))
    lead = next(button for button in club.buttons(hand) if button["callback_data"].startswith(MOVE))
    # The same button, pressed twice before the first press shows: both carry the same ply.
    first = club.world.press(person, club.private(person), hand.message_id, lead["callback_data"])
    second = club.world.press(person, club.private(person), hand.message_id, lead["callback_data"])
    answers = [await club.world.answer_to(query) for query in (first, second)]
    old = {
        "These buttons are from earlier. The current ones are coming.",
        "Эти кнопки устарели. Сейчас придут новые.",
    }
    said = {answer["text"] for answer in answers}
    assert len(said & old) == 1
    assert said - old <= {"You led.", "Вы сходили."}
    async with club.look() as db:
        assert await db.fetchval("SELECT count(*) FROM moves") == 1


async def test_who_does_not_sit_here_is_told_so(club: Club) -> None:
    await club.all_start("You", "Anna")
    await club.open_lobby("You")
    await club.press("You", club.group, "Play now with computers")
    await club.until(lambda: "Trump" in club.last(club.group))
    await club.say("You", "/stop")
    await club.until(lambda: club.find(club.group, "Play on"))
    answer = await club.press("Anna", club.group, "Play on")
    assert answer["text"] == "You don't sit at this table."


async def test_a_place_is_given_only_to_who_can_be_written_to(club: Club) -> None:
    await club.open_lobby("You")
    answer = await club.press("Anna", club.group, "🟠 Sit here")
    assert answer["url"]
    assert "Anna" not in club.last(club.group)
    club.world.open_link("Anna", answer["url"])
    await club.until(lambda: "Anna" in club.last(club.group))
    assert "You have a seat" in club.last(club.private("Anna"))


async def test_who_blocked_the_bot_is_led_to_start_again(club: Club) -> None:
    await club.all_start("Anna")
    club.world.block("Anna")
    await club.open_lobby("You")
    answer = await club.press("Anna", club.group, "🟠 Sit here")
    assert "start=sit_" in answer["url"]


async def test_two_tables_at_once_do_not_meet(club: Club) -> None:
    other = club.world.add_group("You", "Second club")
    club.world.add_bot("You", other)
    await club.all_start("You")
    await club.open_lobby("You")
    await club.press("You", club.group, "Play now with computers")
    club.world.say("You", other, "/goat")
    await club.press("You", other, "Play now with computers")
    players = Scripted(club, ("You",), random.Random(6))
    for _ in range(40):
        if players.to_act():
            await players.act("You")
        else:
            await players.wait_for_a_turn()
    async with club.look() as db:
        plies = await db.fetch("SELECT deal_id, count(*) FROM moves GROUP BY deal_id")
        assert len({row["deal_id"] for row in plies}) >= 2
    titles = {text.split(" · ")[0] for text in club.texts(club.private("You")) if "deal" in text}
    assert titles == {"\u2068Goat club\u2069", "\u2068Second club\u2069"}


async def test_a_stop_needs_one_of_each_team_and_says_so_first(club: Club) -> None:
    await club.four_sit_down()
    await club.say("Anna", "/stop")
    await club.until(lambda: club.find(club.group, "Play on"))
    asked = club.find(club.group, "Play on")
    assert asked is not None
    assert "without goats" in (asked[0].text or "")
    await club.press("Chidi", club.group, "Stop")
    assert club.find(club.group, "Play again") is None
    await club.press("Борис", club.group, "Закончить" if club.find(club.group, "Закончить") else "Stop")
    await club.until(lambda: club.find(club.group, "Play again"))
    assert "stopped" in club.last(club.group)


async def test_one_no_keeps_the_series_going(club: Club) -> None:
    await club.four_sit_down()
    await club.say("Anna", "/stop")
    await club.press("You", club.group, "Play on")
    await club.until(lambda: any("this was not agreed" in text for text in club.texts(club.group)))
    assert club.find(club.group, "Stop") is None
