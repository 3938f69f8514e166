"""`goat records`: the finished deals of a database as records (docs/record.md), for `goat replay` and `goat explain`."""

import asyncio
import json
from typing import TextIO

from db import deals, embedded, migrate
from db.errors import OperatorError
from db.pool import connect, explained
from tgbot.database import embedded_folder, looked_at, sandbox_folder
from tgbot.settings import Settings


class NoDatabase(OperatorError):
    """There is no embedded database yet."""


def main(settings: Settings, table: int | None, played: bool, out: TextIO) -> int:
    """Prints a JSON line for each deal, the first one first. `table`: of this one only; `played`: those of `goat play`
    instead. Raises OperatorError when the database can't be read."""
    url = None if played else settings.database_url
    folder = sandbox_folder(settings) if played else embedded_folder(settings)
    if url is None and not embedded.exists(folder):
        raise NoDatabase(
            f"there is no database in {folder} yet: nothing was played with `goat {'play' if played else 'run'}` here"
        )
    with looked_at(url, folder) as dsn:
        asyncio.run(write(dsn, table, out))
    return 0


async def write(dsn: str, table: int | None, out: TextIO) -> None:
    db = await connect(dsn)
    try:
        await migrate.check(db)
        last = 0
        while page := await explained(dsn, deals.finished_records(db, table, last)):
            for _, record in page:
                out.write(json.dumps(record.to_json(), separators=(",", ":")) + "\n")
            last, _ = page[-1]
    finally:
        await db.close()
