"""The level at which the computer players of a table play.

Revision ID: 0003
"""

from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("ALTER TABLE tables ADD COLUMN computers text NOT NULL DEFAULT 'steady'")
    op.execute(
        "COMMENT ON COLUMN tables.computers IS "
        "'the level of computer players that are seated in its lobby; each seat remembers its own'"
    )


def downgrade() -> None:
    op.execute("ALTER TABLE tables DROP COLUMN computers")
