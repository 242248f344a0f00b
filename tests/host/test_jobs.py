"""Background jobs: once for the site or in each process, and what becomes of the jobs of the dead."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable

import pytest

from cms_host.clock import Clock, SystemClock
from cms_host.db import Database, make_database
from cms_host.jobs import Job, JobRunner
from cms_host.services import UnitOfWork
from cms_host.testing import FakeClock, dump

Hosts = Callable[..., Awaitable[list[JobRunner]]]


class Counter:
    """A job's work that counts its runs, and can be held up."""

    def __init__(self) -> None:
        self.runs = 0
        self.started = asyncio.Event()
        self.may_end = asyncio.Event()
        self.may_end.set()

    async def __call__(self, unit: UnitOfWork) -> None:
        self.runs += 1
        self.started.set()
        await self.may_end.wait()


@pytest.fixture
async def databases_of_two_hosts(database_url: str) -> AsyncIterator[tuple[Database, Database]]:
    both = make_database(database_url), make_database(database_url)
    for database in both:
        await database.open()
    yield both
    for database in both:
        await database.close()


@pytest.fixture
def hosts(databases_of_two_hosts: tuple[Database, Database]) -> Hosts:
    """Makes the job runners of two hosts that have the same jobs."""

    async def make(clock: Clock, *jobs: Job, lease: float = 30) -> list[JobRunner]:
        async def unit() -> UnitOfWork:
            return UnitOfWork(None, databases_of_two_hosts[0])  # type: ignore[arg-type] # these jobs need no host

        runners = [JobRunner(jobs, unit, db, clock, lease) for db in databases_of_two_hosts]
        await runners[0].announce()
        return runners

    return make


async def until(condition: Callable[[], object]) -> None:
    async with asyncio.timeout(10):
        while not condition():
            await asyncio.sleep(0.005)


async def test_a_site_job_runs_once_for_all_hosts(hosts: Hosts, clock: FakeClock) -> None:
    job = Job("test.count", 60, work := Counter())
    one, two = await hosts(clock, job)

    assert sorted(await asyncio.gather(one.run_due(job), two.run_due(job))) == [False, True]
    assert work.runs == 1


async def test_a_site_job_is_due_again_when_its_time_has_passed(hosts: Hosts, clock: FakeClock) -> None:
    job = Job("test.count", 60, Counter())
    one, two = await hosts(clock, job)
    await one.run_due(job)

    clock.advance(59)
    assert not await two.run_due(job)
    clock.advance(1)
    assert await two.run_due(job)


async def test_announcing_again_does_not_make_a_job_due(hosts: Hosts, clock: FakeClock) -> None:
    job = Job("test.count", 60, Counter())
    one, two = await hosts(clock, job)
    await one.run_due(job)
    await two.announce()

    assert not await two.run_due(job)


async def test_the_lease_of_a_dead_host_is_taken_over(hosts: Hosts, clock: FakeClock) -> None:
    job = Job("test.count", 60, work := Counter())
    one, two = await hosts(clock, job)
    work.may_end.clear()
    dead = asyncio.create_task(one.run_due(job))
    await work.started.wait()

    clock.advance(29)
    assert not await two.run_due(job)
    clock.advance(2)
    taking_over = asyncio.create_task(two.run_due(job))
    await until(lambda: work.runs == 2)
    work.may_end.set()
    assert await taking_over
    await dead


async def test_a_job_that_is_stopped_halfway_is_due_at_once(hosts: Hosts, clock: FakeClock) -> None:
    job = Job("test.count", 60, work := Counter())
    one, two = await hosts(clock, job)
    work.may_end.clear()
    stopped = asyncio.create_task(one.run_due(job))
    await work.started.wait()
    stopped.cancel()
    await asyncio.wait([stopped])
    work.may_end.set()

    assert stopped.cancelled()
    assert await two.run_due(job)


async def test_a_host_that_lost_its_lease_does_not_change_what_the_next_one_wrote(
    hosts: Hosts, clock: FakeClock, database_url: str
) -> None:
    job = Job("test.count", 60, work := Counter())
    one, two = await hosts(clock, job)
    work.may_end.clear()
    slow = asyncio.create_task(one.run_due(job))
    await work.started.wait()
    clock.advance(31)
    work.started.clear()
    taking_over = asyncio.create_task(two.run_due(job))
    await work.started.wait()
    held = dump(database_url)["jobs"]

    work.may_end.set()
    await slow
    assert await taking_over
    assert dump(database_url)["jobs"] != held
    assert not await one.run_due(job)
    assert work.runs == 2


async def test_a_lease_is_renewed_while_the_job_runs(hosts: Hosts, clock: FakeClock, database_url: str) -> None:
    job = Job("test.count", 60, work := Counter())
    one, two = await hosts(clock, job, lease=0.03)
    work.may_end.clear()
    running = asyncio.create_task(one.run_due(job))
    await work.started.wait()

    for _ in range(5):
        clock.advance(0.02)
        await until(lambda: dump(database_url)["jobs"][0][2] == clock.now() + 30_000)
        assert not await two.run_due(job)
    work.may_end.set()
    assert await running


async def test_a_job_that_fails_is_logged_and_tried_again(
    hosts: Hosts, clock: FakeClock, caplog: pytest.LogCaptureFixture
) -> None:
    async def fail(unit: UnitOfWork) -> None:
        raise ZeroDivisionError

    job = Job("test.fail", 60, fail)
    one, _ = await hosts(clock, job)

    assert await one.run_due(job)
    (record,) = caplog.records
    assert (record.levelno, record.getMessage(), record.job) == (logging.ERROR, "job failed", "test.fail")
    assert record.exc_info is not None
    assert not await one.run_due(job)
    clock.advance(60)
    assert await one.run_due(job)


async def test_a_process_job_runs_in_each_process(hosts: Hosts, clock: FakeClock) -> None:
    job = Job("test.flush", 60, work := Counter(), scope="process")
    one, two = await hosts(clock, job)

    assert await one.run_due(job)
    assert await two.run_due(job)
    assert work.runs == 2


async def test_jobs_repeat_in_the_background(hosts: Hosts) -> None:
    site, process = Counter(), Counter()
    jobs = Job("test.site", 0.01, site), Job("test.process", 0.01, process, scope="process")
    one, _ = await hosts(SystemClock(), *jobs)

    async with one.running():
        await until(lambda: site.runs >= 3 and process.runs >= 3)
    assert not [task for task in asyncio.all_tasks() if task.get_name().startswith("job ")]


async def test_a_job_may_run_a_last_time_when_the_process_stops(hosts: Hosts, clock: FakeClock) -> None:
    other, last = Counter(), Counter()
    jobs = Job("test.other", 60, other, scope="process"), Job("test.last", 60, last, scope="process", at_stop=True)
    one, _ = await hosts(clock, *jobs)

    async with one.running():
        pass

    assert (other.runs, last.runs) == (0, 1)


async def test_a_job_may_run_as_soon_as_the_process_starts(hosts: Hosts, clock: FakeClock) -> None:
    other, first = Counter(), Counter()
    jobs = (
        Job("test.other", 3600, other, scope="process"),
        Job("test.first", 3600, first, scope="process", at_start=True),
    )
    one, _ = await hosts(clock, *jobs)

    async with one.running():
        await until(lambda: first.runs)

    assert (other.runs, first.runs) == (0, 1)


async def test_a_process_may_run_no_more_than_what_puts_away_its_memory(hosts: Hosts) -> None:
    site, process, own = Counter(), Counter(), Counter()
    jobs = (
        Job("test.site", 0.01, site, at_start=True),
        Job("test.process", 0.01, process, scope="process", at_start=True),
        Job("test.own", 0.01, own, scope="process", at_stop=True),
    )
    one, _ = await hosts(SystemClock(), *jobs)

    async with one.running(all_of_them=False):
        await until(lambda: own.runs >= 3)
    assert (site.runs, process.runs) == (0, 0)


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
async def test_jobs_can_be_stopped_at_any_moment(hosts: Hosts) -> None:
    ended = asyncio.Event()

    async def end(unit: UnitOfWork) -> None:
        ended.set()

    one, _ = await hosts(SystemClock(), Job("test.count", 0, end))
    for turns in range(30):
        ended.clear()
        async with asyncio.timeout(5), one.running():
            await ended.wait()
            for _ in range(turns):
                await asyncio.sleep(0)


async def test_jobs_go_on_when_the_database_is_back(
    hosts: Hosts, databases_of_two_hosts: tuple[Database, Database], caplog: pytest.LogCaptureFixture
) -> None:
    job = Job("test.count", 0.01, work := Counter())
    one, _ = await hosts(SystemClock(), job, lease=0.1)
    database = databases_of_two_hosts[0]

    async with one.running():
        await until(lambda: work.runs)
        await database.close()
        await until(lambda: "job could not be claimed" in caplog.messages)
        await database.open()
        before = work.runs
        await until(lambda: work.runs > before)


async def test_a_job_is_found_by_its_name(hosts: Hosts, clock: FakeClock) -> None:
    job = Job("test.count", 60, Counter())
    one, _ = await hosts(clock, job)

    assert one.named("test.count") is job
    with pytest.raises(KeyError):
        one.named("test.other")
