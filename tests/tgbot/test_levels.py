"""How well the computers of a table play is chosen in its lobby."""

import pytest

from core.errors import TableError
from core.table import Seats
from tests.tgbot.club import Club
from tests.tgbot.hall import Hall
from tgbot.callbacks import LobbyPress
from tgbot.services import absence, lobby, play
from tgbot.services.deals import end_series


def levels(seats: Seats) -> list[str | None]:
    return [None if who is None else who.computer for who in seats]


async def test_a_computer_takes_one_press_and_plays_steadily_unless_people_choose_otherwise(
    club: Club,
) -> None:
    await club.all_start("You")
    await club.open_lobby()
    await club.press("You", club.group, "🔵 Sit here")
    await club.press("You", club.group, "🔵 + computer")
    await club.until(lambda: "South\u2069 (steady)" in club.last(club.group))
    told = await club.press("You", club.group, "Computers: steady")
    assert told["text"].startswith("Strong: ")
    await club.until(lambda: "South\u2069 (strong)" in club.last(club.group))
    await club.press("You", club.group, "🟠 + computer")
    await club.until(lambda: "East\u2069 (strong)" in club.last(club.group))
    await club.press("You", club.group, "Computers: strong")
    await club.until(lambda: club.last(club.group).count("(easy)") == 2)


async def test_play_now_with_computers_fills_the_table_with_the_chosen_level(club: Club) -> None:
    await club.all_start("You")
    await club.open_lobby()
    await club.press("You", club.group, "Computers: steady")
    await club.press("You", club.group, "Play now with computers")
    await club.until(lambda: "trump" in club.hand_text("You").lower())
    async with club.look() as db:
        rows = await db.fetch("SELECT computer FROM seats WHERE until IS NULL AND computer IS NOT NULL")
    assert [row["computer"] for row in rows] == ["strong"] * 3


async def test_computers_are_sent_away_by_buttons_two_a_row(club: Club) -> None:
    await club.all_start("You")
    await club.open_lobby()
    for team in "🔵🔵🟠":
        await club.press("You", club.group, f"{team} + computer")

    def rows() -> list[int]:
        keyboard = (club.messages(club.group)[-1].reply_markup or {})["inline_keyboard"]
        return [len(row) for row in keyboard if row[0]["text"].startswith("✕")]

    await club.until(lambda: sum(rows()) == 3)
    assert rows() == [2, 1]


async def test_a_table_of_four_people_is_not_asked_about_computers(club: Club) -> None:
    await club.all_start()
    await club.open_lobby()
    assert club.find(club.group, "Computers: steady")
    for index, person in enumerate(("You", "Anna", "Борис", "Chidi")):
        await club.press(person, club.group, f"{'🔵🟠'[index % 2]} Sit here")
    await club.until(lambda: club.find(club.group, "Start"))
    assert club.find(club.group, "Computers: steady") is None


async def test_levels_have_names_in_russian(club: Club) -> None:
    await club.all_start("You")
    await club.say("You", "/language")
    await club.press("You", club.group, "Русский")
    await club.say("You", "/goat")
    await club.press("You", club.group, "🔵 + компьютер")
    await club.until(lambda: "(опытный)" in club.last(club.group))
    await club.press("You", club.group, "Уровень: опытный")
    await club.until(lambda: "(мастер)" in club.last(club.group))


async def test_the_choice_outlives_the_series_and_the_lobby(hall: Hall) -> None:
    table_id = await hall.open(people=(11, 12), start=False)
    async with hall.act() as db:
        await lobby.set_level(db, table_id, 11, "strong", hall.moment)
        await lobby.start_with_computers(db, table_id, 11, hall.moment)
    table = await hall.table(table_id)
    assert levels(table.seats) == [None, None, "strong", "strong"]
    async with hall.act() as db:
        await absence.leave(db, table_id, 12, hall.moment)
    table = await hall.table(table_id)
    assert levels(table.seats) == [None, "steady", "strong", "strong"]  # until somebody takes the seat
    assert table.series is not None
    async with hall.act() as db:
        await end_series(db, table, "stopped", hall.moment)
    async with hall.act() as db:
        await play.again(db, table_id, table.series.id, 11, hall.moment)
    table = await hall.table(table_id)
    assert levels(table.seats) == [None, "steady", "strong", "strong"]
    assert table.series is not None
    async with hall.act() as db:
        await end_series(db, table, "stopped", hall.moment)
    async with hall.act() as db:
        await play.change_seats(db, table_id, table.series.id, 11, hall.moment)
    table = await hall.table(table_id)
    assert (table.state, levels(table.seats)) == ("lobby", [None, "strong", "strong", "strong"])
    async with hall.act() as db:
        await lobby.start_with_computers(db, table_id, 11, hall.moment)
    table = await hall.table(table_id)
    async with hall.act() as db:
        await end_series(db, table, "stopped", hall.moment)
    async with hall.act() as db:
        opened = await lobby.open_table(db, table.chat_id, None, 11, hall.moment)
    assert opened != table_id
    assert (await hall.table(opened)).computers == "strong"


async def test_only_who_has_to_do_with_the_table_chooses_and_only_what_there_is(hall: Hall) -> None:
    table_id = await hall.open(people=(11,), start=False)
    await hall.meet(99)
    for person, level, code in ((99, "strong", "not_seated"), (11, "godlike", "no_such_rule")):
        async with hall.act() as db:
            with pytest.raises(TableError) as refusal:
                await lobby.set_level(db, table_id, person, level, hall.moment)
        assert refusal.value.code == code
    assert (await hall.table(table_id)).computers == "steady"


async def test_buttons_of_lobbies_from_before_there_were_levels_still_work(club: Club) -> None:
    await club.all_start("You")
    await club.open_lobby()
    found = club.find(club.group, "Sit here")
    assert found is not None
    table = LobbyPress.unpack(found[1]["callback_data"]).table
    for data in (f"l:{table}:sit:0", f"l:{table}:computer:1", f"l:{table}:fill:0"):
        query = club.world.press("You", club.group, found[0].message_id, data)
        await club.world.answer_to(query, 10)
    await club.until(lambda: "trump" in club.hand_text("You").lower())
