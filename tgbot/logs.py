"""Logging to standard error, with every known secret blotted out, in tracebacks too."""

import logging
import os
import re
import sys
import time
from collections.abc import Iterable

DETAILS = re.compile(r"\n *(DETAIL|CONTEXT|QUERY): .*")


class Discreet(logging.Formatter):
    """Writes UTC times and never a secret.

    Libraries quote addresses in their errors, and Telegram's addresses hold the token.
    """

    def __init__(self, secrets: Iterable[str], *, dated: bool) -> None:
        moment = "%(asctime)s " if dated else ""
        super().__init__(f"{moment}%(levelname)s %(name)s: %(message)s", "%Y-%m-%dT%H:%M:%SZ")
        self.converter = time.gmtime
        self._secrets = sorted({secret for secret in secrets if secret}, key=len, reverse=True)

    def format(self, record: logging.LogRecord) -> str:
        # PostgreSQL's details quote rows, and a row may hold a pack of cards.
        text = DETAILS.sub("", super().format(record))
        for secret in self._secrets:
            text = text.replace(secret, "***")
        return text


def configure(level: str, secrets: Iterable[str]) -> None:
    """Sets up logging for the whole process."""
    handler = logging.StreamHandler(sys.stderr)
    # The journal of systemd writes the time itself.
    handler.setFormatter(Discreet(secrets, dated="JOURNAL_STREAM" not in os.environ))
    logging.basicConfig(level=level, handlers=[handler], force=True)
    # At their INFO these tell of every single call and update.
    for chatty in ("aiogram.event", "alembic", "asyncio", "aiohttp.access"):
        logging.getLogger(chatty).setLevel(max(logging.getLevelName(level), logging.WARNING))
    # With a traceback for each try while the database is away, which others say in a line.
    logging.getLogger("asyncpg.pool").setLevel(logging.ERROR)
