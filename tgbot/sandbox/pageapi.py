"""The sandbox's page API: everything that the page in `page/` needs, as JSON over HTTP.

    GET /                      page/index.html
    GET /page/<file>           the page's other files
    GET /clock                 {"now": unix seconds (float), "offset": seconds (float)}
    GET /api/state             the whole state, see State
    GET /api/events?since=SEQ  Server-Sent Events, see Event. SEQ is State.seq; a reconnecting EventSource may instead
                               send Last-Event-ID (every event carries `id: SEQ`). When SEQ is too old to
                               continue from, the first event is {"kind": "reset"}: fetch the state again.
    POST /api/act              {"do": …, …args} → 200 {"ok": true, "result": {…}} or 400 {"ok": false, "error": sentence}
    GET /api/limits            [{chat_id, title, last_second, last_minute, per_second, per_minute}, …]; the bot's whole
                               is the row with chat_id null. A limit that doesn't exist is null.
    GET /api/export            the session as JSON lines, offered as a download
    GET /api/commands?person=ID&chat=ID   [{command, description}] in that person's language for that kind of chat
    GET /api/photo/<id>        the picture's bytes

State = {
  bot:      {id, name, username, can_read_all: bool},
  clock:    {now, offset},
  people:   [Person…],  chats: [Chat…],  messages: [Message…] (oldest first),
  faults:   [Fault…],   limits_enforced: bool,
  process:  "running" | "stopped" | null   (the bot's process; null: the sandbox did not start it),
  seq:      int
}
Person  = {id, first_name, last_name|null, username|null, language_code, color ("#rrggbb"), deleted: bool}
Chat    = {id, type: "private"|"group"|"supergroup", title, is_forum, topics: [{id, name}],
           members: [{id, status: "creator"|"administrator"|"member"|"restricted"|"left"|"kicked", anonymous: bool}],
           bot_status: like a member's status, bot_can_write: bool, person: id|null (private),
           blocked: bool, started: bool,
           upgraded_to: id|null}
           A private chat with the bot has the person's id as its id. `started` false: show the Start button (act
           "start"). `upgraded_to`: a group that became a supergroup; it is closed, go to the other.
           The general topic of a forum is thread_id null.
Message = {chat_id, message_id, thread_id|null, from: {id, name, is_bot}|null, date, edit_date|null, text,
           entities: [{type, offset, length, url?, user?: {id, name}, language?, custom_emoji_id?}…]
                     (UTF-16 units, as JavaScript counts),
           reply_markup: {inline_keyboard: [[Button…]…]}|null, reply_to: message_id|null,
           service: {kind, text}|null, photo: {url, width, height}|null, caption|null, caption_entities: […],
           receiver: person id|null, pinned: bool, reactions: [emoji…] (the bot's), deleted: false}
           `receiver`: an ephemeral message; only this person sees it. Its message_id is negative (for the page only).
           `from` of an anonymous admin is the group: {id: chat id, name: its title, is_bot: false}.
Button  = Telegram's InlineKeyboardButton: {text, style?: "danger"|"success"|"primary", callback_data? | url? |
           copy_text? {text} | disabled? {} | …}. callback_data may be absent: press by row and col.
Fault   = {id, method ("*": every method), chat_id|null, kind, count|null (null: until cleared), seconds}

Event: `data: {"seq": N, "kind": …, …}`
  message   {message}                       new message
  edit      {message}                       the message as it is now (edited, pinned, unpinned)
  delete    {chat_id, message_ids}
  chat      {chat}                          new or changed chat: members, topics, blocked, started, title, …
  person    {person}                        new or changed person
  query     {query_id, person, chat_id, message_id, row, col}    a press waits for the bot (show progress)
  toast     {query_id, person, text|null, alert: bool, url|null, timeout: bool}
            the answer to that press; text null: nothing to show; url: open it (act open_link);
            timeout: the bot never answered
  action    {chat_id, thread_id|null, action}        "typing"; forget it after 5 s or at the next message
  call      {method, chat_id|null, ok, code, description|null, ms, at, body}   a Bot API call, for the developers' drawer
  update    {update_id, type, status, ms, at}        a delivery to the bot: HTTP status, 0 when it could not be reached
  clock     {now, offset}
  faults    {faults: [Fault…], limits_enforced}
  process   {process}
  commands  {}                              the command menus changed: ask /api/commands again
  reset     {}                              fetch the state again

POST /api/act, by `do` (person, chat_id, message_id, thread_id, user: ids):
  say             {person, chat_id, text, thread_id?, reply_to?}         → {message_id}
  press           {person, chat_id, message_id, row, col}
                                                 → {query_id} | {url} (a link button) | {copy} (a copy button)
  start           {person, payload?}        the Start button            → {chat_id, message_id}
  open_link       {person, url}             t.me/<bot>?start=… sends /start; t.me/<bot> and t.me/c/… open the chat
                  → {chat_id, message_id|null} | {external: url} | {startgroup: payload, …} (ask which group, then add_bot)
  block | unblock {person}                  the person blocks the bot
  delete_account  {person}
  leave | join    {person, chat_id}
  add_person      {first_name, last_name?, username?, language_code?, chat_id?}   → {person}; with chat_id: joins it
  add_group       {person, title, type?: "group"|"supergroup"}                    → {chat_id}; without the bot
  add_bot         {person, chat_id, payload?}      remove_bot {person, chat_id}
  restrict_bot    {person, chat_id, can_write: bool}
  promote         {chat_id, user, admin: bool, person?}     user may be the bot's id; person: who does it (else the owner)
  anonymous       {person, chat_id, on: bool}      an admin writes as the group
  supergroup      {person, chat_id}                                     → {chat_id} of the new one
  topics          {person, chat_id, on: bool}      create_topic {person, chat_id, name}   → {thread_id}
  clear_history   {person}                         of the private chat
  delete_message  {person, chat_id, message_id}    edit_message {person, chat_id, message_id, text}
  language        {person, language_code}          rename {person, first_name, last_name?, username?}
  advance         {seconds}                        → {now, offset}
  fault           {method?: "*", chat_id?, kind: "429"|"403"|"500"|"502"|"timeout"|"drop"|"delay", count?, seconds?}  → {id}
                  "timeout": never answered, nothing done; "drop": done, but the connection closes without an answer;
                  seconds: retry_after of a 429, length of a delay
  clear_faults    {id?}                            without id: all
  enforce_limits  {on: bool}
  resend          {}                               the last update once more → {update_id}
  bot_restart | bot_kill | bot_start {}            of the bot's process; an error sentence when the sandbox did not start it
  reset           {}                               back to the first world
"""

import json
from pathlib import Path
from typing import Any, Protocol

from aiohttp import web

from tgbot.sandbox import actions, pageview
from tgbot.sandbox.errors import Impossible
from tgbot.sandbox.events import Events, clock
from tgbot.sandbox.faults import Faults
from tgbot.sandbox.limits import Limits
from tgbot.sandbox.methods.me import menu_for
from tgbot.sandbox.recorder import Recorder
from tgbot.sandbox.world import World, populate

PAGE = Path(__file__).parent / "page"
MESSAGES_SHOWN = 300
"""Of each chat, the newest."""
_TYPES = {
    "html": "text/html",
    "js": "text/javascript",
    "css": "text/css",
    "svg": "image/svg+xml",
    "png": "image/png",
}


class Supervisor(Protocol):
    """Whoever runs the bot's process for `goat play`. What it can't do it raises as Impossible, with a sentence."""

    def running(self) -> bool: ...

    async def start(self) -> None: ...

    async def kill(self) -> None:
        """Ends the process at once, as a power cut would."""

    async def restart(self) -> None: ...


class PageApi:
    """Routes of the page."""

    def __init__(
        self, world: World, faults: Faults, limits: Limits, recorder: Recorder, supervisor: Supervisor | None
    ) -> None:
        self.world = world
        self.faults = faults
        self.limits = limits
        self.recorder = recorder
        self.supervisor = supervisor
        self.events = Events(world)
        world.listeners.append(self.heard)

    def stop(self) -> None:
        self.world.listeners.remove(self.heard)
        self.events.stop()

    def heard(self, kind: str, _what: dict[str, Any]) -> None:
        if kind == "faults":
            self.events.publish({"kind": kind} | self.faults_now())

    def routes(self) -> list[web.RouteDef]:
        return [
            web.get("/", self.index),
            web.get("/page/{name}", self.file),
            web.get("/clock", self.clock),
            web.get("/api/state", self.state),
            web.get("/api/events", self.stream),
            web.post("/api/act", self.act),
            web.get("/api/limits", self.show_limits),
            web.get("/api/export", self.export),
            web.get("/api/commands", self.commands),
            web.get("/api/photo/{id}", self.photo),
        ]

    async def stream(self, request: web.Request) -> web.StreamResponse:
        asked = request.headers.get("Last-Event-ID") or request.query.get("since", "")
        if not asked.isdigit():
            return web.json_response({"ok": False, "error": "since must be a number"}, status=400)
        response = web.StreamResponse(
            headers={
                "Content-Type": "text/event-stream",
                "Cache-Control": "no-store",
                "X-Accel-Buffering": "no",
            }
        )
        await response.prepare(request)
        try:
            async for line in self.events.after(int(asked)):
                await response.write(line.encode())
        except ConnectionResetError:
            pass  # the page was closed
        return response

    async def index(self, _request: web.Request) -> web.StreamResponse:
        return page_file("index.html")

    async def file(self, request: web.Request) -> web.StreamResponse:
        return page_file(request.match_info["name"])

    async def clock(self, _request: web.Request) -> web.StreamResponse:
        return web.json_response(clock(self.world))

    def faults_now(self) -> dict[str, Any]:
        return {"faults": self.faults.report(), "limits_enforced": self.world.data.limits_enforced}

    def process_now(self) -> str | None:
        if self.supervisor is None:
            return None
        return "running" if self.supervisor.running() else "stopped"

    async def state(self, _request: web.Request) -> web.StreamResponse:
        world = self.world
        bot = world.bot
        messages = [
            message
            for chat in world.data.chats.values()
            for message in [*list(chat.messages.values())[-MESSAGES_SHOWN:], *chat.ephemeral.values()]
        ]
        messages.sort(key=pageview.place)
        return web.json_response(
            {
                "bot": {
                    "id": bot.id,
                    "name": pageview.name(world, bot.id),
                    "username": bot.username,
                    "can_read_all": bot.can_read_all,
                },
                "clock": clock(self.world),
                "people": [pageview.person(person) for person in world.data.people.values()],
                "chats": [pageview.chat(world, chat) for chat in world.data.chats.values()],
                "messages": [pageview.message(world, message) for message in messages],
                "process": self.process_now(),
                "seq": self.events.seq,
            }
            | self.faults_now()
        )

    async def show_limits(self, _request: web.Request) -> web.StreamResponse:
        return web.json_response(self.limits.report())

    async def export(self, _request: web.Request) -> web.StreamResponse:
        return web.Response(
            text=self.recorder.export(),
            content_type="application/x-ndjson",
            headers={"Content-Disposition": 'attachment; filename="goat-session.jsonl"'},
        )

    async def commands(self, request: web.Request) -> web.StreamResponse:
        try:
            person = self.world.person(int(request.query["person"]))
            chat = self.world.chat(int(request.query["chat"]))
        except (KeyError, ValueError, Impossible):
            return web.json_response({"ok": False, "error": "person and chat must be known ids"}, status=400)
        return web.json_response(menu_for(self.world, person, chat))

    async def photo(self, request: web.Request) -> web.StreamResponse:
        photo = self.world.data.photos.get(request.match_info["id"])
        if photo is None:
            raise web.HTTPNotFound
        return web.Response(
            body=photo.data, content_type=photo.mime, headers={"Cache-Control": "max-age=3600"}
        )

    # Actions

    async def act(self, request: web.Request) -> web.StreamResponse:
        try:
            result = await self.perform(await self.read_action(request))
        except Impossible as impossible:
            return web.json_response({"ok": False, "error": str(impossible)}, status=400)
        return web.json_response({"ok": True, "result": result})

    @staticmethod
    async def read_action(request: web.Request) -> dict[str, Any]:
        # A form of another site can't send this type, so that no foreign page acts here.
        if request.content_type != "application/json":
            raise Impossible("Actions are JSON.")
        try:
            given = json.loads(await request.text())
        except ValueError:
            raise Impossible("That is no JSON.") from None
        if not isinstance(given, dict) or not isinstance(given.get("do"), str):
            raise Impossible('An action is an object with a "do".')
        return given

    async def perform(self, given: dict[str, Any]) -> dict[str, Any]:
        args = {name: value for name, value in given.items() if name != "do"}
        match given["do"]:
            case "fault":
                takes = {"method": str, "chat_id": int, "count": int, "seconds": float}
                args = actions.checked_args("fault", args, {"kind": str}, takes)
                fault = self.faults.add(**args)
                self.world.emit("faults")
                return {"id": fault.id}
            case "clear_faults":
                args = actions.checked_args("clear_faults", args, {}, {"id": int})
                self.faults.clear(args.get("id"))
                self.world.emit("faults")
            case "enforce_limits":
                args = actions.checked_args("enforce_limits", args, {"on": bool}, {})
                self.world.data.limits_enforced = args["on"]
                self.world.emit("faults")
            case "reset":
                self.faults.clear()
                populate(self.world)
            case "bot_restart" | "bot_kill" | "bot_start" as verb:
                await self.supervise(verb)
            case do:
                return actions.perform(self.world, do, args)
        return {}

    async def supervise(self, verb: str) -> None:
        if self.supervisor is None:
            raise Impossible("The sandbox did not start the bot, so it can't stop or start it.")
        match verb:
            case "bot_restart":
                await self.supervisor.restart()
            case "bot_kill":
                await self.supervisor.kill()
            case _:
                await self.supervisor.start()
        self.process_changed()

    def process_changed(self) -> None:
        """Tells the page whether the bot's process runs; the supervisor calls it when the process ended by itself."""
        self.events.publish({"kind": "process", "process": self.process_now()})


def page_file(name: str) -> web.Response:
    path = PAGE / name
    kind = _TYPES.get(path.suffix.removeprefix("."))
    if kind is None or path.parent != PAGE or not path.is_file():
        raise web.HTTPNotFound
    return web.Response(body=path.read_bytes(), content_type=kind, headers={"Cache-Control": "no-cache"})
