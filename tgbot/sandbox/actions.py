"""People's actions by name, with checked arguments: what the page posts and what a recorded session repeats."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tgbot.sandbox.errors import Impossible
from tgbot.sandbox.world import World

Args = dict[str, Any]
Result = dict[str, Any]
Types = Mapping[str, type]


@dataclass(frozen=True)
class Action:
    run: Callable[[World, Args], Result | None]
    needs: Types = field(default_factory=dict)
    takes: Types = field(default_factory=dict)


def perform(world: World, do: str, args: Args) -> Result:
    """Does it and tells the listeners ("act"). Raises Impossible for what can't be done or is not understood."""
    action = ACTIONS.get(do)
    if action is None:
        raise Impossible(f"There is no action {do!r}.")
    args = checked_args(do, args, action.needs, action.takes)
    pressed = button_of(world, args) if do == "press" else {}
    result = action.run(world, args) or {}
    world.emit("act", do=do, args=args, result=result, **pressed)
    return result


def checked_args(do: str, args: Args, needs: Types, takes: Types) -> Args:
    """The arguments that are there, each of its type. A null is the same as nothing."""
    given = {name: value for name, value in args.items() if value is not None}
    for name, value in given.items():
        kind = needs.get(name) or takes.get(name)
        if kind is None:
            raise Impossible(f"{do} takes no {name!r}.")
        fits = isinstance(value, int | float) if kind is float else isinstance(value, kind)
        if isinstance(value, str) and not is_unicode(value):
            raise Impossible(f"{name!r} of {do} has half a character in it.")
        if not fits or (isinstance(value, bool) and kind is not bool):
            raise Impossible(f"{name!r} of {do} must be of type {kind.__name__}.")
    for name in needs:
        if name not in given:
            raise Impossible(f"{do} needs {name!r}.")
    return given


def is_unicode(text: str) -> bool:
    """False when JSON brought half of a surrogate pair."""
    return not any("\ud800" <= character <= "\udfff" for character in text)


def button_of(world: World, args: Args) -> dict[str, str]:
    """Data and text of the button that is about to be pressed, for the record."""
    chat = world.chat(args["chat_id"])
    place = (args["row"], args["col"])
    message, row, col = world.find_button(world.person(args["person"]), chat, args["message_id"], place)
    button = (message.reply_markup or {})["inline_keyboard"][row][col]
    return {
        key: button[name] for key, name in (("data", "callback_data"), ("text", "text")) if name in button
    }


def _say(world: World, a: Args) -> Result:
    message = world.say(a["person"], a["chat_id"], a["text"], a.get("thread_id"), a.get("reply_to"))
    return {"message_id": message.message_id}


def _press(world: World, a: Args) -> Result:
    who, chat, place = world.person(a["person"]), world.chat(a["chat_id"]), (a["row"], a["col"])
    message, row, col = world.find_button(who, chat, a["message_id"], place)
    button = (message.reply_markup or {})["inline_keyboard"][row][col]
    if "url" in button:
        return {"url": button["url"]}
    if "copy_text" in button:
        return {"copy": button["copy_text"]["text"]}
    return {"query_id": world.press(who, chat, a["message_id"], place)}


def _start(world: World, a: Args) -> Result:
    message = world.start(a["person"], a.get("payload"))
    return {"chat_id": message.chat_id, "message_id": message.message_id}


def _add_person(world: World, a: Args) -> Result:
    chat = world.chat(a["chat_id"]) if "chat_id" in a else None
    person = world.new_person(
        a["first_name"], a.get("last_name"), a.get("username"), a.get("language_code", "en")
    )
    if chat is not None:
        world.join(person, chat)
    return {"person": person.id}


def _add_group(world: World, a: Args) -> Result:
    kind = a.get("type", "group")
    if kind not in ("group", "supergroup"):
        raise Impossible("A group is a group or a supergroup.")
    return {"chat_id": world.add_group(a["person"], a["title"], kind).id}


def _promote(world: World, a: Args) -> None:
    world.promote(a["chat_id"], a["user"], a["admin"], a.get("person"))


def _supergroup(world: World, a: Args) -> Result:
    return {"chat_id": world.upgrade_to_supergroup(a["chat_id"], a["person"]).id}


def _create_topic(world: World, a: Args) -> Result:
    return {"thread_id": world.create_topic(a["person"], a["chat_id"], a["name"]).id}


def _edit_message(world: World, a: Args) -> None:
    world.edit_message(a["person"], a["chat_id"], a["message_id"], a["text"])


def _rename(world: World, a: Args) -> None:
    world.rename(a["person"], a["first_name"], a.get("last_name"), a.get("username"))


def _advance(world: World, a: Args) -> Result:
    world.advance(a["seconds"])
    return {"now": world.now(), "offset": world.data.clock_offset}


_WHO: dict[str, type] = {"person": int}
_WHERE: dict[str, type] = {"person": int, "chat_id": int}
_WHICH: dict[str, type] = {"person": int, "chat_id": int, "message_id": int}

ACTIONS: dict[str, Action] = {
    "say": Action(_say, _WHERE | {"text": str}, {"thread_id": int, "reply_to": int}),
    "press": Action(_press, _WHICH | {"row": int, "col": int}),
    "start": Action(_start, _WHO, {"payload": str}),
    "open_link": Action(lambda w, a: w.open_link(a["person"], a["url"]), _WHO | {"url": str}),
    "block": Action(lambda w, a: w.block(a["person"]), _WHO),
    "unblock": Action(lambda w, a: w.unblock(a["person"]), _WHO),
    "delete_account": Action(lambda w, a: w.delete_account(a["person"]), _WHO),
    "leave": Action(lambda w, a: w.leave(a["person"], a["chat_id"]), _WHERE),
    "join": Action(lambda w, a: w.join(a["person"], a["chat_id"]), _WHERE),
    "add_person": Action(
        _add_person,
        {"first_name": str},
        {"last_name": str, "username": str, "language_code": str, "chat_id": int},
    ),
    "add_group": Action(_add_group, _WHO | {"title": str}, {"type": str}),
    "add_bot": Action(
        lambda w, a: w.add_bot(a["person"], a["chat_id"], a.get("payload")), _WHERE, {"payload": str}
    ),
    "remove_bot": Action(lambda w, a: w.remove_bot(a["person"], a["chat_id"]), _WHERE),
    "restrict_bot": Action(
        lambda w, a: w.restrict_bot(a["person"], a["chat_id"], a["can_write"]), _WHERE | {"can_write": bool}
    ),
    "promote": Action(_promote, {"chat_id": int, "user": int, "admin": bool}, _WHO),
    "anonymous": Action(
        lambda w, a: w.set_anonymous_admin(a["person"], a["chat_id"], a["on"]), _WHERE | {"on": bool}
    ),
    "supergroup": Action(_supergroup, _WHERE),
    "topics": Action(lambda w, a: w.enable_topics(a["person"], a["chat_id"], a["on"]), _WHERE | {"on": bool}),
    "create_topic": Action(_create_topic, _WHERE | {"name": str}),
    "clear_history": Action(lambda w, a: w.clear_history(a["person"]), _WHO),
    "delete_message": Action(
        lambda w, a: w.delete_message(a["person"], a["chat_id"], a["message_id"]), _WHICH
    ),
    "edit_message": Action(_edit_message, _WHICH | {"text": str}),
    "language": Action(
        lambda w, a: w.set_language(a["person"], a["language_code"]), _WHO | {"language_code": str}
    ),
    "rename": Action(_rename, _WHO | {"first_name": str}, {"last_name": str, "username": str}),
    "advance": Action(_advance, {"seconds": float}),
    "resend": Action(lambda w, _: {"update_id": w.resend_last_update().update_id}),
}
