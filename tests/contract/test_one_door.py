"""There is one way to `published`, and the gate stands in it (contract 4): every route and every job is tried.

The routes come from the router and the jobs from the host: what a plugin adds is tried without being named here.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import Column, Select, select

from cms_categories.tables import categories
from cms_comments.tables import comments
from cms_host.api import Candidate, Finding, Gate, GateRule, Query, Reader, local
from cms_host.testing import Client, MakeSite, Site
from cms_media.tables import media
from cms_media.testing import uploaded
from cms_posts.tables import posts, revisions
from cms_posts.testing import CONTENT
from cms_tags.tables import tags

from .routes import WRITES, Endpoint, endpoints

REFUSAL = Finding("Kapı kapalı.", "The door is closed.")
ROLES = ("author", "editor", "admin")
#: The ways by which the gate lets a post become published, or change while it is.
WAYS = {
    "POST /posts",
    "PUT /posts/{id}",
    "PATCH /posts/{id}",
    "POST /posts/{id}/publish",
    "POST /posts/{id}/review",
    "POST /posts/{id}/revisions/{revision_id}/restore",
    "POST /webhook/publish",
    "POST /webhook/bulk-publish",
    "job posts.scheduler",
}
#: What a body may hold, under every name that any endpoint could take it by.
BODIES: tuple[Mapping[str, Any], ...] = (
    {},
    {"status": "published"},
    {"status": "published", "reviewed": True},
    {"title": "Another title of it", "content": f"{CONTENT}<p>More.</p>", "status": "published"},
    {"title": "Another title of it", "content": f"{CONTENT}<p>More.</p>"},
    {"excerpt": "Another excerpt"},
    {"slug": "another-slug", "tags": ["New"]},
    {"editorial": {"sources": ["A source"]}, "visibility": "private"},
    {"status": "draft"},
    {"status": "trash"},
    {"status": "pending"},
    {"force": False},
    {"published_at": "2020-01-01 00:00:00", "approved_hash": "x", "success": True},
    {"items": [{"title": "One of many titles", "content": CONTENT, "status": "published"}]},
    {"id": 1, "status": "published"},
    {"name": "A name", "into": "a-name", "value": "published"},
    {"post_id": 1, "content": "A comment", "status": "approved"},
)
#: Where the values of a path's parameters are found, by family and name.
NAMED: Mapping[tuple[str, str], Column[Any]] = {
    ("posts", "id"): posts.c.id,
    ("posts", "revision_id"): revisions.c.id,
    ("categories", "slug"): categories.c.slug,
    ("tags", "slug"): tags.c.slug,
    ("media", "id"): media.c.id,
    ("comments", "id"): comments.c.id,
}
WITHDRAWN = ("draft", "trash", "pending")
#: Seconds until a post is due, where one is scheduled.
SOON = 60
#: Posts that a house is furnished with.
FURNISHED = 6


@dataclass
class Door(GateRule):
    """A gate that the test opens and closes, and that remembers whom it let through."""

    code = "test.door"
    kind = "block"
    is_open: bool = True
    passed: set[str] = field(default_factory=set)

    async def check(self, candidate: Candidate, db: Reader) -> Sequence[Finding]:
        if not self.is_open:
            return [REFUSAL]
        if candidate.trigger != "check":
            self.passed.add(candidate.content_hash)
        return []


class Try(NamedTuple):
    """One attempt: by which way (counted round), as whom, at which record, with what, and whether the door is open."""

    way: int
    role: str
    which: int
    body: Mapping[str, Any]
    is_open: bool


@dataclass
class House:
    """A site, all ways into it, and its door."""

    site: Site
    door: Door
    clients: Mapping[str, Client]

    @property
    def ways(self) -> list[Endpoint | str]:
        writing = [each for each in endpoints(self.site) if each.method in WRITES]
        return [*writing, *(f"job {name}" for name in self.site.host.jobs.names)]

    async def attempt(self, way: Endpoint | str, role: str, which: int, body: Mapping[str, Any]) -> None:
        """Try it, whatever comes of it but a fault of the server's."""
        if isinstance(way, str):
            self.site.clock.advance(2 * SOON)
            await self.site.run_job(way.removeprefix("job "))
            return
        if way.path.endswith("/schedule") or body.get("status") == "scheduled":
            body = {**body, "scheduled_at": local(self.site.clock.now() + SOON * 1_000_000, "UTC")}
        answer = await self.clients[role].request(way.method, way.at(await self.names(way, which)), json=dict(body))
        assert answer.status < 500, f"{way}: {answer.text}"

    async def names(self, way: Endpoint, which: int) -> dict[str, Any]:
        """Values for the path: records that there are, one after the other."""
        found: dict[str, Any] = {}
        for name in way.parameters:
            column = NAMED.get((way.family, name))
            values = await self.read(named(column, found)) if column is not None else []
            found[name] = values[which % len(values)][0] if values else "1"
        return found

    async def published(self) -> set[tuple[int, str]]:
        """The ids and contents of what readers see."""
        rows = await self.read(select(posts.c.id, posts.c.content_hash).where(posts.c.status == "published"))
        return {(post_id, digest) for post_id, digest in rows}

    async def read(self, statement: Select[Any]) -> Sequence[tuple[Any, ...]]:
        return await self.site.host.db.all(Query(statement))

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """Hypothesis shows what a failing example was given, which would be a whole site for each."""
        printer.text("the house")


def named(column: Column[Any], found: Mapping[str, Any]) -> Select[Any]:
    """All values of it; of revisions those of the post that was found before."""
    every = select(column).order_by(column)
    return every.where(revisions.c.post_id == found["id"]) if column is revisions.c.id else every


@pytest.fixture
async def house(make_site: MakeSite) -> House:
    site = await make_site()
    door = Door()
    site.host.gate = Gate([door])
    return House(site, door, {role: await site.client(role) for role in ROLES})


async def furnish(house: House) -> None:
    """A post in every state, one that will be due, and one with a revision."""
    house.door.is_open = True
    client = house.clients["author"]
    for status in ("draft", "pending", "published", "trash"):
        body = {"title": f"A post that is {status}", "content": CONTENT, "status": status}
        assert (await client.post("/posts", json=body)).status == 201
    at = local(house.site.clock.now() + SOON * 1_000_000, "UTC")
    due = {"title": "A post that is scheduled", "content": CONTENT, "scheduled_at": at}
    assert (await client.post("/posts", json=due)).status == 201
    changed = (await client.post("/posts", json={"title": "The first title", "content": CONTENT})).data["post"]
    body = {"title": "The second title", "status": "published"}
    assert (await client.patch(f"/posts/{changed['id']}", json=body)).status == 200
    for _ in ("one", "two"):
        await uploaded(client)
    for family in ("categories", "tags"):
        for name in ("One", "Two"):
            assert (await house.clients["editor"].post(f"/{family}", json={"name": name})).status == 201
    comment = {"post_id": changed["id"], "content": "A comment"}
    assert (await house.clients["editor"].post("/comments", json=comment)).status == 201


def cases(house: House) -> Iterator[tuple[Endpoint | str, Mapping[str, Any]]]:
    for way in house.ways:
        bodies = BODIES if not isinstance(way, str) else BODIES[:1]
        yield from ((way, body) for body in bodies)


def withdraws(case: tuple[Endpoint | str, Mapping[str, Any]]) -> bool:
    """Whether a published post may be one no longer after it, whatever the gate says."""
    way, body = case
    if isinstance(way, str):
        return False
    return way.method == "DELETE" or way.path.endswith("/schedule") or body.get("status") in WITHDRAWN


@pytest.mark.shows("gate.one_door")
async def test_no_way_leads_past_a_closed_door(house: House) -> None:
    await furnish(house)
    house.door.is_open = False
    before = await house.published()
    # What withdraws posts comes last: until then there are published ones to change.
    for way, body in sorted(cases(house), key=withdraws):
        for which in range(FURNISHED if not isinstance(way, str) and way.parameters else 1):
            await house.attempt(way, "admin", which, body)
            after = await house.published()
            assert after <= before, f"{way} with {body}"
            before = after


@pytest.mark.shows("gate.one_door")
async def test_ways_to_published_are_those_that_are_known(house: House) -> None:
    """What the closed door is held against: through the open one they lead indeed, and no others."""
    await furnish(house)
    led = set()
    for way, body in cases(house):
        for which in range(FURNISHED if not isinstance(way, str) and way.parameters else 1):
            before = await house.published()
            await house.attempt(way, "admin", which, body)
            if await house.published() - before:
                led.add(str(way))
                assert {digest for _, digest in await house.published()} <= house.door.passed, f"{way} with {body}"

    assert led <= WAYS
    assert led >= {"POST /posts", "PUT /posts/{id}", "PATCH /posts/{id}", "POST /posts/{id}/publish"}
    assert led >= {"POST /webhook/publish", "POST /webhook/bulk-publish", "job posts.scheduler"}


STEPS = st.lists(
    st.builds(
        Try,
        st.integers(0, 99),
        st.sampled_from(ROLES),
        st.integers(0, 20),
        st.sampled_from(BODIES),
        st.booleans(),
    ),
    min_size=10,
    max_size=25,
)


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=STEPS)
async def test_whatever_is_published_was_let_through_as_it_stands(house: House, steps: list[Try]) -> None:
    if not await house.read(select(posts.c.id)):
        await furnish(house)
    ways = house.ways
    for step in steps:
        house.door.is_open = step.is_open
        before = await house.published()
        await house.attempt(ways[step.way % len(ways)], step.role, step.which, step.body)
        assert {digest for _, digest in await house.published()} <= house.door.passed, step
        if not step.is_open:
            assert await house.published() <= before, step
