"""Time and absence: paces, turns with a clock, pauses, sleep, substitutes, quiet hours, reminders.

Revision ID: 0002
"""

from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

UP = (
    """
    ALTER TABLE tables
        ADD COLUMN pace text NOT NULL DEFAULT 'none',
        ADD COLUMN turn_seat smallint,
        ADD COLUMN turn_since timestamptz,
        ADD COLUMN turn_move interval,
        ADD COLUMN turn_reserve interval,
        ADD COLUMN paused_at timestamptz,
        ADD COLUMN pause_until timestamptz,
        ADD COLUMN asleep_at timestamptz,
        ADD COLUMN human_at timestamptz,
        ADD CONSTRAINT tables_pace CHECK (pace IN ('none', 'table', 'relaxed', 'day')),
        ADD CONSTRAINT tables_turn CHECK (
            turn_seat BETWEEN 0 AND 3
            AND num_nonnulls(turn_seat, turn_move, turn_reserve) IN (0, 3)
            AND (turn_since IS NULL OR turn_seat IS NOT NULL)
        ),
        ADD CONSTRAINT tables_still CHECK (
            (paused_at IS NULL OR turn_since IS NULL)
            AND (asleep_at IS NULL OR (act_at IS NULL AND turn_seat IS NULL AND paused_at IS NULL))
            AND (pause_until IS NULL OR paused_at IS NOT NULL)
        )
    """,
    "COMMENT ON COLUMN tables.turn_seat IS 'the seat whose clock runs, or stands still while the table is paused'",
    "COMMENT ON COLUMN tables.turn_move IS 'what was left of the move time at turn_since, or is left in a pause'",
    "COMMENT ON COLUMN tables.human_at IS 'the latest act of a person; long after it the table falls asleep'",
    """
    COMMENT ON COLUMN tables.act_at IS
        'when the house acts: a computer moves, time is up, a pause ends, the table falls asleep, a lobby expires'
    """,
    "UPDATE tables SET human_at = now(), act_at = coalesce(act_at, now() + interval '30 days') "
    "WHERE state = 'playing'",
    "CREATE INDEX tables_clocks ON tables (turn_since) WHERE turn_since IS NOT NULL",
    """
    ALTER TABLE seats
        ADD COLUMN reserve_used interval NOT NULL DEFAULT '0',
        ADD COLUMN missed smallint NOT NULL DEFAULT 0,
        ADD COLUMN autopilot_since timestamptz,
        ADD COLUMN travelled_at timestamptz,
        ADD COLUMN offered boolean NOT NULL DEFAULT false,
        ADD CONSTRAINT seats_missed CHECK (missed >= 0),
        ADD CONSTRAINT seats_autopilot CHECK (autopilot_since IS NULL OR player_id IS NOT NULL),
        ADD CONSTRAINT seats_offered CHECK (NOT offered OR computer IS NOT NULL)
    """,
    "COMMENT ON COLUMN seats.reserve_used IS 'of this deal'",
    "COMMENT ON COLUMN seats.missed IS 'turns in a row that the house played because time was up'",
    "COMMENT ON COLUMN seats.offered IS 'a computer sits in until a substitute takes the seat'",
    """
    ALTER TABLE players
        ADD COLUMN zone text,
        ADD COLUMN quiet_start smallint,
        ADD COLUMN quiet_end smallint,
        ADD COLUMN reminders boolean NOT NULL DEFAULT true,
        ADD CONSTRAINT players_quiet CHECK (
            num_nonnulls(quiet_start, quiet_end) IN (0, 2)
            AND quiet_start BETWEEN 0 AND 23 AND quiet_end BETWEEN 0 AND 23
            AND (quiet_start IS NULL OR zone IS NOT NULL)
        )
    """,
    "COMMENT ON COLUMN players.zone IS 'IANA name; null until it is chosen with /settings'",
    """
    ALTER TABLE proposals
        ADD COLUMN args jsonb NOT NULL DEFAULT '{}',
        DROP CONSTRAINT proposals_kind,
        ADD CONSTRAINT proposals_kind CHECK (kind IN ('stop', 'pause', 'pace', 'replace'))
    """,
    """
    ALTER TABLE notices
        ADD COLUMN table_id bigint REFERENCES tables ON DELETE CASCADE,
        ADD COLUMN for_turn boolean NOT NULL DEFAULT false,
        ADD COLUMN message_id bigint,
        ADD CONSTRAINT notices_for_turn CHECK (NOT for_turn OR table_id IS NOT NULL)
    """,
    "COMMENT ON COLUMN notices.for_turn IS 'a reminder: void and removed when the turn is over'",
    "CREATE INDEX notices_of_turn ON notices (table_id) WHERE for_turn",
    "CREATE INDEX notices_in_chat_of_turn ON notices (chat_id) WHERE for_turn",
    """
    CREATE TABLE heartbeat (
        one boolean PRIMARY KEY DEFAULT true,
        at timestamptz NOT NULL,
        CONSTRAINT heartbeat_one CHECK (one)
    )
    """,
    "COMMENT ON TABLE heartbeat IS 'when the clock was last known to run; a gap is downtime'",
)

DOWN = (
    "DROP TABLE heartbeat",
    "DELETE FROM notices WHERE for_turn OR code NOT IN ('unreachable', 'reachable')",
    """
    ALTER TABLE notices
        DROP COLUMN table_id, DROP COLUMN for_turn, DROP COLUMN message_id
    """,
    "DELETE FROM proposals WHERE kind <> 'stop'",
    """
    ALTER TABLE proposals
        DROP COLUMN args,
        DROP CONSTRAINT proposals_kind,
        ADD CONSTRAINT proposals_kind CHECK (kind IN ('stop'))
    """,
    """
    ALTER TABLE players
        DROP COLUMN zone, DROP COLUMN quiet_start, DROP COLUMN quiet_end, DROP COLUMN reminders
    """,
    """
    ALTER TABLE seats
        DROP COLUMN reserve_used, DROP COLUMN missed, DROP COLUMN autopilot_since,
        DROP COLUMN travelled_at, DROP COLUMN offered
    """,
    # Without clocks nobody but a computer is waited for with one: its next look is soon, a person's is never.
    """
    UPDATE tables SET act_at = CASE
        WHEN turn_seat IS NOT NULL OR paused_at IS NOT NULL OR asleep_at IS NOT NULL
            OR act_at > now() + interval '1 day' THEN NULL
        ELSE act_at END
    WHERE state = 'playing'
    """,
    """
    ALTER TABLE tables
        DROP COLUMN pace, DROP COLUMN turn_seat, DROP COLUMN turn_since, DROP COLUMN turn_move,
        DROP COLUMN turn_reserve, DROP COLUMN paused_at, DROP COLUMN pause_until, DROP COLUMN asleep_at,
        DROP COLUMN human_at
    """,
    "COMMENT ON COLUMN tables.act_at IS 'when the house acts: a computer moves, a lobby expires'",
)


def upgrade() -> None:
    for statement in UP:
        op.execute(statement)


def downgrade() -> None:
    for statement in DOWN:
        op.execute(statement)
