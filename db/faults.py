"""Which faults of the database pass by themselves: the transaction left nothing behind, another try may work."""

import asyncpg

from db.pool import DatabaseUnavailable

CONTENTION: tuple[type[Exception], ...] = (
    asyncpg.TransactionRollbackError,  # serialisation failures, deadlocks
    asyncpg.LockNotAvailableError,
    asyncpg.QueryCanceledError,
    asyncpg.UniqueViolationError,  # two people did the same first: the second now finds what the first made
)
AWAY: tuple[type[Exception], ...] = (
    asyncpg.PostgresConnectionError,
    asyncpg.OperatorInterventionError,  # shut down, crashed, starting, not taking connections
    asyncpg.InsufficientResourcesError,  # no connection, memory or disk left
    asyncpg.InvalidTransactionStateError,  # cut off in mid-transaction; a standby after a failover
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
    OSError,  # refused, reset, timed out
    DatabaseUnavailable,
)
PASSING = (*CONTENTION, *AWAY)
