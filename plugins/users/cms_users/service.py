"""Accounts, and what may happen to them."""

from collections.abc import Sequence

from cms_host.api import Conflict, Figures, NotFound, Role, UnitOfWork
from cms_users import store
from cms_users.identity import check, fits, plain_name, same_address
from cms_users.keys import KeyService
from cms_users.store import User

#: Held by whoever may take away an administrator: two who each leave the other must not both go.
ADMINS_LOCK = "users.admins"


class LastAdmin(Conflict):
    """The last active administrator can't be disabled or demoted"""


class AccountService:
    """Accounts; provides `Accounts` to neighbours and `Enrolment` to the host."""

    def __init__(self, unit: UnitOfWork) -> None:
        self._unit = unit

    async def exists(self, user_id: int) -> bool:
        return await store.find(self._unit.db, user_id) is not None

    async def has_users(self) -> bool:
        return await store.any_user(self._unit.db)

    async def enrol(self, username: str, email: str, role: Role, key_name: str) -> str:
        user = await self.create(username, email, role)
        return await self._unit.get(KeyService).create(user, key_name)

    async def read(self, user_id: int) -> User:
        """:raises NotFound: there is no such account."""
        user = await store.find(self._unit.db, user_id)
        if user is None:
            raise NotFound
        return user

    async def named(self, username: str) -> User:
        """:raises NotFound: there is no such account."""
        # What can't be a name might be text that a database does not even take.
        user = await store.find_named(self._unit.db, username) if fits("username", username) else None
        if user is None:
            raise NotFound(f"There is no user named {username!r}")
        return user

    async def all(self) -> Sequence[User]:
        """Every account, oldest first."""
        return await store.all_users(self._unit.db)

    async def page(self, limit: int, offset: int) -> tuple[Sequence[User], int]:
        """Some accounts, oldest first, and how many there are."""
        return await store.page(self._unit.db, limit, offset), await store.count(self._unit.db)

    async def create(
        self, username: str, email: str, role: Role, name: str = "", password_hash: str | None = None
    ) -> User:
        """Make an account.

        :param name: shown beside what the account writes; the username where there is none.
        :param password_hash: of its password for the panel; without one the account has keys and no panel.
        :raises FieldErrors: a name or an address that can't be one. :raises Conflict: one that is taken.
        """
        email, name = same_address(email), plain_name(name) or username
        check(username=username, email=email, name=name)
        user_id = await store.add(self._unit.tx, username, email, role, name, password_hash, self._now)
        if user_id is None:
            raise Conflict("A user with this username or e-mail address exists already")
        return await self.read(user_id)

    async def set_role(self, user: User, role: Role) -> None:
        """Give an account another role; inside a transaction that holds `ADMINS_LOCK`.

        :raises LastAdmin: nobody else could administrate.
        """
        if role is not Role.ADMIN:
            await self._leave_an_admin(user)
        await store.change(self._unit.tx, user.id, "role", role.label, self._now)

    async def set_active(self, user: User, active: bool) -> None:
        """Enable or disable an account, and all its keys with it; inside a transaction that holds `ADMINS_LOCK`.

        :raises LastAdmin: nobody else could administrate.
        """
        if not active:
            await self._leave_an_admin(user)
        await store.change(self._unit.tx, user.id, "active", active, self._now)

    async def set_password(self, user: User, password_hash: str) -> None:
        await store.change(self._unit.tx, user.id, "password_hash", password_hash, self._now)

    async def _leave_an_admin(self, user: User) -> None:
        is_one = user.active and user.role == Role.ADMIN.label
        if is_one and not await store.another_admin(self._unit.db, besides=user.id):
            raise LastAdmin

    @property
    def _now(self) -> int:
        return self._unit.host.clock.now()


async def number_of_users(unit: UnitOfWork) -> Figures:
    """How many accounts there are."""
    return await store.count(unit.db)
