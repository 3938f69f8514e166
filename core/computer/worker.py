"""The process in which strong players think: questions come on standard input, answers leave on standard output.

A frame is four bytes of length and so many bytes. A question is pickled by the process that started this one:
(what, view, seed, budget), where what is `choose` or `declares`. The answer is a move in docs/record.md's notation,
`yes` or `no`. A fault ends the process: whoever asked plays without it and starts another.
"""

from __future__ import annotations

import os
import pickle
import random
import signal
import struct
import sys
from contextlib import suppress
from typing import BinaryIO, Final

from core.computer import strong
from core.view import SeatView

LENGTH: Final = struct.Struct("!I")
NICENESS: Final = 10


def question(what: str, view: SeatView, seed: int | str, budget: int) -> bytes:
    """A frame that `serve` understands."""
    body = pickle.dumps((what, view, seed, budget), protocol=pickle.HIGHEST_PROTOCOL)
    return LENGTH.pack(len(body)) + body


def reply(body: bytes) -> bytes:
    """The answer to the body of a question, as a frame."""
    what, view, seed, budget = pickle.loads(body)  # noqa: S301 - written by our own parent process
    rng = random.Random(seed)  # noqa: S311 - a game, not a key
    if what == "choose":
        text = str(strong.choose(view, rng, budget))
    else:
        text = "yes" if strong.declares(view, rng, budget) else "no"
    return LENGTH.pack(len(text)) + text.encode()


def serve(source: BinaryIO, sink: BinaryIO) -> None:
    """Answers until the source ends, or nobody reads the answer: whoever asked is gone."""
    with suppress(BrokenPipeError):
        while len(head := source.read(LENGTH.size)) == LENGTH.size:
            sink.write(reply(source.read(LENGTH.unpack(head)[0])))
            sink.flush()


if __name__ == "__main__":
    # Ctrl-C and systemd reach every process of a service; this one ends with the one that asks.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    os.nice(NICENESS)
    with open(sys.stdout.fileno(), "wb", buffering=0, closefd=False) as sink:
        serve(sys.stdin.buffer, sink)
