"""`Idempotency-Key`: the same request again, another one, and what is not kept (contract 10)."""

from collections.abc import Callable
from typing import Any

import pytest

from cms_host.testing import Answer, Client, Site, dump
from cms_posts.testing import NOTED, article, created
from cms_users.keys import KeyService
from cms_users.service import AccountService

from .describing import on_sqlite

KEY = {"Idempotency-Key": "one-key"}
SHORT = {"title": "Short", "content": "<p>Short.</p>", "status": "published"}
REPLAYED = "Idempotent-Replayed"


def same(one: Answer, other: Answer) -> bool:
    """Whether the other answer is the first one once more, and says so."""
    return (one.status, one.body, other.headers.get(REPLAYED)) == (other.status, other.body, "true")


@pytest.fixture
def statements(site: Site) -> Callable[[], list[str]]:
    """Tells the statements that the site ran since the last call, on SQLite."""
    database: Any = site.host.db
    seen: list[str] = []
    for connection in (database._connection, database._writer.connection):
        connection.set_trace_callback(seen.append)

    def since() -> list[str]:
        told = list(seen)
        seen.clear()
        return told

    return since


async def number_of_posts(client: Client) -> int:
    total: int = (await client.get("/posts")).data["total"]
    return total


async def test_the_same_request_gets_the_first_answer_and_writes_nothing(site: Site, database_url: str) -> None:
    client = await site.client("author")
    first = await client.post("/posts", json=article(title="Çay & kahve"), headers=KEY)
    before = dump(database_url)
    site.clock.advance(60)
    again = await client.post("/posts", json=article(title="Çay & kahve"), headers=KEY)

    assert first.status == 201
    assert REPLAYED not in first.headers
    assert same(first, again)
    assert first.headers["X-Request-Id"] != again.headers["X-Request-Id"]
    assert first.headers["Content-Type"] == again.headers["Content-Type"]
    assert dump(database_url) == before
    assert await number_of_posts(client) == 1


async def test_another_body_is_a_conflict_and_writes_nothing(site: Site, database_url: str) -> None:
    client = await site.client("author")
    await client.post("/posts", json=article(), headers=KEY)
    before = dump(database_url)

    for body in (article(title="Another walk along the harbour"), {}):
        answer = await client.post("/posts", json=body, headers=KEY)
        assert answer.status == 409
        assert "another body" in answer.error["message"]
    assert (await client.post("/posts", headers=KEY)).status == 409
    assert dump(database_url) == before


async def test_a_post_without_a_body_is_the_same_as_itself_alone(site: Site) -> None:
    client = await site.client("author")
    await created(client)
    first = await client.post("/posts/1/publish", headers=KEY)
    site.clock.advance(60)

    assert first.status == 200
    assert same(first, await client.post("/posts/1/publish", headers=KEY))
    assert (await client.post("/posts/1/publish", headers=KEY, json={})).status == 409


async def test_a_slash_at_the_end_is_the_same_path(site: Site) -> None:
    client = await site.client("author")
    first = await client.post("/posts/", json=article(), headers=KEY)

    assert same(first, await client.post("/posts", json=article(), headers=KEY))


async def test_another_path_is_another_request(site: Site) -> None:
    client = await site.client("author")
    for title in ("A walk along the harbour", "An evening at the market"):
        await created(client, title=title)
    answers = [await client.post(f"/posts/{number}/publish", headers=KEY) for number in (1, 2)]

    assert [answer.data["id"] for answer in answers] == [1, 2]
    assert (await client.post("/posts", json=article(), headers=KEY)).data["id"] == 3


async def test_another_owner_is_another_request(site: Site) -> None:
    clients = [await site.client("author", name) for name in ("ali", "ayse")]
    answers = [await client.post("/posts", json=article(), headers=KEY) for client in clients]

    assert [answer.data["post"]["author_name"] for answer in answers] == ["ali", "ayse"]


async def test_another_api_key_of_the_same_owner_is_the_same_request(site: Site) -> None:
    client = await site.client("author")
    first = await client.post("/posts", json=article(), headers=KEY)
    async with site.host.unit().write() as unit:
        owner = await unit.get(AccountService).named("author")
        other = Client(site, await unit.get(KeyService).create(owner, "another"))

    assert same(first, await other.post("/posts", json=article(), headers=KEY))


async def test_another_key_or_none_is_another_request(site: Site) -> None:
    client = await site.client("author")
    answers = [
        await client.post("/posts", json=article(), headers=headers)
        for headers in (KEY, {"Idempotency-Key": "One-Key"}, {}, {})
    ]

    assert [answer.data["id"] for answer in answers] == [1, 2, 3, 4]


async def test_a_refusal_of_the_gate_is_not_kept(site: Site, database_url: str) -> None:
    client = await site.client("author")
    before = dump(database_url, NOTED)
    assert (await client.post("/posts", json=SHORT, headers=KEY)).status == 422
    assert dump(database_url, NOTED) == before

    await site.set(**{"gate.short_content.minimum": 1, "gate.short_title.minimum": 1})
    first = await client.post("/posts", json=SHORT, headers=KEY)
    assert first.status == 201
    assert same(first, await client.post("/posts", json=SHORT, headers=KEY))


async def test_a_record_that_is_not_there_yet_is_not_kept(site: Site) -> None:
    client = await site.client("author")
    assert (await client.post("/posts/1/publish", headers=KEY)).status == 404
    await created(client)

    assert (await client.post("/posts/1/publish", headers=KEY)).status == 200


async def test_a_role_that_is_too_low_is_not_kept(site: Site, database_url: str) -> None:
    refused = await (await site.client("subscriber")).post("/posts", json=article(), headers=KEY)

    assert refused.status == 403
    assert dump(database_url)["idempotency_keys"] == []


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"data": b"{", "headers": {"Content-Type": "application/json"}}, 400),
        ({"json": {"title": "T"}}, 400),
        ({"data": b"x", "headers": {"Content-Type": "text/plain"}}, 415),
        ({"json": article(status="gone")}, 422),
        ({"json": article(author_id=999)}, 422),
    ],
)
async def test_a_body_that_is_refused_is_not_kept(
    site: Site, database_url: str, body: dict[str, Any], status: int
) -> None:
    editor = await site.client("editor")
    sent = {**body, "headers": {**body.get("headers", {}), **KEY}}

    assert (await editor.post("/posts", **sent)).status == status
    assert dump(database_url)["idempotency_keys"] == []
    assert (await editor.post("/posts", json=article(), headers=KEY)).status == 201


@on_sqlite
@pytest.mark.parametrize("key", ["", " ", "a b", "a\tb", "x" * 256, "é", "anahtarı"])
async def test_a_key_of_another_form_is_refused(site: Site, database_url: str, key: str) -> None:
    client = await site.client("author")
    before = dump(database_url)
    answer = await client.post("/posts", json=article(), headers={"Idempotency-Key": key})

    assert answer.status == 400
    assert "Idempotency-Key" in answer.error["message"]
    assert dump(database_url) == before


@on_sqlite
async def test_two_keys_are_refused(site: Site) -> None:
    client = await site.client("author")
    twice = [("Idempotency-Key", "a"), ("Idempotency-Key", "a"), ("X-API-Key", client.key or "")]
    answer = await site.fetch("POST", "/api/v1/posts", json=article(), headers=twice)

    assert answer.status == 400


@on_sqlite
@pytest.mark.parametrize("key", ["x", "x" * 255, '"8e03978e-40d5-43dd-bc93-6894a57f9324"', "!~%\\/"])
async def test_a_key_is_any_visible_ascii(site: Site, key: str) -> None:
    client = await site.client("author")
    first, again = [await client.post("/posts", json=article(), headers={"Idempotency-Key": key}) for _ in range(2)]

    assert first.status == 201
    assert same(first, again)


@on_sqlite
async def test_the_key_is_looked_at_after_the_role_and_before_the_record(site: Site) -> None:
    wrong = {"Idempotency-Key": "a b"}

    assert (await site.anonymous.post("/posts", headers=wrong)).status == 401
    assert (await (await site.client("subscriber")).post("/posts", headers=wrong)).status == 403
    assert (await (await site.client("author")).post("/posts/1/publish", headers=wrong)).status == 400


@on_sqlite
async def test_other_methods_have_no_key(site: Site) -> None:
    client = await site.client("author")
    await created(client)
    wrong = {"Idempotency-Key": "a b"}

    assert (await client.get("/posts", headers=wrong)).status == 200
    assert (await client.patch("/posts/1", json={"title": "Another"}, headers=wrong)).status == 200
    assert (await client.delete("/posts/1", headers=wrong)).status == 200


@on_sqlite
async def test_a_request_without_a_key_runs_no_statement_more(site: Site, statements: Callable[[], list[str]]) -> None:
    client = await site.client("author")
    statements()
    await client.post("/posts", json=article())
    bare = statements()
    await client.post("/posts", json=article(title="An evening at the market"), headers=KEY)
    keyed = statements()

    assert not [each for each in bare if "idempotency_keys" in each]
    # Looked up, claimed, kept.
    assert [each.split()[0] for each in keyed if "idempotency_keys" in each] == ["SELECT", "INSERT", "UPDATE"]


@on_sqlite
async def test_a_repeated_request_is_two_statements(site: Site, statements: Callable[[], list[str]]) -> None:
    client = await site.client("author")
    await client.post("/posts", json=article(), headers=KEY)
    statements()
    await client.post("/posts", json=article(), headers=KEY)

    assert len(statements()) == 2
