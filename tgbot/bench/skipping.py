"""An event loop whose clock leaves out the time in which nobody does anything.

Hours of a card game are mostly people who think. This loop's clock runs with the machine's while anything is at work,
in this process or in the database, and jumps to the next timer when nothing is. So work costs what it costs, at its
real price, waiting costs nothing, and an evening is over in seconds: what comes out is what would have come out.
It is true for everything that takes its time from the loop, as all of asyncio does.
"""

import asyncio
import selectors
import socket
import time
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

Result = TypeVar("Result")

GRACE = 0.0005
"""Seconds of the machine for which nothing must have come in before time is left out: the way between two sockets
of one machine takes a tenth of that."""


class SkippingSelector(selectors.DefaultSelector):
    """Waits only for what is at work. `asked`: the sockets on which an answer of another process is awaited.
    `price`: how many seconds of the loop a second of work costs."""

    def __init__(self, price: float) -> None:
        super().__init__()
        self.price = price
        self.skipped = 0.0
        self.asked: set[int] = set()

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        ready = self._wait(timeout)
        if self.asked:
            self.asked.difference_update(key.fd for key, _ in ready)
        return ready

    def unregister(self, fileobj: Any) -> selectors.SelectorKey:
        key = super().unregister(fileobj)
        self.asked.discard(key.fd)
        return key

    def _wait(self, timeout: float | None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is None or timeout <= 0:
            return super().select(timeout)
        begun = time.monotonic()
        left = timeout / self.price
        while not (ready := super().select(min(GRACE, left))):
            left = timeout / self.price - (time.monotonic() - begun)
            if left <= 0:
                break
            if not self.asked:
                self.skipped += left * self.price
                break
        return ready


class SkippingLoop(asyncio.SelectorEventLoop):
    """`database`: the port of the one server that works outside of this process."""

    def __init__(self, database: int, price: float) -> None:
        self.selector = SkippingSelector(price)
        self._database = database
        super().__init__(self.selector)

    def time(self) -> float:
        return super().time() * self.selector.price + self.selector.skipped

    def _make_socket_transport(self, sock: socket.socket, *args: Any, **options: Any) -> Any:
        """asyncio asks this one method for the transport of every socket: the place to hear of questions."""
        transport = super()._make_socket_transport(sock, *args, **options)  # type: ignore[misc]
        if sock.getpeername()[1] == self._database:
            write, number = transport.write, sock.fileno()

            def asking(data: bytes) -> None:
                self.selector.asked.add(number)
                write(data)

            transport.write = asking
        return transport


def run(
    main: Callable[[SkippingLoop], Coroutine[Any, Any, Result]], database: int, price: float = 1.0
) -> Result:
    """Runs to its end what `main` makes of the loop. `price`: what a second of work costs, in the loop's seconds;
    below 1 the machine is so much faster as far as the loop can tell."""
    with asyncio.Runner(loop_factory=lambda: SkippingLoop(database, price)) as runner:
        loop = runner.get_loop()
        assert isinstance(loop, SkippingLoop)
        return runner.run(main(loop))
