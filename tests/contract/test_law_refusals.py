"""A write that is refused, for whatever reason, leaves every table as it was (contract 2)."""

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from cms_host.testing import Client, MakeSite, Site, dump
from cms_posts.testing import article, created

from .callers import BROKEN, sending
from .role_table import DUTIES, suffices
from .routes import WRITES, Endpoint, document, endpoints
from .schemas import body_schema
from .targets import ABSENT, target

LIMIT = 60_000
TOO_LARGE = {"json": {"title": "x" * LIMIT}}
JSON = {"Content-Type": "application/json"}
MALFORMED = (b"{", b"[]", b'"text"', b"null", b'{"title": "\\u0000"}', b'{"a": NaN}', b"\xff", b'{"a": 1, "a": 2}')
SHORT = {"title": "Short", "content": "<p>Short.</p>"}


@pytest.fixture
async def site(make_site: MakeSite) -> Site:
    return await make_site(max_body_bytes=LIMIT)


@pytest.mark.shows("gate.nothing")
async def test_a_refused_write_to_any_endpoint_writes_nothing(site: Site, database_url: str) -> None:
    clients = {role: await site.client(role) for role in ("subscriber", "admin")}
    described = await document(site)
    for each in endpoints(site):
        if each.method in WRITES:
            path = each.at(await target(site, each, "admin"))
            before = dump(database_url)
            await _send_refused(clients, each, path, body_schema(described, each))
            assert dump(database_url) == before, str(each)


async def _send_refused(
    clients: Mapping[str, Client], endpoint: Endpoint, path: str, schema: Mapping[str, Any] | None
) -> None:
    body, admin, method = DUTIES[str(endpoint)].body, clients["admin"], endpoint.method
    assert (await admin.site.anonymous.request(method, path, **sending(body))).status == 401
    if not suffices("subscriber", endpoint):
        assert (await clients["subscriber"].request(method, path, **sending(body))).status == 403
    if endpoint.parameters:
        assert (await admin.request(method, endpoint.at(ABSENT), **sending(body))).status == 404
    if schema is None or DUTIES[str(endpoint)].answer >= 400:
        return
    assert (await admin.request(method, path, **TOO_LARGE)).status == 413
    assert (await admin.request(method, path, **BROKEN)).status == 415
    for raw in MALFORMED:
        assert (await admin.request(method, path, data=raw, headers=JSON)).status == 400, raw
    for wrong in mistyped(schema):
        assert (await admin.request(method, path, json={**(body or {}), **wrong})).status == 400, wrong


def mistyped(schema: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """For each field of a body, a value of a type that the field does not take."""
    for name, field in schema.get("properties", {}).items():
        if "type" in field:
            yield {name: 5 if field["type"] == "object" else {"an": "object"}}


async def test_a_post_that_can_t_be_is_refused_and_nothing_is_written(site: Site, database_url: str) -> None:
    admin = await site.client("admin")
    post = await created(admin)
    before = dump(database_url)
    for body, status in unacceptable():
        for method, path in (("POST", "/posts"), ("PUT", f"/posts/{post['id']}"), ("PATCH", f"/posts/{post['id']}")):
            answer = await admin.request(method, path, json=article(**body))
            assert answer.status == status, f"{method} {body}: {answer.text}"

    assert dump(database_url) == before


def unacceptable() -> Iterator[tuple[dict[str, Any], int]]:
    """Changes of a whole article, and how it is refused with them."""
    yield {"title": ""}, 400
    yield {"title": "<b></b>"}, 400
    yield {"content": " "}, 400
    yield {"content": "<script>alert(1)</script>"}, 400
    yield {"title": "x" * 501}, 422
    yield {"content": "<div>" * 5000}, 422
    yield {"status": "live"}, 422
    yield {"status": "scheduled"}, 422
    yield {"scheduled_at": "2020-01-01"}, 422
    yield {"scheduled_at": "tomorrow"}, 422
    yield {"author_id": 4711}, 422
    yield {"visibility": "password"}, 422
    yield {"editorial": {"sources": ["x" * 2001]}}, 422


@pytest.mark.shows("posts.conflict")
async def test_a_stale_write_is_refused_and_nothing_is_written(site: Site, database_url: str) -> None:
    admin = await site.client("admin")
    post = await created(admin)
    path, stale = f"/posts/{post['id']}", {"expected_content_modified_at": "2026-01-15T11:59:59.999999+00:00"}
    before = dump(database_url)
    answers = [
        await admin.patch(path, json={"title": "Another title", **stale}),
        await admin.post(f"{path}/publish", json=stale),
        await admin.post(f"{path}/review", json=stale),
        await admin.post(f"{path}/schedule", json={"scheduled_at": "2026-12-31", **stale}),
    ]

    assert [answer.status for answer in answers] == [409] * 4
    assert dump(database_url) == before


async def test_a_category_or_tag_that_can_t_be_is_refused_and_nothing_is_written(site: Site, database_url: str) -> None:
    admin = await site.client("admin")
    parent = (await admin.post("/categories", json={"name": "Harbour"})).data
    child = (await admin.post("/categories", json={"name": "Boats", "parent_id": parent["id"]})).data
    tag = (await admin.post("/tags", json={"name": "Deniz"})).data
    before = dump(database_url)
    refused = [
        ("POST", "/categories", {"name": "HARBOUR"}, 409),
        ("POST", "/categories", {"name": "Nets", "parent_id": 4711}, 422),
        ("PATCH", f"/categories/{parent['slug']}", {"parent_id": child["id"]}, 422),
        ("PATCH", f"/categories/{child['slug']}", {"parent_id": child["id"]}, 422),
        ("PATCH", f"/categories/{child['slug']}", {"name": "harbour", "parent_id": None}, 409),
        ("PUT", f"/categories/{child['slug']}", {"name": "<b></b>"}, 400),
        ("POST", "/tags", {"name": "DENİZ"}, 409),
        ("POST", f"/tags/{tag['slug']}/merge", {"into": tag["slug"]}, 422),
        ("POST", f"/tags/{tag['slug']}/merge", {"into": "nothing"}, 422),
    ]
    for method, path, body, status in refused:
        answer = await admin.request(method, path, json=body)
        assert answer.status == status, f"{method} {path} {body}: {answer.text}"

    assert dump(database_url) == before


async def test_an_idempotency_key_with_another_body_is_refused_and_nothing_is_written(
    site: Site, database_url: str
) -> None:
    admin = await site.client("admin")
    sent = {"headers": {"Idempotency-Key": "one-key"}}
    assert (await admin.post("/posts", json=article(), **sent)).status == 201
    before = dump(database_url)

    assert (await admin.post("/posts", json=article(title="Another title"), **sent)).status == 409
    assert dump(database_url) == before


async def test_content_beyond_its_limit_is_refused_and_nothing_is_written(site: Site, database_url: str) -> None:
    admin = await site.client("admin")
    await site.set(**{"posts.max_content_bytes": 2000})
    post = await created(admin, content="<p>Short.</p>")
    before = dump(database_url)
    body = article(content=f"<p>{'x' * 2000}</p>")
    answers = [await admin.post("/posts", json=body), await admin.patch(f"/posts/{post['id']}", json=body)]

    assert [answer.status for answer in answers] == [413, 413]
    assert dump(database_url) == before


@pytest.mark.shows("gate.nothing", "state.update.refused", "state.new.refused")
async def test_what_the_gate_refuses_is_not_written(site: Site, database_url: str) -> None:
    """The refusal itself is counted, and its report kept; of the post nothing is."""
    author = await site.client("author")
    draft = await created(author, **SHORT)
    published = await created(author, title="A post that is published", status="published")
    own = [name for name in dump(database_url) if not name.startswith(("gate_", "post_gate_"))]
    before = {name: dump(database_url)[name] for name in own}
    answers = [
        await author.post("/posts", json={**SHORT, "status": "published"}),
        await author.patch(f"/posts/{draft['id']}", json={"status": "published", "tags": ["new"]}),
        await author.put(f"/posts/{draft['id']}", json={"status": "published", "slug": "another"}),
        await author.post(f"/posts/{draft['id']}/publish"),
        await author.patch(f"/posts/{published['id']}", json=SHORT),
        await author.patch(f"/posts/{published['id']}", json={**SHORT, "status": "published", "tags": ["new"]}),
    ]

    assert [(answer.status, answer.json["error"]) for answer in answers] == [(422, "quality_gate")] * len(answers)
    assert {name: dump(database_url)[name] for name in own} == before
