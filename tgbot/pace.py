"""Telegram's limits, kept by waiting: how long until the next message may go to a chat.

Sliding windows: so many calls a second in all, one a second a chat, so many a minute a group
(https://core.telegram.org/bots/faq#my-bot-is-hitting-limits-how-do-i-avoid-this). Times are seconds of one
monotonic clock, given by the caller.
"""

from collections import defaultdict, deque
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """A little under Telegram's own 30, 1 and 20."""

    a_second: int = 25
    chat_gap: float = 1.0
    group_a_minute: int = 18


class Pace:
    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._all: deque[float] = deque()
        self._chats: defaultdict[int, deque[float]] = defaultdict(deque)
        self._not_before: dict[int, float] = {}

    def delay(self, chat_id: int, now: float) -> float:
        """Seconds until a message may go to this chat; 0 when it may go now."""
        until = self._not_before.get(chat_id, now)
        _forget(self._all, now - 1.0)
        if len(self._all) >= self._limits.a_second:
            until = max(until, self._all[-self._limits.a_second] + 1.0)
        sent = self._chats.get(chat_id)
        if sent:
            _forget(sent, now - 60.0)
        if sent:
            until = max(until, sent[-1] + self._limits.chat_gap)
            if chat_id < 0 and len(sent) >= self._limits.group_a_minute:
                until = max(until, sent[-self._limits.group_a_minute] + 60.0)
        return max(0.0, until - now)

    def spend(self, chat_id: int, now: float) -> None:
        """A message goes out now."""
        self._all.append(now)
        self._chats[chat_id].append(now)
        if len(self._chats) > 10_000:
            self._sweep(now)

    def refund(self, chat_id: int, spent_at: float) -> None:
        """Nothing went out after all."""
        for times in (self._all, self._chats[chat_id]):
            if spent_at in times:
                times.remove(spent_at)

    def hold(self, chat_id: int, now: float, seconds: float) -> None:
        """Telegram said `retry_after`: this chat waits, no other does."""
        self._not_before[chat_id] = max(self._not_before.get(chat_id, 0.0), now + seconds)

    def _sweep(self, now: float) -> None:
        for chat_id in [chat for chat, sent in self._chats.items() if not sent or sent[-1] < now - 60.0]:
            del self._chats[chat_id]
        for chat_id in [chat for chat, until in self._not_before.items() if until < now]:
            del self._not_before[chat_id]


def _forget(times: deque[float], before: float) -> None:
    while times and times[0] <= before:
        times.popleft()
