"""Create the index of contents."""

import sqlalchemy as sa
from alembic import op

from cms_host.api import Id, Instant

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "gate_similar_contents",
        sa.Column("post_id", Id, autoincrement=False, nullable=False),
        sa.Column("due_at", Instant()),
        sa.Column("signature", sa.LargeBinary(), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("post_id", name="pk_gate_similar_contents"),
    )
    op.create_table(
        "gate_similar_content_bands",
        sa.Column("key", Id, autoincrement=False, nullable=False),
        sa.Column("post_id", Id, autoincrement=False, nullable=False),
        sa.PrimaryKeyConstraint("key", "post_id", name="pk_gate_similar_content_bands"),
        sqlite_with_rowid=False,
    )
