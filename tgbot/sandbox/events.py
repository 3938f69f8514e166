"""The page's stream of events: numbered, kept for a while, sent as Server-Sent Events."""

import asyncio
import json
from collections import deque
from collections.abc import AsyncIterator
from typing import Any

from tgbot.sandbox import pageview
from tgbot.sandbox.world import World

KEPT = 5000
HEARTBEAT = 15.0


class Events:
    """Numbers go on rising over restarts, so that a page that comes back notices what it missed."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.seq = int(world.real() * 1000)
        self.lines: deque[tuple[int, str]] = deque(maxlen=KEPT)
        self.changed = asyncio.Event()
        self.stopping = False
        world.listeners.append(self.heard)

    def stop(self) -> None:
        """Ends the streams."""
        self.stopping = True
        self.changed.set()
        self.world.listeners.remove(self.heard)

    def heard(self, kind: str, what: dict[str, Any]) -> None:
        event = shown(self.world, kind, what)
        if event is not None:
            self.publish({"kind": kind} | event)

    def publish(self, event: dict[str, Any]) -> None:
        self.seq += 1
        self.lines.append((self.seq, json.dumps({"seq": self.seq} | event, ensure_ascii=False)))
        self.changed.set()
        self.changed = asyncio.Event()

    async def after(self, since: int) -> AsyncIterator[str]:
        """What an EventSource is sent, for ever; comments when nothing happens."""
        yield ": here\n\n"
        while not self.stopping:
            changed = self.changed
            oldest = self.lines[0][0] if self.lines else self.seq + 1
            if since > self.seq or since < oldest - 1:
                since = self.seq
                yield line(since, json.dumps({"seq": since, "kind": "reset"}))
            for seq, text in list(self.lines):
                if seq > since:
                    since = seq
                    yield line(seq, text)
            try:
                if since == self.seq:
                    await asyncio.wait_for(changed.wait(), HEARTBEAT)
            except TimeoutError:
                yield ": still here\n\n"


def line(seq: int, text: str) -> str:
    return f"id: {seq}\ndata: {text}\n\n"


def shown(world: World, kind: str, what: dict[str, Any]) -> dict[str, Any] | None:
    """What the page hears of a change; None for what does not concern it."""
    match kind:
        case "message" | "edit":
            return {"message": pageview.message(world, what["message"])}
        case "chat":
            return {"chat": pageview.chat(world, what["chat"])}
        case "person":
            return {"person": pageview.person(what["person"])}
        case "query":
            query = what["query"]
            place = {"message_id": query.message_id, "row": query.row, "col": query.col}
            return {"query_id": query.id, "person": query.person_id, "chat_id": query.chat_id} | place
        case "toast":
            query = what["query"]
            answer = query.answer or {"text": None, "alert": False, "url": None}
            return {
                "query_id": query.id,
                "person": query.person_id,
                "timeout": query.answer is None,
            } | answer
        case "call":
            names = ("method", "chat_id", "ok", "code", "description", "ms", "at", "body")
            return {name: what[name] for name in names}
        case "update":
            return {name: what[name] for name in ("update_id", "type", "status", "ms")} | {"at": world.now()}
        case "clock":
            return clock(world)
        case "delete" | "action" | "commands" | "reset":
            return what
        case _:
            return None


def clock(world: World) -> dict[str, Any]:
    return {"now": world.now(), "offset": world.data.clock_offset}
