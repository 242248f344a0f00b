"""Every statement about accounts."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import bindparam, func, select, update

from cms_host.api import Query, Reader, Role, Transaction, insert
from cms_users.tables import users


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
_FIND_NAMED = Query(_users.where(users.c.username == bindparam("username")), User)
_LIST = Query(_users.order_by(users.c.id), User, scans=True)
_PAGE = Query(_users.order_by(users.c.id).limit(bindparam("limit")).offset(bindparam("offset")), User, scans=True)
_COUNT = Query(select(func.count().label("total")).select_from(users), scans=True)
_ANY = Query(select(users.c.id).limit(1))
_OTHER_ADMIN = Query(
    select(users.c.id)
    .where(users.c.role == Role.ADMIN.label, users.c.active, users.c.id != bindparam("besides"))
    .limit(1),
    scans=True,
)
_ADD = Query(
    insert(users)
    .values({name: bindparam(name) for name in ("username", "name", "email", "role", "password_hash")})
    .values(active=True, email_verified=False, created_at=bindparam("now"), updated_at=bindparam("now"))
    .on_conflict_do_nothing()
    .returning(users.c.id)
)
#: By the name of the one column that changes.
_SET = {
    name: Query(
        update(users)
        .where(users.c.id == bindparam("user_id"))
        .values({name: bindparam("value"), "updated_at": bindparam("now")})
    )
    for name in ("role", "active", "password_hash")
}


async def find(db: Reader, user_id: int) -> User | None:
    return await db.first(_FIND, id=user_id)


async def find_named(db: Reader, username: str) -> User | None:
    return await db.first(_FIND_NAMED, username=username)


async def all_users(db: Reader) -> Sequence[User]:
    """Every account, oldest first."""
    return await db.all(_LIST)


async def page(db: Reader, limit: int, offset: int) -> Sequence[User]:
    """Some of them, oldest first."""
    return await db.all(_PAGE, limit=limit, offset=offset)


async def count(db: Reader) -> int:
    total: int = await db.value(_COUNT)
    return total


async def any_user(db: Reader) -> bool:
    """Whether there is any account."""
    return await db.first(_ANY) is not None


async def another_admin(db: Reader, besides: int) -> bool:
    """Whether somebody else is an active administrator."""
    return await db.first(_OTHER_ADMIN, besides=besides) is not None


async def add(
    tx: Transaction, username: str, email: str, role: Role, name: str, password_hash: str | None, now: int
) -> int | None:
    """Store an account; gives its id, or None where the name or the address is taken."""
    user_id: int | None = await tx.value(
        _ADD, username=username, email=email, role=role.label, name=name, password_hash=password_hash, now=now
    )
    return user_id


async def change(tx: Transaction, user_id: int, column: str, value: Any, now: int) -> None:
    """Give `role`, `active` or `password_hash` a new value."""
    await tx.execute(_SET[column], user_id=user_id, value=value, now=now)
