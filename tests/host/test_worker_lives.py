"""When worker processes start and end, and how they behave in between."""

import asyncio
import multiprocessing
import operator
import os
import signal
import sys
import threading
from pathlib import Path

import pytest

from cms_host.worker_process import WATCHDOG_GRACE, _perform
from cms_host.workers import Busy, TooComplex, UptimeClock, Workers
from tests.host.pools import ENDLESS, a_pool, is_gone, processes, until


@pytest.fixture
def others() -> set[int | None]:
    """Processes that are none of the test's: the suite may keep a pool for all."""
    return processes()


async def test_workers_are_polite_and_deaf_to_interrupt_and_termination() -> None:
    async with a_pool(niceness=7) as workers:
        pid = await workers.run(os.getpid)
        assert await workers.run(os.nice, 0) == os.nice(0) + 7
        os.kill(pid, signal.SIGINT)
        os.kill(pid, signal.SIGTERM)
        assert await workers.run(os.getpid) == pid


async def test_workers_start_only_as_they_are_needed(others: set[int | None]) -> None:
    async with a_pool(size=2) as workers:
        assert processes() == others
        await workers.run(operator.add, 1, 1)
        assert len(processes() - others) == 1
        pids = await asyncio.gather(*(workers.run(os.getpid, timeout=5) for _ in range(8)))
        assert len(set(pids)) <= 2
        await until(lambda: len(processes() - others) == 2)


def test_pool_serves_one_event_loop_after_another() -> None:
    workers = Workers(1, fair_share=0)

    async def work() -> int:
        with pytest.raises(TooComplex):
            await workers.run(sum, ENDLESS, timeout=0.1)
        return await workers.run(os.getpid)

    first = asyncio.run(work())
    assert asyncio.run(work()) != first
    asyncio.run(workers.close())
    assert is_gone(first)


async def test_modules_are_imported_before_the_first_job() -> None:
    async with a_pool() as workers:
        workers.warm_up("colorsys", "colorsys")
        assert "colorsys" in await workers.run(eval, "list(__import__('sys').modules)")


async def test_module_that_cannot_be_imported_is_named_and_nothing_loops(others: set[int | None]) -> None:
    async with a_pool(modules=("no_such_module",)) as workers:
        with pytest.raises(ModuleNotFoundError, match="no_such_module"):
            await workers.run(operator.add, 1, 1)
        with pytest.raises(RuntimeError, match="No worker process"):
            await workers.start()
        await until(lambda: processes() == others)


async def test_close_ends_what_runs_and_what_waits_and_leaves_nothing(others: set[int | None]) -> None:
    threads = set(threading.enumerate())
    async with a_pool() as workers:
        await workers.start()
        jobs = [asyncio.create_task(workers.run(sum, ENDLESS, timeout=60)) for _ in range(3)]
        await asyncio.sleep(0.05)
    for job in jobs:
        with pytest.raises(Busy):
            await job
    assert processes() == others
    assert not [thread for thread in threading.enumerate() if thread not in threads and "asyncio" not in thread.name]
    with pytest.raises(Busy):
        await workers.run(operator.add, 1, 1)


async def test_workers_go_when_their_parent_was_killed() -> None:
    program = (
        "import asyncio, os\n"
        "from cms_host.workers import Workers\n"
        "async def main():\n"
        "    workers = Workers(1)\n"
        "    print(await workers.run(os.getpid), flush=True)\n"
        "    await asyncio.sleep(60)\n"
        "if __name__ == '__main__':\n"
        "    asyncio.run(main())\n"
    )
    parent = await asyncio.create_subprocess_exec(sys.executable, "-c", program, stdout=asyncio.subprocess.PIPE)
    assert parent.stdout
    worker = Path("/proc") / (await parent.stdout.readline()).decode().strip()
    assert worker.exists()
    parent.kill()
    await parent.wait()
    await until(lambda: not worker.exists())


def test_job_that_outlives_its_parent_is_ended_by_its_own_alarm() -> None:
    spawn = multiprocessing.get_context("spawn")
    job = spawn.Process(target=_perform, args=(sum, (ENDLESS,), 0.1 - WATCHDOG_GRACE))
    job.start()
    job.join(20)
    assert job.exitcode == -signal.SIGALRM


async def test_close_while_starting_leaves_nothing(others: set[int | None]) -> None:
    async with a_pool(size=2) as workers:
        job = asyncio.create_task(workers.run(operator.add, 1, 1))
        await asyncio.sleep(0.05)
    with pytest.raises(Busy):
        await job
    assert processes() == others


async def test_clock_stands_still_unless_a_worker_is_up() -> None:
    clock = UptimeClock()
    await asyncio.sleep(0.01)
    assert clock.now() == 0
    clock.go()
    await until(lambda: clock.now() > 0.01)
    clock.stand()
    stopped = clock.now()
    await asyncio.sleep(0.01)
    assert clock.now() == stopped
    clock.go()
    await until(lambda: clock.now() > stopped)


def test_messages_are_the_docstrings() -> None:
    assert str(Busy()) == "Busy, try again"
    assert "too complex" in str(TooComplex())
