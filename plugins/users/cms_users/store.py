"""Every statement about accounts and keys, but the authenticator's one."""

from typing import NamedTuple

from sqlalchemy import bindparam, select

from cms_host.api import Query, Reader, Role, Transaction, insert
from cms_users.tables import api_keys, users


class User(NamedTuple):
    """An account. Moments are microseconds since the epoch."""

    id: int
    username: str
    name: str
    email: str
    role: str
    active: bool
    email_verified: bool
    created_at: int
    last_login_at: int | None


_users = select(*[users.c[name] for name in User._fields])
_FIND = Query(_users.where(users.c.id == bindparam("id")), User)
_ANY = Query(select(users.c.id).limit(1))
_ADD = Query(
    insert(users)
    .values({name: bindparam(name) for name in ("username", "name", "email", "role", "password_hash")})
    .values(active=True, email_verified=False, created_at=bindparam("now"), updated_at=bindparam("now"))
    .on_conflict_do_nothing()
    .returning(users.c.id)
)
_ADD_KEY = Query(
    insert(api_keys)
    .values({name: bindparam(name) for name in ("user_id", "name", "key_hash", "mask", "expires_at")})
    .values(active=True, created_at=bindparam("now"))
)


async def find_user(db: Reader, user_id: int) -> User | None:
    return await db.first(_FIND, id=user_id)


async def any_user(db: Reader) -> bool:
    """Whether there is any account."""
    return await db.first(_ANY) is not None


async def add_user(
    tx: Transaction, username: str, email: str, role: Role, name: str, password_hash: str | None, now: int
) -> int | None:
    """Store an account; gives its id, or None where the name or the address is taken."""
    user_id: int | None = await tx.value(
        _ADD, username=username, email=email, role=role.label, name=name, password_hash=password_hash, now=now
    )
    return user_id


async def add_key(
    tx: Transaction, user_id: int, name: str, key_hash: str, mask: str, expires_at: int | None, now: int
) -> None:
    await tx.execute(_ADD_KEY, user_id=user_id, name=name, key_hash=key_hash, mask=mask, expires_at=expires_at, now=now)
