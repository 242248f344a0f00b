"""Create tags."""

import sqlalchemy as sa
from alembic import op

from cms_host.api import Ascii, Id, Instant

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "tags",
        sa.Column("id", Id, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("folded_name", sa.Text(), nullable=False),
        sa.Column("slug", Ascii, nullable=False),
        sa.Column("created_at", Instant(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_tags"),
        sa.UniqueConstraint("folded_name", name="uq_tags_folded_name"),
        sa.UniqueConstraint("slug", name="uq_tags_slug"),
        sqlite_autoincrement=True,
    )
