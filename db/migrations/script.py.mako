"""${message}

Revision ID: ${up_revision}
"""

from alembic import op

revision = "${up_revision}"
down_revision = ${chr(34) + down_revision + chr(34) if down_revision else None}
branch_labels = None
depends_on = None

# One statement each: asyncpg prepares what op.execute gives it.
STATEMENTS: tuple[str, ...] = ()


def upgrade() -> None:
    for statement in STATEMENTS:
        op.execute(statement)


def downgrade() -> None:
    raise NotImplementedError
