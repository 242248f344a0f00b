"""Create the index of titles."""

import sqlalchemy as sa
from alembic import op

from cms_host.api import Id, Instant

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "gate_similar_titles",
        sa.Column("post_id", Id, autoincrement=False, nullable=False),
        sa.Column("due_at", Instant()),
        sa.Column("signature", sa.LargeBinary(), nullable=False),
        sa.Column("folded_title", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("post_id", name="pk_gate_similar_titles"),
    )
    op.create_table(
        "gate_similar_title_bands",
        sa.Column("key", Id, autoincrement=False, nullable=False),
        sa.Column("post_id", Id, autoincrement=False, nullable=False),
        sa.PrimaryKeyConstraint("key", "post_id", name="pk_gate_similar_title_bands"),
        sqlite_with_rowid=False,
    )
