"""Who asked for an account and has not confirmed yet, and how often somebody tried."""

from sqlalchemy import Column, Index, Integer, Table, Text

from cms_host.api import Ascii, Id, Instant, new_metadata

metadata = new_metadata()

#: One row for an address. It is the mail that is to be sent, too: that one is only written when it goes out.
registrations = Table(
    "member_registrations",
    metadata,
    Column("id", Id, primary_key=True),
    Column("email", Text, nullable=False, unique=True),
    Column("name", Text, nullable=False),
    Column("password_hash", Text, nullable=False),
    #: Of the mail: `tr` or `en`.
    Column("language", Ascii, nullable=False),
    Column("created_at", Instant, nullable=False),
    #: Until when the link is good.
    Column("expires_at", Instant, nullable=False),
    #: SHA-256 in hex of what the link carries, which is kept nowhere; None before the first try to send it.
    Column("token_hash", Ascii, unique=True),
    #: When the mail is to be tried next; None once it is out.
    Column("mail_due_at", Instant),
    Column("mail_tries", Integer, nullable=False),
    sqlite_autoincrement=True,
)
is_unsent = registrations.c.mail_due_at.is_not(None)
Index("ix_member_registrations_mail_due_at", registrations.c.mail_due_at)
Index("ix_member_registrations_expires_at", registrations.c.expires_at)

tries = Table(
    "member_tries",
    metadata,
    #: A client's address, or the hash of an e-mail address, each behind a word that says which.
    Column("key", Ascii, primary_key=True),
    Column("number", Integer, nullable=False),
    #: When counting begins anew.
    Column("ends_at", Instant, nullable=False),
)
Index("ix_member_tries_ends_at", tries.c.ends_at)
