"""Every statement about accounts."""

from collections.abc import Collection, Sequence
from itertools import combinations
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Select, bindparam, delete, func, or_, select, update

from cms_host.api import Id, Paging, Query, Reader, Role, Transaction, containing, fold, insert, one_of
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

    @property
    def administrates(self) -> bool:
        """Whether this is an active administrator."""
        return self.active and self.role == Role.ADMIN.label


class Filter(NamedTuple):
    """Which accounts a list holds; what is None or empty leaves all."""

    roles: Collection[str] = ()
    active: bool | None = None
    #: A folded text that the username, the name or the address has somewhere.
    search: str = ""

    def values(self) -> dict[str, Any]:
        """Values of the statements' parameters, by the names of the filters that are set."""
        found: dict[str, Any] = {"roles": self.roles} if self.roles else {}
        if self.active is not None:
            found["active"] = self.active
        return {**found, "search": containing(self.search)} if self.search else found


#: What clients may change, besides the password.
CHANGEABLE = ("username", "name", "email", "role", "active", "email_verified")
_users = select(*[users.c[name] for name in User._fields])
_FIND = Query(_users.where(users.c.id == bindparam("id")), User)
#: FOR UPDATE, which keeps whoever would refer to the account waiting.
_HOLD = Query(_users.where(users.c.id == bindparam("id")).with_for_update(), User)
_FIND_NAMED = Query(_users.where(users.c.username == bindparam("username")), User)
_FIND_ADDRESSED = Query(_users.where(users.c.email == bindparam("email")), User)
_ADMINS = Query(
    _users.where(users.c.role == Role.ADMIN.label, users.c.active)
    .order_by(users.c.id)
    .limit(bindparam("most", type_=Id)),
    User,
    scans=True,
)
_LIST = Query(_users.order_by(users.c.id), User, scans=True)
_DIALECTS = ("sqlite", "postgresql")
_SETS = [frozenset(chosen) for number in range(4) for chosen in combinations(("roles", "active", "search"), number)]


def _filtered(statement: Select[Any], filters: Collection[str], dialect: str) -> Select[Any]:
    conditions: dict[str, ColumnElement[bool]] = {
        "roles": one_of(users.c.role, "roles")[dialect],
        "active": users.c.active == bindparam("active"),
        "search": users.c.searched.like(bindparam("search"), escape="\\"),
    }
    return statement.where(*(conditions[name] for name in sorted(filters)))


_page = _users.order_by(users.c.id).limit(bindparam("limit", type_=Id)).offset(bindparam("offset", type_=Id))
_count = select(func.count().label("total")).select_from(users)
_PAGE = {each: Query({d: _filtered(_page, each, d) for d in _DIALECTS}, User, scans=True) for each in _SETS}
_COUNT = {each: Query({d: _filtered(_count, each, d) for d in _DIALECTS}, scans=True) for each in _SETS}
_ANY = Query(select(users.c.id).limit(1))
_OTHER_ADMIN = Query(
    select(users.c.id)
    .where(users.c.role == Role.ADMIN.label, users.c.active, users.c.id != bindparam("besides"))
    .limit(1),
    scans=True,
)
_TAKEN = Query(
    select(users.c.id).where(
        or_(users.c.username == bindparam("username"), users.c.email == bindparam("email")),
        users.c.id != bindparam("besides"),
    )
)
_ADD = Query(
    insert(users)
    .values({name: bindparam(name) for name in (*CHANGEABLE, "searched", "password_hash", "created_at")})
    .values(updated_at=bindparam("created_at"))
    .on_conflict_do_nothing()
    .returning(users.c.id)
)
_SAVE = Query(
    update(users)
    .where(users.c.id == bindparam("user_id"))
    .values({name: bindparam(f"new_{name}") for name in (*CHANGEABLE, "searched", "updated_at")})
)
_SET_PASSWORD = Query(
    update(users)
    .where(users.c.id == bindparam("user_id"))
    .values(password_hash=bindparam("new_hash"), updated_at=bindparam("now"))
)
_REMOVE = Query(delete(users).where(users.c.id == bindparam("id")))


async def find(db: Reader, user_id: int) -> User | None:
    return await db.first(_FIND, id=user_id)


async def hold(tx: Transaction, user_id: int) -> User | None:
    """The account, which nobody can change or refer to anew until the transaction ends."""
    return await tx.first(_HOLD, id=user_id)


async def find_named(db: Reader, username: str) -> User | None:
    return await db.first(_FIND_NAMED, username=username)


async def find_addressed(db: Reader, email: str) -> User | None:
    """The account with this e-mail address, given as it is kept."""
    return await db.first(_FIND_ADDRESSED, email=email)


async def some_admins(db: Reader, most: int) -> list[User]:
    """Active administrators, the oldest first, but no more than so many."""
    return await db.all(_ADMINS, most=most)


async def all_users(db: Reader) -> Sequence[User]:
    """Every account, oldest first."""
    return await db.all(_LIST)


async def page(db: Reader, wanted: Filter, paging: Paging) -> tuple[Sequence[User], int]:
    """Some of those that are wanted, oldest first, and how many they are."""
    values = wanted.values()
    which = frozenset(values)
    return await paging.find(db, _COUNT[which], _PAGE[which], **values)


async def count(db: Reader) -> int:
    """How many there are."""
    total: int = await db.value(_COUNT[frozenset()])
    return total


async def any_user(db: Reader) -> bool:
    """Whether there is any account."""
    return await db.first(_ANY) is not None


async def another_admin(db: Reader, besides: int) -> bool:
    """Whether somebody else is an active administrator."""
    return await db.first(_OTHER_ADMIN, besides=besides) is not None


async def is_taken(db: Reader, user: User) -> bool:
    """Whether another account has the username or the address."""
    return await db.first(_TAKEN, username=user.username, email=user.email, besides=user.id) is not None


async def add(tx: Transaction, user: User, password_hash: str | None) -> int | None:
    """Store an account under a new id, which is given; None where the name or the address is taken."""
    user_id: int | None = await tx.value(_ADD, **user._asdict(), searched=_searched(user), password_hash=password_hash)
    return user_id


async def save(tx: Transaction, user: User, now: int) -> None:
    """Store what an account has become, when neither its name nor its address is taken."""
    values = {f"new_{name}": getattr(user, name) for name in CHANGEABLE}
    await tx.execute(_SAVE, user_id=user.id, **values, new_searched=_searched(user), new_updated_at=now)


async def set_password(tx: Transaction, user_id: int, password_hash: str | None, now: int) -> None:
    await tx.execute(_SET_PASSWORD, user_id=user_id, new_hash=password_hash, now=now)


async def remove(tx: Transaction, user_id: int) -> None:
    await tx.execute(_REMOVE, id=user_id)


def _searched(user: User) -> str:
    return "\n".join(fold(each) for each in (user.username, user.name, user.email))
