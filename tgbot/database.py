"""The database that the settings mean: the one that they name, or an embedded one."""

from collections.abc import Iterator
from contextlib import contextmanager

from db import embedded
from tgbot.settings import Settings


@contextmanager
def database(settings: Settings) -> Iterator[str]:
    """The address of the database, its password included. An embedded server runs as long as the context.

    Blocks while that server starts. Raises OperatorError.
    """
    if settings.database_url is not None:
        yield settings.database_url.get_secret_value()
        return
    with embedded.start(settings.data_folder / "postgres") as server:
        yield server.dsn


@contextmanager
def sandbox_database(settings: Settings) -> Iterator[str]:
    """The address of an embedded database for `goat play` alone.

    Never the one that the settings mean: the sandbox's people and chats must not get among real ones.
    """
    with embedded.start(settings.data_folder / "play") as server:
        yield server.dsn
