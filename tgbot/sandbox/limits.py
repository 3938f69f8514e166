"""Telegram's flood limits: 30 messages a second in all, 1 a second in a chat, 20 a minute in a group; edits count.

Source: the Bot API's FAQ («My bot is hitting limits»). In one chat short bursts are let through, as Telegram does.
"""

import math
from collections import deque
from dataclasses import dataclass, field
from typing import Any

from tgbot.sandbox.errors import too_many_requests
from tgbot.sandbox.state import State

COUNTED = frozenset(
    (
        "sendMessage",
        "sendPhoto",
        "copyMessage",
        "editMessageText",
        "editMessageCaption",
        "editMessageReplyMarkup",
        "editEphemeralMessageText",
        "editEphemeralMessageReplyMarkup",
    )
)


@dataclass
class Limits:
    """Counts calls by chat, and refuses those over the limit when the world says that limits are enforced.

    `burst` is how many calls beyond one a second a chat takes at once; they are paid back by later silence.
    """

    state: State
    per_second: int = 30
    chat_per_second: float = 1.0
    group_per_minute: int = 20
    burst: int = 3
    _calls: dict[int | None, deque[float]] = field(default_factory=dict)

    def count(self, method: str, chat_id: int | None) -> None:
        """Counts the call. Raises Refused 429 with the whole seconds to wait."""
        if method not in COUNTED:
            return
        now = self.state.now()
        if self.state.data.limits_enforced:
            wait = max(self._wait_overall(now), self._wait_chat(chat_id, now) if chat_id is not None else 0.0)
            if wait > 0:
                raise too_many_requests(math.ceil(wait))
        for key in {None, chat_id}:
            self._recent(key, now).append(now)

    def _recent(self, key: int | None, now: float) -> deque[float]:
        calls = self._calls.setdefault(key, deque())
        while calls and calls[0] <= now - 60:
            calls.popleft()
        return calls

    def _wait_overall(self, now: float) -> float:
        calls = self._recent(None, now)
        if len(calls) < self.per_second:
            return 0.0
        return max(0.0, calls[-self.per_second] + 1 - now)

    def _wait_chat(self, chat_id: int, now: float) -> float:
        calls = self._recent(chat_id, now)
        wait = 0.0
        chat = self.state.data.chats.get(chat_id)
        if chat is not None and chat.type != "private" and len(calls) >= self.group_per_minute:
            wait = calls[-self.group_per_minute] + 60 - now
        # Each call adds one to a level that sinks by one a second; up to `burst` it may stand above none.
        level, last = 0.0, now
        for at in calls:
            level = max(0.0, level - (at - last) * self.chat_per_second) + 1 if level else 1.0
            last = at
        level = max(0.0, level - (now - last) * self.chat_per_second)
        return max(wait, (level - self.burst) / self.chat_per_second, 0.0)

    def report(self) -> list[dict[str, Any]]:
        """The page's table: calls of the last second and minute against the limits."""
        now = self.state.now()
        rows: list[dict[str, Any]] = [self._row(None, "all chats", self.per_second, None, now)]
        for chat in self.state.data.chats.values():
            if chat.id in self._calls:
                minute = None if chat.type == "private" else self.group_per_minute
                rows.append(self._row(chat.id, chat.title, self.chat_per_second, minute, now))
        return rows

    def _row(
        self, key: int | None, title: str, second: float, minute: int | None, now: float
    ) -> dict[str, Any]:
        calls = self._recent(key, now)
        return {
            "chat_id": key,
            "title": title,
            "last_second": sum(at > now - 1 for at in calls),
            "last_minute": len(calls),
            "per_second": second,
            "per_minute": minute,
        }
