"""Telegram's limits, kept by waiting: how long until the next message may go to a chat.

Sliding windows: so many calls a second in all, one a second a chat, so many a minute a group
(https://core.telegram.org/bots/faq#my-bot-is-hitting-limits-how-do-i-avoid-this). In one chat Telegram lets short
bursts through, which later silence pays back; that room is for what a person waits for.
"""

from collections import deque
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Limits:
    """A little under Telegram's own 30, 1 and 20."""

    a_second: int = 25
    chat_gap: float = 1.0
    group_a_minute: int = 18
    group_at_once: int = 6


NO_ROOM, PRESS_ROOM, TURN_ROOM = 0, 1, 2
"""Calls that may be ahead of one a second: for what can wait, for a person's own presses, for who is to move."""


@dataclass(slots=True)
class _Chat:
    """`level` is what the last call left to be paid back, in calls."""

    sent: deque[float] = field(default_factory=deque)
    level: float = 0.0
    not_before: float = 0.0
    failures: int = 0


class Pace:
    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._all: deque[float] = deque()
        self._chats: dict[int, _Chat] = {}

    def delay(self, chat_id: int, now: float, room: int = NO_ROOM) -> float:
        """Seconds until a message may go to this chat; 0 when it may go now.

        `room`: how much of what Telegram leaves for bursts may be used.
        """
        return max(self.full(now), self._until(chat_id, now, room) - now)

    def full(self, now: float) -> float:
        """Seconds until a message may go to any chat at all."""
        _forget(self._all, now - 1.0)
        if len(self._all) < self._limits.a_second:
            return 0.0
        return max(0.0, self._all[-self._limits.a_second] + 1.0 - now)

    def _until(self, chat_id: int, now: float, room: int) -> float:
        chat = self._chats.get(chat_id)
        if chat is None:
            return now
        until = max(now, chat.not_before)
        _forget(chat.sent, now - 60.0)
        if chat.sent:
            until = max(until, chat.sent[-1] + (chat.level - room) * self._limits.chat_gap)
            if chat_id < 0:
                until = max(until, self._group_until(chat.sent))
        return until

    def _group_until(self, sent: deque[float]) -> float:
        """A few at once, the rest of the minute's room spread evenly: a table that stands still for a quarter of a
        minute looks broken."""
        left = self._limits.group_a_minute - len(sent)
        if left <= 0:
            return sent[-self._limits.group_a_minute] + 60.0
        if len(sent) < self._limits.group_at_once:
            return sent[-1]
        return sent[-1] + (sent[0] + 60.0 - sent[-1]) / (left + 1)

    def spend(self, chat_id: int, now: float) -> None:
        """A message goes out now."""
        self._all.append(now)
        if len(self._chats) > 10_000:
            self._sweep(now)
        chat = self._chats.setdefault(chat_id, _Chat())
        since = now - chat.sent[-1] if chat.sent else 60.0
        paid = since / self._limits.chat_gap if self._limits.chat_gap else chat.level
        chat.level = max(0.0, chat.level - paid) + 1.0
        chat.sent.append(now)

    def refund(self, chat_id: int, spent_at: float) -> None:
        """Nothing went out after all."""
        if spent_at in self._all:
            self._all.remove(spent_at)
        chat = self._chats.get(chat_id)
        if chat is not None and spent_at in chat.sent:
            chat.sent.remove(spent_at)
            chat.level = max(0.0, chat.level - 1.0)

    def hold(self, chat_id: int, now: float, seconds: float) -> None:
        """Telegram said `retry_after`, or does not work: this chat waits, no other does."""
        chat = self._chats.setdefault(chat_id, _Chat())
        chat.not_before = max(chat.not_before, now + seconds)

    def failed(self, chat_id: int) -> int:
        """Telegram, or the way to it, broke down; returns how many times in a row it did before."""
        chat = self._chats.setdefault(chat_id, _Chat())
        chat.failures += 1
        return chat.failures - 1

    def worked(self, chat_id: int) -> None:
        if (chat := self._chats.get(chat_id)) is not None:
            chat.failures = 0

    def held(self, now: float) -> list[int]:
        """The chats to which not even the most urgent may go yet, because of themselves."""
        return [chat_id for chat_id in self._chats if self._until(chat_id, now, TURN_ROOM) > now]

    def _sweep(self, now: float) -> None:
        for chat_id, chat in list(self._chats.items()):
            if chat.not_before < now and (not chat.sent or chat.sent[-1] < now - 60.0):
                del self._chats[chat_id]


def _forget(times: deque[float], before: float) -> None:
    while times and times[0] <= before:
        times.popleft()
