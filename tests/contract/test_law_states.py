"""A random walk over posts: states, totals and visibility are always what a small model says (contract 4)."""

from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cms_host.api import local
from cms_host.testing import Client, MakeSite, Site, dump

from .library import STATUSES
from .walk import BAD, EARLIER, GOOD, LATER, WRITERS, Step, Walk

SHELVES = ("Fishing", "Sailing", "Swimming")
VIEWERS = (*WRITERS, "subscriber")
LISTS: tuple[dict[str, str], ...] = (
    {}, *({"status": status} for status in STATUSES), {"type": "page"}, {"status": "draft", "type": "post"},
    {"featured": "1"},
)  # fmt: skip
FIELDS: dict[str, st.SearchStrategy[Any]] = {
    "title": st.sampled_from((GOOD, BAD)),
    "status": st.sampled_from(STATUSES),
    "visibility": st.sampled_from(("public", "private")),
    "type": st.sampled_from(("post", "page")),
    "is_featured": st.booleans(),
    "scheduled_at": st.sampled_from((LATER, EARLIER)),
    "tags": st.lists(st.sampled_from(("Deniz", "deniz", "Martı", "İskele")), max_size=3),
    "categories": st.lists(st.integers(1, len(SHELVES)), max_size=3),
}
#: One field or two: with more of them most bodies would be refused for one.
BODIES = st.lists(st.sampled_from(sorted(FIELDS)), max_size=2, unique=True).flatmap(
    lambda names: st.fixed_dictionaries({name: FIELDS[name] for name in names})
)
#: Acts as often as they are named.
ACTS: tuple[tuple[str, st.SearchStrategy[dict[str, Any]]], ...] = (
    ("create", BODIES),
    ("update", BODIES),
    ("update", BODIES),
    ("publish", st.just({})),
    ("schedule", st.sampled_from(({"scheduled_at": LATER}, {"scheduled_at": EARLIER}))),
    ("shelve", st.fixed_dictionaries({"parent_id": st.one_of(st.none(), st.integers(1, len(SHELVES)))})),
    ("delete", st.sampled_from(({}, {"force": True}, {"force": False}))),
)
STEPS = st.lists(
    st.one_of([st.builds(Step, st.just(act), st.sampled_from(WRITERS), st.integers(0, 9), body) for act, body in ACTS]),
    min_size=10,
    max_size=20,
)


@dataclass(frozen=True)
class Walkers:
    """Everybody who walks."""

    clients: dict[str, Client]

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """Hypothesis shows what a failing example was given, which would be a whole site for each."""
        printer.text("the walkers")


@pytest.fixture
async def walkers(make_site: MakeSite) -> Walkers:
    # One rule is enough for a gate that refuses; others would object to posts that are all alike.
    site = await make_site(enabled=["users", "settings", "posts", "categories", "tags", "gate-short-title"])
    roles = {"author": "author", "another": "author", "editor": "editor", "subscriber": "subscriber"}
    clients = {name: await site.client(role, name) for name, role in roles.items()}
    for name in SHELVES:
        assert (await clients["editor"].post("/categories", json={"name": name})).status == 201
    return Walkers(clients)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=STEPS)
@pytest.mark.shows("state.update", "state.publish", "state.delete.trash", "envelope.total")
async def test_states_totals_and_visibility_are_what_the_model_says(
    walkers: Walkers, database_url: str, steps: list[Step]
) -> None:
    clients = walkers.clients
    site, walk = clients["editor"].site, Walk(clients)
    await empty(clients["editor"])
    assert await disagreeing(site) == []
    assert dump(database_url)["posts"] == []
    for number, step in enumerate(steps):
        site.clock.advance(1)
        await walk.take(step, local(site.clock.now(), "UTC"))
        await agrees(walk, VIEWERS[number % len(VIEWERS)], LISTS[number % len(LISTS)])
    for viewer in VIEWERS:
        for sent in LISTS:
            await agrees(walk, viewer, sent)

    assert await disagreeing(site) == []


async def disagreeing(site: Site) -> list[str]:
    """What any index says that does not agree with the posts."""
    return [line for index in site.host.indexes for line in await index.verify(site.host.db)]


async def empty(editor: Client) -> None:
    """Delete for good whatever the last example left."""
    for status in STATUSES:
        for post in (await editor.get("/posts", params={"status": status, "per_page": "100"})).data["items"]:
            assert (await editor.delete(f"/posts/{post['id']}", json={"force": True})).status == 200


async def agrees(walk: Walk, viewer: str, sent: dict[str, str]) -> None:
    """The list holds what the model says, and its total is true."""
    data = (await walk.clients[viewer].get("/posts", params={"per_page": "100", **sent})).data
    expected = walk.model.listed(viewer, sent)
    assert {post["id"] for post in data["items"]} == expected, f"{viewer}: {sent}"
    assert data["total"] == len(expected), f"{viewer}: {sent}"
