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
