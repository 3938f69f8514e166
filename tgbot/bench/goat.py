"""Goat as `goat run` starts it, as a process to be pressed: only nobody is too fast for it."""

from collections.abc import Callable
from dataclasses import replace

import uvloop

from tgbot import app, logs, settings
from tgbot.database import database
from tgbot.thinker import Thinker
from tgbot.timekeeping import system_time


def main(thinker: Callable[[], Thinker] = Thinker) -> None:
    """Until SIGTERM."""
    given = settings.load()
    logs.configure(given.log_level, given.secrets)
    with database(given) as dsn:
        config = app.configured(given, dsn, system_time)
        config = replace(config, rate=replace(config.rate, a_second=1e9, burst=1e9), thinker=thinker)
        uvloop.run(app.serve(config))


if __name__ == "__main__":
    main()
