"""Accounts that people make themselves: subscribers, whose address is known to be theirs."""

import secrets

from cms_host.api import FieldErrors, Role, UnitOfWork, slug_of
from cms_users import store
from cms_users.api import Applicant, Registered
from cms_users.identity import faults, plain_name, same_address
from cms_users.passwords import hash_password, password_faults
from cms_users.service import AccountService, Taken

#: Most characters of a username that come from the name.
_FROM_NAME = 40


class RegistrationService:
    """Provides `Registrations` to neighbours."""

    def __init__(self, unit: UnitOfWork) -> None:
        self._unit = unit

    def applicant(self, name: str, email: str, password: str) -> Applicant:
        sent = Applicant(plain_name(name), same_address(email))
        found = [*faults(sent._asdict()), *password_faults(password)]
        if found:
            raise FieldErrors(found, 422)
        return sent

    async def hashed(self, password: str) -> str:
        return await hash_password(password)

    async def is_registered(self, email: str) -> bool:
        return await store.find_addressed(self._unit.db, email) is not None

    async def register(self, applicant: Applicant, password_hash: str) -> Registered | None:
        accounts, user = self._unit.get(AccountService), None
        while user is None:
            if await self.is_registered(applicant.email):
                return None
            try:
                user = await accounts.create(
                    _username(applicant.name), applicant.email, Role.SUBSCRIBER, applicant.name, password_hash,
                    email_verified=True,
                )  # fmt: skip
            except Taken:
                # The name or the address, by somebody else at this moment: the next round tells which.
                continue
        return Registered(user.id, user.username, user.name, user.email)


def _username(name: str) -> str:
    """One that nobody has thought of: neither an operator's script nor an account to come may find its own taken."""
    return f"{slug_of(name)[:_FROM_NAME].strip('-') or 'member'}-{secrets.token_hex(3)}"
