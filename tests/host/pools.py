"""Pools of workers for tests, and what to do with them."""

import asyncio
import contextlib
import multiprocessing
from collections.abc import AsyncIterator, Callable

from cms_host.workers import Workers

# The jobs are functions of the standard library: every child can import them. Summing this runs inside C code
# for hours, where Python sees no signal.
ENDLESS = range(10**15)


@contextlib.asynccontextmanager
async def a_pool(size: int = 1, queue: int = 16, **options: object) -> AsyncIterator[Workers]:
    # On a machine that is busy with other tests a job may never get its share.
    options = {"fair_share": 0.0, **options}
    workers = Workers(size, queue, **options)  # type: ignore[arg-type] # of mixed types
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
