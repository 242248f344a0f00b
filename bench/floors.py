"""The floors: what bare aiohttp can do on this database with no service in it.

`python -m bench.floors --floor F2 --port 8101` fills a table of its own, serves it by two processes on one
port, prints a line when all of them listen, and stops on SIGTERM or Ctrl-C. What F1 to F5 are is said in
`floor_handlers`.
"""

import argparse
import asyncio
import multiprocessing
import signal
import tempfile
from contextlib import ExitStack
from multiprocessing.context import SpawnProcess
from multiprocessing.synchronize import Semaphore
from pathlib import Path

from aiohttp import web

from bench.floor_data import fill_postgresql, fill_sqlite
from bench.floor_handlers import FLOORS, Floor, open_handler


async def serve(floor: Floor, port: int, database: str, posts: int, listening: Semaphore) -> None:
    """Serve the floor in this process until SIGTERM or Ctrl-C; `listening` is released once it answers."""
    stopped = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stopped.set)
    async with open_handler(floor, database, posts) as handler:
        app = web.Application()
        app.router.add_get(floor.path, handler)
        runner = web.AppRunner(app, access_log=None)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", port, reuse_port=True).start()
        listening.release()
        await stopped.wait()
        await runner.cleanup()


def _work(floor: Floor, port: int, database: str, posts: int, listening: Semaphore) -> None:
    asyncio.run(serve(floor, port, database, posts, listening))


def _fill(floor: Floor, database: str | None, posts: int, stack: ExitStack) -> str:
    """Fill the floor's table and return its database; by default SQLite gets a temporary file."""
    if floor.database == "postgresql":
        if database is None:
            raise SystemExit(f"{floor.name} needs --database postgresql://...")
        fill_postgresql(database, posts)
    elif floor.database == "sqlite":
        if database is None:
            database = str(Path(stack.enter_context(tempfile.TemporaryDirectory())) / "floor.sqlite3")
        fill_sqlite(Path(database), posts)
    return database or ""


def _start(floor: Floor, port: int, workers: int, database: str, posts: int) -> list[SpawnProcess]:
    context = multiprocessing.get_context("spawn")
    listening = context.Semaphore(0)
    arguments = (floor, port, database, posts, listening)
    processes = [context.Process(target=_work, args=arguments, daemon=True) for _ in range(workers)]
    for process in processes:
        process.start()
    for _ in processes:
        if not listening.acquire(timeout=30):
            raise SystemExit(f"{floor.name}: a process did not listen on port {port} within 30 s")
    return processes


def _end(processes: list[SpawnProcess]) -> None:
    for process in processes:
        process.terminate()


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.floors", description="Serve one floor.")
    parser.add_argument("--floor", choices=sorted(FLOORS), required=True)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--posts", type=int, default=1000)
    parser.add_argument("--database", help="a PostgreSQL URL for F4 and F5, a file to use for F2 and F3")
    return parser.parse_args()


def main() -> None:
    """Run the command line."""
    options = _arguments()
    floor = FLOORS[options.floor]
    with ExitStack() as stack:
        database = _fill(floor, options.database, options.posts, stack)
        processes = _start(floor, options.port, options.workers, database, options.posts)
        print(f"{floor.name} ready on http://127.0.0.1:{options.port}: {floor.title}", flush=True)
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: _end(processes))
        for process in processes:
            process.join()


if __name__ == "__main__":
    main()
