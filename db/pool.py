"""Connections to PostgreSQL: every one has UTC, timeouts, and jsonb as Python objects."""

import json
from collections.abc import Awaitable
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit

import asyncpg

from db.errors import OperatorError

if TYPE_CHECKING:  # generic in the stubs, not at run time
    Pool = asyncpg.Pool[asyncpg.Record]
    OwnConnection = asyncpg.Connection[asyncpg.Record]
else:
    Pool = asyncpg.Pool
    OwnConnection = asyncpg.Connection

Result = TypeVar("Result")

OLDEST_SERVER = 150000  # server_version_num: PostgreSQL 15

# A move takes milliseconds. What takes seconds is stuck, and must not keep a table locked for its players.
SETTINGS = {
    "application_name": "goat",
    "timezone": "UTC",
    "statement_timeout": "10s",
    "lock_timeout": "5s",
    "idle_in_transaction_session_timeout": "15s",
    # A process whose machine vanished must not hold leadership, or a table, for hours.
    "tcp_keepalives_idle": "2",
    "tcp_keepalives_interval": "1",
    "tcp_keepalives_count": "3",
}
COMMAND_TIMEOUT = 15.0  # seconds: a server that doesn't answer at all
CONNECT_TIMEOUT = 10.0  # seconds


class DatabaseUnavailable(OperatorError):
    """The database can't be reached, refuses us, or is too old."""


async def open_pool(dsn: str, *, size: int = 10) -> Pool:
    """A pool of at most `size` connections, the first of them open and proved to work.

    Raises DatabaseUnavailable.
    """

    async def open_checked() -> Pool:
        pool = await asyncpg.create_pool(
            dsn,
            min_size=1,
            max_size=size,
            init=prepare,
            reset=_as_it_is,
            server_settings=SETTINGS,
            command_timeout=COMMAND_TIMEOUT,
            timeout=CONNECT_TIMEOUT,
        )
        try:
            async with pool.acquire() as connection:
                await check_version(connection)
        except BaseException:
            pool.terminate()
            raise
        return pool

    return await explained(dsn, open_checked())


async def connect(dsn: str) -> OwnConnection:
    """One connection of its own, for what outlives a transaction: LISTEN, an advisory lock.

    Raises DatabaseUnavailable.
    """

    async def connect_checked() -> OwnConnection:
        connection = await asyncpg.connect(
            dsn, server_settings=SETTINGS, command_timeout=COMMAND_TIMEOUT, timeout=CONNECT_TIMEOUT
        )
        try:
            await prepare(connection)
            await check_version(connection)
        except BaseException:
            connection.terminate()
            raise
        return connection

    return await explained(dsn, connect_checked())


async def _as_it_is(_: Any) -> None:
    """Who gives a connection back has changed nothing about it, so nothing is reset: that would be a query each time.

    A transaction that was left open is rolled back all the same.
    """


async def prepare(connection: Any) -> None:
    """What a fresh connection needs: jsonb and json arrive and leave as Python objects."""
    for name in ("jsonb", "json"):
        await connection.set_type_codec(
            name, encoder=_to_json, decoder=json.loads, schema="pg_catalog", format="text"
        )


def _to_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


async def check_version(connection: Any) -> None:
    """Raises DatabaseUnavailable for a server that is too old, or a database that can't hold every name."""
    number = int(await connection.fetchval("SHOW server_version_num"))
    if number < OLDEST_SERVER:
        raise DatabaseUnavailable(
            f"the database server is PostgreSQL {number // 10000}, "
            f"goat needs {OLDEST_SERVER // 10000} or newer: update the server"
        )
    encoding = await connection.fetchval("SHOW server_encoding")
    if encoding != "UTF8":
        raise DatabaseUnavailable(
            f"the database's encoding is {encoding}, people's names need UTF8: "
            "make one with createdb --encoding UTF8 --template template0"
        )


async def explained(dsn: str, opening: Awaitable[Result]) -> Result:
    """Awaits what opens a connection; its failures become DatabaseUnavailable, without the password."""
    try:
        return await opening
    except (OSError, asyncpg.PostgresError) as error:
        raise DatabaseUnavailable(f"the database at {where(dsn)} {_reason(error)}") from None
    except (asyncpg.InterfaceError, ValueError):
        # Its words may quote the address, and so the password.
        raise DatabaseUnavailable(
            "DATABASE_URL isn't an address of a PostgreSQL database: write it as "
            "postgresql://user:password@host:5432/name"
        ) from None


def _reason(error: BaseException) -> str:
    match error:
        case asyncpg.InvalidPasswordError() | asyncpg.InvalidAuthorizationSpecificationError():
            return "refuses this user or password: correct DATABASE_URL"
        case asyncpg.InvalidCatalogNameError():
            return "doesn't exist on that server: create it with createdb, or correct DATABASE_URL"
        case asyncpg.TooManyConnectionsError():
            return "has no connection left: raise max_connections there"
        case asyncpg.CannotConnectNowError():
            return "is just starting or stopping: try again"
        case asyncpg.PostgresError():
            return f"refuses us: {error.args[0]}" if error.args else "refuses us"
        case TimeoutError():
            return f"doesn't answer within {CONNECT_TIMEOUT:.0f} seconds: check host, port and firewall"
        case ConnectionRefusedError():
            return "refuses the connection: is the server running, and are host and port right?"
        case OSError():
            return f"can't be reached ({error.strerror or error}): check host and port"
    return "can't be reached"


def where(dsn: str) -> str:
    """An address without user, password and parameters, for people to read."""
    try:
        parts = urlsplit(dsn)
        port = parts.port
    except ValueError:
        return "DATABASE_URL"
    host = parts.hostname or "the local socket"
    if ":" in host:
        host = f"[{host}]"
    return f"{host}{f':{port}' if port else ''}{parts.path if parts.path != '/' else ''}"
