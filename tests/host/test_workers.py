"""The killable pool: what it runs, what it kills, whom it turns away, and what it leaves behind."""

import asyncio
import operator
import os
import resource
import signal
import sys
import time
from functools import partial

import pytest

from cms_host.cpu_time import cpu_seconds
from cms_host.workers import Busy, TooComplex
from tests.host.pools import ENDLESS, a_pool, is_gone, processes, until


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
        with pytest.raises(TooComplex):
            await workers.run(sum, ENDLESS, timeout=0.3)
        await until(partial(is_gone, pid))
        assert await workers.run(os.getpid) != pid


async def test_start_up_does_not_count_against_the_job() -> None:
    async with a_pool(modules=("bleach", "email.message")) as workers:
        # Far less than a process needs to start, for the first time and after a kill.
        assert await workers.run(operator.add, 1, 1, timeout=0.3) == 2
        with pytest.raises(TooComplex):
            await workers.run(sum, ENDLESS, timeout=0.3)
        assert await workers.run(operator.add, 1, 1, timeout=0.3) == 2


async def test_full_queue_turns_the_next_job_away_at_once() -> None:
    async with a_pool(queue=2) as workers:
        await workers.start()
        endless = asyncio.create_task(workers.run(sum, ENDLESS, timeout=600))
        await until(lambda: not workers._idle)
        waiting = [asyncio.create_task(workers.run(operator.add, 1, 1, timeout=600)) for _ in range(2)]
        await until(lambda: len(workers._waiters) == 2)
        with pytest.raises(Busy):
            await workers.run(operator.add, 1, 1)
        endless.cancel()
        assert await asyncio.gather(*waiting) == [2, 2]


async def test_job_that_never_began_is_busy_and_not_too_complex() -> None:
    async with a_pool() as workers:
        await workers.start()
        endless = asyncio.create_task(workers.run(sum, ENDLESS, timeout=600))
        await until(lambda: not workers._idle)
        with pytest.raises(Busy):
            await workers.run(operator.add, 1, 1, timeout=0.3)
        assert not endless.done()
        endless.cancel()


async def test_job_that_got_no_processor_is_busy_and_not_too_complex(caplog: pytest.LogCaptureFixture) -> None:
    async with a_pool(fair_share=0.2) as workers:
        pid = await workers.run(os.getpid)
        os.kill(pid, signal.SIGSTOP)
        with pytest.raises(Busy):
            await workers.run(sum, ENDLESS, timeout=0.3)
        assert "the machine has too much to do" in caplog.text
        await until(partial(is_gone, pid))
        assert await workers.run(operator.add, 1, 1) == 2


async def test_job_that_had_its_share_of_a_processor_is_too_complex() -> None:
    async with a_pool(fair_share=0.02, niceness=0) as workers:
        with pytest.raises(TooComplex):
            await workers.run(sum, ENDLESS, timeout=2)


async def test_what_a_process_has_had_of_a_processor_is_known_while_it_lives() -> None:
    before, known = time.process_time(), cpu_seconds(os.getpid())

    assert known is not None
    assert known > 0
    assert abs(known - before) < 0.5
    async with a_pool() as workers:
        pid = await workers.run(os.getpid)
        assert cpu_seconds(pid) is not None
    assert cpu_seconds(pid) is None


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
        assert done > 3
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
