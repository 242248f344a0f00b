"""Create comments, which go with their post when it is deleted for good."""

import sqlalchemy as sa
from alembic import op

from cms_host.api import Id, Instant

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "comments",
        sa.Column("id", Id, nullable=False),
        sa.Column("post_id", Id, nullable=False),
        sa.Column("parent_id", Id),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("author_name", sa.Text(), nullable=False),
        sa.Column("author_email", sa.Text(), nullable=False),
        sa.Column("author_ip", sa.Text(), nullable=False),
        sa.Column("created_at", Instant(), nullable=False),
        sa.Column("discarded_at", Instant()),
        sa.Column("content", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_comments"),
        sa.ForeignKeyConstraint(["post_id"], ["posts.id"], name="fk_comments_post_id", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["parent_id"], ["comments.id"], name="fk_comments_parent_id"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_comments_created", "comments", ["created_at", "id", "status", "post_id"])
    op.create_index("ix_comments_status", "comments", ["status", "created_at", "id", "post_id"])
    op.create_index("ix_comments_post", "comments", ["post_id", "created_at", "id", "status"])
    for name, columns in (("parent", ["parent_id"]), ("discarded", ["discarded_at", "id"])):
        known = sa.column(columns[0]).is_not(None)
        partial = {"sqlite_where": known, "postgresql_where": known}
        op.create_index(f"ix_comments_{name}", "comments", columns, **partial)
