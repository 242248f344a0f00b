"""Create media."""

import sqlalchemy as sa
from alembic import op

from cms_host.api import Ascii, Id, Instant

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "media",
        sa.Column("id", Id, nullable=False),
        sa.Column("path", Ascii, nullable=False),
        sa.Column("avif", Ascii, nullable=False),
        sa.Column("webp", Ascii, nullable=False),
        sa.Column("mime_type", Ascii, nullable=False),
        sa.Column("width", sa.Integer(), nullable=False),
        sa.Column("height", sa.Integer(), nullable=False),
        sa.Column("size", Id, nullable=False),
        sa.Column("sha256", Ascii, nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("alt", sa.Text(), nullable=False),
        sa.Column("searched", sa.Text(), nullable=False),
        sa.Column("author_id", Id, nullable=False),
        sa.Column("created_at", Instant(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_media"),
        sa.UniqueConstraint("path", name="uq_media_path"),
        sa.ForeignKeyConstraint(["author_id"], ["users.id"], name="fk_media_author_id"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_media_created", "media", ["created_at", "id"])
    op.create_index("ix_media_type", "media", ["mime_type", "created_at", "id"])
    op.create_index("ix_media_author", "media", ["author_id", "created_at", "id"])
    op.create_table(
        "media_files",
        sa.Column("path", Ascii, nullable=False),
        sa.Column("media_id", Id, nullable=False),
        sa.Column("mime_type", Ascii, nullable=False),
        sa.PrimaryKeyConstraint("path", name="pk_media_files"),
        sa.ForeignKeyConstraint(["media_id"], ["media.id"], name="fk_media_files_media_id", ondelete="CASCADE"),
    )
    op.create_index("ix_media_files_media_id", "media_files", ["media_id"])
