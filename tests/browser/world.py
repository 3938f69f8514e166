"""Short ways to the people and chats of the first world."""

from tgbot.sandbox.server import Running


def person(sandbox: Running, first_name: str) -> int:
    return next(one.id for one in sandbox.world.data.people.values() if one.first_name == first_name)


def club(sandbox: Running) -> int:
    """The id of the group "Goat club"; of the supergroup, when it became one."""
    groups = [chat for chat in sandbox.world.data.chats.values() if chat.type != "private"]
    return next(chat.id for chat in groups if chat.upgraded_to is None)
