"""Bots as processes of their own, without the seconds that importing them takes: forked from one that has imported all.

A line of JSON on standard input starts a bot, its pid is the answer. The end of the input ends everything.
"""

import asyncio
import json
import logging
import os
import random
import signal
import sys
from typing import Any

from db.errors import OperatorError
from tests.tgbot.clocks import ordered
from tgbot import logs
from tgbot.app import Config, serve
from tgbot.handlers.flood import Rate
from tgbot.pace import Limits


def config(order: dict[str, Any]) -> Config:
    return Config(
        token=order["token"],
        dsn=order["dsn"],
        webhook_url=order["webhook_url"],
        secret="s3cret",
        port=order["port"],
        telegram=order["telegram"],
        limits=Limits(**order["limits"]),
        rate=Rate(1000, 1000),
        telegram_timeout=order["timeout"],
        clock=ordered(order["clock"]),
        rng=random.Random(order["seed"]),
    )


def main() -> None:
    children: set[int] = set()

    def reap(*_: object) -> None:
        """The dead make room at once, so that nobody takes them for alive, or their number for theirs."""
        try:
            while (pid := os.waitpid(-1, os.WNOHANG)[0]) != 0:
                children.discard(pid)
        except ChildProcessError:
            return

    signal.signal(signal.SIGCHLD, reap)
    for line in sys.stdin:
        order = json.loads(line)
        pid = os.fork()
        if pid == 0:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            log = os.open(order["log"], os.O_WRONLY | os.O_CREAT | os.O_APPEND)
            os.dup2(log, 2)
            os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
            logs.configure("INFO", [order["token"]])
            status = 1
            try:
                asyncio.run(serve(config(order)))
                status = 0
            except OperatorError as error:
                logging.error("%s", error)
            except BaseException:
                logging.exception("the bot ended")
            os._exit(status)
        children.add(pid)
        print(pid, flush=True)
    for pid in children.copy():
        os.kill(pid, signal.SIGKILL)


if __name__ == "__main__":
    main()
