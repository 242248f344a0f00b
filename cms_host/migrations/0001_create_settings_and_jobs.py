"""Create the host's own tables: settings with their version, jobs, and the answers kept for idempotency keys."""

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
