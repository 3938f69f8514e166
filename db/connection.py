"""The type of what every function in db takes: a connection whose transaction the caller owns."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import asyncpg
    from asyncpg.pool import PoolConnectionProxy

    Connection = asyncpg.Connection[asyncpg.Record] | PoolConnectionProxy[asyncpg.Record]
else:
    Connection = Any
