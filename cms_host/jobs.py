"""Work that repeats in the background: in every process, or once for the whole site whichever process comes first."""

import asyncio
import logging
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Literal

from sqlalchemy import Column, Table, Text, bindparam, or_, update

from cms_host.clock import Clock
from cms_host.db import Database, Instant, Query, insert, new_metadata
from cms_host.services import UnitOfWork

log = logging.getLogger("cms_host.jobs")
SECOND = 1_000_000
LEASE = 30.0

metadata = new_metadata()
jobs_table = Table(
    "jobs",
    metadata,
    Column("name", Text, primary_key=True),
    Column("due_at", Instant, nullable=False),
    Column("lease_until", Instant, nullable=False),
    Column("lease_token", Text, nullable=False),
)

_ANNOUNCE = Query(
    insert(jobs_table)
    .values(name=bindparam("name"), due_at=bindparam("now"), lease_until=0, lease_token="")
    .on_conflict_do_nothing(index_elements=["name"])
)
_CLAIM = Query(
    update(jobs_table)
    .where(jobs_table.c.name == bindparam("job"), jobs_table.c.due_at <= bindparam("now"))
    .where(or_(jobs_table.c.lease_token == "", jobs_table.c.lease_until < bindparam("now")))
    .values(lease_until=bindparam("until"), lease_token=bindparam("token"))
)
_RENEW = Query(
    update(jobs_table)
    .where(jobs_table.c.name == bindparam("job"), jobs_table.c.lease_token == bindparam("token"))
    .values(lease_until=bindparam("until"))
)
_RELEASE = Query(
    update(jobs_table)
    .where(jobs_table.c.name == bindparam("job"), jobs_table.c.lease_token == bindparam("token"))
    .values(lease_until=0, lease_token="")
)
_FINISH = Query(
    update(jobs_table)
    .where(jobs_table.c.name == bindparam("job"), jobs_table.c.lease_token == bindparam("token"))
    .values(due_at=bindparam("due"), lease_until=0, lease_token="")
)


@dataclass(frozen=True, slots=True)
class Job:
    """One repeating piece of work.

    :param name: unique; begins with the plugin's name (`users.last-used`).
    :param every: seconds between the end of one run and the next.
    :param run: the work, given a unit of work that acts for nobody.
    :param scope: `site` runs once for all processes and hosts, `process` in each.
    :param at_start: it first runs when the process starts, and not only `every` seconds later.
    :param at_stop: a `process` job that runs a last time when the process stops, to put away what it has in memory.
    """

    name: str
    every: float
    run: Callable[[UnitOfWork], Awaitable[None]]
    scope: Literal["site", "process"] = "site"
    at_start: bool = False
    at_stop: bool = False


class JobRunner:
    """Runs jobs until it is told to stop. A job that raises is logged and tried again at its next turn."""

    def __init__(
        self,
        jobs: Sequence[Job],
        unit: Callable[[], Awaitable[UnitOfWork]],
        db: Database,
        clock: Clock,
        lease: float = LEASE,
    ) -> None:
        """
        :param unit: makes the unit of work of a run.
        :param lease: seconds after which a site job whose process died may be taken by another.
        """
        self._jobs = jobs
        self._unit = unit
        self._db = db
        self._clock = clock
        self._lease_seconds = lease

    @asynccontextmanager
    async def running(self, *, all_of_them: bool = True) -> AsyncIterator[None]:
        """Jobs run in the background for as long as the block lasts.

        :param all_of_them: otherwise only those that put away what this process has in memory, which no other can do.
        """
        await self.announce()
        running = [job for job in self._jobs if all_of_them or job.at_stop]
        tasks = [asyncio.create_task(self._repeat(job), name=f"job {job.name}") for job in running]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            for job in self._jobs:
                if job.at_stop:
                    await self._attempt(job)

    async def announce(self) -> None:
        """Make the site's jobs known to the database; a new one is due at once."""
        for job in self._jobs:
            if job.scope == "site":
                await self._write(_ANNOUNCE, name=job.name, now=self._clock.now())

    @property
    def names(self) -> list[str]:
        """Of all jobs."""
        return [job.name for job in self._jobs]

    def named(self, name: str) -> Job:
        """:raises KeyError: there is no job of that name."""
        return {job.name: job for job in self._jobs}[name]

    async def run_due(self, job: Job) -> bool:
        """Run a job now if it is this process's turn; says whether it ran."""
        if job.scope == "process":
            await self._attempt(job)
            return True
        token = secrets.token_hex(8)
        try:
            return await self._run_alone(job, token)
        except asyncio.CancelledError:
            # The next process need not wait until the lease has run out.
            await self._write(_RELEASE, job=job.name, token=token)
            raise

    async def _run_alone(self, job: Job, token: str) -> bool:
        now = self._clock.now()
        if not await self._write(_CLAIM, job=job.name, now=now, until=self._lease_end(), token=token):
            return False
        async with self._lease(job, token):
            await self._attempt(job)
        due = self._clock.now() + int(job.every * SECOND)
        await self._write(_FINISH, job=job.name, token=token, due=due)
        return True

    async def _repeat(self, job: Job) -> None:
        if not job.at_start:
            await asyncio.sleep(job.every)
        while True:
            try:
                await self.run_due(job)
            except Exception:
                log.exception("job could not be claimed", extra={"job": job.name})
            await asyncio.sleep(job.every)

    async def _attempt(self, job: Job) -> None:
        try:
            await job.run(await self._unit())
        except Exception:
            log.exception("job failed", extra={"job": job.name})

    @asynccontextmanager
    async def _lease(self, job: Job, token: str) -> AsyncIterator[None]:
        renewing = asyncio.create_task(self._renew(job, token))
        try:
            yield
        finally:
            renewing.cancel()
            # Not `await renewing` with its CancelledError suppressed: that would swallow our own cancellation too.
            await asyncio.wait([renewing])

    async def _renew(self, job: Job, token: str) -> None:
        while True:
            await asyncio.sleep(self._lease_seconds / 3)
            try:
                await self._write(_RENEW, job=job.name, token=token, until=self._lease_end())
            except Exception:
                log.exception("lease could not be renewed", extra={"job": job.name})

    def _lease_end(self) -> int:
        return self._clock.now() + int(self._lease_seconds * SECOND)

    async def _write(self, query: Query[tuple[int, ...]], **values: object) -> int:
        async with self._db.transaction() as tx:
            return await tx.execute(query, **values)
