"""A hand is shown to nobody but its player, whatever the code does.

Revision ID: 0004
"""

from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # A hand that had got into another chat is sent to its player anew; one of a deal that is over is left.
    op.execute(
        "UPDATE screens SET chat_id = player_id, thread_id = NULL, message_id = NULL, sent_at = NULL, digest = NULL, "
        "failures = 0, wanted = wanted + 1, ring = wanted + 1, shown = CASE WHEN final THEN wanted + 1 ELSE shown END "
        "WHERE kind = 'hand' AND chat_id <> player_id"
    )
    op.execute(
        "ALTER TABLE screens ADD CONSTRAINT hands_stay_private CHECK (kind <> 'hand' OR chat_id = player_id)"
    )


def downgrade() -> None:
    op.execute("ALTER TABLE screens DROP CONSTRAINT hands_stay_private")
