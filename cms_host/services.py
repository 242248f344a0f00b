"""A unit of work: who asks, on which connection, and the services that live as long as it does."""

import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, TypeVar, cast

from aiohttp import web

from cms_host.db import BrokenReference, Reader, Transaction
from cms_host.envelope import ok
from cms_host.errors import Unauthorized, Vanished
from cms_host.principal import Principal
from cms_host.redaction import describe

if TYPE_CHECKING:
    from cms_host.host import Host
    from cms_host.idempotency import Attempt

log = logging.getLogger("cms_host.services")
T = TypeVar("T")
Factory = Callable[["UnitOfWork"], Any]
UNIT = web.RequestKey("unit", object)


class MissingService(LookupError):
    """No loaded plugin provides the service that was asked for."""


class UnitOfWork:
    """Hands out one object of each service, all of them on the same connection.

    Outside `write()` statements run one by one, each on its own; inside, all of them are one transaction.
    """

    __slots__ = ("_answered", "_made", "_principal", "attempts", "db", "host")

    def __init__(self, host: "Host", db: Reader, principal: Principal | None = None) -> None:
        self.host = host
        self.db = db
        #: What the request does once, by an `Idempotency-Key` or otherwise: what this unit writes is kept under each.
        self.attempts: tuple[Attempt, ...] = ()
        self._principal = principal
        self._answered: web.Response | None = None
        self._made: dict[type[Any], Any] = {}

    @property
    def principal(self) -> Principal:
        """:raises Unauthorized: nobody was recognised (jobs and commands act for no one)."""
        if self._principal is None:
            raise Unauthorized
        return self._principal

    @property
    def user_id(self) -> int | None:
        """Whose work this is; None for jobs and commands."""
        return None if self._principal is None else self._principal.user_id

    @property
    def tx(self) -> Transaction:
        """The connection for writing; only inside `write()`."""
        return cast("Transaction", self.db)

    def get(self, kind: type[T]) -> T:
        """This unit's object of a service type.

        :raises MissingService: no loaded plugin provides it.
        """
        made = self._made.get(kind)
        if made is None:
            providers = self.host.services.get(kind)
            if not providers:
                raise MissingService(f"no loaded plugin provides {kind.__module__}.{kind.__qualname__}")
            made = self._made[kind] = providers[0](self)
        return cast("T", made)

    def all(self, kind: type[T]) -> list[T]:
        """One object of every provider of the type, in the order of the plugins' names; possibly none."""
        return [make(self) for make in self.host.services.get(kind, ())]

    @asynccontextmanager
    async def write(self, lock: str | None = None) -> AsyncIterator["UnitOfWork"]:
        """A unit of work inside one transaction, which commits at the end of the block.

        :param lock: a name of which only one transaction at a time, over all hosts, is inside.
        :raises Conflict: the request's `Idempotency-Key` is in use, or was used with another body.
        :raises Vanished: what was written refers to something that somebody else deleted meanwhile.
        """
        for attempt in self.attempts:
            await attempt.fingerprint()
        try:
            async with self.host.db.transaction(lock) as tx:
                unit = UnitOfWork(self.host, tx, self._principal)
                for attempt in self.attempts:
                    await attempt.claim(tx)
                yield unit
                for attempt in self.attempts:
                    await attempt.keep(tx, unit._answered)
        except BrokenReference as error:
            # What can be asked beforehand was asked: somebody else wrote in between.
            log.warning(
                "a write met a reference that leads nowhere", extra={"reason": describe(error.__cause__ or error)}
            )
            raise Vanished from error

    def part(self, name: str, content: bytes) -> "UnitOfWork":
        """For one of several pieces of work that a request asks for, each in a transaction of its own.

        What it answers is kept under `<key>:<name>` (contract 10), and given again by `first_answer(part, work)`.

        :param content: what is asked for, and compared where the same part comes again under the same key.
        """
        unit = UnitOfWork(self.host, self.db, self._principal)
        unit.attempts = tuple(each.part(name, content) for each in self.attempts)
        return unit

    def answer(self, data: Any, status: int = 200) -> web.Response:
        """The success envelope around what this unit did, serialised before it commits.

        Inside `write()` it is what the client of a POST gets again when it repeats its `Idempotency-Key`.
        """
        self._answered = ok(data, status)
        return self._answered


def unit_of(request: web.Request) -> UnitOfWork:
    """The unit of work of an authenticated request."""
    return cast("UnitOfWork", request[UNIT])
