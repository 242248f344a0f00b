"""Create accounts and API keys."""

import sqlalchemy as sa
from alembic import op

from cms_host.api import Ascii, Flag, Id, Instant

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "users",
        sa.Column("id", Id, nullable=False),
        sa.Column("username", Ascii, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("email", sa.Text(), nullable=False),
        sa.Column("role", Ascii, nullable=False),
        sa.Column("active", Flag(), nullable=False),
        sa.Column("email_verified", Flag(), nullable=False),
        sa.Column("searched", sa.Text(), nullable=False),
        sa.Column("password_hash", sa.Text()),
        sa.Column("created_at", Instant(), nullable=False),
        sa.Column("updated_at", Instant(), nullable=False),
        sa.Column("last_login_at", Instant()),
        sa.PrimaryKeyConstraint("id", name="pk_users"),
        sa.UniqueConstraint("username", name="uq_users_username"),
        sa.UniqueConstraint("email", name="uq_users_email"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_users_name", "users", ["name"])
    op.create_table(
        "api_keys",
        sa.Column("id", Id, nullable=False),
        sa.Column("user_id", Id, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("key_hash", Ascii, nullable=False),
        sa.Column("mask", Ascii, nullable=False),
        sa.Column("active", Flag(), nullable=False),
        sa.Column("expires_at", Instant()),
        sa.Column("created_at", Instant(), nullable=False),
        sa.Column("last_used_at", Instant()),
        sa.Column("revoked_at", Instant()),
        sa.PrimaryKeyConstraint("id", name="pk_api_keys"),
        sa.UniqueConstraint("key_hash", name="uq_api_keys_key_hash"),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_api_keys_user_id", ondelete="CASCADE"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_api_keys_user", "api_keys", ["user_id"])
