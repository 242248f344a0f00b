"""Accounts and keys, and what may happen to them."""

import re

from cms_host.api import Conflict, FieldError, FieldErrors, Role, UnitOfWork
from cms_users import store
from cms_users.secrets import hashed, masked, new_secret

_USERNAME = re.compile(r"[a-z0-9][a-z0-9._-]{1,63}", re.ASCII)
_EMAIL = re.compile(r"[^@\s]{1,64}@[^@\s]{1,255}")


class AccountService:
    """Accounts; provides `Accounts` to neighbours and `Enrolment` to the host."""

    def __init__(self, unit: UnitOfWork) -> None:
        self._unit = unit

    async def exists(self, user_id: int) -> bool:
        return await store.find_user(self._unit.db, user_id) is not None

    async def has_users(self) -> bool:
        return await store.any_user(self._unit.db)

    async def enrol(self, username: str, email: str, role: Role, key_name: str) -> str:
        user_id = await self.create(username, email, role)
        return await self.create_key(user_id, key_name)

    async def create(
        self, username: str, email: str, role: Role, name: str = "", password_hash: str | None = None
    ) -> int:
        """Make an account; gives its id.

        :raises FieldErrors: a name or an address that can't be one. :raises Conflict: one that is taken.
        """
        email = email.strip().lower()
        if not _USERNAME.fullmatch(username):
            message = (
                "Must be 2 to 64 characters of a-z, 0-9, dot, dash and underscore, beginning with a letter or digit."
            )
            raise FieldErrors([FieldError("username", message)], 422)
        if not _EMAIL.fullmatch(email):
            raise FieldErrors([FieldError("email", "Must be an e-mail address.")], 422)
        now = self._unit.host.clock.now()
        user_id = await store.add_user(self._unit.tx, username, email, role, name or username, password_hash, now)
        if user_id is None:
            raise Conflict("A user with this username or e-mail address exists already")
        return user_id

    async def create_key(self, user_id: int, name: str, expires_at: int | None = None) -> str:
        """Make a key that carries the user's role; gives its secret, which is kept nowhere."""
        secret = new_secret()
        now = self._unit.host.clock.now()
        await store.add_key(self._unit.tx, user_id, name, hashed(secret), masked(secret), expires_at, now)
        return secret
