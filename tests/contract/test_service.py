"""The service as a whole: where it is, and which names answer (spec, What the service does; Other endpoints)."""

import asyncio
from pathlib import Path

import pytest

from cms_host.testing import Client, MakeSite, Site
from cms_posts.testing import created

SQLITE_ALONE = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


@pytest.mark.shows(
    "service.name.posts",
    "service.name.media",
    "service.name.categories",
    "service.name.tags",
    "service.name.users",
    "service.name.settings",
    "service.name.health",
    "service.name.stats",
    "service.name.trends",
    "service.name.search",
    "service.name.sitemap",
    "service.name.comments",
)
async def test_each_name_answers_a_good_key(admin: Client) -> None:
    for name in (
        "posts",
        "media",
        "categories",
        "tags",
        "users",
        "settings",
        "health",
        "stats",
        "trends",
        "search?q=word",
        "sitemap",
        "comments",
    ):
        answer = await admin.get(f"/{name}")

        assert (answer.status, answer.json["success"]) == (200, True)


@pytest.mark.shows("service.prefix")
async def test_the_prefix_is_part_of_the_address(site: Site, admin: Client) -> None:
    headers = {"X-API-Key": admin.key or ""}
    found = {path: (await site.fetch("GET", path, headers=headers)).status for path in ("/posts", "/api/posts")}

    assert found == {"/posts": 404, "/api/posts": 404}
    assert (await site.fetch("GET", "/api/v1/posts", headers=headers)).status == 200


@pytest.mark.shows("others.users")
async def test_one_account_is_read_by_its_id(admin: Client) -> None:
    listed = (await admin.get("/users")).data["items"][0]

    assert (await admin.get(f"/users/{listed['id']}")).data == listed


@pytest.mark.shows("others.settings")
async def test_a_setting_is_read_and_changed(admin: Client) -> None:
    changed = await admin.put("/settings/gate.short_title.minimum", json={"value": 20})
    assert (changed.status, changed.data["value"]) == (200, 20)
    answer = await admin.patch("/settings", json={"gate.short_title.minimum": 21, "timezone": "Europe/Istanbul"})
    assert answer.status == 200
    found = [(await admin.get(f"/settings/{key}")).data["value"] for key in ("gate.short_title.minimum", "timezone")]
    assert found == [21, "Europe/Istanbul"]


@SQLITE_ALONE
@pytest.mark.shows("others.health")
async def test_health_answers_200_also_where_something_is_wrong(make_site: MakeSite) -> None:
    site = await make_site(enabled=["users", "health"])
    client = await site.client("subscriber")
    assert (await client.get("/health")).data["status"] == "ok"

    async def fail(unit: object) -> str:
        raise OSError("the disk is full")

    (check, *others) = site.host.health_checks
    others = [each for each in others if each.name != "media_store"]
    site.host.health_checks = [type(check)("media_store", fail), check, *others]
    answer = await client.get("/health")
    assert (answer.status, answer.data["status"]) == (200, "degraded")


@pytest.mark.shows("request.open.docs")
async def test_the_documentation_needs_no_key_and_counts_for_no_limit(make_site: MakeSite) -> None:
    site = await make_site(rate_limit=1)
    answers = [await site.fetch("GET", path) for path in ("/docs", "/docs/openapi.json", "/docs")]

    assert [answer.status for answer in answers] == [200, 200, 200]
    assert (await (await site.client()).get("/health")).status == 200


@pytest.mark.shows("request.cors")
async def test_no_answer_has_cors_headers(admin: Client) -> None:
    await created(admin)
    asked = {"Origin": "https://elsewhere.example", "Access-Control-Request-Method": "GET"}
    for method, path in (("GET", "/posts"), ("OPTIONS", "/posts"), ("GET", "/nothing"), ("GET", "/posts/1")):
        answer = await admin.request(method, path, headers=asked)
        assert [name for name in answer.headers if name.lower().startswith("access-control-")] == []


@SQLITE_ALONE
@pytest.mark.shows("errors.parser")
async def test_what_is_no_http_is_a_plain_400_and_documented(site: Site) -> None:
    assert site.http.port
    for head in (
        "NONSENSE\r\n\r\n",
        "POST /api/v1/posts HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
    ):
        reader, writer = await asyncio.open_connection("127.0.0.1", site.http.port)
        writer.write(head.encode())
        answer = await asyncio.wait_for(reader.read(), 30)
        writer.close()
        await writer.wait_closed()
        assert b" 400 " in answer.partition(b"\r\n")[0]
        assert b"text/plain" in answer
    assert "`Content-Length` twice" in (Path(__file__).parents[2] / "docs" / "api.md").read_text("utf-8")
