"""People, chats and messages as the page gets them (see pageapi.py)."""

from typing import Any

from tgbot.sandbox.model import Chat, Message, Person
from tgbot.sandbox.state import State

Json = dict[str, Any]


def person(of: Person) -> Json:
    return {
        "id": of.id,
        "first_name": "Deleted Account" if of.deleted else of.first_name,
        "last_name": of.last_name,
        "username": of.username,
        "language_code": of.language_code,
        "color": of.color,
        "deleted": of.deleted,
    }


def name(state: State, user_id: int) -> str:
    if user_id == state.bot.id:
        return state.bot.names.get("", state.bot.name)
    of = state.data.people[user_id]
    if of.deleted:
        return "Deleted Account"
    return f"{of.first_name} {of.last_name}" if of.last_name else of.first_name


def chat(state: State, of: Chat) -> Json:
    private = of.type == "private"
    return {
        "id": of.id,
        "type": of.type,
        "title": name(state, of.id) if private else of.title,
        "is_forum": of.is_forum,
        "topics": [
            {"id": topic.id, "name": topic.name, "closed": topic.closed} for topic in of.topics.values()
        ],
        "members": [
            {"id": who, "status": member.status, "anonymous": member.anonymous}
            for who, member in of.members.items()
        ],
        "bot_status": ("kicked" if of.blocked else "member")
        if private
        else state.status_of(of, state.bot.id),
        "bot_can_write": of.all_can_write and state.member(of, state.bot.id).can_write,
        "person": of.id if private else None,
        "blocked": of.blocked,
        "started": of.started,
        "upgraded_to": of.upgraded_to,
    }


def message(state: State, of: Message) -> Json:
    where = state.data.chats[of.chat_id]
    if of.sender_id is None:
        sender: Json = {"id": where.id, "name": where.title, "is_bot": False}
    else:
        sender = {
            "id": of.sender_id,
            "name": name(state, of.sender_id),
            "is_bot": of.sender_id == state.bot.id,
        }
    photo = state.data.photos.get(of.photo) if of.photo else None
    return {
        "chat_id": of.chat_id,
        "message_id": page_id(of),
        "thread_id": of.thread_id,
        "from": sender,
        "date": of.date,
        "edit_date": of.edit_date,
        "text": of.text or "",
        "entities": entities(state, of.entities),
        "reply_markup": of.reply_markup,
        "reply_to": of.reply_to,
        "service": service(state, of, sender["name"]),
        "photo": {"url": f"/api/photo/{photo.id}", "width": photo.width, "height": photo.height}
        if photo
        else None,
        "caption": of.caption,
        "caption_entities": entities(state, of.caption_entities),
        "receiver": of.receiver_id,
        "pinned": of.pinned,
        "reactions": of.reactions,
        "deleted": False,
    }


def page_id(of: Message) -> int:
    return -of.ephemeral_id if of.ephemeral_id is not None else of.message_id


def place(of: Message) -> tuple[int, int, int]:
    """Sorts the messages of a chat as they came; an ephemeral one has no number among the others."""
    if of.ephemeral_id is not None:
        return of.date, of.follows or 0, of.ephemeral_id
    return of.date, of.message_id, 0


def entities(state: State, of: list[Json]) -> list[Json]:
    result = []
    for entity in of:
        if "user_id" in entity:
            who = entity["user_id"]
            result.append({**entity, "user": {"id": who, "name": name(state, who)}})
        else:
            result.append(entity)
    return result


def service(state: State, of: Message, who: str) -> Json | None:
    """What a service message says, in one sentence."""
    if not of.service:
        return None
    kind, value = next(iter(of.service.items()))
    match kind:
        case "new_chat_members":
            added = [name(state, one) for one in value]
            text = f"{who} joined the group" if value == [of.sender_id] else f"{who} added {', '.join(added)}"
        case "left_chat_member":
            text = f"{who} left the group" if value == of.sender_id else f"{who} removed {name(state, value)}"
        case "pinned_message":
            pinned = state.data.chats[of.chat_id].messages.get(value)
            said = (pinned.text or pinned.caption or "a message") if pinned else "a message"
            text = f"{who} pinned «{said.splitlines()[0][:40]}»"
        case "migrate_to_chat_id" | "migrate_from_chat_id":
            text = "The group became a supergroup"
        case "forum_topic_created":
            text = f"{who} created the topic «{value['name']}»"
        case "forum_topic_edited":
            text = f"{who} renamed the topic to «{value.get('name', '')}»"
        case "forum_topic_closed":
            text = f"{who} closed the topic"
        case "forum_topic_reopened":
            text = f"{who} opened the topic again"
        case _:
            text = kind.replace("_", " ")
    return {"kind": kind, "text": text}
