"""Create the table of webhook entries."""

import sqlalchemy as sa
from alembic import op

from cms_host.api import Id, Instant, Json

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "webhook_entries",
        sa.Column("id", Id, nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("secret", sa.Text(), nullable=False),
        sa.Column("events", Json(), nullable=False),
        sa.Column("allow_private", sa.Boolean(), nullable=False),
        sa.Column("created_at", Instant(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_webhook_entries"),
        sqlite_autoincrement=True,
    )
