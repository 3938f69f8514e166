"""Where computer players think: the strong ones in a process of their own, so that no table and no press waits.

When that process is busy, slow or dead, the steady player's move is played and a new process is started. The
answer belongs to the view that was asked about: whoever plays it checks that the deal still stands there.
"""

import asyncio
import contextlib
import logging
import random
import sys
from pathlib import Path
from typing import Final

import core
from core import computer
from core.computer import worker
from core.computer.strong import BUDGET
from core.errors import NotationError
from core.moves import Move
from core.view import SeatView

log = logging.getLogger(__name__)

PATIENCE: Final = 3.0
"""Seconds after which a process that has not answered is given up. A move takes about a tenth of one."""

QUEUE: Final = 12
"""How many may wait for it; the next one is answered by the steady player at once."""

LEAST: Final = 200
"""Simulations below which the search is worse than the steady player."""


class Thinker:
    """One per bot process. Close it at the end."""

    def __init__(self) -> None:
        self._process: asyncio.subprocess.Process | None = None
        self._one_at_a_time = asyncio.Lock()
        self._asked: set[asyncio.Task[str | None]] = set()

    async def choose(self, view: SeatView, seed: int | str, level: str, deadline: float) -> Move:
        """The move of the seat whose turn it is, after at most `deadline` seconds.

        Raises GoatError(unknown_level), ValueError when it is not the seat's turn.
        """
        if level == "strong":
            answer = await self._ask("choose", view, seed, deadline)
            move = _parsed(answer)
            if move in view.legal:
                return move
            level = "steady"
        chosen = computer.choose(view, _dice(seed), level)
        if chosen is None:
            raise ValueError("it is not this seat's turn")
        return chosen

    async def declares(self, view: SeatView, seed: int | str, level: str, deadline: float) -> bool:
        """Whether a seat that may say `molodka` wants to, after at most `deadline` seconds."""
        if level == "strong" and computer.declares(view, _dice(seed), "rules"):
            answer = await self._ask("declares", view, seed, deadline)
            if answer in ("yes", "no"):
                return answer == "yes"
            level = "steady"
        return computer.declares(view, _dice(seed), "steady" if level == "strong" else level)

    async def close(self) -> None:
        """Ends the process; nobody gets an answer from it any more."""
        for task in self._asked:
            task.cancel()
        await asyncio.gather(*self._asked, return_exceptions=True)
        await self._end()

    async def _ask(self, what: str, view: SeatView, seed: int | str, deadline: float) -> str | None:
        """The strong player's answer, or None when it does not come in time."""
        if len(self._asked) >= QUEUE:
            return None
        budget = max(LEAST, BUDGET // (1 + len(self._asked)))
        task = asyncio.create_task(self._exchange(worker.question(what, view, seed, budget)))
        self._asked.add(task)
        task.add_done_callback(self._asked.discard)
        # The exchange goes on when nobody waits any more: else the next one would read its answer.
        done, _ = await asyncio.wait({task}, timeout=deadline)
        return task.result() if done and not task.cancelled() else None

    async def _exchange(self, question: bytes) -> str | None:
        async with self._one_at_a_time:
            try:
                process = await self._running()
                async with asyncio.timeout(PATIENCE):
                    return await _talk(process, question)
            except (OSError, asyncio.IncompleteReadError, TimeoutError) as error:
                log.warning(
                    "the process of the strong players failed (%s); another will start", type(error).__name__
                )
                await self._end()
            except asyncio.CancelledError:
                await self._end()
                raise
            return None

    async def _running(self) -> asyncio.subprocess.Process:
        if self._process is None or self._process.returncode is not None:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                worker.__name__,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                cwd=Path(core.__file__).parent.parent,
            )
        return self._process

    async def _end(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            # Reads what is left, so that the pipes are closed too.
            await process.communicate()


async def _talk(process: asyncio.subprocess.Process, question: bytes) -> str:
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(question)
    await process.stdin.drain()
    (length,) = worker.LENGTH.unpack(await process.stdout.readexactly(worker.LENGTH.size))
    return (await process.stdout.readexactly(length)).decode()


def _parsed(answer: str | None) -> Move | None:
    if answer is None:
        return None
    try:
        return Move.parse(answer)
    except NotationError:
        return None


def _dice(seed: int | str) -> random.Random:
    return random.Random(seed)  # noqa: S311 - a game, not a key
