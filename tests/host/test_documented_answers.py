"""Answers are what the document says of them, to the field."""

from typing import Any

import pytest

from cms_host.testing import Answer, Client, MakeSite, Site, assert_documented
from cms_posts.testing import article, created

from .describing import on_sqlite

pytestmark = on_sqlite


async def ask(client: Client, method: str, path: str, *, route: str = "", **options: Any) -> Answer:
    """One request, whose answer must be as documented for the route."""
    answer = await client.request(method, path, **options)
    await assert_documented(client.site, method, route or path, answer)
    return answer


async def test_posts_answer_as_documented(site: Site) -> None:
    client = await site.client("editor")
    assert (await ask(client, "POST", "/posts", json=article(status="published"))).status == 201
    assert (await ask(client, "POST", "/posts", json=article(title="Another walk"))).status == 201
    for method, path, route, options in (
        ("GET", "/posts", "/posts", {"params": {"per_page": 1}}),
        ("GET", "/posts/1", "/posts/{id}", {}),
        ("PATCH", "/posts/1", "/posts/{id}", {"json": {"excerpt": "Of a walk."}}),
        ("PUT", "/posts/2", "/posts/{id}", {"json": {"editorial": {"sources": ["a"]}}}),
        ("POST", "/posts/1/publish", "/posts/{id}/publish", {}),
        ("DELETE", "/posts/2", "/posts/{id}", {}),
    ):
        assert (await ask(client, method, path, route=route, **options)).status == 200, path


async def test_refusals_of_the_gate_answer_as_documented(site: Site) -> None:
    client = await site.client("author")
    await created(client, title="Short")

    assert (await ask(client, "POST", "/posts/1/publish", route="/posts/{id}/publish")).status == 422
    assert (
        await ask(client, "POST", "/posts", json={"title": "S", "content": "s", "status": "published"})
    ).status == 422


@pytest.mark.parametrize("role", ["subscriber", "admin"])
async def test_health_answers_as_documented(site: Site, role: str) -> None:
    assert (await ask(await site.client(role), "GET", "/health")).status == 200


async def test_accounts_and_settings_answer_as_documented(site: Site) -> None:
    client = await site.client("admin")
    for method, path, route, options in (
        ("GET", "/users", "/users", {}),
        ("GET", "/users/1", "/users/{id}", {}),
        ("GET", "/settings", "/settings", {}),
        ("GET", "/settings/timezone", "/settings/{key}", {}),
        ("PUT", "/settings/timezone", "/settings/{key}", {"json": {"value": "Europe/Istanbul"}}),
        ("PATCH", "/settings", "/settings", {"json": {"timezone": "UTC"}}),
    ):
        assert (await ask(client, method, path, route=route, **options)).status == 200, path


@pytest.mark.parametrize(
    ("status", "method", "path", "route", "options"),
    [
        (400, "POST", "/posts", "/posts", {"json": {}}),
        (400, "POST", "/posts", "/posts", {"data": b"{", "headers": {"Content-Type": "application/json"}}),
        (400, "PUT", "/posts", "/posts", {}),
        (400, "GET", "/posts?search=%ff", "/posts", {}),
        (404, "GET", "/posts/1", "/posts/{id}", {}),
        (413, "POST", "/posts", "/posts", {"data": b"x" * 50_001}),
        (415, "POST", "/posts", "/posts", {"data": b"x", "headers": {"Content-Type": "text/plain"}}),
        (422, "POST", "/posts", "/posts", {"json": {"title": "T", "content": "c", "status": "gone"}}),
        (422, "GET", "/posts?page=x", "/posts", {}),
    ],
)
async def test_errors_answer_as_documented(
    make_site: MakeSite, status: int, method: str, path: str, route: str, options: dict[str, Any]
) -> None:
    site = await make_site(max_body_bytes=50_000)
    assert (await ask(await site.client("author"), method, path, route=route, **options)).status == status


async def test_refused_callers_are_answered_as_documented(site: Site) -> None:
    assert (await ask(site.anonymous, "GET", "/posts")).status == 401
    assert (await ask(await site.client("subscriber"), "POST", "/posts", json={})).status == 403


async def test_an_answer_that_is_not_documented_is_told(site: Site) -> None:
    answer = await (await site.client("admin")).get("/health")
    more = Answer(200, {"success": True, "data": {**answer.data, "secret": 1}}, answer.headers, b"")
    less = Answer(200, {"success": True, "data": {"status": "ok"}}, answer.headers, b"")
    odd = Answer(418, answer.json, answer.headers, b"")

    for wrong, told in ((more, "secret"), (less, "'version' is a required property"), (odd, "418")):
        with pytest.raises(AssertionError, match=told):
            await assert_documented(site, "GET", "/health", wrong)
