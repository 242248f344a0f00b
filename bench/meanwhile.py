"""What long answers cost everybody else: `python -m bench.meanwhile --posts 100000 --views` prints a table.

One serving process is asked for figures, trends, a sitemap and searches, one after the other, while another client asks
it for `/health` over and over. No answer may keep that waiting for more than a tenth of a second.
"""

import argparse
import http.client
import statistics
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from time import monotonic, perf_counter, sleep
from typing import NamedTuple

from bench import cluster
from bench.client import BenchError, WrongAnswerError
from bench.harness import DATABASES
from bench.service import running_service
from bench.site import Site

PATHS = (
    "/stats",
    "/trends",
    "/trends?period=24h",
    "/trends?period=30d&limit=100",
    "/sitemap?per_page=1000",
    "/sitemap?format=xml",
    "/sitemap?format=xml&page=2",
    "/sitemap.xml",
    "/search?q=garden",
    "/search?q=garden%20weather",
    "/search?q=garden%20weat&page=40",
    "/search?q=a",
)
#: Milliseconds that nobody is kept waiting for longer.
GOAL = 100
#: The path that lies outside the API.
OPEN = "/sitemap.xml"
#: Entries of one POST /stats/views.
VIEWED_AT_ONCE = 1000
#: Seconds after which views must be told of, and the bytes of an answer that has trends to tell of.
VIEWS_LATE, TRENDING = 180, 5000


class Row(NamedTuple):
    """How a request fared, and how others did meanwhile. Times are milliseconds."""

    path: str
    size: int
    times: list[float]
    waits: list[float]


class Caller:
    """One kept-alive connection, with an administrator's key."""

    def __init__(self, site: Site) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=60)
        self._headers = {"X-API-Key": site.admin_key}

    def get(self, path: str) -> tuple[int, float]:
        """Bytes of the answer, and the milliseconds until its last one. Raises WrongAnswerError unless it is 200."""
        began = perf_counter()
        self._connection.request("GET", path if path == OPEN else f"/api/v1{path}", headers=self._headers)
        answer = self._connection.getresponse()
        size = len(answer.read())
        if answer.status != http.client.OK:
            raise WrongAnswerError(f"GET {path}: {answer.status}")
        return size, (perf_counter() - began) * 1000


def watched(site: Site, path: str, runs: int) -> Row:
    """Ask for a path some times, and for health as long as that takes."""
    asking, pinging = Caller(site), Caller(site)
    waits: list[float] = []
    with ThreadPoolExecutor(1) as pool:
        under_way = pool.submit(lambda: [asking.get(path) for _ in range(runs)])
        while not under_way.done() or not waits:
            waits.append(pinging.get("/health")[1])
    found = under_way.result()
    return Row(path, found[0][0], [taken for _, taken in found], waits)


def view_all(site: Site) -> None:
    """Have every post viewed today, some more often than others, so that there are trends.

    Raises BenchError where these views are not told of in time: they are written in one go, up to a minute later.
    """
    with site.editor() as client:
        for first in range(1, site.posts + 1, VIEWED_AT_ONCE):
            posts = range(first, min(first + VIEWED_AT_ONCE, site.posts + 1))
            items = [{"post_id": number, "count": 1 + number * 7919 % 97} for number in posts]
            client.post("/api/v1/stats/views", {"items": items})
    deadline = monotonic() + VIEWS_LATE
    while Caller(site).get("/trends?limit=100")[0] < TRENDING:
        if monotonic() > deadline:
            raise BenchError(f"no trends after {VIEWS_LATE} seconds")
        sleep(1)  # Between looks, until the service has written the views down.


@contextmanager
def _filled(database: str, posts: int) -> Iterator[Site]:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="cms-bench-")))
        url = None
        if database == "postgresql":
            url = cluster.create_database(stack.enter_context(cluster.private_cluster()), "cms")
        yield stack.enter_context(running_service(folder, posts, url, workers=1))


def run(options: argparse.Namespace) -> int:
    """Measure and print; 2 where somebody was kept waiting."""
    late = 0
    for database in DATABASES if options.database == "both" else [options.database]:
        with _filled(database, options.posts) as site:
            print(f"\n{database}, {options.posts:,} posts, one process; milliseconds")
            print(f"{'GET':34} {'bytes':>10} {'median':>8} {'/health':>8} {'median':>7} {'slowest':>8}")
            if options.views:
                view_all(site)
            for path in PATHS:
                row = watched(site, path, options.runs)
                late += max(row.waits) > GOAL
                taken, middle, slowest = statistics.median(row.times), statistics.median(row.waits), max(row.waits)
                told = f"{row.path:34} {row.size:10,} {taken:8.0f} {len(row.waits):8} {middle:7.1f} {slowest:8.1f}"
                print(told, flush=True)
    print(f"\n{late} of them kept /health waiting for more than {GOAL} ms")
    return 2 if late else 0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--posts", type=int, default=1000)
    parser.add_argument("--database", choices=(*DATABASES, "both"), default="both")
    parser.add_argument("--runs", type=int, default=3, help="of each request (default 3)")
    parser.add_argument("--views", action="store_true", help="have all posts viewed first, and wait until that is told")
    try:
        raise SystemExit(run(parser.parse_args()))
    except BenchError as error:
        sys.exit(f"meanwhile: {error}")


if __name__ == "__main__":
    main()
