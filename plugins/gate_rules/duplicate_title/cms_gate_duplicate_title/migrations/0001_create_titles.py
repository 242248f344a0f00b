"""Create the index of titles."""

import sqlalchemy as sa
from alembic import op

from cms_host.api import Id, Instant

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "gate_duplicate_titles",
        sa.Column("post_id", Id, autoincrement=False, nullable=False),
        sa.Column("due_at", Instant()),
        sa.Column("key", Id, nullable=False),
        sa.PrimaryKeyConstraint("post_id", name="pk_gate_duplicate_titles"),
    )
    op.create_index("ix_gate_duplicate_titles_key", "gate_duplicate_titles", ["key", "post_id"])
