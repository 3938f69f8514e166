"""A hand is shown to nobody but its player, whatever the code does.

Revision ID: 0004
"""

from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # NOT VALID: a row that is wrong already must not stop the update; from now on none can be written.
    op.execute(
        "ALTER TABLE screens ADD CONSTRAINT hands_stay_private "
        "CHECK (kind <> 'hand' OR chat_id = player_id) NOT VALID"
    )


def downgrade() -> None:
    op.execute("ALTER TABLE screens DROP CONSTRAINT hands_stay_private")
