"""Telegram's limits, kept by waiting: how long until the next message may go to a chat.

So many calls a second in all, one a second a chat, so many a minute a group
(https://core.telegram.org/bots/faq#my-bot-is-hitting-limits-how-do-i-avoid-this). In one chat Telegram lets short
bursts through, which later silence pays back; that room is for what a person waits for.
"""

from collections import deque
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Limits:
    """A little under Telegram's own 30, 1 and 20. `rest_a_second`: of all, what stays for what can wait while people
    who play use up the rest. `group_answers_…`: of a group's minute, what answers may take, for anybody there can ask
    for them; the table keeps the rest."""

    a_second: int = 24
    rest_a_second: int = 5
    chat_gap: float = 1.0
    group_a_minute: int = 18
    group_at_once: int = 6
    group_answers_a_minute: int = 6
    group_answers_at_once: int = 3


NO_ROOM, PRESS_ROOM, TURN_ROOM = 0, 1, 2
"""Calls that may be ahead of one a second: for what can wait, for a person's own presses, for who is to move."""

AT_ONCE = {NO_ROOM: 1, PRESS_ROOM: 3, TURN_ROOM: 4}
"""How many calls in all may go at once. So the next place is for the most urgent of those who wait."""

MINUTE = 61.0
"""Seconds: a call arrives a little after it was counted, one sooner than another."""


@dataclass(slots=True)
class _Chat:
    """`level` is what the last call left to be paid back, in calls. `answers` were sent, too."""

    sent: deque[float] = field(default_factory=deque)
    answers: deque[float] = field(default_factory=deque)
    level: float = 0.0
    not_before: float = 0.0
    failures: int = 0


class _Rate:
    """So many calls a second, spread evenly but for a few at once: in heaps they would meet on their way."""

    def __init__(self, a_second: int) -> None:
        self._gap = 1.0 / a_second
        self._paid_until = 0.0

    def free(self, at_once: int) -> float:
        """When the next one may go."""
        return self._paid_until - (at_once - 1) * self._gap

    def spend(self, now: float) -> None:
        self._paid_until = max(self._paid_until, now) + self._gap

    def refund(self) -> None:
        self._paid_until -= self._gap


class Pace:
    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._all = _Rate(limits.a_second)
        self._rest = _Rate(limits.rest_a_second)
        self._chats: dict[int, _Chat] = {}

    def delay(self, chat_id: int, now: float, room: int = NO_ROOM, *, answer: bool = False) -> float:
        """Seconds until a message may go to this chat; 0 when it may go now.

        `room`: how much of what Telegram leaves for bursts may be used. `answer`: to a person's words.
        """
        until, free = self._until(chat_id, now, room, answer=answer), self._all.free(AT_ONCE[room])
        if room == NO_ROOM:
            # What can wait does not wait for ever.
            free = min(free, max(self._rest.free(1), self._all.free(AT_ONCE[TURN_ROOM])))
        return max(0.0, until - now, free - now)

    def share_is_due(self, now: float) -> bool:
        """Whether what can wait has not yet had its share of late."""
        return self._rest.free(1) <= now

    def full(self, now: float) -> float:
        """Seconds until the most urgent message may go to any chat at all."""
        return max(0.0, self._all.free(AT_ONCE[TURN_ROOM]) - now)

    def _until(self, chat_id: int, now: float, room: int, *, answer: bool = False) -> float:
        chat = self._chats.get(chat_id)
        if chat is None:
            return now
        until = max(now, chat.not_before)
        _forget(chat.sent, now - MINUTE)
        if chat.sent:
            until = max(until, chat.sent[-1] + (chat.level - room) * self._limits.chat_gap)
            if chat_id < 0:
                until = max(until, self._group_until(chat, now, answer=answer))
        return until

    def _group_until(self, chat: _Chat, now: float, *, answer: bool) -> float:
        """A busy table leaves no even place free, so an answer takes any; its own share is what is spread."""
        limits = self._limits
        if not answer:
            return _evenly(chat.sent, limits.group_a_minute, limits.group_at_once)
        _forget(chat.answers, now - MINUTE)
        return max(
            _evenly(chat.sent, limits.group_a_minute, limits.group_a_minute),
            _evenly(chat.answers, limits.group_answers_a_minute, limits.group_answers_at_once),
        )

    def spend(self, chat_id: int, now: float, room: int = NO_ROOM, *, answer: bool = False) -> None:
        """A message goes out now."""
        self._all.spend(now)
        if room == NO_ROOM:
            self._rest.spend(now)
        if len(self._chats) > 10_000:
            self._sweep(now)
        chat = self._chats.setdefault(chat_id, _Chat())
        since = now - chat.sent[-1] if chat.sent else 60.0
        paid = since / self._limits.chat_gap if self._limits.chat_gap else chat.level
        chat.level = max(0.0, chat.level - paid) + 1.0
        chat.sent.append(now)
        if answer and chat_id < 0:
            chat.answers.append(now)

    def refund(self, chat_id: int, spent_at: float, room: int = NO_ROOM) -> None:
        """Nothing went out after all."""
        self._all.refund()
        if room == NO_ROOM:
            self._rest.refund()
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
            if chat.not_before < now and (not chat.sent or chat.sent[-1] < now - MINUTE):
                del self._chats[chat_id]


def _evenly(sent: deque[float], a_minute: int, at_once: int) -> float:
    """When the next one may go: a few at once, the rest of the minute's room spread evenly. A table that stands still
    for a quarter of a minute looks broken."""
    left = a_minute - len(sent)
    if not sent:
        return 0.0
    if left <= 0:
        return sent[-a_minute] + MINUTE
    if len(sent) < at_once:
        return sent[-1]
    return sent[-1] + (sent[0] + MINUTE - sent[-1]) / (left + 1)


def _forget(times: deque[float], before: float) -> None:
    while times and times[0] <= before:
        times.popleft()
