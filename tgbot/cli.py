"""The `goat` command. Each subcommand imports what it needs when it runs: `import aiogram` takes seconds."""

import argparse
import errno
import os
import signal
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from types import FrameType, ModuleType
from typing import NoReturn

from db.errors import OperatorError
from tgbot.bench import PARTS

Command = Callable[[argparse.Namespace], int]

CANNOT_WRITE = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EBADF)
"""What the system says when standard output takes no more."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one subcommand and returns its exit status.

    An OperatorError costs a line on standard error, or one for each wrong variable; Ctrl-C costs nothing.
    """
    _open_closed_streams()
    parsed = parser().parse_args(arguments)
    command: Command = parsed.command
    signal.signal(signal.SIGTERM, _end)
    try:
        status = command(parsed)
        if not sys.stdout.closed:
            sys.stdout.flush()
        return status
    except OperatorError as error:
        for line in getattr(error, "lines", (str(error),)):
            print(f"goat: {line}", file=sys.stderr)  # noqa: T201
        return error.exit_code
    except KeyboardInterrupt:
        return 128 + signal.SIGINT
    except BrokenPipeError:
        # Our reader has gone, as in `goat doctor | head -1`.
        _say_no_more()
        return 1
    except OSError as error:
        if error.errno not in CANNOT_WRITE:
            raise
        _say_no_more()
        print(f"goat: can't write: {error.strerror}", file=sys.stderr)  # noqa: T201
        return 1


def _open_closed_streams() -> None:
    """A shell's `>&-` leaves no stream at all: what is written to it goes nowhere, and not among what the other says."""
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - for as long as we run
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115


def _say_no_more() -> None:
    """What is left to write goes nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _end(number: int, _: FrameType | None) -> NoReturn:
    """SIGTERM ends us as Ctrl-C does: what was started, the embedded database too, is stopped on the way out."""
    sys.exit(128 + number)


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(
        prog="goat", description="Goat, a card game of two against two, at tables in Telegram."
    )
    top.add_argument("--version", action=Version, nargs=0, help="print the version and exit")
    commands = top.add_subparsers(metavar="COMMAND", required=True)

    def add(name: str, run: Command, text: str) -> argparse.ArgumentParser:
        command = commands.add_parser(name, help=text, description=text)
        command.set_defaults(command=run)
        return command

    play = add("play", _play, "Play on this machine: the bot, a database and a stand-in for Telegram.")
    play.add_argument("--host", default="127.0.0.1", help="where the page is served (default: %(default)s)")
    play.add_argument("--port", type=_port, default=8080, help="its port, 0 for any (default: %(default)s)")
    add("run", _run, "Serve Telegram: by webhook when WEBHOOK_URL is set, else by long polling.")
    add("doctor", _doctor, "Check settings, token, database and webhook; say what to do.")
    migrate = add("migrate", _migrate, "Bring the database to the schema of this version.")
    migrate.add_argument(
        "--restored",
        action="store_true",
        help="a backup was just restored: old buttons in the chats shall not mean new tables",
    )
    replay = add("replay", _replay, "Replay records of deals and print every state as a line of JSON.")
    replay.add_argument("files", nargs="+", metavar="FILE", help="records; - is standard input")
    replay.add_argument("--legal", action="store_true", help="list every legal move of every state")
    records = add("records", _records, "Write the finished deals of the database as records, a line each.")
    numbers = _computer("arguments").at_least(1, 2**63 - 1)
    records.add_argument(
        "--table", type=numbers, metavar="NUMBER", help="of this table only: the `table` of a record"
    )
    records.add_argument("--play", action="store_true", help="those that were played with goat play instead")
    arena = add("arena", _arena, "Let two computer players meet over duplicate deals.")
    tune = add("tune", _tune, "Tune the steady player, or teach the judge, by self-play.")
    explain = add("explain", _explain, "Say what each computer player would do in a position, and why.")
    for command, module in ((arena, "arena"), (tune, "tune"), (explain, "explain")):
        _computer(module).add_arguments(command)
    bench = add("bench", _bench, "Measure what a part of goat costs on this machine, beside a yardstick.")
    parts = "; ".join(f"{name}: {text}" for name, text in PARTS.items())
    bench.add_argument("part", choices=[*PARTS, "all"], metavar="PART", help=f"{parts}; all: one by one")
    bench.add_argument("--quick", action="store_true", help="only see that it runs; the figures mean nothing")
    bench.add_argument(
        "--json", type=Path, metavar="FILE", help="keep the results there, beside other parts'"
    )
    bench.add_argument(
        "--readme", type=Path, metavar="FILE", help="write FILE's tables anew from those results"
    )
    return top


class Version(argparse.Action):
    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        from importlib.metadata import version

        parser.exit(message=f"goat {version('goat')}\n")


def _port(text: str) -> int:
    port = int(text)
    if not 0 <= port <= 65535:
        raise ValueError(text)
    return port


_port.__name__ = "port"  # argparse says "invalid port value"


def _play(arguments: argparse.Namespace) -> int:
    from tgbot import play

    return play.main(arguments)


def _run(_: argparse.Namespace) -> int:
    from tgbot import logs, settings

    loaded = settings.load()
    loaded.token  # noqa: B018 - a missing one is said before the seconds that the next import takes
    logs.configure(loaded.log_level, loaded.secrets)
    from tgbot import app

    return app.main(loaded)


def _doctor(_: argparse.Namespace) -> int:
    from tgbot import doctor

    return doctor.main(sys.stdout)


def _migrate(arguments: argparse.Namespace) -> int:
    import asyncio

    from db import migrate, restored
    from tgbot import logs, settings
    from tgbot.database import database

    loaded = settings.load()
    logs.configure(loaded.log_level, loaded.secrets)
    with database(loaded) as dsn:
        before = asyncio.run(migrate.upgrade(dsn))
        if arguments.restored:
            asyncio.run(restored.leave_a_gap(dsn))
    if before.is_newer:
        print(f"the database is at revision {before.current}, newer than this goat knows: left alone")  # noqa: T201
    elif before.is_current:
        print(f"the database is at revision {before.head}: nothing to do")  # noqa: T201
    else:
        print(f"the database was {before.current or 'empty'}, is now at revision {before.head}")  # noqa: T201
    return 0


def _replay(arguments: argparse.Namespace) -> int:
    from core import replay

    return replay.run(arguments.files, arguments.legal, sys.stdin, sys.stdout, sys.stderr)


def _records(arguments: argparse.Namespace) -> int:
    from tgbot import records, settings

    return records.main(settings.load(), arguments.table, arguments.play, sys.stdout, sys.stderr)


def _computer(name: str) -> ModuleType:
    return import_module(f"core.computer.{name}")


def _arena(arguments: argparse.Namespace) -> int:
    return int(_computer("arena").run(arguments))


def _tune(arguments: argparse.Namespace) -> int:
    return int(_computer("tune").run(arguments))


def _explain(arguments: argparse.Namespace) -> int:
    return int(_computer("explain").run(arguments))


def _bench(arguments: argparse.Namespace) -> int:
    from tgbot.bench import command

    return command.main(arguments)
