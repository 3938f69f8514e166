"""The state of the sandbox's little Telegram, and the few operations that all else is made of.

Everything here is synchronous and does no I/O. Whoever wants to know of changes adds a listener.
"""

import re
import time
from collections.abc import Callable
from typing import Any

from tgbot.sandbox import shapes
from tgbot.sandbox.entities import cleaned
from tgbot.sandbox.errors import Impossible
from tgbot.sandbox.model import (
    Bot,
    Chat,
    ChatType,
    Data,
    Member,
    Message,
    Pending,
    Person,
    Photo,
    Status,
    Topic,
)

Listener = Callable[[str, dict[str, Any]], None]
"""Called with the kind of a change (those of pageapi.py's events, and some more) and the things concerned."""

ASKED_FOR = ("chat_member", "message_reaction", "message_reaction_count")
"""Updates that a bot gets only when its allowed_updates name them."""

UPDATE_LIFE = 24 * 3600.0
QUERY_UPDATE_LIFE = 150.0
"""Seconds for which Telegram keeps an update that the bot does not take, and one that is a callback query."""

QUERY_LIFE = 15.0
OLD = 48 * 3600
"""Seconds after which a message can't be deleted by a bot and is inaccessible in a callback query."""

_COLORS = ("#e17076", "#7bc862", "#e5ca77", "#65aadd", "#a695e7", "#ee7aae", "#6ec9cb", "#faa774")


class State:
    """Data plus clock, listeners and counters. `real` is the clock of the machine: unix seconds."""

    def __init__(self, data: Data, real: Callable[[], float] = time.time) -> None:
        self.data = data
        self.real = real
        self.listeners: list[Listener] = []
        self.last_update: Pending | None = None

    # What there is

    @property
    def bot(self) -> Bot:
        return self.data.bot

    def now(self) -> float:
        return self.real() + self.data.clock_offset

    def person(self, who: int | str | Person) -> Person:
        """By id, by first name, by username (with or without @). Raises Impossible when there is no such person."""
        if isinstance(who, Person):
            return who
        if isinstance(who, int):
            found = self.data.people.get(who)
        else:
            name = who.removeprefix("@").lower()
            found = next(
                (
                    p
                    for p in self.data.people.values()
                    if name in (p.first_name.lower(), (p.username or "").lower())
                ),
                None,
            )
        if found is None:
            raise Impossible(f"There is no person {who!r}.")
        return found

    def chat(self, which: int | str | Chat) -> Chat:
        """By id or title. Raises Impossible when there is no such chat."""
        if isinstance(which, Chat):
            return which
        found = self.data.chats.get(which) if isinstance(which, int) else None
        if isinstance(which, str):
            found = next(
                (c for c in self.data.chats.values() if c.title == which and not c.upgraded_to), None
            )
        if found is None:
            raise Impossible(f"There is no chat {which!r}.")
        return found

    def private_chat(self, person: Person) -> Chat:
        return self.data.chats[person.id]

    def message(self, chat: Chat, message_id: int) -> Message | None:
        """A message of the chat; a negative id names an ephemeral one."""
        return chat.ephemeral.get(-message_id) if message_id < 0 else chat.messages.get(message_id)

    def member(self, chat: Chat, user_id: int) -> Member:
        return chat.members.get(user_id) or Member("left")

    # Telling others

    def emit(self, kind: str, **what: Any) -> None:
        for listener in list(self.listeners):
            listener(kind, what)

    def update(self, kind: str, body: dict[str, Any], queue: str) -> Pending | None:
        """Queues an update for the bot; None when its allowed_updates leave this kind out."""
        allowed = self.data.webhook.allowed_updates
        if kind not in allowed if allowed else kind in ASKED_FOR:
            return None
        self.data.last_update_id += 1
        life = QUERY_UPDATE_LIFE if kind == "callback_query" else UPDATE_LIFE
        pending = Pending(self.data.last_update_id, kind, body, queue, self.now() + life)
        self.data.updates.append(pending)
        self.last_update = pending
        self.emit("pending", update=pending)
        return pending

    # Making things

    def next_id(self) -> int:
        self.data.last_id += 1
        return self.data.last_id

    def new_person(
        self,
        first_name: str,
        last_name: str | None = None,
        username: str | None = None,
        language_code: str | None = "en",
    ) -> Person:
        first_name, last_name, username = names(first_name, last_name, username)
        number = self.next_id()
        # More than 32 bits, as new accounts have.
        person = Person(7_000_000_000 + number, first_name, last_name, username, language_code)
        person.color = _COLORS[number % len(_COLORS)]
        self.data.people[person.id] = person
        chat = Chat(person.id, "private", first_name)
        self.data.chats[chat.id] = chat
        self.emit("person", person=person)
        self.emit("chat", chat=chat)
        return person

    def new_chat(self, title: str, creator: Person, kind: ChatType = "group") -> Chat:
        title = cleaned(title).strip()
        if not 1 <= len(title) <= 128:
            raise Impossible("A group's title has 1 to 128 characters.")
        number = self.next_id()
        chat = Chat(-4_200_000_000 - number if kind == "group" else -1_002_000_000_000 - number, kind, title)
        chat.members[creator.id] = Member("creator")
        self.data.chats[chat.id] = chat
        self.emit("chat", chat=chat)
        return chat

    def next_message_id(self, chat: Chat) -> int:
        if chat.type == "supergroup":
            chat.last_message_id += 1
            return chat.last_message_id
        self.data.last_message_id += 1
        return self.data.last_message_id

    def new_message(self, chat: Chat, sender_id: int | None, **fields: Any) -> Message:
        message = Message(chat.id, self.next_message_id(chat), int(self.now()), sender_id, **fields)
        chat.messages[message.message_id] = message
        self.emit("message", message=message)
        return message

    def new_ephemeral(self, chat: Chat, sender_id: int | None, receiver_id: int, **fields: Any) -> Message:
        chat.last_ephemeral_id += 1
        message = Message(
            chat.id,
            0,
            int(self.now()),
            sender_id,
            receiver_id=receiver_id,
            ephemeral_id=chat.last_ephemeral_id,
            follows=next(reversed(chat.messages), None),
            **fields,
        )
        chat.ephemeral[chat.last_ephemeral_id] = message
        self.emit("message", message=message)
        return message

    def remove_messages(self, chat: Chat, message_ids: list[int]) -> None:
        gone = []
        for message_id in message_ids:
            removed = (
                chat.ephemeral.pop(-message_id, None)
                if message_id < 0
                else chat.messages.pop(message_id, None)
            )
            if removed:
                gone.append(message_id)
        if gone:
            self.emit("delete", chat_id=chat.id, message_ids=gone)

    def new_photo(self, data: bytes, mime: str, width: int, height: int) -> Photo:
        photo = Photo(f"AgACAgIAAx{self.next_id():08d}", mime, width, height, data)
        self.data.photos[photo.id] = photo
        return photo

    def new_topic(self, chat: Chat, name: str, by: int | None, **fields: Any) -> Topic:
        """A forum topic; its id is that of the service message that opens it."""
        icon = {"name": name, "icon_color": fields.get("icon_color", 7322096)}
        service = {"forum_topic_created": icon}
        topic = Topic(0, name, **fields)
        message = self.new_message(chat, by, service=service)
        topic.id = message.thread_id = message.message_id
        if self.hears(chat):
            self.deliver_message(message)
        chat.topics[topic.id] = topic
        self.emit("edit", message=message)
        self.emit("chat", chat=chat)
        return topic

    # What the bot hears

    def deliver_message(self, message: Message, kind: str = "message") -> Pending | None:
        body = shapes.message(self, message)
        return self.update(kind, {kind: body}, f"chat{message.chat_id}")

    def hears(self, chat: Chat) -> bool:
        """True when the bot is in the chat."""
        return chat.type == "private" or self.member(chat, self.bot.id).present

    def service_message(
        self, chat: Chat, by: int | None, service: dict[str, Any], thread: int | None = None
    ) -> Message:
        """A service message; the bot in the chat hears it, privacy mode or not, and also when it is its own."""
        message = self.new_message(chat, by, service=service, thread_id=thread)
        if self.hears(chat):
            self.deliver_message(message)
        return message

    def set_member(self, chat: Chat, user_id: int, by: int, **now: Any) -> None:
        """Changes a membership and tells the bot: my_chat_member about itself, chat_member about others."""
        old = self.member(chat, user_id)
        before = shapes.chat_member(self, chat, user_id)
        heard_before = self.hears(chat)
        new = Member(old.status, old.anonymous, old.can_write)
        for name, value in now.items():
            setattr(new, name, value)
        if not new.is_admin:
            new.anonymous = False
        chat.members[user_id] = new
        after = shapes.chat_member(self, chat, user_id)
        if before != after:
            self.tell_membership(chat, user_id, by, before, after, heard_before)
        if self.hears(chat):
            self.data.met |= {who for who, member in chat.members.items() if member.present}
        self.emit("chat", chat=chat)

    def tell_membership(
        self,
        chat: Chat,
        user_id: int,
        by: int,
        before: dict[str, Any],
        after: dict[str, Any],
        heard_before: bool = True,
    ) -> None:
        body = {
            "chat": shapes.chat(self, chat),
            "from": shapes.user(self, by),
            "date": int(self.now()),
            "old_chat_member": before,
            "new_chat_member": after,
        }
        if user_id == self.bot.id:
            self.update("my_chat_member", {"my_chat_member": body}, f"my{chat.id}")
        elif heard_before and self.member(chat, self.bot.id).is_admin:
            self.update("chat_member", {"chat_member": body}, f"member{user_id}")

    def status_of(self, chat: Chat, user_id: int) -> Status:
        return self.member(chat, user_id).status


def names(first_name: str, last_name: str | None, username: str | None) -> tuple[str, str | None, str | None]:
    """A person's names as Telegram takes them. Raises Impossible."""
    first, last = cleaned(first_name).strip(), cleaned(last_name or "").strip()
    if not 1 <= len(first) <= 64 or len(last) > 64:
        raise Impossible("A first name has 1 to 64 characters, a last name up to 64.")
    if username and not re.fullmatch(r"[A-Za-z][A-Za-z0-9_]{2,31}", username):
        raise Impossible("A username has 3 to 32 letters, digits and _.")
    return first, last or None, username or None
