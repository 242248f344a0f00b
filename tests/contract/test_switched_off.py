"""Any family of endpoints may be switched off: it answers 404, and all the others go on working (contract 9).

A family that is installed has its journey here, which shows that it works; one without fails by name.
"""

import re
from collections.abc import Awaitable, Callable, Iterator, Mapping
from typing import Any, NamedTuple

import pytest

from cms_host.config import PluginSwitches
from cms_host.plugins import load_plugins
from cms_host.testing import Client, MakeSite, Site
from cms_media.testing import uploaded
from cms_members.testing import became_member
from cms_posts.testing import content, created, unlike

from .routes import endpoints
from .targets import ABSENT

#: Values for parameters in the paths of pages.
IN_PAGES = {"path": "2026/01/no-such.jpg", "source": "posts", "number": "1"}
#: One of them, with the pattern that a page may give for it, in which there may be braces again.
PARAMETER = re.compile(r"\{(\w+)(?::(?:[^{}]|\{[^{}]*\})*)?\}")
SQLITE_ALONE = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


class Sites(NamedTuple):
    """An administrator of two sites on one database."""

    #: Has every family: for what a journey needs of others, which may be switched off on the one that is tried.
    whole: Client
    part: Client


async def _categories(sites: Sites) -> None:
    made = await done(sites.part, "POST", "/categories", {"name": "Harbours"})
    await created(sites.whole, title=unlike("categories"), categories=[made["id"]], status="published")
    await done(sites.part, "PATCH", "/categories/harbours", {"description": "By the sea"})
    read = await done(sites.part, "GET", "/categories/harbours")
    assert (read["description"], read["post_count"]) == ("By the sea", 1)
    assert [each["slug"] for each in await items(sites.part, "/categories")] == ["harbours"]
    await done(sites.part, "DELETE", "/categories/harbours")


async def _comments(sites: Sites) -> None:
    post = await created(sites.whole, title=unlike("comments"), status="published")
    made = await done(sites.part, "POST", "/comments", {"post_id": post["id"], "content": "Well said."})
    path = f"/comments/{made['id']}"
    await done(sites.part, "PATCH", path, {"status": "approved"})
    assert [each["status"] for each in await items(sites.part, "/comments")] == ["approved"]
    await done(sites.part, "DELETE", path)
    assert await items(sites.part, "/comments") == []


async def _health(sites: Sites) -> None:
    told = await done(sites.part, "GET", "/health")
    assert told["status"] == "ok", told


async def _media(sites: Sites) -> None:
    made = await uploaded(sites.part, title="A boat")
    assert await items(sites.part, "/media") == [made]
    await done(sites.part, "PATCH", f"/media/{made['id']}", {"alt": "Blue"})
    for address in made["urls"].values():
        shown = await sites.part.site.fetch("GET", address)
        assert (shown.status, bool(shown.body)) == (200, True)
    await done(sites.part, "DELETE", f"/media/{made['id']}")
    assert await items(sites.part, "/media") == []


async def _members(sites: Sites) -> None:
    username = await became_member(sites.part.site, "Ayşe", "ayse@example.org")
    (record,) = await items(sites.whole, "/users?search=ayse@example.org")
    assert [record[name] for name in ("username", "role", "email_verified")] == [username, "subscriber", True]
    await done(sites.whole, "DELETE", f"/users/{record['id']}")


async def _posts(sites: Sites) -> None:
    category = await done(sites.whole, "POST", "/categories", {"name": "Boats"})
    made = await created(sites.part, title=unlike("posts"), categories=[category["id"]], tags=["Deniz"])
    path = f"/posts/{made['id']}"
    await done(sites.part, "PATCH", path, {"excerpt": "Another excerpt"})
    published = await done(sites.part, "POST", f"{path}/publish")
    assert published["post"]["status"] == "published"
    (listed,) = await items(sites.part, "/posts?category=boats&tag=deniz&with_relations=1")
    assert [[each["slug"] for each in listed[kind]] for kind in ("categories", "tags")] == [["boats"], ["deniz"]]
    assert len(await items(sites.part, f"{path}/revisions")) == 1
    await done(sites.part, "POST", f"{path}/schedule", {"scheduled_at": "2030-01-01 10:00:00"})
    await done(sites.part, "DELETE", path, {"force": True})
    assert (await sites.part.get(path)).status == 404


async def _search(sites: Sites) -> None:
    post = await created(sites.whole, title=f"Lighthouses: {unlike('search')}", status="published")
    (found,) = await items(sites.part, "/search?q=lighthou")
    assert (found["id"], "<mark>" in found["excerpt"] or found["title"] == post["title"]) == (post["id"], True)


async def _sitemap(sites: Sites) -> None:
    post = await created(sites.whole, title=unlike("sitemap"), status="published")
    told = [each["loc"] for each in await items(sites.part, "/sitemap")]
    assert any(address.endswith(post["slug"]) for address in told)
    page = await sites.part.site.fetch("GET", "/sitemap.xml")
    assert (page.status, post["slug"] in page.text) == (200, True)


async def _settings(sites: Sites) -> None:
    await done(sites.part, "PUT", "/settings/posts.revisions_kept", {"value": 7})
    assert (await done(sites.part, "GET", "/settings/posts.revisions_kept"))["value"] == 7
    assert len(await items(sites.part, "/settings?per_page=100")) > 10


async def _stats(sites: Sites) -> None:
    post = await created(sites.whole, title=unlike("stats"), status="published")
    sent = {"items": [{"post_id": post["id"], "count": 3}]}
    # Under a key, views are written with the answer.
    counted = await sites.part.post("/stats/views", json=sent, headers={"Idempotency-Key": "views"})
    assert (counted.status, counted.data["counted"]) == (200, 3)
    told = await done(sites.part, "GET", "/stats")
    assert (told["views"]["total"] >= 3, told["posts"]["published"] >= 1, told["users"]) == (True, True, 1)


async def _tags(sites: Sites) -> None:
    for name in ("Sea", "Ocean"):
        await done(sites.part, "POST", "/tags", {"name": name})
    await created(sites.whole, title=unlike("tags"), tags=["Sea"], status="published")
    merged = await done(sites.part, "POST", "/tags/sea/merge", {"into": "ocean"})
    assert merged["post_count"] == 1
    assert [each["slug"] for each in await items(sites.part, "/tags?search=oce")] == ["ocean"]
    await done(sites.part, "DELETE", "/tags/ocean")


async def _trends(sites: Sites) -> None:
    post = await created(sites.whole, title=unlike("trends"), status="published")
    sent = {"items": [{"post_id": post["id"], "count": 500}]}
    counted = await sites.whole.post("/stats/views", json=sent, headers={"Idempotency-Key": "trends"})
    assert counted.status == 200, counted.text
    told = await done(sites.part, "GET", "/trends?period=24h")
    assert (told["items"][0]["post_id"], told["items"][0]["views"]) == (post["id"], 500)


async def _users(sites: Sites) -> None:
    (listed,) = await items(sites.part, "/users")
    assert await done(sites.part, "GET", f"/users/{listed['id']}") == listed


async def _webhooks(sites: Sites) -> None:
    sent = {"title": unlike("webhooks"), "content": content("webhooks"), "categories": ["By name"]}
    made = await done(sites.part, "POST", "/webhook/draft", sent)
    published = await done(sites.part, "POST", "/webhook/publish", {"id": made["id"]})
    assert (made["post"]["status"], published["post"]["status"]) == ("draft", "published")
    assert await items(sites.part, "/webhook/queue-pending", "POST") == []
    assert (await done(sites.part, "POST", "/webhook/test"))["role"] == "admin"
    await done(sites.whole, "DELETE", "/categories/by-name")


#: What shows that a family works, by the plugin's name.
JOURNEYS: Mapping[str, Callable[[Sites], Awaitable[None]]] = {
    "categories": _categories,
    "comments": _comments,
    "health": _health,
    "media": _media,
    "members": _members,
    "posts": _posts,
    "search": _search,
    "settings": _settings,
    "sitemap": _sitemap,
    "stats": _stats,
    "tags": _tags,
    "trends": _trends,
    "users": _users,
    "webhooks": _webhooks,
}


async def done(client: Client, method: str, path: str, body: Mapping[str, Any] | None = None) -> Any:
    """`data` of a request that succeeds."""
    answer = await client.request(method, path, **({} if body is None else {"json": body}))
    assert answer.status < 300, f"{method} {path}: {answer.text}"
    return answer.data


async def items(client: Client, path: str, method: str = "GET") -> list[dict[str, Any]]:
    """The records of a list."""
    listed: list[dict[str, Any]] = (await done(client, method, path))["items"]
    return listed


def families() -> list[str]:
    """The names of the installed plugins that have endpoints."""
    known = load_plugins(PluginSwitches()).known
    return [name for name, plugin in known.items() if plugin.kind == "family"]


def ways(site: Site, family: str) -> Iterator[tuple[str, str]]:
    """Method and full path of everything that a family answers on a site that has it."""
    declared = {"cms_routes": "/api/v1", "cms_pages": ""}
    for hook, prefix in declared.items():
        if family in site.host.plugins.implementing(hook):
            for each in site.host.plugins.call_one(family, hook, host=site.host):
                yield from ((method, prefix + each.path) for method in each.method.split())


def concrete(path: str) -> str:
    """The path with a value in place of each parameter."""
    return PARAMETER.sub(lambda found: {**ABSENT, **IN_PAGES}[found[1]], path)


@pytest.mark.parametrize("family", families())
@SQLITE_ALONE
@pytest.mark.shows("service.switched-off", "service.switched-off.others")
async def test_a_family_that_is_switched_off_is_gone_and_the_others_go_on(make_site: MakeSite, family: str) -> None:
    site, partial = await make_site(), await make_site(disabled=[family])
    key = await site.key("admin")
    gone = list(ways(site, family))

    assert gone, "nothing would be switched off"
    for method, path in gone:
        answer = await partial.fetch(method, concrete(path), headers={"X-API-Key": key})
        assert answer.status == 404, f"{method} {path}"
    assert not {(each.method, f"/api/v1{each.path}") for each in endpoints(partial)} & {*gone}
    sites = Sites(Client(site, key), Client(partial, key))
    for name, journey in JOURNEYS.items():
        if name != family:
            await journey(sites)


def test_every_family_has_its_journey() -> None:
    assert [name for name in families() if name not in JOURNEYS] == [], "write one for each, in JOURNEYS"
