"""`goat records`: the finished deals of a database as records (docs/record.md), for `goat replay` and `goat explain`."""

import asyncio
import json
import shutil
import time
from tempfile import SpooledTemporaryFile
from typing import TextIO

from core.errors import GoatError
from db import deals, embedded, migrate
from db.errors import OperatorError
from db.pool import DatabaseUnavailable, connect, explained
from tgbot.database import embedded_folder, looked_at, sandbox_folder
from tgbot.settings import Settings

TRIES = 10
"""Half seconds for which a server that is just starting or stopping is waited for."""

IN_MEMORY = 1 << 20
"""Bytes; what is more waits in a temporary file."""


class NoDatabase(OperatorError):
    """There is no embedded database yet."""


def main(settings: Settings, table: int | None, played: bool, out: TextIO, err: TextIO) -> int:
    """Prints a JSON line for each deal, the first one first. `table`: of this one only; `played`: those of `goat play`
    instead. Returns the exit status: 1 when a deal can't be read, which costs a line on `err`.

    Everything is read before a line is written, so that a slow reader holds up neither the database nor a bot that
    wants to start on it. Raises OperatorError when the database can't be read.
    """
    if played or settings.database_url is None:
        _find(settings, played)
    with SpooledTemporaryFile(IN_MEMORY, "w+", encoding="utf-8") as found:
        unread = _read(settings, table, played, found)
        err.writelines(f"goat records: {line}\n" for line in unread)
        if not found.tell() and not unread:
            err.write(f"goat records: no finished deal{f' at table {table}' if table else ''} yet\n")
        found.seek(0)
        shutil.copyfileobj(found, out)
    return 1 if unread else 0


def _find(settings: Settings, played: bool) -> None:
    """Raises NoDatabase, which says where else there is one."""
    places = {True: sandbox_folder(settings), False: embedded_folder(settings)}
    if embedded.exists(places[played]):
        return
    missing = f"there is no database in {places[played]} yet: nothing was played with"
    if played:
        raise NoDatabase(f"{missing} `goat play` here; set DATA_DIR if it was elsewhere")
    other = "; `goat records --play` shows what `goat play` keeps" if embedded.exists(places[True]) else ""
    raise NoDatabase(
        f"{missing} `goat run` here; set DATA_DIR, or DATABASE_URL, if the bot's is elsewhere{other}"
    )


def _read(settings: Settings, table: int | None, played: bool, found: SpooledTemporaryFile[str]) -> list[str]:
    """Somebody else's server may end while we look, or be starting: then we begin again."""
    url = None if played else settings.database_url
    folder = sandbox_folder(settings) if played else embedded_folder(settings)
    left = TRIES if url is None else 0
    while True:
        try:
            with looked_at(url, folder) as dsn:
                return asyncio.run(write(dsn, table, found))
        except (DatabaseUnavailable, embedded.FolderInUse):
            if not left:
                raise
        left -= 1
        time.sleep(0.5)
        found.seek(0)
        found.truncate()


async def write(dsn: str, table: int | None, out: SpooledTemporaryFile[str] | TextIO) -> list[str]:
    """Returns a line for each deal that can't be read. Raises OperatorError."""
    unread = []
    db = await connect(dsn)
    try:
        await explained(dsn, migrate.check(db))
        last = 0
        while page := await explained(dsn, deals.finished_deals(db, table, last)):
            for kept in page:
                try:
                    record = kept.record().to_json()
                except GoatError as error:
                    unread.append(f"{kept}: {error}")
                else:
                    out.write(json.dumps(record, separators=(",", ":")) + "\n")
            last = page[-1].id
    finally:
        await db.close()
    return unread
