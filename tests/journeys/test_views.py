"""Views of posts on their way from two processes into the counters, the figures and the trends."""

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cms_host.testing import Client, MakeSite, Site
from cms_posts.testing import article

FLUSH = "stats.views"
POSTS, DAY = 3, 86_400
#: What would take the time of a test that is about something else.
GATE = ("gate-duplicate-title", "gate-similar-title", "gate-similar-content")


class Step(NamedTuple):
    """One act on one of the two processes: `view`, `keyed`, `flush`, `cut`, `delete` or `wait`."""

    act: str
    place: int
    post: int
    n: int


STEPS = st.builds(
    Step,
    st.sampled_from(["view", "view", "keyed", "flush", "flush", "cut", "delete", "wait"]),
    st.integers(0, 1),
    st.integers(0, POSTS - 1),
    st.integers(1, 1000),
)


@dataclass
class Model:
    """What must come of the steps."""

    #: By process, what is not written; and what is, by post and day.
    pending: tuple[Counter[tuple[int, int]], Counter[tuple[int, int]]] = field(
        default_factory=lambda: (Counter(), Counter())
    )
    written: Counter[tuple[int, int]] = field(default_factory=Counter)
    gone: set[int] = field(default_factory=set)
    day: int = 0

    def take(self, step: Step) -> None:
        if step.act == "view" and step.post not in self.gone:
            self.pending[step.place][step.post, self.day] += step.n
        elif step.act == "keyed" and step.post not in self.gone:
            self.written[step.post, self.day] += step.n
        elif step.act in ("flush", "cut"):
            self.flush(step.place)
        elif step.act == "delete":
            self.gone.add(step.post)
        elif step.act == "wait":
            self.day += 1

    def flush(self, place: int) -> None:
        self.written.update({key: n for key, n in self.pending[place].items() if key[0] not in self.gone})
        self.pending[place].clear()

    def total(self, *, post: int | None = None, days: int | None = None) -> int:
        """Views that are written, of one post or of all, of as many last days or of all."""
        return sum(
            n
            for (each, day), n in self.written.items()
            if post in (None, each) and (days is None or self.day - days < day <= self.day)
        )


@dataclass
class Pair:
    """Two processes of one site, and three posts of this example."""

    sites: Sequence[Site]
    clients: Sequence[Client]
    ids: Sequence[int]
    sent: int = 0

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """Hypothesis shows what a failing example was given, which would be two whole sites."""
        printer.text("the pair")

    async def take(self, step: Step) -> None:
        client, site = self.clients[step.place], self.sites[step.place]
        post_id = self.ids[step.post]
        if step.act in ("view", "keyed"):
            self.sent += 1
            key = {"Idempotency-Key": f"views-{post_id}-{self.sent}"} if step.act == "keyed" else {}
            body = {"items": [{"post_id": post_id, "count": step.n}]}
            # With a key it does not matter how often, nor where.
            for each in self.clients if key else [client]:
                assert (await each.post("/stats/views", json=body, headers=key)).status == 200
        elif step.act == "flush":
            await site.run_job(FLUSH)
        elif step.act == "cut":
            await self._flush_without_answer(site)
        elif step.act == "delete":
            assert (await client.delete(f"/posts/{post_id}", json={"force": True})).status in (200, 404)
        else:
            site.clock.advance(DAY)

    async def _flush_without_answer(self, site: Site) -> None:
        """The database commits, and the process does not get to know it; then it tries again."""
        begin = site.host.db.transaction

        @asynccontextmanager
        async def cut_off(lock: str | None = None) -> Any:
            async with begin(lock) as tx:
                yield tx
            raise ConnectionError("after the commit")

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(site.host.db, "transaction", cut_off)
            await site.host.jobs.run_due(site.host.jobs.named(FLUSH))
        await site.run_job(FLUSH)

    async def views(self) -> Mapping[str, int]:
        """The site's figures; both processes show the same."""
        found = [(await each.get("/stats")).data["views"] for each in self.clients]
        assert found[0] == found[1]
        return {name: found[0][name] for name in ("total", "today", "last_7_days", "last_30_days")}

    async def posts(self) -> Mapping[int, int]:
        """What is shown with the posts that there are, by their places."""
        answers = {place: await self.clients[0].get(f"/posts/{post_id}") for place, post_id in enumerate(self.ids)}
        return {place: answer.data["view_count"] for place, answer in answers.items() if answer.status == 200}

    async def ranked(self) -> Sequence[tuple[int, int]]:
        """The trends of the last seven days, as far as they are of these posts."""
        items = (await self.clients[1].get("/trends?limit=100")).data["items"]
        places = {post_id: place for place, post_id in enumerate(self.ids)}
        return [(places[item["post_id"]], item["views"]) for item in items if item["post_id"] in places]


@pytest.fixture
async def sites(make_site: MakeSite) -> Sequence[Site]:
    return [await make_site(disabled=GATE) for _ in range(2)]


async def furnished(sites: Sequence[Site]) -> Pair:
    key = await sites[0].key()
    clients = [Client(site, key) for site in sites]
    answers = [await clients[0].post("/posts", json=article(status="published")) for _ in range(POSTS)]
    return Pair(sites, clients, [answer.data["id"] for answer in answers])


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=st.lists(STEPS, max_size=10))
async def test_views_of_two_processes_are_what_they_sum_up_to(sites: Sequence[Site], steps: Sequence[Step]) -> None:
    pair, model = await furnished(sites), Model()
    before = (await pair.views())["total"]
    for step in steps:
        await pair.take(step)
        model.take(step)
    for place, site in enumerate(sites):
        await site.run_job(FLUSH)
        model.flush(place)

    left = [place for place in range(POSTS) if place not in model.gone]
    assert (await pair.views())["total"] - before == model.total()
    assert await pair.posts() == {place: model.total(post=place) for place in left}
    viewed = {place: model.total(post=place, days=7) for place in left}
    assert await pair.ranked() == sorted(
        ((place, n) for place, n in viewed.items() if n), key=lambda each: (each[1], each[0]), reverse=True
    )
    # The next example begins on a day of its own.
    sites[0].clock.advance(31 * DAY)
