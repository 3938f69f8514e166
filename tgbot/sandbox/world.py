"""The world of the sandbox: people and their chats (state.py, people.py), and what is done with groups."""

import time
from collections.abc import Callable
from typing import Any

from tgbot.sandbox.entities import cleaned
from tgbot.sandbox.errors import Impossible
from tgbot.sandbox.model import Bot, Chat, ChatType, Data, Member, Message, Person, Topic
from tgbot.sandbox.people import PAYLOAD, People, Where, Who

BOT_ID = 6_500_000_001
TOKEN = f"{BOT_ID}:AASandboxSandboxSandboxSandboxSandb"


class World(People):
    """Everything that tests and the page act through. Without data it holds the bot and nobody else."""

    def __init__(self, data: Data | None = None, real: Callable[[], float] = time.time) -> None:
        super().__init__(data or Data(Bot(BOT_ID, "Goat", "goat_sandbox_bot", TOKEN)), real)

    def add_group(self, person: Who, title: str, kind: ChatType = "group") -> Chat:
        """A new group of one person, without the bot."""
        return self.new_chat(title, self.person(person), kind)

    def join(self, person: Who, chat: Where) -> None:
        who, where = self.person(person), self._open_group(chat)
        if self.member(where, who.id).present:
            raise Impossible(f"{who.first_name} is already in {where.title}.")
        self.set_member(where, who.id, who.id, status="member")
        self.service_message(where, who.id, {"new_chat_members": [who.id]})

    def leave(self, person: Who, chat: Where) -> None:
        who, where = self.person(person), self._open_group(chat)
        self._must_be_in(who, where)
        self.service_message(where, who.id, {"left_chat_member": who.id})
        self.set_member(where, who.id, who.id, status="left")

    def add_bot(self, person: Who, chat: Where, payload: str | None = None) -> None:
        """The person adds the bot; with a payload by a link t.me/<bot>?startgroup=payload, which then says /start."""
        who, where = self.person(person), self._open_group(chat)
        self._must_be_in(who, where)
        if not self.bot.can_join_groups:
            raise Impossible("This bot can't be added to groups.")
        if self.member(where, self.bot.id).present:
            raise Impossible(f"The bot is already in {where.title}.")
        if payload and not PAYLOAD.fullmatch(payload):
            raise Impossible("A start parameter has 1 to 64 letters, digits, _ or -.")
        self.set_member(where, self.bot.id, who.id, status="member", can_write=True)
        self.service_message(where, who.id, {"new_chat_members": [self.bot.id]})
        if payload:
            self.say(who, where, f"/start@{self.bot.username} {payload}")

    def remove_bot(self, person: Who, chat: Where) -> None:
        who, where = self.person(person), self._open_group(chat)
        self._must_be_in(who, where)
        if not self.member(where, self.bot.id).present:
            raise Impossible(f"The bot is not in {where.title}.")
        self.set_member(where, self.bot.id, who.id, status="kicked")
        message = self.new_message(where, who.id, service={"left_chat_member": self.bot.id})
        self.deliver_message(message)

    def restrict_bot(self, person: Who, chat: Where, can_write: bool) -> None:
        """Takes the bot's right to write, or gives it back. In a basic group that concerns all who are no admins."""
        who, where = self.person(person), self._open_group(chat)
        self._must_be_in(who, where)
        bot = self.member(where, self.bot.id)
        if not bot.present:
            raise Impossible(f"The bot is not in {where.title}.")
        if where.type == "group":
            where.all_can_write = can_write
            self.emit("chat", chat=where)
        else:
            status = "member" if can_write else "restricted"
            self.set_member(where, self.bot.id, who.id, status=status, can_write=can_write)

    def promote(self, chat: Where, user: Who, admin: bool = True, person: Who | None = None) -> None:
        """Makes a person, or the bot (by its id or username), an admin or no admin any more."""
        where = self._open_group(chat)
        by = self.person(person).id if person is not None else self._creator(where)
        user_id = self.bot.id if user in (self.bot.id, self.bot.username) else self.person(user).id
        member = self.member(where, user_id)
        if not member.present:
            raise Impossible("Only members can be made admins.")
        if member.status == "creator":
            raise Impossible("The owner of a group is always an admin.")
        self.set_member(where, user_id, by, status="administrator" if admin else "member", can_write=True)

    def set_anonymous_admin(self, person: Who, chat: Where, on: bool = True) -> None:
        """The admin writes as the group from now on."""
        who, where = self.person(person), self._open_group(chat)
        if where.type != "supergroup":
            raise Impossible("Only supergroups have anonymous admins.")
        if not self.member(where, who.id).is_admin:
            raise Impossible(f"{who.first_name} is no admin of {where.title}.")
        self.set_member(where, who.id, who.id, anonymous=on)

    def upgrade_to_supergroup(self, chat: Where, person: Who | None = None) -> Chat:
        """Makes a supergroup of a basic group: a new id, message ids from 1 on, the old chat closed."""
        old = self._open_group(chat)
        if old.type != "group":
            raise Impossible(f"{old.title} is a supergroup already.")
        by = self.person(person).id if person is not None else self._creator(old)
        new = Chat(-1_002_000_000_000 - self.next_id(), "supergroup", old.title, upgraded_from=old.id)
        new.members = {who: Member(m.status, m.anonymous, m.can_write) for who, m in old.members.items()}
        new.all_can_write = old.all_can_write
        self.data.chats[new.id] = new
        old_message = self.service_message(old, by, {"migrate_to_chat_id": new.id})
        old.upgraded_to = new.id
        self.emit("chat", chat=old)
        self.emit("chat", chat=new)
        # Telegram gives the service message in the new chat no person: the group itself wrote it.
        if self.hears(new):
            self.service_message(new, None, {"migrate_from_chat_id": old_message.chat_id})
        return new

    def enable_topics(self, person: Who, chat: Where, on: bool = True) -> None:
        who, where = self.person(person), self._open_group(chat)
        if where.type != "supergroup":
            raise Impossible("Only supergroups have topics; make it one first.")
        if not self.member(where, who.id).is_admin:
            raise Impossible(f"{who.first_name} is no admin of {where.title}.")
        where.is_forum = on
        self.emit("chat", chat=where)

    def create_topic(self, person: Who, chat: Where, name: str) -> Topic:
        who, where = self.person(person), self._open_group(chat)
        self._must_be_in(who, where)
        if not where.is_forum:
            raise Impossible(f"{where.title} has no topics.")
        name = cleaned(name).strip()
        if not 1 <= len(name) <= 128:
            raise Impossible("A topic's name has 1 to 128 characters.")
        return self.new_topic(where, name, who.id)

    def last_message(self, chat: Where, sender_id: int | None = None) -> Message:
        """The newest message of the chat, or of one sender in it. Raises Impossible when there is none."""
        for message in reversed(self.chat(chat).messages.values()):
            if sender_id is None or message.sender_id == sender_id:
                return message
        raise Impossible("There is no message.")

    def _open_group(self, chat: Where) -> Chat:
        found = self.chat(chat)
        if found.type == "private":
            raise Impossible("That is a private chat.")
        if found.upgraded_to is not None:
            raise Impossible("This group became a supergroup.")
        return found

    def _must_be_in(self, person: Person, chat: Chat) -> None:
        if not self.member(chat, person.id).present:
            raise Impossible(f"{person.first_name} is not in {chat.title}.")

    def _creator(self, chat: Chat) -> int:
        found: Any = next((who for who, member in chat.members.items() if member.status == "creator"), None)
        if found is None:
            raise Impossible(f"{chat.title} has no owner any more; say who does it.")
        return int(found)


def first_world(real: Callable[[], float] = time.time) -> World:
    """What a newcomer finds: one group with four people and the bot; nobody has pressed Start yet."""
    world = World(real=real)
    populate(world)
    return world


def populate(world: World) -> None:
    """Empties the world and fills it with the first people and their group.

    Counters, command menus and the webhook stay, so that a bot which runs and remembers meets new ids.
    """
    data = world.data
    for kept in (data.people, data.chats, data.queries, data.photos, data.met, data.updates):
        kept.clear()
    you = world.new_person("Max", None, "you", "en")
    anna = world.new_person("Anna", "Schmidt", "anna_s", "en")
    boris = world.new_person("Борис", "Петров", None, "ru")
    chidi = world.new_person("Chidi", None, "chidi", "en")
    club = world.new_chat("Goat club", you)
    for person in (anna, boris, chidi):
        club.members[person.id] = Member("member")
    world.add_bot(you, club)
    world.emit("reset")
