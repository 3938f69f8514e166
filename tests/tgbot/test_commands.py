"""Every command gets an answer, in the right kind of chat and in the wrong one."""

import pytest

from tests.tgbot.club import Club, bot_for, club_of


@pytest.mark.parametrize(
    ("command", "answer"),
    [
        ("/help", "/goat"),
        ("/rules", "36 cards"),
        ("/tables", "You sit at no table"),
        ("/language", "Your language"),
        ("/goat", "works in a group"),
        ("/stop", "works in a group"),
        ("/table", "works in a group"),
        ("/nonsense", "I understand buttons and commands"),
        ("hello", "I understand buttons and commands"),
    ],
)
async def test_in_private(club: Club, command: str, answer: str) -> None:
    await club.all_start("You")
    club.world.say("You", club.private("You"), command)
    await club.until(lambda: len(club.messages(club.private("You"))) == 2)
    assert answer in club.last(club.private("You"))


@pytest.mark.parametrize(
    ("command", "answer"),
    [
        ("/help", "open a table here"),
        ("/rules", "works in our private chat"),
        ("/tables", "works in our private chat"),
        ("/table", "There is no table here"),
        ("/stop", "No series is being played here"),
        ("/language", "The language of this chat"),
        ("/GOAT", "a new table"),
        ("/goat@Goat_Sandbox_Bot", "a new table"),
        ("/nonsense@goat_sandbox_bot", "I don't know /nonsense"),
    ],
)
async def test_in_a_group(club: Club, command: str, answer: str) -> None:
    before = len(club.messages(club.group))
    await club.say("You", command)
    await club.until(lambda: len(club.messages(club.group)) > before)
    assert answer in club.last(club.group)


async def test_commands_to_other_bots_are_left_alone(club: Club) -> None:
    await club.until(lambda: club.messages(club.group))
    before = len(club.messages(club.group))
    for command in ("/nonsense", "/goat@some_other_bot", "/nonsense@some_other_bot"):
        await club.say("You", command)
    await club.say("You", "/help")
    await club.until(lambda: len(club.messages(club.group)) > before)
    assert len(club.messages(club.group)) == before + 1


async def test_a_second_goat_shows_the_same_lobby_again_at_the_bottom(club: Club) -> None:
    await club.open_lobby("You")
    lobby = club.find(club.group, "Sit here")
    assert lobby is not None
    await club.say("Anna", "/goat")
    await club.until(lambda: (again := club.find(club.group, "Sit here")) and again[0] is not lobby[0])
    await club.until(lambda: lobby[0].message_id not in club.group.messages)


async def test_tables_tells_whose_turn_it_is_and_brings_the_hand(club: Club) -> None:
    await club.all_start("You")
    await club.open_lobby("You")
    await club.press("You", club.group, "Play now with computers")
    await club.until(lambda: "Trump" in club.hand_text("You"))
    club.world.say("You", club.private("You"), "/tables")
    await club.until(
        lambda: "Goat club" in club.last(club.private("You")) and "•" in club.last(club.private("You"))
    )
    await club.press("You", club.private("You"), "🃏")
    await club.until(lambda: "Trump" in club.last(club.private("You")))


async def test_the_language_changes_at_once_where_it_is_chosen(club: Club) -> None:
    await club.all_start("You")
    club.world.say("You", club.private("You"), "/language")
    await club.until(lambda: club.find(club.private("You"), "✅ English"))
    await club.press("You", club.private("You"), "Русский")
    await club.until(lambda: "Русский" in club.last(club.private("You")))
    club.world.say("You", club.private("You"), "/tables")
    await club.until(lambda: "Вы не сидите" in club.last(club.private("You")))


async def test_the_present_language_of_a_group_is_marked(club: Club) -> None:
    await club.say("You", "/language")
    await club.press("You", club.group, "Русский")
    await club.until(lambda: "Русский" in club.last(club.group))
    await club.say("Anna", "/language")
    await club.until(lambda: club.find(club.group, "✅ Русский"))
    assert not club.find(club.group, "✅ English")


async def test_pages_are_turned_however_old_they_are(club: Club) -> None:
    """Of a message that is two days old Telegram tells a bot no more than its number."""
    chat = club.private("You")
    await club.all_start("You")
    for command, label, then in (
        ("/rules", "▶️", "a trick"),
        ("/settings", "Time zone", "Where are you?"),
        ("/language", "English", "This chat speaks English now"),
    ):
        club.world.say("You", chat, command)
        await club.until(lambda label=label: club.find(chat, label))  # type: ignore[misc]
        club.world.advance(50 * 3600)
        answer = await club.press("You", chat, label)
        assert answer["text"] is None
        await club.until(lambda then=then: then in club.last(chat))  # type: ignore[misc]


async def test_pages_that_are_gone_come_back_as_new_ones(club: Club) -> None:
    chat = club.private("You")
    await club.all_start("You")
    club.world.say("You", chat, "/rules")
    await club.until(lambda: club.find(chat, "▶️"))
    found = club.find(chat, "▶️")
    assert found is not None
    club.world.advance(50 * 3600)
    query = club.world.press("You", chat, found[0].message_id, found[1]["callback_data"])
    club.world.delete_message("You", chat, found[0].message_id)
    await club.world.answer_to(query)
    await club.until(lambda: "a trick" in club.last(chat))


async def test_the_rules_have_pages(club: Club) -> None:
    chat = club.private("You")
    await club.all_start("You")
    club.world.say("You", chat, "/rules")

    def title() -> str:
        return club.last(chat).splitlines()[0]

    await club.until(lambda: club.last(chat).endswith("1/4"))
    await club.press("You", chat, "▶️")
    await club.until(lambda: "a trick" in title())
    assert club.last(chat).endswith("2/4")
    await club.press("You", chat, "▶️")
    await club.until(lambda: "molodka" in title())
    await club.press("You", chat, "▶️")
    await club.until(lambda: "the count" in title())
    await club.press("You", chat, "◀️")
    await club.until(lambda: "molodka" in title())


async def test_who_speaks_none_of_our_languages_gets_the_operator_s(database: str) -> None:
    async with club_of(database) as club:
        club.world.set_language("Anna", "uk")
        async with bot_for(club, language="ru"):
            await club.all_start("Anna")
            assert "козёл" in club.last(club.private("Anna")).lower()


async def test_what_is_asked_in_a_group_is_answered_in_the_group_s_language(club: Club) -> None:
    await club.say("You", "/language")
    await club.press("You", club.group, "Русский")
    await club.say("You", "/help")
    await club.until(lambda: "открыть здесь стол" in club.last(club.group))
