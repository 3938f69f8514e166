"""The command menus that Telegram shows, per language and per kind of chat."""

from aiogram import Bot
from aiogram.types import BotCommand, BotCommandScopeAllGroupChats, BotCommandScopeAllPrivateChats

from tgbot.texts import FALLBACK, LANGUAGES, marked, texts

PRIVATE = {
    "tables": marked("My tables and whose turn it is"),
    "settings": marked("Time zone, quiet hours, reminders"),
    "rules": marked("How Goat is played"),
    "language": marked("Choose the language"),
    "help": marked("What I do"),
}
GROUP = {
    "goat": marked("Open a table"),
    "table": marked("Show the table again"),
    "time": marked("Pace, pause, substitutes"),
    "stop": marked("Propose to end the series"),
    "language": marked("The language of this chat"),
    "help": marked("What I do"),
}


async def publish_commands(bot: Bot) -> None:
    for language in LANGUAGES:
        t = texts(language)
        for menu, scope in (
            (PRIVATE, BotCommandScopeAllPrivateChats()),
            (GROUP, BotCommandScopeAllGroupChats()),
        ):
            await bot.set_my_commands(
                [BotCommand(command=name, description=t.plain(what)) for name, what in menu.items()],
                scope=scope,
                language_code=None if language == FALLBACK else language,
            )
