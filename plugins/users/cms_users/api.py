"""What neighbours may know of accounts."""

from typing import Protocol

from sqlalchemy import column, table

from cms_host.api import Id

#: Read-only, for joins: who wrote something.
authors = table("users", column("id", Id), column("name"))


class Accounts(Protocol):
    """Accounts, as other plugins may ask about them."""

    async def exists(self, user_id: int) -> bool:
        """Whether there is an account with this id."""


class Ownership(Protocol):
    """Whoever keeps things that belong to accounts: asked before an account is deleted.

    Both are called inside the transaction that deletes the account, in which its row is locked. So the store of what is
    owned refers to the account by a foreign key: nothing new can then come to belong to it before the transaction ends.
    """

    #: What is owned, in the plural, as refusals name it: "posts".
    name: str

    async def count(self, user_id: int) -> int:
        """How much belongs to the account, in whatever state it is."""

    async def reassign(self, user_id: int, to: int) -> None:
        """All of that belongs to the other account from now on, which exists."""
