"""What neighbours may know of accounts."""

from typing import NamedTuple, Protocol

from sqlalchemy import column, table

from cms_host.api import Ascii, Flag, Id, Principal
from cms_users.sent_key import carries_key

__all__ = ["Accounts", "Actors", "Ownership", "accounts", "authors", "carries_key"]

#: Read-only, for joins: who wrote something.
authors = table("users", column("id", Id), column("name"))
#: Read-only, for whoever recognises callers: an account that is not active must not be let in. `role` is a label.
accounts = table(
    "users", column("id", Id), column("username", Ascii), column("name"), column("role", Ascii), column("active", Flag)
)


class Accounts(Protocol):
    """Accounts, as other plugins may ask about them."""

    async def exists(self, user_id: int) -> bool:
        """Whether there is an account with this id."""


class Actors(Protocol):
    """Accounts in whose names an operator has something done, where no credentials tell who it is."""

    async def called(self, text: str) -> Principal | None:
        """Who has this username or e-mail address, whatever the case of its letters; None for nobody, and for accounts
        that are disabled.
        """

    async def only_administrator(self) -> Principal | None:
        """The active administrator, where there is just one."""


class Applicant(NamedTuple):
    """Who asks for an account, as it would be kept."""

    #: Plain text on one line.
    name: str
    #: In the one form in which addresses are kept and compared.
    email: str


class Registered(NamedTuple):
    """A new account of somebody who registered."""

    id: int
    username: str
    name: str
    email: str


class Registrations(Protocol):
    """Accounts that people ask for themselves, and get once their address is known to be theirs."""

    def applicant(self, name: str, email: str, password: str) -> Applicant:
        """What they say of themselves, as it is kept.

        :raises FieldErrors: 422, some of it can't be; names `name`, `email`, `password`.
        """

    async def hashed(self, password: str) -> str:
        """What is kept of a password; takes about a tenth of a second and 64 MiB, off the event loop.

        :raises FieldErrors: 422, it can't be one.
        """

    async def is_registered(self, email: str) -> bool:
        """Whether an account has this address, given as it is kept."""

    async def register(self, applicant: Applicant, password_hash: str) -> Registered | None:
        """Make a subscriber whose address is verified, inside a transaction; None where an account has the address.

        The username is of our making.
        """


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
