"""A client can send any callback data; it must not do more than the buttons that its person sees."""

from tests.tgbot.club import Club, bot_for, club_of


async def forge(club: Club, person: str, chat: str, data: str) -> dict[str, object]:
    """Presses a button that was never there: the first one of a message, with other data."""
    where = club.group if chat == "group" else club.private(person)
    message = next(message for message in reversed(club.messages(where)) if club.buttons(message))
    row = (message.reply_markup or {})["inline_keyboard"][0]
    original = dict(row[0])
    row[0].clear()
    row[0].update(text=original["text"], callback_data=data)
    query = club.world.press(person, where, message.message_id, (0, 0))
    row[0].clear()
    row[0].update(original)
    return await club.world.answer_to(query, 20)


async def a_table(club: Club) -> None:
    await club.all_start("You", "Anna")
    await club.open_lobby("You")


async def test_a_hand_is_never_shown_in_the_group(database: str) -> None:
    async with club_of(database) as club, bot_for(club):
        await a_table(club)
        await club.press("You", club.group, "Play now with computers")
        await club.until(lambda: "Trump" in club.hand_text("You") and club.find(club.group, "My cards"))
        before = club.find(club.group, "My cards")
        assert before is not None
        await forge(club, "You", "group", "h:1:1:0:1")
        await club.say("You", "/help")
        await club.until(lambda: "open a table here" in club.last(club.group))
        labels = [button["text"] for message in club.messages(club.group) for button in club.buttons(message)]
        assert not any(suit in label for label in labels for suit in "♠♥♦♣")


async def test_a_lobby_is_set_up_only_in_its_own_chat(database: str) -> None:
    async with club_of(database) as club, bot_for(club):
        await a_table(club)
        club.world.leave("Anna", club.group)
        answer = await forge(club, "Anna", "private", "l:1:fill:0")
        assert "from earlier" in str(answer["text"])
        assert club.find(club.group, "Sit here")


async def test_a_link_to_a_seat_is_for_the_people_of_the_group(database: str) -> None:
    async with club_of(database) as club, bot_for(club):
        await a_table(club)
        club.world.leave("Anna", club.group)
        club.world.start("Anna", "sit_1_1")
        await club.until(lambda: "a group that you are not in" in club.last(club.private("Anna")))
        assert "Anna" not in club.last(club.group)


async def test_a_made_up_level_is_refused(database: str) -> None:
    async with club_of(database) as club, bot_for(club):
        await a_table(club)
        answer = await forge(club, "You", "group", "l:1:level:3")
        assert "means nothing" in str(answer["text"])


async def test_a_made_up_rule_is_refused(database: str) -> None:
    async with club_of(database) as club, bot_for(club):
        await a_table(club)
        answer = await forge(club, "You", "group", "r:1:series_length:7")
        assert answer["text"] == "There is no such rule."


async def test_an_offered_seat_is_taken_only_in_the_group_and_its_cards_stay_hidden(database: str) -> None:
    async with club_of(database) as club, bot_for(club):
        await club.all_start("You", "Anna", "Chidi")
        await club.open_lobby("You")
        await club.press("You", club.group, "🔵 Sit here")
        await club.press("Anna", club.group, "🟠 Sit here")
        await club.press("You", club.group, "Play now with computers")
        await club.until(lambda: "Trump" in club.hand_text("Anna"))
        await club.say("Anna", "/time")
        await club.press("Anna", club.group, "Leave my seat")
        await club.press("Anna", club.group, "I leave")
        await club.until(lambda: club.find(club.group, "Take the seat"))
        offer = club.find(club.group, "Take the seat")
        assert offer is not None
        club.world.leave("Chidi", club.group)
        answer = await forge(club, "Chidi", "private", offer[1]["callback_data"])
        assert "from earlier" in str(answer["text"])
        assert "Trump" not in club.hand_text("Chidi")


async def test_a_made_up_pace_is_refused(database: str) -> None:
    async with club_of(database) as club, bot_for(club):
        await a_table(club)
        for number in (-1, 99):
            answer = await forge(club, "You", "group", f"l:1:pace:{number}")
            assert "means nothing" in str(answer["text"])


async def test_a_table_is_never_turned_into_a_page(database: str) -> None:
    async with club_of(database) as club, bot_for(club):
        await a_table(club)
        for made_up in ("p:0", "z:home:0"):
            answer = await forge(club, "Anna", "group", made_up)
            assert "means nothing" in str(answer["text"]), made_up
            assert club.find(club.group, "Sit here")
