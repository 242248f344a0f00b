"""Create registrations that wait for their confirmation."""

import sqlalchemy as sa
from alembic import op

from cms_host.api import Ascii, Id, Instant

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "member_registrations",
        sa.Column("id", Id, nullable=False),
        sa.Column("email", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("password_hash", sa.Text(), nullable=False),
        sa.Column("language", Ascii, nullable=False),
        sa.Column("created_at", Instant(), nullable=False),
        sa.Column("expires_at", Instant(), nullable=False),
        sa.Column("token_hash", Ascii),
        sa.Column("mail_due_at", Instant()),
        sa.Column("mail_tries", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_member_registrations"),
        sa.UniqueConstraint("email", name="uq_member_registrations_email"),
        sa.UniqueConstraint("token_hash", name="uq_member_registrations_token_hash"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_member_registrations_mail_due_at", "member_registrations", ["mail_due_at"])
    op.create_index("ix_member_registrations_expires_at", "member_registrations", ["expires_at"])
    op.create_table(
        "member_tries",
        sa.Column("key", Ascii, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("ends_at", Instant(), nullable=False),
        sa.PrimaryKeyConstraint("key", name="pk_member_tries"),
    )
    op.create_index("ix_member_tries_ends_at", "member_tries", ["ends_at"])
