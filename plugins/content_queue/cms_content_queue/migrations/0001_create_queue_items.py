"""Create the content queue."""

import sqlalchemy as sa
from alembic import op

from cms_host.api import Ascii, Flag, Id, Instant, Json

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "queue_items",
        sa.Column("id", Id, nullable=False),
        sa.Column("status", Ascii, nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("format", Ascii, nullable=False),
        sa.Column("created_at", Instant(), nullable=False),
        sa.Column("digest", Ascii, nullable=False),
        sa.Column("author", sa.Text(), nullable=False),
        sa.Column("dated_at", Instant()),
        sa.Column("is_draft", Flag(), nullable=False),
        sa.Column("fields", Json(), nullable=False),
        sa.Column("unknown", Json(), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.Column("decided_at", Instant()),
        sa.Column("post_id", Id),
        sa.PrimaryKeyConstraint("id", name="pk_queue_items"),
        sa.UniqueConstraint("digest", name="uq_queue_items_digest"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_queue_items_status", "queue_items", ["status", "id"])
    op.create_index("ix_queue_items_source", "queue_items", ["source", "status"])
    decided = sa.column("decided_at").is_not(None)
    partial = {"sqlite_where": decided, "postgresql_where": decided}
    op.create_index("ix_queue_items_decided", "queue_items", ["decided_at"], **partial)
