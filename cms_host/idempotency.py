"""Requests that may be sent again: the first answer to a POST with an `Idempotency-Key` is kept (contract 10).

The row is written in the transaction of the work that it stands for, so that neither is there without the other.
Which of two twins may work is decided in the process by a set, between hosts by the database (docs/decisions/0016).
"""

import hashlib
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import NamedTuple

from aiohttp import web
from sqlalchemy import Column, Index, Integer, LargeBinary, Table, bindparam, delete, select, update

from cms_host.body import read_raw, was_read
from cms_host.config import Config
from cms_host.db import Ascii, Instant, Query, Reader, Transaction, insert, new_metadata
from cms_host.envelope import serialised
from cms_host.errors import Conflict
from cms_host.fingerprint import fingerprint_of
from cms_host.host import Host
from cms_host.jobs import Job
from cms_host.multipart import form_fingerprint
from cms_host.services import UnitOfWork

#: How long an answer is kept, in microseconds (contract 10: 24 hours).
KEPT_FOR = 24 * 60 * 60 * 1_000_000
#: Rows that one statement of the cleaning job deletes at the most, so that writers never wait for long.
BATCH = 500
#: On an answer that was given before.
REPLAYED = "Idempotent-Replayed"

metadata = new_metadata()
answers = Table(
    "idempotency_keys",
    metadata,
    # A digest, for PostgreSQL can't index a path of 8 KB.
    Column("scope", Ascii, primary_key=True),
    Column("fingerprint", Ascii, nullable=False),
    Column("status", Integer, nullable=False),
    Column("answer", LargeBinary, nullable=False),
    Column("created_at", Instant, nullable=False),
)
Index("ix_idempotency_keys_created_at", answers.c.created_at)


class Kept(NamedTuple):
    """The first answer, and the body that it was given to."""

    fingerprint: str
    status: int
    answer: bytes


_FIND = Query(
    select(*[answers.c[name] for name in Kept._fields]).where(
        answers.c.scope == bindparam("scope"), answers.c.created_at > bindparam("expired")
    ),
    Kept,
)
#: Status and answer are filled in by the same transaction; nobody ever sees a row without them.
_claim = insert(answers).values(
    scope=bindparam("scope"), fingerprint=bindparam("fingerprint"), status=0, answer=b"", created_at=bindparam("now")
)
_CLAIM = Query(
    _claim.on_conflict_do_update(
        index_elements=["scope"],
        set_={name: _claim.excluded[name] for name in ("fingerprint", "status", "answer", "created_at")},
        where=answers.c.created_at <= bindparam("expired"),
    )
)
_KEEP = Query(
    update(answers)
    .where(answers.c.scope == bindparam("which"))
    .values(status=bindparam("given"), answer=bindparam("body"))
)
_RELEASE = Query(delete(answers).where(answers.c.scope == bindparam("which")))
#: Rows that a request is taking over at this moment are skipped on PostgreSQL, so that nobody waits for the job.
_expired = (
    select(answers.c.scope)
    .where(answers.c.created_at <= bindparam("expired"))
    .order_by(answers.c.created_at)
    .limit(BATCH)
    .with_for_update(skip_locked=True)
)
_FORGET = Query(delete(answers).where(answers.c.scope.in_(_expired)))


class KeyReused(Conflict):
    """This Idempotency-Key came with another body before; send a new key with a new request"""


class UnderWay(Conflict):
    """The same request, or one with this Idempotency-Key, is still under way; try again when it may have ended"""


class Replayed(Exception):
    """The request was carried out before: its first answer ends the transaction that it began anew."""

    def __init__(self, response: web.Response) -> None:
        super().__init__()
        self.response = response


class Scope(NamedTuple):
    """What a key counts for."""

    owner: int
    method: str
    path: str
    key: str

    @property
    def digest(self) -> str:
        """What is stored of it; the path comes last, for it alone may hold a line's end."""
        return hashlib.sha256("\n".join((str(self.owner), self.method, self.key, self.path)).encode()).hexdigest()


class Attempt:
    """One request with a key, or a part of one, from its look-up to its kept answer."""

    __slots__ = ("_fingerprint", "_host", "_kept_for", "_read", "_scope", "_since", "kept", "scope")

    def __init__(self, host: Host, scope: Scope, read: Callable[[str], Awaitable[str]], kept_for: int) -> None:
        """:param read: gives the fingerprint of what is sent, by a salt. :param kept_for: microseconds."""
        self.scope = scope.digest
        #: Whether the answer is kept; None as long as nothing was written.
        self.kept: bool | None = None
        self._scope = scope
        self._host = host
        self._read = read
        self._kept_for = kept_for
        self._since = host.clock.now() - kept_for
        self._fingerprint: str | None = None

    def part(self, name: str, content: bytes) -> "Attempt":
        """One of several pieces of work that the request asks for, each of which is done and kept by itself.

        :param content: what is asked for, and compared where the same part is asked for again.
        """
        scope = self._scope._replace(key=f"{self._scope.key}:{name}")
        return Attempt(self._host, scope, partial(fingerprint_of, content), self._kept_for)

    async def fingerprint(self) -> str:
        """The digest of the body, or of a form's parts (contract 10), which waits for the client the first time.

        :raises TooLarge: it is larger than any endpoint takes. :raises BadRequest: it does not arrive whole.
        """
        if self._fingerprint is None:
            self._fingerprint = await self._read(self.scope)
        return self._fingerprint

    async def earlier(self, db: Reader) -> web.Response | None:
        """The answer that was kept of this request, if it was made before.

        :raises KeyReused: the key came with another body.
        """
        found = await db.first(_FIND, scope=self.scope, expired=self._since)
        if found is None:
            return None
        if found.fingerprint != await self.fingerprint():
            raise KeyReused
        response = serialised(found.answer, found.status)
        response.headers[REPLAYED] = "true"
        return response

    async def claim(self, tx: Transaction) -> None:
        """Begin the work that is done once; the fingerprint must be known by now, for a client may be slow.

        :raises UnderWay: another host is at it. :raises Replayed: it was done before.
        :raises KeyReused: it was done before, with another body.
        """
        if self.kept:
            return
        if not await tx.try_lock(f"idempotency {self.scope}"):
            raise UnderWay
        values = {"scope": self.scope, "fingerprint": await self.fingerprint(), "now": self._host.clock.now()}
        if not await tx.execute(_CLAIM, **values, expired=self._since):
            earlier = await self.earlier(tx)
            # The row may have come of age since this request came, and be deleted by now: the next try is free.
            raise UnderWay if earlier is None else Replayed(earlier)

    async def keep(self, tx: Transaction, response: web.Response | None) -> None:
        """End it: the answer is kept if it is a success, otherwise the key is free again."""
        if self.kept:
            return
        self.kept = response is not None and 200 <= response.status < 300
        if response is not None and self.kept:
            await tx.send(_KEEP, which=self.scope, given=response.status, body=response.body)
        else:
            await tx.send(_RELEASE, which=self.scope)


def attempt_of(request: web.Request, host: Host, scope: Scope, kept_for: int = KEPT_FOR) -> Attempt:
    """A request as what is done once under a key. :param kept_for: microseconds for which its answer is given again."""
    return Attempt(host, scope, partial(_fingerprint, request, host.config), kept_for)


async def _fingerprint(request: web.Request, config: Config, salt: str) -> str:
    """Of the bytes; but a client that sends a form again has drawn another boundary for its parts."""
    if not was_read(request):
        form = await form_fingerprint(request, config.max_upload_bytes)
        if form is not None:
            return form
    return await fingerprint_of(await read_raw(request, config.max_body_bytes), salt)


async def first_answer(unit: UnitOfWork, work: Callable[[], Awaitable[web.StreamResponse]]) -> web.StreamResponse:
    """What the work answers; but if it was done before under one of the unit's attempts, what it answered then.

    :raises KeyReused: the key came with another body. :raises UnderWay: somebody is at it.
    """
    for attempt in unit.attempts:
        earlier = await attempt.earlier(unit.db)
        if earlier is not None:
            return earlier
    try:
        return await work()
    except Replayed as replayed:
        return replayed.response


@contextmanager
def alone(attempt: Attempt, under_way: set[str]) -> Iterator[None]:
    """A block that no two of this process are inside of for the same attempt.

    :param under_way: the same for all that may meet. :raises UnderWay: another one is inside.
    """
    if attempt.scope in under_way:
        raise UnderWay
    under_way.add(attempt.scope)
    try:
        yield
    finally:
        under_way.remove(attempt.scope)


async def forget_expired(unit: UnitOfWork) -> None:
    """Delete the rows of more than 24 hours ago, one batch in each transaction."""
    expired, deleted = unit.host.clock.now() - KEPT_FOR, BATCH
    while deleted == BATCH:
        async with unit.write() as write:
            deleted = await write.tx.execute(_FORGET, expired=expired)


FORGET = Job("host.idempotency-keys", 600, forget_expired)
