"""How updates reach the bot: webhook and long polling.

As in Telegram's server (telegram-bot-api, WebhookActor) updates are put in queues: one for each chat's messages, one
for the bot's membership in each chat, one for each person's button presses. Inside a queue the next is sent only after
the last was taken; queues run side by side, up to max_connections. A refused update is tried again at once, then after
2, 4, 8 … seconds, until it is too old.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import aiohttp

from tgbot.sandbox.errors import Refused
from tgbot.sandbox.model import Pending
from tgbot.sandbox.state import State

MAX_DELAY = 90.0
MAX_RETRY_AFTER = 3600.0
REQUEST_TIMEOUT = 60.0
_SECRET = "X-Telegram-Bot-Api-Secret-Token"  # noqa: S105 - the header's name

Reply = Callable[[aiohttp.ClientResponse], Awaitable[None]]


@dataclass
class _Retry:
    delay: float = 1.0
    failures: int = 0
    at: float = 0.0


class Delivery:
    """`on_reply` gets the webhook's answer with status 2xx, which may carry a method to call.

    `unit` is the length of a second of waiting before another try, for tests.
    """

    def __init__(self, state: State, on_reply: Reply, unit: float = 1.0) -> None:
        self.state = state
        self.on_reply = on_reply
        self.unit = unit
        self._wake = asyncio.Event()
        self._busy: set[str] = set()
        self._retries: dict[int, _Retry] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._pump: asyncio.Task[None] | None = None
        self._session: aiohttp.ClientSession | None = None
        self._generation = 0
        self._poll: asyncio.Future[str] | None = None

    async def start(self) -> None:
        self._session = aiohttp.ClientSession(
            timeout=aiohttp.ClientTimeout(total=REQUEST_TIMEOUT), connector=aiohttp.TCPConnector(limit=100)
        )
        self.state.listeners.append(self._heard)
        self._pump = asyncio.create_task(self._run())
        self._wake.set()

    async def stop(self) -> None:
        self.state.listeners.remove(self._heard)
        self._end_poll("stopped")
        tasks = [*self._tasks, *([self._pump] if self._pump else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if self._session:
            await self._session.close()

    def _heard(self, kind: str, _what: dict[str, Any]) -> None:
        if kind == "webhook":
            # Telegram begins anew with a new webhook: nothing of the old one's failures counts.
            self._generation += 1
            self._retries.clear()
            self._end_poll("terminated by setWebhook request")
        if kind in ("webhook", "pending", "clock"):
            self._wake.set()
            if kind == "pending":
                self._end_poll("")

    # Webhook

    async def _run(self) -> None:
        while True:
            next_at = self._send_ready()
            try:
                pause = None if next_at is None else max(0.0, next_at - self.state.now())
                await asyncio.wait_for(self._wake.wait(), pause)
            except TimeoutError:
                pass
            self._wake.clear()

    def _send_ready(self) -> float | None:
        """Sends what may be sent now; the time of the next retry, if any waits."""
        hook = self.state.data.webhook
        now = self.state.now()
        self._expire(now)
        if not hook.url:
            return None
        seen: set[str] = set()
        waiting: list[float] = []
        for update in self.state.data.updates:
            if update.queue in seen:
                continue
            seen.add(update.queue)
            if update.queue in self._busy:
                continue
            retry = self._retries.get(id(update))
            if retry and retry.at > now:
                waiting.append(retry.at)
            elif len(self._busy) < hook.max_connections:
                self._busy.add(update.queue)
                task = asyncio.create_task(self._send(update, self._generation))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)
        return min(waiting, default=None)

    def _expire(self, now: float) -> None:
        updates = self.state.data.updates
        if any(update.expires < now for update in updates):
            updates[:] = [update for update in updates if update.expires >= now]
        if self._retries:
            alive = {id(update) for update in updates}
            self._retries = {key: retry for key, retry in self._retries.items() if key in alive}

    async def _send(self, update: Pending, generation: int) -> None:
        try:
            problem, retry_after = await self._post(update)
        finally:
            self._busy.discard(update.queue)
            self._wake.set()
        if not problem:
            self._retries.pop(id(update), None)
            self._forget(update)
        elif generation == self._generation:
            hook = self.state.data.webhook
            hook.last_error_date, hook.last_error_message = int(self.state.now()), problem
            self._postpone(update, retry_after)

    def _forget(self, update: Pending) -> None:
        updates = self.state.data.updates
        updates[:] = [other for other in updates if other is not update]
        self.state.emit("delivered")

    def _postpone(self, update: Pending, retry_after: float) -> None:
        retry = self._retries.setdefault(id(update), _Retry())
        pause = min(retry_after, MAX_RETRY_AFTER)
        if not pause and retry.failures:
            retry.delay = pause = min(MAX_DELAY, retry.delay * 2)
        retry.failures += 1
        retry.at = self.state.now() + pause * self.unit

    async def _post(self, update: Pending) -> tuple[str, float]:
        """Sends one update: ("", 0) when it was taken, else what was wrong and the Retry-After that was asked for."""
        if self._session is None:
            raise RuntimeError("the delivery was not started")
        hook = self.state.data.webhook
        headers = {_SECRET: hook.secret_token} if hook.secret_token else {}
        body = {"update_id": update.update_id} | update.body
        started = time.perf_counter()
        status, problem, retry_after = 0, "", 0.0
        try:
            async with self._session.post(hook.url, json=body, headers=headers) as response:
                status = response.status
                if 200 <= status < 300:
                    await self.on_reply(response)
                else:
                    problem = f"Wrong response from the webhook: {status} {response.reason}"
                    asked = response.headers.get("Retry-After", "")
                    retry_after = float(asked) if asked.isdigit() else 0.0
        except TimeoutError:
            problem = "Read timeout expired"
        except aiohttp.ClientError as error:
            problem = (
                "Connection refused"
                if isinstance(error, aiohttp.ClientConnectorError)
                else "Connection closed"
            )
        self.state.emit(
            "update",
            update_id=update.update_id,
            type=update.type,
            status=status,
            ms=round((time.perf_counter() - started) * 1000, 1),
            body=body,
        )
        return problem, retry_after

    # Long polling

    def _end_poll(self, why: str) -> None:
        if self._poll is not None and not self._poll.done():
            self._poll.set_result(why)

    async def get_updates(self, params: dict[str, Any]) -> list[dict[str, Any]]:
        """As the Bot API's getUpdates. Raises Refused 409 beside a webhook or another getUpdates."""
        if self.state.data.webhook.url:
            raise Refused(
                409,
                "Conflict: can't use getUpdates method while webhook is active; "
                "use deleteWebhook to delete the webhook first",
            )
        self._end_poll(
            "terminated by other getUpdates request; make sure that only one bot instance is running"
        )
        limit = params.get("limit", 100)
        limit = limit if 1 <= limit <= 100 else 100
        self._confirm(params.get("offset", 0))
        until = time.monotonic() + min(max(0, params.get("timeout", 0)), 50)
        while not self.state.data.updates and (left := until - time.monotonic()) > 0:
            mine = self._poll = asyncio.get_running_loop().create_future()
            done, _ = await asyncio.wait([mine], timeout=left)
            if done and mine.result() == "stopped":
                return []
            if done and mine.result():
                raise Refused(409, f"Conflict: {mine.result()}")
        self._expire(self.state.now())
        answer = []
        for update in self.state.data.updates[:limit]:
            body = {"update_id": update.update_id} | update.body
            answer.append(body)
            self.state.emit(
                "update", update_id=update.update_id, type=update.type, status=200, ms=0.0, body=body
            )
        return answer

    def _confirm(self, offset: int) -> None:
        updates = self.state.data.updates
        if offset > 0:
            updates[:] = [update for update in updates if update.update_id >= offset]
        elif offset < 0:
            updates[:] = updates[offset:]
        else:
            return
        self.state.emit("delivered")
