"""Accounts in whose names an operator has something done; provides `Actors`."""

from cms_host.api import Principal, Role, UnitOfWork
from cms_users import store
from cms_users.identity import fits, same_address
from cms_users.store import User


class ActingAccounts:
    """See :class:`cms_users.api.Actors`."""

    def __init__(self, unit: UnitOfWork) -> None:
        self._unit = unit

    async def called(self, text: str) -> Principal | None:
        name, address = text.strip().lower(), same_address(text)
        user = await store.find_named(self._unit.db, name) if fits("username", name) else None
        if user is None and fits("email", address):
            user = await store.find_addressed(self._unit.db, address)
        return _principal(user) if user is not None and user.active else None

    async def only_administrator(self) -> Principal | None:
        found = await store.some_admins(self._unit.db, 2)
        return _principal(found[0]) if len(found) == 1 else None


def _principal(user: User) -> Principal:
    return Principal(user.id, user.username, user.name, Role.named(user.role), authenticated_by="operator", header="")
