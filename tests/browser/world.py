"""Short ways to the people and chats of the first world."""

from tgbot.sandbox.server import Running


def person(sandbox: Running, name: str) -> int:
    """By first name or username; "You" is the one through whose eyes the page looks at first."""
    return sandbox.world.person(name).id


def club(sandbox: Running) -> int:
    """The id of the group "Goat club"; of the supergroup, when it became one."""
    groups = [chat for chat in sandbox.world.data.chats.values() if chat.type != "private"]
    return next(chat.id for chat in groups if chat.upgraded_to is None)
