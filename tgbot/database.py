"""The database that the settings mean: the one that they name, or an embedded one."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pydantic import SecretStr

from db import embedded
from tgbot.settings import Settings


def embedded_folder(settings: Settings) -> Path:
    return settings.data_folder / "postgres"


def sandbox_folder(settings: Settings) -> Path:
    return settings.data_folder / "play"


@contextmanager
def database(settings: Settings) -> Iterator[str]:
    """The address of the database, its password included. An embedded server runs as long as the context.

    Blocks while that server starts. Raises OperatorError.
    """
    if settings.database_url is not None:
        yield settings.database_url.get_secret_value()
        return
    with embedded.start(embedded_folder(settings)) as server:
        yield server.dsn


@contextmanager
def looked_at(database_url: SecretStr | None, folder: Path) -> Iterator[str]:
    """The address of a database for a look at it, beside whoever serves: the one that is named, or the embedded one of
    the folder, whose server is started for the context when none runs. Raises OperatorError."""
    if database_url is not None:
        yield database_url.get_secret_value()
        return
    dsn = embedded.running(folder)
    if dsn is not None:
        yield dsn
        return
    with embedded.start(folder) as server:
        yield server.dsn


@contextmanager
def sandbox_database(settings: Settings) -> Iterator[str]:
    """The address of an embedded database for `goat play` alone.

    Never the one that the settings mean: the sandbox's people and chats must not get among real ones.
    """
    with embedded.start(sandbox_folder(settings)) as server:
        yield server.dsn
