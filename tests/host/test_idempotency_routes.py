"""Every endpoint that answers POST takes an `Idempotency-Key`: the law of the whole route table."""

from collections.abc import Mapping
from typing import Any

import pytest

from cms_host.routing import Route
from cms_host.testing import MakeSite, Site, dump
from cms_media.testing import form, picture
from cms_posts.testing import article, created, unlike

from .describing import on_sqlite

KEY = {"Idempotency-Key": "one-key"}
#: What most endpoints take, for they ignore the fields that they do not know.
ANYTHING = {
    **article(title="An evening at the market"),
    "name": "Tea",
    "scheduled_at": "2027-05-01 10:00:00",
    "into": "b",
    "post_id": 1,
}
#: Those that want a body of their own.
BODIES: Mapping[str, Mapping[str, Any]] = {
    "/media": {"file": picture(), "alt": "A boat"},
    "/stats/views": {"items": [{"post_id": 1, "count": 2}]},
    "/webhook/publish": article(title=unlike("published")),
    "/webhook/bulk-publish": {"items": [article(title=unlike("one of many"))]},
    "/users": {"username": "ayse", "email": "ayse@example.org", "password": "correct horse"},
}
#: Those that write nothing: they are carried out again each time.
DRY = frozenset({"/posts/{id}/check", "/posts/check", "/webhook/queue-pending"})
#: Each item of it has a key of its own.
BY_ITEM = frozenset({"/webhook/bulk-publish"})
#: Asks another host, which there is none of here: its own tests send it twice.
ASKING = frozenset({"/webhook/media"})


def sending(route: Route) -> dict[str, Any]:
    """The options of a request with a body that the route takes."""
    body = BODIES.get(route.path, ANYTHING)
    return {"data": form(**body)} if "file" in body else {"json": body}


def routes(site: Site) -> list[Route]:
    """Every POST, but for those whose path lacks an id: they are always refused."""
    found = [route for _, route in site.host.plugins.each("cms_routes", host=site.host)]
    posts = [route for route in found if "POST" in route.methods and "//" not in route.path]
    return [route for route in posts if route.path not in ASKING]


def path_of(route: Route) -> str:
    """The path to the first record of each kind."""
    path = route.path
    for name, is_number in route.parameters.items():
        path = path.replace(f"{{{name}}}", "1" if is_number else "a")
    return path


async def with_things(make_site: MakeSite) -> Site:
    """A site on which whatever the paths below name is there."""
    site = await make_site()
    client = await site.client("admin")
    await created(client)
    answers = [
        await client.patch("/posts/1", json={"title": "A walk along the old harbour"}),
        *[await client.post("/tags", json={"name": name}) for name in ("a", "b")],
    ]
    assert [answer.status for answer in answers] == [200, 201, 201]
    return site


@pytest.mark.shows("idempotency.every-post", "idempotency.replay")
async def test_a_repeated_post_gets_the_same_bytes_on_every_path(make_site: MakeSite, database_url: str) -> None:
    site = await with_things(make_site)
    client = await site.client("admin")
    assert routes(site)

    for route in routes(site):
        path = path_of(route)
        first = await client.post(path, **sending(route), headers=KEY)
        before = dump(database_url)
        site.clock.advance(60)
        again = await client.post(path, **sending(route), headers=KEY)

        told = f"POST {route.path}: tell in BODIES what it takes: {first.text}"
        assert first.status in (200, 201), told
        assert (again.status, again.body) == (first.status, first.body), route.path
        assert again.headers.get("Idempotent-Replayed") == (None if route.path in DRY else "true"), route.path
        assert dump(database_url) == before, route.path


@on_sqlite
async def test_another_body_is_a_conflict_on_every_path(make_site: MakeSite) -> None:
    site = await with_things(make_site)
    client = await site.client("admin")

    for route in [each for each in routes(site) if each.path not in DRY | BY_ITEM]:
        path = path_of(route)
        await client.post(path, **sending(route), headers=KEY)
        assert (await client.post(path, json={"other": 1}, headers=KEY)).status == 409, route.path


@on_sqlite
@pytest.mark.parametrize("path", ["/posts//publish", "/posts//schedule"])
async def test_what_is_always_refused_is_refused_with_a_key_too(site: Site, path: str) -> None:
    client = await site.client("author")

    assert [(await client.post(path, headers=KEY)).status for _ in range(2)] == [400, 400]


@on_sqlite
async def test_the_lists_name_nothing_that_is_gone(site: Site) -> None:
    assert BODIES.keys() | DRY | BY_ITEM <= {route.path for route in routes(site)}
