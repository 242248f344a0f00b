"""Posts that fall due in one moment, before several hosts of which one is killed: each comes out once, and soon.

`make stress` takes 1,000 posts on PostgreSQL and 200 on SQLite, and waits out the lease of the killed host.
"""

import os
import signal
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from sqlalchemy import Connection, text

from cms_host.migrate import sync_engine
from cms_host.testing import MakeSite, Site
from cms_posts.scheduler import BATCH, LEASE
from cms_posts.testing import article
from tests.host.process.installation import Installation, Running, poll

SIZE = int(os.environ.get("CMS_TEST_SCHEDULED", "60"))
IS_LONG = SIZE >= 1000
#: SQLite has one writer at a time, whatever the number of processes.
MOST = {"sqlite": 200, "postgresql": SIZE}
HOSTS = {"sqlite": 2, "postgresql": 3}
#: Seconds from the due time to the publish, for 99 of 100 posts (RELIABILITY, G9).
BOUND = 5
SECOND = 1_000_000

#: Notes every write that leaves a post published, in the transaction of that write.
WITNESS = {
    "sqlite": [
        """CREATE TRIGGER witnessed AFTER UPDATE ON posts WHEN NEW.status = 'published'
        BEGIN INSERT INTO witness VALUES (NEW.id); END""",
    ],
    "postgresql": [
        """CREATE FUNCTION note() RETURNS trigger AS
        'BEGIN INSERT INTO witness VALUES (NEW.id); RETURN NULL; END' LANGUAGE plpgsql""",
        """CREATE TRIGGER witnessed AFTER UPDATE ON posts FOR EACH ROW WHEN (NEW.status = 'published')
        EXECUTE FUNCTION note()""",
    ],
}


class Store:
    """The database that the hosts share, looked at and prepared from outside."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.kind = url.partition(":")[0]
        self._engine = sync_engine(url)

    def run(self, *statements: str, **values: object) -> None:
        with self._engine.begin() as connection:
            for statement in statements:
                connection.execute(text(statement), values)

    def numbers(self, statement: str) -> list[int]:
        with self._engine.connect() as connection:
            return list(self._column(connection, statement))

    def _column(self, connection: Connection, statement: str) -> Iterator[int]:
        return (row[0] for row in connection.execute(text(statement)))

    @property
    def published(self) -> Counter[int]:
        """How often each post was written as published."""
        return Counter(self.numbers("SELECT post_id FROM witness"))


@pytest.fixture
def store(database_url: str) -> Store:
    store = Store(database_url)
    store.run("CREATE TABLE witness (post_id BIGINT NOT NULL)", *WITNESS[store.kind])
    return store


@pytest.fixture
def hosts(tmp_path: Path, store: Store) -> Iterator[list[Running]]:
    """Several `cms-host serve` on one database, each with a data folder of its own."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("CMS_")}
    environment |= {"CMS_DATABASE_URL": store.url, "PYTHONWARNINGS": "error"}
    with ExitStack() as stack:
        started = []
        for number in range(HOSTS[store.kind]):
            (folder := tmp_path / f"host-{number}").mkdir()
            started.append(running := Installation(folder, environment).start())
            stack.callback(kill, running)
        for running in started:
            running.wait_for("serves on ")
        yield started


def kill(running: Running) -> None:
    if running.process.poll() is None:
        os.killpg(running.process.pid, signal.SIGKILL)
        running.process.wait()


async def write_posts(site: Site, number: int) -> None:
    """Scheduled posts that no rule objects to, and of which no two are alike."""
    client = await site.client("author")
    for each in range(number):
        # Squares of numbers far apart have few digits in common.
        words = " ".join(f"{(each * 1009 + place) ** 3:x}" for place in range(300))
        body = article(title=words[-60:], content=f"<h2>{each}</h2><p>{words}</p>", scheduled_at="2099-01-01")
        answer = await client.post("/posts", json=body)
        assert answer.status == 201, answer.text


@pytest.mark.slow
async def test_each_post_comes_out_once_though_a_host_is_killed(
    make_site: MakeSite, store: Store, hosts: list[Running]
) -> None:
    number = min(SIZE, MOST[store.kind])
    await write_posts(await make_site(), number)
    due = time.time_ns() // 1000 + SECOND
    store.run("UPDATE posts SET scheduled_at = :due", due=due)

    poll(lambda: store.published.total() > number // 4, "the first posts")
    kill(hosts[0])
    if not IS_LONG:
        store.run("UPDATE post_schedules SET until = 0")
    poll(lambda: len(store.published) == number, "the last post")

    assert set(store.published.values()) == {1}
    assert store.numbers("SELECT count(*) FROM posts WHERE status <> 'published'") == [0]
    waits = sorted((at - due) / SECOND for at in store.numbers("SELECT published_at FROM posts"))
    # What the killed host had claimed waits for the end of its lease.
    prompt = waits[:-BATCH]
    late = prompt[len(prompt) * 99 // 100]
    print(f"{number} posts, {len(hosts)} hosts, {store.kind}: p50 {waits[number // 2]:.2f} s, p99 {late:.2f} s")
    assert waits[0] >= 0
    assert late < BOUND or not IS_LONG
    assert waits[-1] < LEASE + BOUND or not IS_LONG


async def test_witness_sees_a_post_that_is_published_twice(make_site: MakeSite, store: Store) -> None:
    site = await make_site()
    await write_posts(site, 2)
    for post_id in (1, 2):
        await (await site.client("author")).post(f"/posts/{post_id}/publish")
    store.run("UPDATE posts SET status = 'published' WHERE id = 2")

    assert store.published == {1: 1, 2: 2}
