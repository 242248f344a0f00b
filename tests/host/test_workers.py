"""The killable pool: what it runs, what it kills, whom it turns away, and what it leaves behind."""

import asyncio
import contextlib
import multiprocessing
import operator
import os
import resource
import signal
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable
from functools import partial
from pathlib import Path

import pytest

from cms_host.worker_process import WATCHDOG_GRACE, _perform
from cms_host.workers import Busy, TooComplex, UptimeClock, Workers

# The jobs are functions of the standard library: every child can import them. Summing this runs inside C code
# for hours, where Python sees no signal.
ENDLESS = range(10**15)


@contextlib.asynccontextmanager
async def a_pool(size: int = 1, queue: int = 16, **options: object) -> AsyncIterator[Workers]:
    workers = Workers(size, queue, **options)  # type: ignore[arg-type]
    try:
        yield workers
    finally:
        await workers.close()


async def until(condition: Callable[[], object], seconds: float = 10) -> None:
    async with asyncio.timeout(seconds):
        while not condition():
            await asyncio.sleep(0.01)


def processes() -> set[int | None]:
    return {child.pid for child in multiprocessing.active_children()}


def is_gone(pid: int) -> bool:
    return pid not in processes()


@pytest.fixture
def others() -> set[int | None]:
    """Processes that are none of the test's: the suite may keep a pool for all."""
    return processes()


async def test_job_runs_in_another_process_and_gives_its_result() -> None:
    async with a_pool() as workers:
        assert await workers.run(operator.add, 40, 2) == 42
        assert await workers.run(os.getpid) != os.getpid()


async def test_exception_of_a_job_reaches_the_caller_and_the_worker_lives_on() -> None:
    async with a_pool() as workers:
        pid = await workers.run(os.getpid)
        with pytest.raises(ZeroDivisionError):
            await workers.run(operator.truediv, 1, 0)
        with pytest.raises(TimeoutError):
            await workers.run(exec, "raise TimeoutError")
        assert await workers.run(os.getpid) == pid


async def test_sys_exit_in_a_job_does_not_end_the_event_loop() -> None:
    async with a_pool() as workers:
        with pytest.raises(RuntimeError, match="SystemExit"):
            await workers.run(sys.exit, 3)


async def test_time_over_kills_the_worker_inside_c_code_and_the_next_job_runs() -> None:
    async with a_pool() as workers:
        pid = await workers.run(os.getpid)
        began = time.monotonic()
        with pytest.raises(TooComplex):
            await workers.run(sum, ENDLESS, timeout=0.3)
        assert time.monotonic() - began < 1
        await until(partial(is_gone, pid))
        assert await workers.run(os.getpid) != pid


async def test_start_up_does_not_count_against_the_job() -> None:
    async with a_pool(modules=("bleach", "email.message")) as workers:
        # Far less than a process needs to start, for the first time and after a kill.
        assert await workers.run(operator.add, 1, 1, timeout=0.1) == 2
        with pytest.raises(TooComplex):
            await workers.run(sum, ENDLESS, timeout=0.1)
        assert await workers.run(operator.add, 1, 1, timeout=0.1) == 2


async def test_full_queue_turns_the_next_job_away_at_once() -> None:
    async with a_pool(queue=2) as workers:
        jobs = [asyncio.create_task(workers.run(time.sleep, 0.2, timeout=5)) for _ in range(3)]
        await until(lambda: len(workers._waiters) == 2)
        with pytest.raises(Busy):
            await workers.run(operator.add, 1, 1)
        await asyncio.gather(*jobs)
        assert await workers.run(operator.add, 1, 1) == 2


async def test_job_that_never_began_is_busy_and_not_too_complex() -> None:
    async with a_pool() as workers:
        await workers.start()
        slow = asyncio.create_task(workers.run(time.sleep, 1, timeout=5))
        await asyncio.sleep(0)
        began = time.monotonic()
        with pytest.raises(Busy):
            await workers.run(operator.add, 1, 1, timeout=0.3)
        assert time.monotonic() - began < 0.9
        await slow


async def test_queued_job_runs_when_its_turn_comes_in_time() -> None:
    async with a_pool() as workers:
        await workers.start()
        slow = asyncio.create_task(workers.run(time.sleep, 0.2, timeout=5))
        await asyncio.sleep(0)
        assert await workers.run(operator.add, 1, 1, timeout=3) == 2
        await slow


@pytest.mark.parametrize("signal_number", [signal.SIGKILL, signal.SIGSEGV, signal.SIGABRT])
async def test_crash_of_the_worker_is_too_complex_and_the_next_job_runs(signal_number: int) -> None:
    async with a_pool() as workers:
        with pytest.raises(TooComplex):
            await workers.run(signal.raise_signal, signal_number, timeout=5)
        assert await workers.run(operator.add, 1, 1) == 2


async def test_worker_that_leaves_quietly_is_too_complex() -> None:
    async with a_pool() as workers:
        with pytest.raises(TooComplex):
            await workers.run(os._exit, 0, timeout=0.5)
        assert await workers.run(operator.add, 1, 1) == 2


async def test_death_of_an_idle_worker_is_not_blamed_on_the_next_job() -> None:
    async with a_pool() as workers:
        for _ in range(2):
            pid = await workers.run(os.getpid)
            os.kill(pid, signal.SIGKILL)
            # At once, and again after pebble has noticed.
            assert await workers.run(os.getpid) != pid
            pid = await workers.run(os.getpid)
            os.kill(pid, signal.SIGKILL)
            await until(partial(is_gone, pid))
            assert await workers.run(operator.add, 1, 1) == 2


async def test_memory_beyond_the_limit_is_too_complex() -> None:
    async with a_pool(memory_limit=512 << 20) as workers:
        with pytest.raises(TooComplex):
            await workers.run(bytearray, 1 << 30, timeout=5)
        assert await workers.run(resource.getrlimit, resource.RLIMIT_AS) == (512 << 20, -1)


async def test_other_jobs_and_the_event_loop_go_on_while_one_hangs() -> None:
    async with a_pool(size=2) as workers:
        await workers.start()
        hanging = asyncio.create_task(workers.run(sum, ENDLESS, timeout=1))
        await asyncio.sleep(0)
        done = 0
        while not hanging.done():
            assert await workers.run(operator.add, done, 1) == done + 1
            done += 1
        assert done > 50
        with pytest.raises(TooComplex):
            await hanging


async def test_cancelled_caller_leaves_no_job_running() -> None:
    async with a_pool() as workers:
        pid = await workers.run(os.getpid)
        hanging = asyncio.create_task(workers.run(sum, ENDLESS, timeout=60))
        await asyncio.sleep(0.05)
        hanging.cancel()
        with pytest.raises(asyncio.CancelledError):
            await hanging
        await until(partial(is_gone, pid))
        assert await workers.run(operator.add, 1, 1) == 2


async def test_cancelled_caller_in_line_gives_its_place_up() -> None:
    async with a_pool(queue=1) as workers:
        await workers.start()
        slow = asyncio.create_task(workers.run(time.sleep, 0.3, timeout=5))
        await asyncio.sleep(0)
        waiting = asyncio.create_task(workers.run(operator.add, 1, 1, timeout=5))
        await asyncio.sleep(0)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        assert await workers.run(operator.add, 1, 1, timeout=5) == 2
        await slow


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
    workers = Workers(1)

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
