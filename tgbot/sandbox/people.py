"""What a person can do in his apps, one by one; each sends the bot the updates that Telegram would."""

import asyncio
import hashlib
import re
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs, urlsplit

from tgbot.sandbox import entities, shapes
from tgbot.sandbox.errors import Impossible
from tgbot.sandbox.model import Chat, Message, Pending, Person, Query
from tgbot.sandbox.state import OLD, QUERY_LIFE, UPDATE_LIFE, State, names

Who = int | str | Person
Where = int | str | Chat

PAYLOAD = re.compile(r"[A-Za-z0-9_-]{1,64}")


class People(State):
    """A person is given as id, first name, username or Person; a chat as id, title or Chat.

    What Telegram's apps would not let him do raises Impossible.
    """

    def say(
        self, person: Who, chat: Where, text: str, thread: int | None = None, reply_to: int | None = None
    ) -> Message:
        who, where = self.person(person), self.chat(chat)
        self.must_be_able_to_write(who, where)
        text, _ = entities.trimmed(entities.cleaned(text), [])
        if not text:
            raise Impossible("An empty message can't be sent.")
        if entities.utf16_length(text) > 4096:
            raise Impossible("A message has at most 4096 characters.")
        if thread is not None:
            self.must_be_open_topic(where, thread)
        if reply_to is not None and self.message(where, reply_to) is None:
            raise Impossible("The message to reply to is gone.")
        anonymous = where.type != "private" and self.member(where, who.id).anonymous
        if where.type == "private":
            self.data.met.add(who.id)
            if not where.started:
                where.started = True
                self.emit("chat", chat=where)
        message = self.new_message(
            where,
            None if anonymous else who.id,
            text=text,
            entities=entities.with_automatic(text, []),
            thread_id=thread,
            reply_to=reply_to,
        )
        if self.is_for_bot(where, message):
            self.deliver_message(message)
        return message

    def must_be_able_to_write(self, person: Person, chat: Chat) -> None:
        if person.deleted:
            raise Impossible(f"{person.first_name}'s account is deleted.")
        if chat.upgraded_to is not None:
            raise Impossible("This group became a supergroup; write there.")
        if chat.type == "private":
            if chat.id != person.id:
                raise Impossible("That is somebody else's private chat.")
            if chat.blocked:
                raise Impossible("You blocked the bot; unblock it first.")
            return
        member = self.member(chat, person.id)
        if not member.present:
            raise Impossible(f"{person.first_name} is not in {chat.title}.")
        if member.status == "restricted" and not member.can_write:
            raise Impossible(f"{person.first_name} may not write in {chat.title}.")

    def must_be_open_topic(self, chat: Chat, thread: int) -> None:
        topic = chat.topics.get(thread)
        if topic is None:
            raise Impossible("There is no such topic.")
        if topic.closed:
            raise Impossible("The topic is closed.")

    def is_for_bot(self, chat: Chat, message: Message) -> bool:
        """Privacy mode: in groups a bot hears commands that may be its own, and replies to it, unless it is an admin."""
        if chat.type == "private":
            return True
        if not self.hears(chat):
            return False
        if self.bot.can_read_all or self.member(chat, self.bot.id).is_admin:
            return True
        replied = chat.messages.get(message.reply_to) if message.reply_to else None
        if replied and replied.sender_id == self.bot.id:
            return True
        for entity in message.entities:
            if entity["type"] == "bot_command":
                command = entities.utf16_slice(message.text or "", entity["offset"], entity["length"])
                _, at, name = command.partition("@")
                if not at or name.lower() == self.bot.username.lower():
                    return True
        return False

    def start(self, person: Who, payload: str | None = None) -> Message:
        """The Start button of the private chat, or a link t.me/<bot>?start=payload."""
        who = self.person(person)
        if payload is not None and not PAYLOAD.fullmatch(payload):
            raise Impossible("A start parameter has 1 to 64 letters, digits, _ or -.")
        if self.private_chat(who).blocked:
            self.unblock(who)
        return self.say(who, who.id, "/start" if payload is None else f"/start {payload}")

    def open_link(self, person: Who, url: str) -> dict[str, Any]:
        """Follows a link as Telegram's apps do: {"chat_id", "message_id"} to show, or {"external": url}."""
        who = self.person(person)
        try:
            parts = urlsplit(url if "://" in url else f"https://{url}")
        except ValueError:
            raise Impossible("That is no address.") from None
        query = {name: values[-1] for name, values in parse_qs(parts.query, keep_blank_values=True).items()}
        path = parts.path.strip("/").split("/")
        name = path[0]
        if parts.scheme == "tg" and parts.netloc == "resolve":
            name = query.get("domain", "")
        elif parts.netloc.lower() not in ("t.me", "telegram.me", "telegram.dog"):
            return {"external": url}
        if path[0] == "c" and len(path) > 1 and path[1].isdigit():
            chat = self.chat(int(f"-100{path[1]}"))
            if not self.member(chat, who.id).present:
                raise Impossible(f"{who.first_name} is not in {chat.title}.")
            return {
                "chat_id": chat.id,
                "message_id": int(path[-1]) if path[-1].isdigit() and len(path) > 2 else None,
            }
        if name.lower() != self.bot.username.lower():
            return {"external": url}
        if "startgroup" in query:
            return {"startgroup": query["startgroup"], "chat_id": who.id, "message_id": None}
        if "start" in query:
            message = self.start(who, query["start"] or None)
            return {"chat_id": who.id, "message_id": message.message_id}
        return {"chat_id": who.id, "message_id": None}

    def press(self, person: Who, chat: Where, message_id: int, button: tuple[int, int] | str) -> str:
        """Presses a callback button, by (row, column), by its data or by its text. Returns the query's id."""
        who, where = self.person(person), self.chat(chat)
        message, row, col = self.find_button(who, where, message_id, button)
        pressed = (message.reply_markup or {})["inline_keyboard"][row][col]
        if "callback_data" not in pressed:
            raise Impossible(f"The button {pressed['text']!r} sends nothing to the bot.")
        if where.type == "private" and where.blocked:
            raise Impossible("You blocked the bot; unblock it first.")
        query = Query(
            str(4_000_000_000_000_000_000 + self.next_id()),
            who.id,
            where.id,
            message_id,
            self.now(),
            row,
            col,
        )
        self.data.queries[query.id] = query
        self.data.met.add(who.id)
        self.emit("query", query=query)
        body = {
            "id": query.id,
            "from": shapes.user(self, who.id),
            "message": shapes.accessible(self, message, OLD),
            "chat_instance": chat_instance(where),
            "data": pressed["callback_data"],
        }
        self.update("callback_query", {"callback_query": body}, f"user{who.id}")
        return query.id

    def find_button(
        self, person: Person, chat: Chat, message_id: int, button: tuple[int, int] | str
    ) -> tuple[Message, int, int]:
        """The message with the button that the person sees there, and the button's row and column."""
        if person.deleted:
            raise Impossible(f"{person.first_name}'s account is deleted.")
        if chat.type == "private" and chat.id != person.id:
            raise Impossible("That is somebody else's private chat.")
        if chat.type != "private" and not self.member(chat, person.id).present:
            raise Impossible(f"{person.first_name} is not in {chat.title}.")
        message = self.message(chat, message_id)
        if message is None or message.receiver_id not in (None, person.id):
            raise Impossible("That message is gone.")
        rows = (message.reply_markup or {}).get("inline_keyboard", [])
        for row, buttons in enumerate(rows):
            for col, here in enumerate(buttons):
                if button in ((row, col), here.get("callback_data"), here["text"]):
                    if "disabled" in here:
                        raise Impossible(f"The button {here['text']!r} is disabled.")
                    return message, row, col
        raise Impossible(f"There is no button {button!r} on that message.")

    async def answer_to(self, query_id: str, timeout: float = 5.0) -> dict[str, Any]:
        """The bot's answer to a press: {"text": str | None, "alert": bool, "url": str | None}. Raises TimeoutError."""
        query = self.data.queries[query_id]
        await self.until(lambda: query.answer is not None, timeout)
        return query.answer or {}

    async def until(self, true: Callable[[], object], timeout: float = 5.0) -> None:
        """Waits until `true()` holds, looking again after each change of the world. Raises TimeoutError."""
        changed = asyncio.Event()

        def listener(_kind: str, _what: dict[str, Any]) -> None:
            changed.set()

        self.listeners.append(listener)
        try:
            async with asyncio.timeout(timeout):
                while not true():
                    await changed.wait()
                    changed.clear()
        finally:
            self.listeners.remove(listener)

    def expire_queries(self) -> None:
        """Presses that the bot left without an answer for too long stop waiting."""
        now = self.now()
        for query in list(self.data.queries.values()):
            if query.answer is None and not query.expired and now - query.at > QUERY_LIFE:
                query.expired = True
                self.emit("toast", query=query)
            if now - query.at > 3600:
                del self.data.queries[query.id]

    def advance(self, seconds: float) -> None:
        """Moves the clock forward."""
        if not 0 <= seconds <= 10 * 365 * 24 * 3600:
            raise Impossible("The clock goes forward only, by ten years at most.")
        self.data.clock_offset += seconds
        self.emit("clock")
        self.expire_queries()

    def block(self, person: Who) -> None:
        self._set_blocked(self.person(person), True)

    def unblock(self, person: Who) -> None:
        self._set_blocked(self.person(person), False)

    def _set_blocked(self, person: Person, blocked: bool) -> None:
        chat = self.private_chat(person)
        if chat.blocked == blocked:
            return
        chat.blocked = blocked
        bot = shapes.bot_user(self)
        free, banned = {"status": "member", "user": bot}, {"status": "kicked", "user": bot, "until_date": 0}
        before, after = (free, banned) if blocked else (banned, free)
        self.tell_membership(chat, self.bot.id, person.id, before, after)
        self.emit("chat", chat=chat)

    def delete_account(self, person: Who) -> None:
        """The account becomes a «Deleted Account»; it stays in its groups, as Telegram keeps it there."""
        who = self.person(person)
        who.deleted = True
        who.last_name = who.username = who.language_code = None
        self.emit("person", person=who)
        self.emit("chat", chat=self.private_chat(who))

    def rename(
        self, person: Who, first_name: str, last_name: str | None = None, username: str | None = None
    ) -> None:
        who = self.person(person)
        who.first_name, who.last_name, who.username = names(first_name, last_name, username)
        self.private_chat(who).title = who.first_name
        self.emit("person", person=who)
        self.emit("chat", chat=self.private_chat(who))

    def set_language(self, person: Who, language_code: str) -> None:
        who = self.person(person)
        who.language_code = language_code or None
        self.emit("person", person=who)
        self.emit("commands")

    def clear_history(self, person: Who) -> None:
        """Empties the private chat. The bot can no longer edit or delete what was there."""
        chat = self.private_chat(self.person(person))
        self.remove_messages(chat, list(chat.messages))

    def delete_message(self, person: Who, chat: Where, message_id: int) -> None:
        who, where = self.person(person), self.chat(chat)
        message = self.message(where, message_id)
        if message is None:
            raise Impossible("That message is gone.")
        own = where.type == "private" or message.sender_id == who.id
        if not own and not self.member(where, who.id).is_admin:
            raise Impossible("Only an admin can delete other people's messages.")
        self.remove_messages(where, [message_id])

    def edit_message(self, person: Who, chat: Where, message_id: int, text: str) -> Message:
        who, where = self.person(person), self.chat(chat)
        message = self.message(where, message_id)
        if message is None or message.sender_id != who.id or message.text is None:
            raise Impossible("Only one's own text can be edited.")
        self.must_be_able_to_write(who, where)
        text, _ = entities.trimmed(entities.cleaned(text), [])
        if not text or text == message.text:
            raise Impossible("There is nothing to change.")
        message.text, message.entities = text, entities.with_automatic(text, [])
        message.edit_date = int(self.now())
        self.emit("edit", message=message)
        if self.is_for_bot(where, message):
            self.deliver_message(message, "edited_message")
        return message

    def resend_last_update(self) -> Pending:
        """Telegram may deliver an update twice; this makes it do so, with the same update id."""
        last = self.last_update
        if last is None:
            raise Impossible("No update has been sent yet.")
        again = Pending(last.update_id, last.type, last.body, last.queue, self.now() + UPDATE_LIFE)
        self.data.updates.append(again)
        self.emit("pending", update=again)
        return again


def chat_instance(chat: Chat) -> str:
    """An opaque number that is the same for the same chat."""
    return str(int.from_bytes(hashlib.sha256(str(chat.id).encode()).digest()[:8], "big", signed=True))
