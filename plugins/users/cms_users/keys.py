"""API keys, and what may happen to them (spec, API key states)."""

from collections.abc import Sequence

from cms_host.api import Conflict, FieldError, FieldErrors, NotFound, UnitOfWork, parse_moment
from cms_users import key_store
from cms_users.identity import check, plain_name
from cms_users.key_store import Key
from cms_users.secrets import hashed, masked, new_secret
from cms_users.store import User


class KeyService:
    """API keys. A key is its owner: it carries the role that the owner has at each request."""

    def __init__(self, unit: UnitOfWork) -> None:
        self._unit = unit

    async def all(self) -> Sequence[Key]:
        """Every key, oldest first."""
        return await key_store.all_keys(self._unit.db)

    async def create(self, owner: User, name: str, expires_at: int | None = None) -> str:
        """Make a key; gives its secret, which is kept nowhere.

        :param expires_at: the last moment at which it is good; None for a key that lives until it is revoked.
        :raises FieldErrors: a name that can't be one, or a moment that is over.
        :raises Conflict: the owner is disabled, so the key would open nothing.
        """
        name, now = plain_name(name), self._unit.host.clock.now()
        check(name=name)
        if expires_at is not None and expires_at <= now:
            raise FieldErrors([FieldError("expires_at", "Must be in the future.")], 422)
        if not owner.active:
            raise Conflict(f"The user {owner.username} is disabled")
        secret = new_secret()
        await key_store.add(self._unit.tx, owner.id, name, hashed(secret), masked(secret), expires_at, now)
        return secret

    async def revoke(self, key_id: int) -> Key:
        """Make a key inactive: the next request with it fails, on every host.

        :raises NotFound: there is no such key.
        """
        revoked = await key_store.revoke(self._unit.tx, key_id, self._unit.host.clock.now())
        key = await key_store.find(self._unit.db, key_id) if revoked else None
        if key is None:
            raise NotFound(f"There is no key with the id {key_id}")
        return key


def read_expiry(text: str, zone: str) -> int:
    """The last moment of a key from a date, which lasts through that day, or from a date and time (contract 8).

    :raises FieldErrors: it is neither.
    """
    try:
        return parse_moment(text, zone, end_of_day=True)
    except ValueError:
        message = "Must be a date such as 2026-12-31, or a date and time such as 2026-12-31 18:00:00."
        raise FieldErrors([FieldError("expires_at", message)], 422) from None
