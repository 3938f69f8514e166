"""`goat replay`: reads records of deals (docs/record.md) and prints every state they lead to, each as a JSON line.

It is fed with files from elsewhere, so nothing in them may stop it: whatever is wrong with a record becomes
one error line, and the next record is read.
"""

from __future__ import annotations

import contextlib
import errno
import io
import json
from collections.abc import Iterator, Sequence
from typing import BinaryIO, NoReturn, TextIO, cast

from core.deal import play
from core.errors import GoatError, RecordError
from core.record import read_head, read_move, snapshot
from core.state import start

BLANK = b" \t\r\n"
BOM = "\ufeff".encode()


def run(
    paths: Sequence[str], legal: bool, stdin: TextIO | BinaryIO | None, stdout: TextIO | None, stderr: TextIO
) -> int:
    """Replays the records of all files; `-` is standard input. With `legal` each state lists its legal moves.

    A file holds one JSON object, or one object on each line. Returns the exit status: 1 when a record or a
    file was refused, else 0. A file that can't be read costs a line on stderr. When the reader of stdout goes
    away, the work ends quietly; when stdout can't be written to, with a line and 1.
    """
    refused = False
    if stdout is None:  # a shell's >&-: nobody reads, but the exit status still tells
        stdout = io.StringIO()
    try:
        for path in paths:
            try:
                with opened(path, stdin) as source:
                    for text in documents(source):
                        lines, good = replay_text(text, legal)
                        refused = refused or not good
                        _write(stdout, "".join(lines))
            except (OSError, ValueError) as error:
                reason = error.strerror if isinstance(error, OSError) else error
                stderr.write(f"goat replay: {path}: {reason}\n")
                refused = True
    except _CannotWrite as failure:
        # What is left in the buffer would fail again when the interpreter flushes it at its end.
        with contextlib.suppress(OSError):
            stdout.close()
        if failure.reason is not None:
            stderr.write(f"goat replay: standard output: {failure.reason}\n")
            refused = True
    return 1 if refused else 0


class _CannotWrite(Exception):
    """`reason`: the system's words; None when the reader has gone."""

    def __init__(self, reason: str | None) -> None:
        super().__init__(reason)
        self.reason = reason


def _write(stdout: TextIO, lines: str) -> None:
    """At once: somebody may be waiting for this answer before he sends the next record."""
    try:
        stdout.write(lines)
        stdout.flush()
    except BrokenPipeError:
        raise _CannotWrite(None) from None
    except OSError as error:
        raise _CannotWrite(error.strerror) from None


def opened(path: str, stdin: TextIO | BinaryIO | None) -> contextlib.AbstractContextManager[BinaryIO]:
    """The file, or standard input for `-`, as bytes. Raises OSError, or ValueError for what is no path."""
    if path == "-" and stdin is None:
        raise OSError(errno.EBADF, "standard input is closed")
    if path == "-":
        # Bytes, because what is not UTF-8 is an error of that record and not of the whole stream.
        return contextlib.nullcontext(cast("BinaryIO", getattr(stdin, "buffer", stdin)))
    return open(path, "rb")


def documents(source: BinaryIO) -> Iterator[bytes]:
    """The JSON texts of a stream: its lines that are not blank, or all of it when it is one object.

    Lines end with LF only and are handed out as they come. If the first one is no JSON by itself, everything
    is read to see which of the two it is; when neither works, an object that stays open at the end of its
    first line, without any later line that begins another one, counts as one broken object.
    """
    first = next((line for line in source if not _is_blank(line)), None)
    if first is None:
        return
    try:
        parse(first)
    except RecordError as error:
        whole = first + source.read()
        if _is_one(whole, open_at_first=error.data.get("open", False) is True):
            yield whole
            return
        yield from (line for line in whole.split(b"\n") if not _is_blank(line))
        return
    yield first
    yield from (line for line in source if not _is_blank(line))


def _is_blank(line: bytes) -> bool:
    return not line.removeprefix(BOM).strip(BLANK)


def _is_one(whole: bytes, *, open_at_first: bool) -> bool:
    if _is_json(whole):
        return True
    return open_at_first and sum(line.lstrip(BLANK).startswith(b"{") for line in whole.split(b"\n")) == 1


def _is_json(text: bytes) -> bool:
    try:
        parse(text)
    except RecordError:
        return False
    return True


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")


_DECODER = json.JSONDecoder(parse_constant=_refuse_constant)
_encode = json.JSONEncoder(separators=(",", ":")).encode


def parse(text: bytes) -> object:
    """Raises RecordError(bad_json) for everything that is no JSON text in UTF-8.

    Its data says under `open` whether the text merely ends too early.
    """
    try:
        return _DECODER.decode(text.removeprefix(BOM).decode())
    except json.JSONDecodeError as error:
        ends_early = error.pos >= len(error.doc.rstrip())
        raise RecordError(
            "bad_json", f"no JSON: {error.msg} at character {error.pos}", open=ends_early
        ) from None
    except UnicodeDecodeError as error:
        raise RecordError("bad_json", f"no JSON: not UTF-8 at byte {error.start}") from None
    except RecursionError:
        raise RecordError("bad_json", "no JSON that can be read: nested too deep") from None
    except ValueError:
        # A number of thousands of digits, NaN or Infinity.
        raise RecordError("bad_json", "no JSON: not a number") from None


def replay_text(text: bytes, legal: bool) -> tuple[list[str], bool]:
    """The output lines of one record, each ended by LF, and whether it was good to its end."""
    lines: list[str] = []
    good_moves = 0
    try:
        pack, rules, moves = read_head(parse(text))
        deal = start(pack, rules)
        lines.append(_encode(snapshot(deal, legal)) + "\n")
        for move in moves:
            deal = play(deal, read_move(move))
            lines.append(_encode(snapshot(deal, legal)) + "\n")
            good_moves += 1
    except GoatError as error:
        line = {"ply": good_moves, "error": error.code, "message": str(error)}
        lines.append(_encode(line) + "\n")
        return lines, False
    return lines, True
