"""What the host asks of whoever keeps accounts: a first way in."""

from typing import Protocol

from cms_host.principal import Role


class Enrolment(Protocol):
    """Makes accounts and keys; provided by the users plugin, asked by the first start and by the test kit."""

    async def has_users(self) -> bool:
        """Whether any account exists."""

    async def enrol(self, username: str, email: str, role: Role, key_name: str) -> str:
        """Make an account with one API key, inside the unit of work's transaction; gives the key's secret.

        :raises Conflict: the name or the address is taken.
        """
