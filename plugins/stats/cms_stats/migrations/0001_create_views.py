"""Create the numbers of views."""

import sqlalchemy as sa
from alembic import op

from cms_host.api import Ascii, Id, Instant

revision = "0001"
down_revision = None


def upgrade() -> None:
    for table, slot in (("view_days", "day"), ("view_hours", "hour")):
        op.create_table(
            table,
            sa.Column(slot, sa.Integer(), nullable=False),
            sa.Column("post_id", Id, nullable=False),
            sa.Column("n", Id, nullable=False),
            sa.PrimaryKeyConstraint(slot, "post_id", name=f"pk_{table}"),
            sqlite_with_rowid=False,
        )
    op.create_table(
        "view_totals",
        sa.Column("day", sa.Integer(), nullable=False, autoincrement=False),
        sa.Column("n", Id, nullable=False),
        sa.PrimaryKeyConstraint("day", name="pk_view_totals"),
    )
    op.create_table(
        "view_batches",
        sa.Column("token", Ascii, nullable=False),
        sa.Column("written_at", Instant(), nullable=False),
        sa.PrimaryKeyConstraint("token", name="pk_view_batches"),
    )
    op.create_index("ix_view_batches_written_at", "view_batches", ["written_at"])
