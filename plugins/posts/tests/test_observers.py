"""Those who are told of every saved post (hook `cms_post_observers`)."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from cms_host.api import Candidate, Finding, Gate, GateRule, PostChange, PostObserver, Reader, Transaction
from cms_host.testing import Site
from cms_posts.testing import created

TOMORROW = "2099-01-01 10:00:00"


@dataclass
class Keeping(PostObserver, GateRule):
    """Keeps what it is told, and which candidates it saw."""

    code = "test.keeping"
    kind = "warning"
    told: list[PostChange] = field(default_factory=list)
    due: list[int | None] = field(default_factory=list)

    async def saved(self, change: PostChange, tx: Transaction) -> None:
        self.told.append(change)

    async def check(self, candidate: Candidate, db: Reader) -> list[Finding]:
        self.due.append(candidate.due_at)
        return []


@pytest.fixture
def keeping(site: Site) -> Iterator[Keeping]:
    keeping = Keeping()
    site.host.post_observers = [keeping]
    site.host.gate = Gate([keeping])
    return keeping


async def test_create_tells_of_a_new_post(site: Site, keeping: Keeping) -> None:
    await created(await site.client("author"), title="A First Title")
    (change,) = keeping.told
    assert (change.post_id, change.title, change.folded_title) == (1, "A First Title", "a first title")
    assert (change.was_listed, change.is_listed, change.title_changed, change.text_changed) == (
        False,
        False,
        True,
        True,
    )
    assert change.text == ""


async def test_publish_tells_of_the_text_that_readers_see(site: Site, keeping: Keeping) -> None:
    client = await site.client("author")
    await created(client)
    await client.post("/posts/1/publish")
    change = keeping.told[-1]
    assert (change.was_listed, change.is_listed, change.title_changed, change.text_changed) == (
        False,
        True,
        False,
        False,
    )
    assert len(change.text) > 1500
    assert "<" not in change.text


async def test_schedule_tells_when_the_post_is_due(site: Site, keeping: Keeping) -> None:
    client = await site.client("author")
    await created(client)
    await client.post("/posts/1/schedule", json={"scheduled_at": TOMORROW})
    change = keeping.told[-1]
    assert (change.was_listed, change.is_listed, change.due_at) == (False, True, 4_070_944_800_000_000)
    assert len(change.text) > 1500


async def test_gate_is_told_when_a_scheduled_post_was_due(site: Site, keeping: Keeping) -> None:
    client = await site.client("author")
    await created(client)
    await client.post("/posts/1/check")
    await client.post("/posts/1/schedule", json={"scheduled_at": TOMORROW})
    await client.post("/posts/1/check")
    await client.post("/posts/1/publish")
    assert keeping.due == [None, 4_070_944_800_000_000, 4_070_944_800_000_000]


@pytest.mark.parametrize(
    ("method", "body"),
    [("DELETE", {}), ("DELETE", {"force": True}), ("PATCH", {"status": "draft"}), ("PATCH", {"status": "pending"})],
)
@pytest.mark.shows("posts.gone.hook")
async def test_whatever_takes_a_post_away_tells_that_it_is_listed_no_more(
    site: Site, keeping: Keeping, method: str, body: dict[str, Any]
) -> None:
    client = await site.client("author")
    await created(client, status="published")
    assert (await client.request(method, "/posts/1", json=body)).status == 200
    change = keeping.told[-1]
    assert (change.post_id, change.was_listed, change.is_listed, change.text) == (1, True, False, "")


async def test_unchanged_write_tells_nothing(site: Site, keeping: Keeping) -> None:
    client = await site.client("author")
    await created(client, title="A first title")
    await client.patch("/posts/1", json={"title": "A first title"})
    assert len(keeping.told) == 1


async def test_observer_that_raises_fails_the_write_and_leaves_nothing(site: Site, keeping: Keeping) -> None:
    class Failing(Keeping):
        async def saved(self, change: PostChange, tx: Transaction) -> None:
            raise RuntimeError("no")

    site.host.post_observers = [Failing()]
    client = await site.client("author")
    answer = await client.post("/posts", json={"title": "A first title", "content": "<p>Text.</p>"})
    assert (answer.status, (await client.get("/posts")).data["total"]) == (500, 0)
