"""How alembic reaches the database: through the connection it is given, or through DATABASE_URL.

`goat migrate` gives a connection. DATABASE_URL is for a developer who calls `alembic` by hand.
"""

import asyncio
import os

import sqlalchemy
from alembic import context

from db.migrate import connected


def run(connection: sqlalchemy.Connection) -> None:
    context.configure(connection=connection, transactional_ddl=True)
    with context.begin_transaction():
        context.run_migrations()


async def run_from_command_line() -> None:
    dsn = os.environ.get("DATABASE_URL")
    if not dsn:
        raise SystemExit("set DATABASE_URL to the database that alembic shall work on")
    async with connected(dsn) as connection:
        await connection.run_sync(run)
        await connection.commit()


given = context.config.attributes.get("connection")
if context.is_offline_mode():
    context.configure(dialect_name="postgresql", literal_binds=True)
    with context.begin_transaction():
        context.run_migrations()
elif given is not None:
    run(given)
else:
    asyncio.run(run_from_command_line())
