"""Registrations, and what becomes of them."""

import asyncio
import hashlib
import hmac
from collections.abc import Mapping

from cms_host.api import ApiError, FieldError, FieldErrors, UnitOfWork, emit
from cms_members import store
from cms_members.events import MemberRegistered
from cms_members.letters import is_mailable
from cms_members.settings import MAILS_PER_ADDRESS, TRIES_PER_CLIENT
from cms_members.store import Registration
from cms_members.tokens import hash_of, is_token
from cms_users.api import Applicant, Registered, Registrations

SECOND = 1_000_000
HOUR, DAY = 3_600 * SECOND, 86_400 * SECOND
#: Microseconds for which a link is good (contract 8).
LINK_LIVES = DAY
#: Passwords that one process hashes at a time: each takes 64 MiB.
HASHING = 2


class TooManyTries(ApiError):
    """Too many registrations from this address; try again later"""

    status = 429


class Hashing:
    """One host's turn at hashing passwords."""

    def __init__(self) -> None:
        self.turn = asyncio.Semaphore(HASHING)


class MemberService:
    """Members on their way to an account."""

    def __init__(self, unit: UnitOfWork) -> None:
        self._unit = unit

    async def register(self, sent: Mapping[str, str], client: str, language: str) -> None:
        """Keep a registration and have its mail sent.

        Whether an account has the address is not asked here, but when the mail is written: nothing that whoever sends
        this can see or measure depends on it.

        :param sent: `name`, `email` and `password`; what is missing is empty. :param client: whom it is from.
        :raises FieldErrors: some of it can't be. :raises TooManyTries: the client has sent too many.
        """
        registrations = self._unit.get(Registrations)
        name, email, password = (sent.get(each, "") for each in ("name", "email", "password"))
        applicant = registrations.applicant(name, email, password)
        if not is_mailable(applicant.email):
            raise FieldErrors([FieldError("email", "Must be an address that a mail can be sent to.")], 422)
        async with self._unit.write() as write:
            number = await self._count(write, f"client {client}", HOUR)
        if number > self._unit.host.settings[TRIES_PER_CLIENT]:
            raise TooManyTries
        async with self._unit.host.one(Hashing).turn:
            password_hash = await registrations.hashed(password)
        async with self._unit.write() as write:
            await self._keep(write, applicant, password_hash, language)

    async def find(self, token: str) -> Registration | None:
        """The registration whose link carries the token; None where the link is not good, or no longer."""
        if not is_token(token):
            return None
        token_hash = hash_of(token)
        found = await store.find(self._unit.db, token_hash, self._now)
        # Found by the unique index of the hash, which tells an observer of its timing nothing about the token.
        is_it = found is not None and hmac.compare_digest(found.token_hash or "", token_hash)
        return found if is_it else None

    async def confirm(self, token: str) -> Registered | None:
        """Make the account, and tell of it, once, inside a transaction; None where the link is not good, or no longer.

        An address that got an account in another way meanwhile keeps that one, and the link is of no use.
        """
        found = await self.find(token)
        # Of two who come at once one removes it; the other waits for the first one's commit, and finds nothing.
        if found is None or not await store.remove(self._unit.tx, hash_of(token)):
            return None
        applicant = Applicant(found.name, found.email)
        member = await self._unit.get(Registrations).register(applicant, found.password_hash)
        if member is not None:
            await emit(self._unit, MemberRegistered(member.id, member.name, member.email))
        return member

    async def _keep(self, write: UnitOfWork, applicant: Applicant, password_hash: str, language: str) -> None:
        address = hashlib.sha256(applicant.email.encode()).hexdigest()
        if await self._count(write, f"address {address}", DAY) > self._unit.host.settings[MAILS_PER_ADDRESS]:
            return
        await store.put(
            write.tx,
            email=applicant.email,
            name=applicant.name,
            password_hash=password_hash,
            language=language,
            created_at=self._now,
            expires_at=self._now + LINK_LIVES,
        )

    async def _count(self, write: UnitOfWork, key: str, span: int) -> int:
        return await store.count_try(write.tx, key, self._now, self._now + span)

    @property
    def _now(self) -> int:
        return self._unit.host.clock.now()
