"""Every statement about API keys, but the authenticator's one and the stamps of their use."""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import bindparam, delete, func, select, update

from cms_host.api import Query, Reader, Transaction, insert
from cms_users.tables import api_keys, users


class Key(NamedTuple):
    """A key as lists show it: never the secret, nor its hash. Moments are microseconds since the epoch."""

    id: int
    username: str
    name: str
    mask: str
    active: bool
    expires_at: int | None
    created_at: int
    last_used_at: int | None
    revoked_at: int | None


_keys = select(*[users.c.username if name == "username" else api_keys.c[name] for name in Key._fields]).join_from(
    api_keys, users, users.c.id == api_keys.c.user_id
)
_LIST = Query(_keys.order_by(api_keys.c.id), Key, scans=True)
_FIND = Query(_keys.where(api_keys.c.id == bindparam("id")), Key)
_ADD = Query(
    insert(api_keys)
    .values({name: bindparam(name) for name in ("user_id", "name", "key_hash", "mask", "expires_at")})
    .values(active=True, created_at=bindparam("now"))
    .returning(api_keys.c.id)
)
_REVOKE = Query(
    update(api_keys)
    .where(api_keys.c.id == bindparam("key_id"))
    .values(active=False, revoked_at=func.coalesce(api_keys.c.revoked_at, bindparam("now")))
)
#: In the order in which their uses are stamped, so that neither waits for the other.
_of_user = select(api_keys.c.id).where(api_keys.c.user_id == bindparam("user_id")).order_by(api_keys.c.id)
_REMOVE_ALL = Query(delete(api_keys).where(api_keys.c.id.in_(_of_user.with_for_update())))


async def all_keys(db: Reader) -> Sequence[Key]:
    """Every key, oldest first."""
    return await db.all(_LIST)


async def find(db: Reader, key_id: int) -> Key | None:
    return await db.first(_FIND, id=key_id)


async def add(
    tx: Transaction, user_id: int, name: str, key_hash: str, mask: str, expires_at: int | None, now: int
) -> int:
    """Store a key; gives its id."""
    key_id: int = await tx.value(
        _ADD, user_id=user_id, name=name, key_hash=key_hash, mask=mask, expires_at=expires_at, now=now
    )
    return key_id


async def revoke(tx: Transaction, key_id: int, now: int) -> bool:
    """Make a key inactive for good; a key that was revoked before keeps its time. Says whether there is such a key."""
    return await tx.execute(_REVOKE, key_id=key_id, now=now) > 0


async def remove_all_of(tx: Transaction, user_id: int) -> None:
    """Delete the keys of an account."""
    await tx.send(_REMOVE_ALL, user_id=user_id)
