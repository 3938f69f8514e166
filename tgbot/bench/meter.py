"""Goat with a meter in it, as a process of its own: which part of the program uses the processor, and what is waited for.

Functions are wrapped when the process starts; what runs inside of a wrapped one counts as its part, until it calls one
of another part. A coroutine is measured step by step, so its waiting is not counted, nor what others do meanwhile.
Each SIGUSR1 appends what was used so far as a line of JSON to the file that is named on the command line.
"""

import asyncio
import functools
import inspect
import json
import signal
import sys
import time
import types
from collections import defaultdict
from collections.abc import Callable, Coroutine, Generator
from pathlib import Path
from typing import Any

PARSE, AIOGRAM, ENGINE, TABLE = "parse the update", "aiogram's dispatch", "engine", "rows into a table"
DATABASE, COMMIT, OWN = "database: talk to it", "database: begin and commit", "handlers and services"
AFTER, RENDER, SEND = "painting: find and load", "painting: render", "painting: send"
PARTS = (PARSE, AIOGRAM, OWN, TABLE, ENGINE, DATABASE, COMMIT, AFTER, RENDER, SEND)
WAITED = (DATABASE, COMMIT)
"""Parts of which the time from call to result is taken too, as far as a press waits for it. Begin and commit are
statements as well, and count in both."""

PRESSES = "presses"
"""The name of tasks in which presses are handled."""


class Meter:
    """Seconds of processor time by part, and of waiting; `presses`: how many updates came."""

    def __init__(self) -> None:
        self.used: dict[str, float] = defaultdict(float)
        self.waited: dict[str, float] = defaultdict(float)
        self.presses = 0
        self._stack: list[str] = []
        self._since = 0.0

    def enter(self, part: str) -> None:
        now = time.thread_time()
        if self._stack:
            self.used[self._stack[-1]] += now - self._since
        self._stack.append(part)
        self._since = now

    def leave(self) -> None:
        now = time.thread_time()
        self.used[self._stack.pop()] += now - self._since
        self._since = now

    def snapshot(self) -> dict[str, Any]:
        return {
            "used": dict(self.used),
            "waited": dict(self.waited),
            "presses": self.presses,
            "process": time.process_time(),
        }


METER = Meter()


def metered(part: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """The same function, counted as this part."""
    if inspect.iscoroutinefunction(function):

        @functools.wraps(function)
        async def steps(*args: Any, **kwargs: Any) -> Any:
            begun = time.perf_counter()
            try:
                return await _stepwise(part, function(*args, **kwargs))
            finally:
                if part in WAITED and _pressed():
                    METER.waited[part] += time.perf_counter() - begun

        return steps

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        METER.enter(part)
        try:
            return function(*args, **kwargs)
        finally:
            METER.leave()

    return call


@types.coroutine
def _stepwise(part: str, inner: Coroutine[Any, Any, Any]) -> Generator[Any, Any, Any]:
    step: Callable[[], Any] = functools.partial(inner.send, None)
    while True:
        METER.enter(part)
        try:
            waits_for = step()
        except StopIteration as result:
            return result.value
        finally:
            METER.leave()
        try:
            step = functools.partial(inner.send, (yield waits_for))
        except BaseException as error:  # whatever is thrown in goes on to where it was meant for
            step = functools.partial(inner.throw, error)


def _pressed() -> bool:
    """Whether a press waits for what runs now."""
    task = asyncio.current_task()
    return task is not None and task.get_name() == PRESSES


def install() -> None:
    """Wraps goat's parts. All modules must be imported by now."""
    import asyncpg
    from aiogram import Dispatcher
    from aiogram.client.session.aiohttp import AiohttpSession
    from asyncpg.transaction import Transaction

    from core import deal, record, view
    from db import tables
    from tgbot import clock, painter, rendering, selections, webhook
    from tgbot.handlers import middleware
    from tgbot.screens.painting import Painting

    functions: dict[str, list[Callable[..., Any]]] = {
        PARSE: [webhook.parsed],
        TABLE: [tables.read],
        ENGINE: [record.final, deal.play, deal.legal_moves, deal.legal_moves_of, view.view],
    }
    for part, plain in functions.items():
        for function in plain:
            _replace_everywhere(function, metered(part, function))
    methods: dict[str, list[tuple[type[Any], str]]] = {
        AIOGRAM: [(Dispatcher, "feed_update")],
        OWN: [(middleware.Contextual, "__call__")],
        DATABASE: [(asyncpg.Connection, name) for name in ("execute", "fetch", "fetchrow", "fetchval")],
        COMMIT: [(Transaction, "__aenter__"), (Transaction, "__aexit__")],
        AFTER: [
            (painter.Painter, "_round"),
            (painter.Painter, "_do"),
            (clock.Clock, "tick"),
            (selections.Selections, "_show"),
        ],
        RENDER: [(rendering.Renderer, "render"), (Painting, "digest")],
        SEND: [(AiohttpSession, "__call__")],
    }
    for part, owned in methods.items():
        for owner, name in owned:
            setattr(owner, name, metered(part, getattr(owner, name)))
    _name_presses(middleware.Contextual)


def _name_presses(contextual: type[Any]) -> None:
    inner = contextual.__call__

    @functools.wraps(inner)
    async def named(*args: Any) -> None:
        METER.presses += 1
        task = asyncio.current_task()
        if task is not None:
            task.set_name(PRESSES)
        await inner(*args)

    contextual.__call__ = named


def _replace_everywhere(old: Callable[..., Any], new: Callable[..., Any]) -> None:
    """Also where it was imported by name."""
    for name, module in list(sys.modules.items()):
        if name.split(".")[0] in ("core", "db", "tgbot"):
            for attribute, value in list(vars(module).items()):
                if value is old:
                    setattr(module, attribute, new)


def main(file: Path) -> None:
    from tgbot.bench import goat

    def tell(*_: object) -> None:
        with file.open("a") as out:
            out.write(json.dumps(METER.snapshot()) + "\n")

    signal.signal(signal.SIGUSR1, tell)
    install()
    goat.main()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
