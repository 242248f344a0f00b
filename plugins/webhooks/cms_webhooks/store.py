"""The account that signed calls act as."""

from typing import NamedTuple

from sqlalchemy import bindparam, select

from cms_host.api import Query, Reader, Role, settings_version
from cms_users.api import accounts


class Account(NamedTuple):
    """An account, and the version of the settings, as of one moment."""

    id: int
    username: str
    name: str
    role: Role
    active: bool
    settings_version: int


_FIND = Query(
    select(*(accounts.c[name] for name in Account._fields[:-1]), settings_version.label("settings_version")).where(
        accounts.c.username == bindparam("username")
    ),
)


async def find_account(db: Reader, username: str) -> Account | None:
    """The account with this very username, be it active or not."""
    # What is not ASCII is no username, and PostgreSQL does not even take some of it.
    found = await db.first(_FIND, username=username) if username.isascii() and username.isprintable() else None
    if found is None:
        return None
    user_id, name, shown, role, active, version = found
    return Account(user_id, name, shown, Role.named(role), bool(active), version)
