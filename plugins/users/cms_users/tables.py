"""The tables of accounts and keys."""

from sqlalchemy import Column, Index, Table, Text

from cms_host.api import Ascii, Flag, Id, Instant, new_metadata

metadata = new_metadata()

users = Table(
    "users",
    metadata,
    Column("id", Id, primary_key=True),
    Column("username", Ascii, nullable=False, unique=True),
    Column("name", Text, nullable=False),
    Column("email", Text, nullable=False, unique=True),
    Column("role", Ascii, nullable=False),
    Column("active", Flag, nullable=False),
    Column("email_verified", Flag, nullable=False),
    #: What `search` looks through: username, name and address, each folded, on a line of its own.
    Column("searched", Text, nullable=False),
    #: Argon2id; None for an account that has keys and no panel.
    Column("password_hash", Text),
    Column("created_at", Instant, nullable=False),
    Column("updated_at", Instant, nullable=False),
    Column("last_login_at", Instant),
    sqlite_autoincrement=True,
)
#: Posts are listed by their author's name.
Index("ix_users_name", users.c.name)

api_keys = Table(
    "api_keys",
    metadata,
    Column("id", Id, primary_key=True),
    Column("user_id", Id, nullable=False),
    Column("name", Text, nullable=False),
    #: SHA-256 in hex: all that is kept of the secret, besides the mask.
    Column("key_hash", Ascii, nullable=False, unique=True),
    Column("mask", Ascii, nullable=False),
    Column("active", Flag, nullable=False),
    Column("expires_at", Instant),
    Column("created_at", Instant, nullable=False),
    Column("last_used_at", Instant),
    Column("revoked_at", Instant),
    sqlite_autoincrement=True,
)
Index("ix_api_keys_user", api_keys.c.user_id)
