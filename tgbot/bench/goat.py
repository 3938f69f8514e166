"""Goat as `goat run` starts it, as a process to be pressed: only nobody is too fast for it."""

import asyncio
from dataclasses import replace

from tgbot import app, logs, settings
from tgbot.database import database
from tgbot.handlers.flood import Rate
from tgbot.timekeeping import system_time


def main() -> None:
    """Until SIGTERM."""
    given = settings.load()
    logs.configure(given.log_level, given.secrets)
    with database(given) as dsn:
        config = app.configured(given, dsn, system_time)
        asyncio.run(app.serve(replace(config, rate=Rate(a_second=1e9, burst=1e9))))


if __name__ == "__main__":
    main()
