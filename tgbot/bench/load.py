"""The load, as a process of its own: people who press one button after the other, each over one connection.

Bare protocols instead of an HTTP client: that would take more of the two cores than what is measured.
Standard input: a Plan as JSON. Standard output: a Pressed as JSON.
"""

import asyncio
import json
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import partial
from statistics import quantiles
from time import perf_counter
from typing import cast


@dataclass(frozen=True, slots=True)
class Plan:
    """`lanes`: for each connection the bodies of its updates, sent in order until they or the seconds are over; between
    an answer and the next one, `pause` seconds."""

    port: int
    path: str
    secret: str
    seconds: float
    lanes: list[list[str]]
    pause: float = 0.0


@dataclass(frozen=True, slots=True)
class Pressed:
    """`delays`: milliseconds from sending an update to the end of its response; `seconds`: from the first to the last."""

    seconds: float
    delays: list[float]

    @property
    def rate(self) -> float:
        """Presses a second."""
        return len(self.delays) / self.seconds

    def percentile(self, percent: int) -> float:
        """Milliseconds."""
        return quantiles(self.delays, n=100, method="inclusive")[percent - 1]


class Refused(Exception):
    """The webhook said something else than 200."""


class Lane(asyncio.Protocol):
    """One connection. `done` has the delays; it fails with Refused, or when the connection is cut."""

    def __init__(self, plan: Plan, bodies: list[str], until: float) -> None:
        self.done: asyncio.Future[list[float]] = asyncio.get_running_loop().create_future()
        self._head = (
            f"POST {plan.path} HTTP/1.1\r\nHost: 127.0.0.1:{plan.port}\r\nContent-Type: application/json\r\n"
            f"X-Telegram-Bot-Api-Secret-Token: {plan.secret}\r\nContent-Length: "
        )
        self._requests = self._made(bodies)
        self._until = until
        self._pause = plan.pause
        self._delays: list[float] = []
        self._sent = 0.0
        self._got = b""

    def _made(self, bodies: list[str]) -> Iterator[bytes]:
        for body in bodies:
            content = body.encode()
            yield f"{self._head}{len(content)}\r\n\r\n".encode() + content

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        self._next()

    def _next(self) -> None:
        request = next(self._requests, None)
        self._sent = perf_counter()
        if request is None or self._sent >= self._until:
            self.done.set_result(self._delays)
            self._transport.close()
            return
        self._transport.write(request)

    def data_received(self, data: bytes) -> None:
        self._got += data
        head, end, rest = self._got.partition(b"\r\n\r\n")
        if not end:
            return
        if not head.startswith(b"HTTP/1.1 200 "):
            self.done.set_exception(Refused(head.split(b"\r\n")[0].decode(errors="replace")))
            self._transport.abort()
            return
        if len(rest) < _length(head):
            return
        self._delays.append(1000 * (perf_counter() - self._sent))
        self._got = b""
        if self._pause:
            asyncio.get_running_loop().call_later(self._pause, self._next)
        else:
            self._next()

    def connection_lost(self, error: Exception | None) -> None:
        if not self.done.done():
            self.done.set_exception(error or ConnectionResetError("the webhook hung up"))


def _length(head: bytes) -> int:
    for line in head.split(b"\r\n"):
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            return int(value)
    raise Refused("a response without Content-Length")


async def press(plan: Plan) -> Pressed:
    loop = asyncio.get_running_loop()
    begun = perf_counter()
    until = begun + plan.seconds
    lanes = []
    for bodies in plan.lanes:
        _, lane = await loop.create_connection(partial(Lane, plan, bodies, until), "127.0.0.1", plan.port)
        lanes.append(lane)
    delays = await asyncio.gather(*(lane.done for lane in lanes))
    return Pressed(perf_counter() - begun, [delay for lane in delays for delay in lane])


if __name__ == "__main__":
    pressed = asyncio.run(press(Plan(**json.load(sys.stdin))))
    json.dump(asdict(pressed), sys.stdout)
