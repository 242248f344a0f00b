"""Create categories."""

import sqlalchemy as sa
from alembic import op

from cms_host.api import Ascii, Id, Instant

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "categories",
        sa.Column("id", Id, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("folded_name", sa.Text(), nullable=False),
        sa.Column("slug", Ascii, nullable=False),
        sa.Column("description", sa.Text(), nullable=False),
        sa.Column("parent_id", Id),
        sa.Column("created_at", Instant(), nullable=False),
        sa.Column("updated_at", Instant(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_categories"),
        sa.UniqueConstraint("slug", name="uq_categories_slug"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_categories_parent", "categories", ["parent_id"])
    op.create_index("ix_categories_folded_name", "categories", ["folded_name"])
