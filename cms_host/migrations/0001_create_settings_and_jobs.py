"""Create the host's own tables: settings with their version, jobs, answers kept for idempotency keys, the outbox."""

import sqlalchemy as sa
from alembic import op

from cms_host.db import Ascii, Id, Instant, Json

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "settings",
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("value", Json(), nullable=False),
        sa.Column("updated_at", Instant(), nullable=False),
        sa.PrimaryKeyConstraint("key", name="pk_settings"),
    )
    version = op.create_table(
        "settings_version",
        sa.Column("id", Id, autoincrement=False, nullable=False),
        sa.Column("version", Id, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_settings_version"),
    )
    op.bulk_insert(version, [{"id": 1, "version": 0}])
    op.create_table(
        "jobs",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("due_at", Instant(), nullable=False),
        sa.Column("lease_until", Instant(), nullable=False),
        sa.Column("lease_token", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_jobs"),
    )
    op.create_table(
        "idempotency_keys",
        sa.Column("scope", Ascii, nullable=False),
        sa.Column("fingerprint", Ascii, nullable=False),
        sa.Column("status", sa.Integer(), nullable=False),
        sa.Column("answer", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", Instant(), nullable=False),
        sa.PrimaryKeyConstraint("scope", name="pk_idempotency_keys"),
    )
    op.create_index("ix_idempotency_keys_created_at", "idempotency_keys", ["created_at"])
    _create_events()
    _create_lanes()


def _create_events() -> None:
    op.create_table(
        "events",
        sa.Column("number", Id, nullable=False),
        sa.Column("id", Ascii, nullable=False),
        sa.Column("kind", Ascii, nullable=False),
        sa.Column("created_at", Instant(), nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        sa.Column("routed", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("number", name="pk_events"),
        sa.UniqueConstraint("id", name="uq_events_id"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_events_created_at", "events", ["created_at"])
    is_new = ~sa.column("routed", sa.Boolean())
    op.create_index("ix_events_new", "events", ["number"], sqlite_where=is_new, postgresql_where=is_new)
    _create_deliveries()


def _create_deliveries() -> None:
    op.create_table(
        "event_deliveries",
        sa.Column("number", Id, nullable=False),
        sa.Column("id", Ascii, nullable=False),
        sa.Column("event_id", Ascii, nullable=False),
        sa.Column("sink", Ascii, nullable=False),
        sa.Column("target", sa.Text(), nullable=False),
        sa.Column("status", Ascii, nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("due_at", Instant(), nullable=False),
        sa.Column("created_at", Instant(), nullable=False),
        sa.PrimaryKeyConstraint("number", name="pk_event_deliveries"),
        sa.UniqueConstraint("id", name="uq_event_deliveries_id"),
        sqlite_autoincrement=True,
    )
    pending = sa.column("status") == sa.literal_column("'pending'")
    op.create_index(
        "ix_event_deliveries_pending",
        "event_deliveries",
        ["sink", "target", "due_at", "number"],
        sqlite_where=pending,
        postgresql_where=pending,
    )
    op.create_index("ix_event_deliveries_event", "event_deliveries", ["event_id"])
    op.create_index("ix_event_deliveries_created_at", "event_deliveries", ["created_at"])


def _create_lanes() -> None:
    lanes = op.create_table(
        "event_lanes",
        sa.Column("sink", Ascii, nullable=False),
        sa.Column("target", sa.Text(), nullable=False),
        sa.Column("token", Ascii, nullable=False),
        sa.Column("until", Instant(), nullable=False),
        sa.Column("paused_at", Instant()),
        sa.Column("paused_why", sa.Text(), nullable=False),
        sa.Column("failing_since", Instant()),
        sa.PrimaryKeyConstraint("sink", "target", name="pk_event_lanes"),
    )
    op.bulk_insert(lanes, [{"sink": "", "target": "", "token": "", "until": 0, "paused_why": ""}])
    op.create_table(
        "event_attempts",
        sa.Column("number", Id, nullable=False),
        sa.Column("delivery", Id, nullable=False),
        sa.Column("at", Instant(), nullable=False),
        sa.Column("ok", sa.Boolean(), nullable=False),
        sa.Column("milliseconds", sa.Integer(), nullable=False),
        sa.Column("record", Json(), nullable=False),
        sa.PrimaryKeyConstraint("number", name="pk_event_attempts"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_event_attempts_delivery", "event_attempts", ["delivery", "number"])
    op.create_index("ix_event_attempts_at", "event_attempts", ["at"])
