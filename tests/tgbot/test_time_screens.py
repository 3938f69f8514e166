"""Time and absence as people live them: through Telegram's protocol, by what stands in their chats."""

from core.table import seat_of
from db import tables
from db.tables import Table
from tests.tgbot.club import PEOPLE, Club, Scripted, bot_for, club_of

MINUTE, HOUR, DAY = 60, 3600, 86400


async def table_of(club: Club) -> Table:
    assert club.bot is not None
    async with club.bot.pool.acquire() as db:
        found = await tables.in_chat(db, club.group.id)
        table = await tables.read(db, found[0])
    assert table is not None
    return table


async def whose_turn(club: Club) -> str:
    """The name of the person whose clock runs."""
    table = await table_of(club)
    assert table.turn is not None
    who = table.seats[table.turn.seat]
    assert who is not None
    assert who.person is not None
    return club.world.person(who.person).first_name


async def four_at(club: Club, pace: str) -> str:
    """Four people at a table of this pace, the series begun; returns who is to lead."""
    await club.all_start()
    await club.open_lobby()
    for index, person in enumerate(PEOPLE):
        await club.press(person, club.group, f"{'🔵🟠'[index % 2]} Sit here")
    while club.find(club.group, f"⏱ {pace}") is None:
        shown = club.find(club.group, "⏱")
        assert shown is not None
        before = shown[1]["text"]
        await club.press("You", club.group, "⏱")
        await club.until(lambda before=before: before not in str(club.messages(club.group)[-1].reply_markup))  # type: ignore[misc]
    await club.press("You", club.group, "Start")
    await club.until(lambda: any("until" in text for text in club.texts(club.group)))
    return await whose_turn(club)


def said(club: Club, words: str) -> bool:
    return any(words in text for text in club.texts(club.group))


def waits(club: Club, person: str) -> list[str]:
    """Reminders that stand in his private chat."""
    return [
        text for text in club.texts(club.private(person)) if "waits for you" in text or "ждёт вас" in text
    ]


async def test_a_day_in_the_life_of_a_turn(club: Club) -> None:
    """By day: two reminders, of which one stands at a time; then the house plays; then it plays on; then he is back."""
    late = await four_at(club, "By day")
    assert waits(club, late) == []
    await club.pass_time(12 * HOUR)
    await club.until(lambda: len(waits(club, late)) == 1)
    first = waits(club, late)[0]
    assert "36" in first
    await club.pass_time(13 * HOUR)  # 25 hours: the reserve runs
    assert await whose_turn(club) == late
    await club.pass_time(22 * HOUR)  # 47 hours
    await club.until(lambda: len(waits(club, late)) == 1 and waits(club, late) != [first])
    assert not said(club, "time was up")
    await club.pass_time(2 * HOUR)  # 49 hours
    await club.until(lambda: said(club, "time was up: the house played this turn"))
    await club.until(lambda: not waits(club, late))
    players = Scripted(club, tuple(person for person in PEOPLE if person != late), club.rng)
    for _ in range(40):
        if said(club, "the house plays on for now"):
            break
        if players.to_act():
            await players.act(players.to_act()[0])
        elif (await table_of(club)).turn is not None and await whose_turn(club) == late:
            await club.pass_time(49 * HOUR)
        else:
            await club.pass_time(3)
    await club.until(lambda: said(club, "the house plays on for now"))
    back = "Я здесь" if late == "Борис" else "I'm back"
    await club.until(lambda: club.find(club.private(late), back))
    hand = club.find(club.private(late), back)
    assert hand is not None
    assert len(club.buttons(hand[0])) == 1
    await club.press(late, club.private(late), back)
    await club.until(lambda: said(club, "is back"))
    assert (await table_of(club)).away == ()


async def test_a_reminder_goes_when_the_person_has_moved(club: Club) -> None:
    late = await four_at(club, "Relaxed")
    await club.pass_time(18 * MINUTE)
    await club.until(lambda: len(waits(club, late)) == 1)
    players = Scripted(club, (late,), club.rng)
    while waits(club, late):
        if players.to_act():
            await players.act(late)
        else:
            await club.until(lambda: not waits(club, late))


async def test_pause_and_go_on_by_buttons(club: Club) -> None:
    await four_at(club, "By day")
    due = (await table_of(club)).act_at
    await club.say("You", "/time")
    await club.press("You", club.group, "Propose a pause")
    await club.press("Anna", club.group, "Agree")
    await club.until(lambda: club.find(club.group, "Go on"))
    mover = PEOPLE[0]
    await club.until(lambda: "Paused" in club.hand_text(mover))
    await club.pass_time(3 * DAY)
    await club.press("Chidi", club.group, "Go on")
    await club.until(lambda: said(club, "ended the pause"))
    table = await table_of(club)
    assert table.act_at is not None
    assert due is not None
    assert (table.act_at - due).total_seconds() == 3 * DAY


async def test_a_substitute_gets_the_hand_and_who_left_sees_it_no_more(club: Club) -> None:
    gone = await four_at(club, "By day")
    club.world.new_person("Dora")
    club.world.join("Dora", club.group)
    club.world.start("Dora")
    await club.until(lambda: club.messages(club.private("Dora")))
    await club.say(gone, "/time")
    await club.press(gone, club.group, "Leave my seat")
    await club.press(gone, club.group, "I leave")
    left = "вы ушли" if gone == "Борис" else "you have left"
    await club.until(lambda: any(left in text for text in club.texts(club.private(gone))))
    assert not any("Your cards" in text or "Ваши карты" in text for text in club.texts(club.private(gone)))
    await club.until(lambda: said(club, "has left the table"))
    await club.press("Dora", club.group, "Take the seat")
    await club.until(lambda: "Your cards" in club.hand_text("Dora"))
    table = await table_of(club)
    assert seat_of(table.seats, club.world.person("Dora").id) is not None
    assert seat_of(table.seats, club.world.person(gone).id) is None


async def test_settings_by_buttons(club: Club) -> None:
    await club.all_start("You")
    chat = club.private("You")
    club.world.say("You", chat, "/settings")
    await club.press("You", chat, "Quiet hours")
    await club.press("You", chat, "Europe")
    await club.press("You", chat, "13:00 Berlin")
    await club.until(lambda: "Berlin" in club.last(chat))
    await club.press("You", chat, "Quiet hours")
    await club.press("You", chat, "23:00")
    await club.until(lambda: club.find(chat, "✅ 23:00"))
    await club.press("You", chat, "10:00")
    await club.until(lambda: club.find(chat, "✅ 10:00"))
    answer = await club.press("You", chat, "19:00")  # to 10:00 would be fifteen hours
    assert "12 hours" in answer["text"]
    assert club.find(chat, "✅ 23:00")
    await club.press("You", chat, "Back")
    await club.until(lambda: "from 23:00 to 10:00" in club.last(chat))
    await club.press("You", chat, "No reminders")
    await club.until(lambda: "Reminders before your time is up: off" in club.last(chat))


async def test_a_restart_with_overdue_turns_costs_nobody_his_time(database: str) -> None:
    async with club_of(database) as club:
        async with bot_for(club):
            await club.until(lambda: club.messages(club.group))
            leader = await four_at(club, "At the table")
            await club.pass_time(30)
            left = await table_of(club)
        club.clock.advance(3 * HOUR)
        async with bot_for(club):
            table = await table_of(club)
            assert left.act_at is not None
            assert table.act_at is not None
            assert await whose_turn(club) == leader
            assert 80 <= (table.act_at - club.clock.now).total_seconds() <= 120
            assert not said(club, "time was up")
            await club.pass_time(121)
            await club.until(lambda: said(club, "time was up"))
