"""Accounts, and what may happen to them."""

from collections.abc import Mapping, Sequence
from typing import Any

from cms_host.api import Conflict, FieldError, FieldErrors, Figures, NotFound, Paging, Role, UnitOfWork
from cms_users import key_store, store
from cms_users.api import Ownership
from cms_users.identity import check, fits, plain_name, same_address
from cms_users.keys import KeyService
from cms_users.store import CHANGEABLE, Filter, User

#: Held by whoever changes or deletes accounts: two administrators who each leave the other must not both go, and no
#: name must be given away twice. Whoever makes accounts shares it.
ACCOUNTS_LOCK = "users.accounts"


class LastAdmin(Conflict):
    """The last active administrator can't be deleted, disabled or demoted"""


class OwnAccount(Conflict):
    """You can't delete, disable or demote the account that you are using; another administrator can"""


class Taken(Conflict):
    """A user with this username or e-mail address exists already"""


class StillOwns(Conflict):
    """An account that owns something can't be deleted without saying whose that will be."""

    def __init__(self, owned: Mapping[str, int]) -> None:
        told = ", ".join(f"{name}: {number}" for name, number in owned.items())
        super().__init__(f"The user still owns content ({told}); send reassign_to with the id of who gets it")


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

    async def page(self, wanted: Filter, paging: Paging) -> tuple[Sequence[User], int]:
        """Some of the accounts that are wanted, oldest first, and how many they are."""
        return await store.page(self._unit.db, wanted, paging)

    async def create(
        self,
        username: str,
        email: str,
        role: Role,
        name: str = "",
        password_hash: str | None = None,
        *,
        active: bool = True,
        email_verified: bool = False,
    ) -> User:
        """Make an account.

        :param name: shown beside what the account writes; the username where there is none.
        :param password_hash: of its password for the panel; without one the account has keys and no panel.
        :raises FieldErrors: a name or an address that can't be one. :raises Taken: one that another has.
        """
        email, name = same_address(email), plain_name(name) or username
        check(username=username, email=email, name=name)
        await self._unit.tx.share_lock(ACCOUNTS_LOCK)
        user = User(0, username, name, email, role.label, active, email_verified, self._now, None)
        user_id = await store.add(self._unit.tx, user, password_hash)
        if user_id is None:
            raise Taken
        return user._replace(id=user_id)

    async def change(self, user_id: int, changes: Mapping[str, Any]) -> User:
        """Change an account; inside a transaction that holds `ACCOUNTS_LOCK`.

        :param changes: new values by their names: those of `store.CHANGEABLE`, and `password_hash`, where None takes
            the password away. An address that changes is not a verified one, unless that is said too.
        :raises NotFound: there is no such account. :raises FieldErrors: a value that can't be.
        :raises Taken: another account has the name or the address.
        :raises LastAdmin: nobody else could administrate. :raises OwnAccount: it is the caller's, who could no longer.
        """
        before = await self.read(user_id)
        after = _changed(before, changes)
        if after != before:
            await self._keep_an_admin(before, after)
            if await store.is_taken(self._unit.db, after):
                raise Taken
            await store.save(self._unit.tx, after, self._now)
        if "password_hash" in changes:
            await store.set_password(self._unit.tx, user_id, changes["password_hash"], self._now)
        return after

    async def delete(self, user_id: int, heir_id: int | None = None) -> None:
        """Delete an account and its keys; inside a transaction that holds `ACCOUNTS_LOCK`.

        :param heir_id: the account that gets what this one owns.
        :raises NotFound: there is no such account. :raises StillOwns: it owns something, and nobody is to get it.
        :raises FieldErrors: 422, the heir does not exist or is the account itself.
        :raises LastAdmin: nobody else could administrate. :raises OwnAccount: it is the caller's.
        """
        user = await store.hold(self._unit.tx, user_id)
        if user is None:
            raise NotFound
        await self._keep_an_admin(user, None)
        await self._pass_on(user, heir_id)
        await key_store.remove_all_of(self._unit.tx, user_id)
        await store.remove(self._unit.tx, user_id)

    async def _pass_on(self, user: User, heir_id: int | None) -> None:
        """Give what the account owns to the heir."""
        owned = [(each, await each.count(user.id)) for each in self._unit.all(Ownership)]
        if heir_id is None:
            if any(number for _, number in owned):
                raise StillOwns({each.name: number for each, number in owned if number})
            return
        await self._check_heir(user, heir_id)
        for each, number in owned:
            if number:
                await each.reassign(user.id, heir_id)

    async def _check_heir(self, user: User, heir_id: int) -> None:
        if heir_id == user.id:
            raise FieldErrors([FieldError("reassign_to", "Must be another user.")], 422)
        if not await self.exists(heir_id):
            raise FieldErrors([FieldError("reassign_to", "There is no user with this id.")], 422)

    async def _keep_an_admin(self, before: User, after: User | None) -> None:
        """Stands before every change and deletion: somebody is always left who administrates.

        :param after: None where the account goes.
        """
        if not before.administrates or (after is not None and after.administrates):
            return
        if not await store.another_admin(self._unit.db, besides=before.id):
            raise LastAdmin
        if before.id == self._unit.user_id:
            raise OwnAccount

    @property
    def _now(self) -> int:
        return self._unit.host.clock.now()


async def number_of_users(unit: UnitOfWork) -> Figures:
    """How many accounts there are."""
    return await store.count(unit.db)


def _changed(before: User, changes: Mapping[str, Any]) -> User:
    """The account with the changes as they are kept.

    :raises FieldErrors: one of them can't be.
    """
    values = {name: changes[name] for name in CHANGEABLE if name in changes}
    for name, kept_as in (("email", same_address), ("name", plain_name)):
        if name in values:
            values[name] = kept_as(values[name])
    check(**{name: values[name] for name in ("username", "email", "name") if name in values})
    after = before._replace(**values)
    moved = after.email != before.email and "email_verified" not in values
    return after._replace(email_verified=False) if moved else after
