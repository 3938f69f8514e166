"""Where strong computer players think: in a process of their own, so that no table and no press waits.

That process gets a seat's view and its dice, nothing else. When it is busy, slow or dead there is no answer, and
when it is dead or hangs the next question starts another.
"""

import asyncio
import contextlib
import logging
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import core
from core.computer import worker
from core.computer.strong import BUDGET
from core.errors import NotationError
from core.moves import Move
from tgbot.services.deals import Question

log = logging.getLogger(__name__)

PATIENCE: Final = 3.0
"""Seconds after which a process that has not answered is given up. A move takes some hundredths of one."""

STARTING: Final = 15.0
"""The same for its first answer, before which it loads what it needs, niced, on a machine that may be busy."""

QUEUE: Final = 12
"""How many may wait for it; the next one gets no answer."""


class Thinker:
    """One per bot process. Close it at the end; asked again, it begins again."""

    def __init__(self) -> None:
        self._process: asyncio.subprocess.Process | None = None
        self._one_at_a_time = asyncio.Lock()
        self._asked: set[asyncio.Task[str | None]] = set()
        self._thinking: asyncio.Task[str | None] | None = None
        self._warm = False

    async def think(self, questions: Sequence[Question], seconds: float) -> dict[Question, Move | None]:
        """The answers that come in time. Where one is missing, the process was too busy, too slow, or died."""
        thoughts: dict[Question, Move | None] = {}
        until = time.monotonic() + seconds
        for question in questions:
            answer = await self._ask(question, until - time.monotonic())
            if question.claim and answer in ("yes", "no"):
                thoughts[question] = question.claimed() if answer == "yes" else None
            elif (move := _parsed(answer)) in question.view.legal:
                thoughts[question] = move
        return thoughts

    async def close(self) -> None:
        """Ends the process; nobody gets an answer from it any more."""
        for task in self._asked:
            task.cancel()
        await asyncio.gather(*self._asked, return_exceptions=True)
        await self._end()

    async def _ask(self, question: Question, seconds: float) -> str | None:
        """The strong player's answer, or None when it does not come in time."""
        if len(self._asked) >= QUEUE:
            return None
        task = asyncio.create_task(self._exchange(question))
        self._asked.add(task)
        task.add_done_callback(self._asked.discard)
        try:
            await asyncio.wait({task}, timeout=seconds)
        finally:
            # An exchange that has begun goes on when nobody waits any more: else the next one would read its answer.
            if task is not self._thinking:
                task.cancel()
        return task.result() if task.done() and not task.cancelled() else None

    async def _exchange(self, question: Question) -> str | None:
        async with self._one_at_a_time:
            self._thinking = asyncio.current_task()
            budget = BUDGET // len(self._asked)
            what = "declares" if question.claim else "choose"
            try:
                process = await self._running()
                async with asyncio.timeout(PATIENCE if self._warm else STARTING):
                    answer = await _talk(process, worker.question(what, question.view, question.seed, budget))
                self._warm = True
                return answer
            except (OSError, asyncio.IncompleteReadError, TimeoutError) as error:
                log.warning(
                    "the process of the strong players failed (%s); another will start", type(error).__name__
                )
                await self._end()
            except asyncio.CancelledError:
                await self._end()
                raise
            finally:
                self._thinking = None
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
            self._warm = False
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
