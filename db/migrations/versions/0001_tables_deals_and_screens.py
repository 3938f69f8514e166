"""Tables, series, deals and moves; the screens and notices that show them.

Revision ID: 0001
"""

from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

STATEMENTS = (
    """
    CREATE TABLE players (
        id bigint PRIMARY KEY,
        name text NOT NULL,
        username text,
        language text,
        telegram_language text,
        reachable boolean NOT NULL DEFAULT false,
        seen_at timestamptz NOT NULL
    )
    """,
    "COMMENT ON COLUMN players.id IS 'Telegram user id'",
    "COMMENT ON COLUMN players.language IS 'chosen with /language; null follows telegram_language'",
    "COMMENT ON COLUMN players.reachable IS 'pressed Start and has not blocked the bot since'",
    """
    CREATE TABLE chats (
        id bigint PRIMARY KEY,
        kind text NOT NULL,
        title text NOT NULL,
        language text,
        writable boolean NOT NULL DEFAULT true,
        CONSTRAINT chats_kind CHECK (kind IN ('private', 'group', 'supergroup'))
    )
    """,
    "COMMENT ON COLUMN chats.writable IS 'false while the bot is out of the group or may not write there'",
    """
    CREATE TABLE tables (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        chat_id bigint NOT NULL REFERENCES chats ON UPDATE CASCADE,
        thread_id bigint,
        state text NOT NULL,
        closed_because text,
        opened_by bigint REFERENCES players,
        opened_at timestamptz NOT NULL,
        rules jsonb NOT NULL,
        version bigint NOT NULL DEFAULT 1,
        act_at timestamptz,
        CONSTRAINT tables_state CHECK (state IN ('lobby', 'playing', 'between', 'closed')),
        CONSTRAINT tables_closed_because CHECK (
            (state = 'closed') = (closed_because IS NOT NULL)
            AND closed_because IN ('cancelled', 'expired', 'stopped', 'replaced')
        ),
        CONSTRAINT tables_closed_has_no_clock CHECK (state <> 'closed' OR act_at IS NULL),
        CONSTRAINT tables_rules CHECK (jsonb_typeof(rules) = 'object')
    )
    """,
    "COMMENT ON COLUMN tables.state IS 'between: a series is over and another may follow'",
    "COMMENT ON COLUMN tables.act_at IS 'when the house acts: a computer moves, a lobby expires'",
    """
    CREATE UNIQUE INDEX tables_one_per_place ON tables (chat_id, coalesce(thread_id, 0))
    WHERE state <> 'closed'
    """,
    "CREATE INDEX tables_due ON tables (act_at) WHERE act_at IS NOT NULL",
    """
    CREATE TABLE seats (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        table_id bigint NOT NULL REFERENCES tables ON DELETE CASCADE,
        seat smallint NOT NULL,
        player_id bigint REFERENCES players,
        computer text,
        since timestamptz NOT NULL,
        until timestamptz,
        CONSTRAINT seats_number CHECK (seat BETWEEN 0 AND 3),
        CONSTRAINT seats_person_or_computer CHECK ((player_id IS NULL) <> (computer IS NULL)),
        CONSTRAINT seats_tenure CHECK (until >= since)
    )
    """,
    "COMMENT ON TABLE seats IS 'one row a tenure: who held a seat, from when, until when'",
    "CREATE UNIQUE INDEX seats_one_holder ON seats (table_id, seat) WHERE until IS NULL",
    "CREATE UNIQUE INDEX seats_one_seat_each ON seats (table_id, player_id) WHERE until IS NULL",
    "CREATE INDEX seats_of_player ON seats (player_id) WHERE until IS NULL",
    """
    CREATE TABLE series (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        table_id bigint NOT NULL REFERENCES tables ON DELETE CASCADE,
        number integer NOT NULL,
        rules jsonb NOT NULL,
        loss_0 smallint NOT NULL DEFAULT 0,
        loss_1 smallint NOT NULL DEFAULT 0,
        balls smallint NOT NULL DEFAULT 0,
        doubled boolean NOT NULL DEFAULT false,
        deals integer NOT NULL DEFAULT 0,
        dealer smallint NOT NULL,
        leader smallint NOT NULL,
        started_at timestamptz NOT NULL,
        ended_at timestamptz,
        outcome text,
        CONSTRAINT series_number UNIQUE (table_id, number),
        CONSTRAINT series_loss CHECK (loss_0 >= 0 AND loss_1 >= 0 AND balls >= 0 AND deals >= 0),
        CONSTRAINT series_seats CHECK (dealer BETWEEN 0 AND 3 AND leader BETWEEN 0 AND 3),
        CONSTRAINT series_outcome CHECK (outcome IN ('goats', 'stopped')),
        CONSTRAINT series_ended CHECK ((ended_at IS NULL) = (outcome IS NULL))
    )
    """,
    "COMMENT ON COLUMN series.dealer IS 'dealer of the deal in play, or of the next one between deals'",
    "CREATE UNIQUE INDEX series_one_running ON series (table_id) WHERE ended_at IS NULL",
    """
    CREATE TABLE deals (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        series_id bigint NOT NULL REFERENCES series ON DELETE CASCADE,
        number integer NOT NULL,
        deck text NOT NULL,
        indicator smallint NOT NULL,
        dealer smallint NOT NULL,
        leader smallint NOT NULL,
        started_at timestamptz NOT NULL,
        ended_at timestamptz,
        points_0 smallint,
        points_1 smallint,
        tricks_0 smallint,
        tricks_1 smallint,
        loss_0 smallint,
        loss_1 smallint,
        CONSTRAINT deals_number UNIQUE (series_id, number),
        CONSTRAINT deals_indicator CHECK (indicator BETWEEN 0 AND 19),
        CONSTRAINT deals_seats CHECK (dealer BETWEEN 0 AND 3 AND leader BETWEEN 0 AND 3),
        CONSTRAINT deals_result CHECK (
            (ended_at IS NULL AND num_nonnulls(points_0, points_1, tricks_0, tricks_1, loss_0, loss_1) = 0)
            OR (ended_at IS NOT NULL AND points_0 + points_1 = 120
                AND num_nonnulls(tricks_0, tricks_1, loss_0, loss_1) = 4)
        )
    )
    """,
    "CREATE UNIQUE INDEX deals_one_in_play ON deals (series_id) WHERE ended_at IS NULL",
    """
    CREATE TABLE moves (
        deal_id bigint NOT NULL REFERENCES deals ON DELETE CASCADE,
        ply smallint NOT NULL,
        seat smallint NOT NULL,
        move text NOT NULL,
        made_by text NOT NULL,
        player_id bigint REFERENCES players,
        at timestamptz NOT NULL,
        PRIMARY KEY (deal_id, ply),
        CONSTRAINT moves_seat CHECK (seat BETWEEN 0 AND 3),
        CONSTRAINT moves_made_by CHECK (made_by IN ('person', 'computer', 'clock')),
        CONSTRAINT moves_person CHECK ((made_by = 'person') = (player_id IS NOT NULL))
    )
    """,
    """
    CREATE TABLE proposals (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        table_id bigint NOT NULL REFERENCES tables ON DELETE CASCADE,
        kind text NOT NULL,
        proposed_by bigint NOT NULL REFERENCES players,
        agreed smallint[] NOT NULL,
        opened_at timestamptz NOT NULL,
        settled_at timestamptz,
        accepted boolean,
        CONSTRAINT proposals_kind CHECK (kind IN ('stop')),
        CONSTRAINT proposals_settled CHECK ((settled_at IS NULL) = (accepted IS NULL))
    )
    """,
    "CREATE UNIQUE INDEX proposals_one_open ON proposals (table_id, kind) WHERE settled_at IS NULL",
    """
    CREATE TABLE screens (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        table_id bigint NOT NULL REFERENCES tables ON DELETE CASCADE,
        kind text NOT NULL,
        chat_id bigint NOT NULL,
        thread_id bigint,
        player_id bigint REFERENCES players,
        deal_id bigint REFERENCES deals ON DELETE CASCADE,
        series_id bigint REFERENCES series ON DELETE CASCADE,
        proposal_id bigint REFERENCES proposals ON DELETE CASCADE,
        message_id bigint,
        sent_at timestamptz,
        wanted bigint NOT NULL DEFAULT 1,
        shown bigint NOT NULL DEFAULT 0,
        digest text,
        ring bigint NOT NULL DEFAULT 1,
        final boolean NOT NULL DEFAULT false,
        priority smallint NOT NULL DEFAULT 1,
        paint_at timestamptz NOT NULL,
        failures smallint NOT NULL DEFAULT 0,
        CONSTRAINT screens_kind CHECK (kind IN ('lobby', 'table', 'hand', 'series', 'proposal')),
        CONSTRAINT screens_hand CHECK ((kind = 'hand') = (player_id IS NOT NULL))
    )
    """,
    "COMMENT ON COLUMN screens.wanted IS 'counts the changes; the screen is out of date while it is above shown'",
    "COMMENT ON COLUMN screens.ring IS 'above shown: send a new message and remove the old one (a phone rings)'",
    "COMMENT ON COLUMN screens.final IS 'painted once more and then left alone'",
    "COMMENT ON COLUMN screens.digest IS 'of what the message shows now; an equal rendering is not sent again'",
    """
    CREATE UNIQUE INDEX screens_one_each ON screens
        (table_id, kind, coalesce(player_id, 0), coalesce(deal_id, 0), coalesce(series_id, 0),
         coalesce(proposal_id, 0))
    """,
    "CREATE INDEX screens_stale ON screens (paint_at) WHERE wanted > shown",
    "CREATE INDEX screens_in_chat ON screens (chat_id)",
    """
    CREATE TABLE notices (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        chat_id bigint NOT NULL,
        thread_id bigint,
        code text NOT NULL,
        args jsonb NOT NULL DEFAULT '{}',
        created_at timestamptz NOT NULL,
        send_at timestamptz NOT NULL,
        sent_at timestamptz,
        failures smallint NOT NULL DEFAULT 0
    )
    """,
    "CREATE INDEX notices_unsent ON notices (send_at) WHERE sent_at IS NULL",
    """
    CREATE TABLE seen_updates (
        update_id bigint PRIMARY KEY,
        seen_at timestamptz NOT NULL
    )
    """,
    "CREATE INDEX seen_updates_by_age ON seen_updates (seen_at)",
)

TABLES = (
    "seen_updates",
    "notices",
    "screens",
    "proposals",
    "moves",
    "deals",
    "series",
    "seats",
    "tables",
    "chats",
    "players",
)


def upgrade() -> None:
    for statement in STATEMENTS:
        op.execute(statement)


def downgrade() -> None:
    for table in TABLES:
        op.execute(f"DROP TABLE {table}")
