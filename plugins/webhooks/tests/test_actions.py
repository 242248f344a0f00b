"""What each action does (contract 6)."""

from typing import Any

import pytest

from cms_content_queue.api import PendingItems
from cms_host.api import Paging
from cms_host.testing import Client, Site, assert_documented, dump
from cms_posts.testing import NOTED, article, created, refusal, unlike

from .conftest import SQLITE_ALONE, total

LATER = "2026-06-01 09:30:00"
SHORT = {"title": "Short", "content": "<p>Short.</p>"}


async def call(client: Client, action: str, body: Any) -> Any:
    return await client.post(f"/webhook/{action}", json=body)


async def shelved(client: Client, post_id: int) -> list[str]:
    record = (await client.get(f"/posts/{post_id}", params={"with_relations": "1"})).data
    return [each["name"] for each in record["categories"]]


@SQLITE_ALONE
@pytest.mark.shows("service.name.webhook", "request.webhook.list", "request.webhook.unknown", "actions.roles")
async def test_list_has_every_action_and_no_other_is_found(site: Site) -> None:
    client = await site.client("subscriber")
    told = (await client.get("/webhook")).data["actions"]

    assert [(each["name"], each["role"]) for each in told] == [
        ("publish", "author"),
        ("draft", "author"),
        ("schedule", "author"),
        ("media", "author"),
        ("bulk-publish", "author"),
        ("queue-pending", "editor"),
        ("test", "subscriber"),
    ]
    for each in told:
        assert (await client.request("GET", each["path"].removeprefix("/api/v1"))).status == 405
    assert (await (await site.client("admin")).post("/webhook/nonsense", json={})).status == 404


@pytest.mark.shows("actions.publish", "actions.post")
async def test_publish_makes_a_published_post_and_answers_as_a_create(site: Site) -> None:
    author = await site.client("author")
    answer = await call(author, "publish", article(tags=["Sea"], status="published"))

    assert (answer.status, answer.data.keys()) == (201, {"success", "id", "post", "warnings"})
    assert (answer.data["post"]["status"], answer.data["post"]["author_name"]) == ("published", "author")
    assert (await author.get(f"/posts/{answer.data['id']}")).data == answer.data["post"]
    assert (await author.get(f"/posts/{answer.data['id']}/gate")).data["trigger"] == "webhook"


@pytest.mark.shows("actions.publish")
async def test_publish_refused_by_the_gate_writes_nothing(site: Site, database_url: str) -> None:
    editor = await site.client("editor")
    before = dump(database_url, without=NOTED)
    answer = await call(editor, "publish", {**SHORT, "categories": ["New"]})

    assert (answer.status, answer.json.keys()) == (422, {"success", "error", "blocks"})
    assert refusal(answer) == ["short_content", "short_title"]
    assert dump(database_url, without=NOTED) == before


@pytest.mark.shows("actions.publish", "actions.stored")
async def test_publish_with_an_id_publishes_what_is_stored(site: Site) -> None:
    author = await site.client("author")
    post = await created(author)
    answer = await call(author, "publish", {"id": post["id"]})

    assert (answer.status, answer.data["post"]["status"]) == (200, "published")
    assert await total(site) == 1


@pytest.mark.shows("actions.draft", "actions.categories")
async def test_draft_is_always_a_draft_with_categories_found_or_made_by_name(site: Site) -> None:
    editor = await site.client("editor")
    await editor.post("/categories", json={"name": "Liman"})
    sent = article(status="published", scheduled_at=LATER, categories=["LİMAN", "Deniz", 1])
    answer = await call(editor, "draft", sent)

    assert (answer.status, answer.data["post"]["status"], answer.data["post"]["scheduled_at"]) == (201, "draft", None)
    assert await shelved(editor, answer.data["id"]) == ["Liman", "Deniz"]
    assert [each["detail"] for each in answer.data["warnings"]] == [{"fields": ["status", "scheduled_at"]}]


@pytest.mark.shows("actions.categories")
async def test_author_makes_no_category_and_is_told(site: Site) -> None:
    author = await site.client("author")
    await (await site.client("editor")).post("/categories", json={"name": "Liman"})
    answer = await call(author, "draft", article(categories=["liman", "Deniz"]))

    assert await shelved(author, answer.data["id"]) == ["Liman"]
    assert [each["code"] for each in answer.data["warnings"]] == ["unknown_category"]
    assert await total(site, "/categories") == 1


@pytest.mark.shows("actions.schedule", "actions.stored")
async def test_schedule_takes_a_new_post_or_an_id(site: Site) -> None:
    author = await site.client("author")
    new = await call(author, "schedule", article(scheduled_at=LATER, status="published"))
    stored = await created(author, title=unlike("stored"))
    old = await call(author, "schedule", {"id": stored["id"], "scheduled_at": LATER})

    assert (new.status, old.status) == (201, 200)
    for answer in (new, old):
        assert (answer.data["post"]["status"], answer.data["post"]["scheduled_at"]) == ("scheduled", LATER)


@SQLITE_ALONE
@pytest.mark.parametrize(
    ("action", "body", "status", "field"),
    [
        ("publish", {}, 400, "title"),
        ("publish", {"title": "", "content": "x"}, 400, "title"),
        ("publish", {"id": "1"}, 400, "id"),
        ("publish", {"id": None}, 400, "id"),
        ("publish", article(id=1), 422, "id"),
        ("publish", article(scheduled_at=LATER), 422, "scheduled_at"),
        ("publish", article(scheduled_at=5), 400, "scheduled_at"),
        ("publish", article(slug=5), 400, "slug"),
        ("draft", {"content": "x"}, 400, "title"),
        ("draft", article(type="novel"), 422, "type"),
        ("schedule", article(), 400, "scheduled_at"),
        ("schedule", {"id": 1}, 400, "scheduled_at"),
        ("schedule", article(scheduled_at=None), 400, "scheduled_at"),
        ("schedule", article(scheduled_at="2020-01-01"), 422, "scheduled_at"),
        ("media", {}, 400, "url"),
        ("media", {"url": 5}, 400, "url"),
        ("bulk-publish", {}, 400, "items"),
        ("bulk-publish", {"items": {}}, 400, "items"),
        ("bulk-publish", {"items": ["x"]}, 400, "items"),
        ("bulk-publish", {"items": []}, 422, "items"),
        ("bulk-publish", {"items": [{}] * 101}, 422, "items"),
        ("bulk-publish", {"items": [{}], "status": "pending"}, 422, "status"),
        ("queue-pending", {"page": "1"}, 400, "page"),
    ],
)
@pytest.mark.shows("actions.errors", "actions.bulk.size")
async def test_body_that_can_not_be_is_refused_by_field(
    site: Site, action: str, body: dict[str, Any], status: int, field: str
) -> None:
    editor = await site.client("editor")
    answer = await call(editor, action, body)

    assert answer.status == status, answer.text
    assert field in [each["field"] for each in answer.error["errors"]]
    assert await total(site) == 0


@SQLITE_ALONE
@pytest.mark.shows("actions.stored")
async def test_stored_post_of_another_is_not_touched(site: Site) -> None:
    author, other = await site.client("author"), await site.client("author", "other")
    await created(other)
    shown = await created(other, title=unlike("shown"), status="published")
    for action, body in (("publish", {}), ("schedule", {"scheduled_at": LATER})):
        assert (await call(author, action, {"id": 1, **body})).status == 404
        assert (await call(author, action, {"id": 987654321, **body})).status == 404
        assert (await call(author, action, {"id": shown["id"], **body})).status == 403


@pytest.mark.shows("service.queue")
async def test_queue_is_listed_and_nothing_sent_in_gets_there(site: Site) -> None:
    editor = await site.client("editor")
    for action in ("draft", "publish"):
        assert (await call(editor, action, article(title=unlike(action)))).status == 201
    empty = {"items": [], "total": 0, "pages": 0, "current_page": 1, "per_page": 20}

    assert (await call(editor, "queue-pending", {})).data == empty
    assert (await editor.post("/webhook/queue-pending")).data == empty
    asked = await call(editor, "queue-pending", {"page": 0, "per_page": 1000})
    assert (asked.data["current_page"], asked.data["per_page"]) == (1, 100)
    assert await site.host.unit().get(PendingItems).page(Paging(1, 20)) == ([], 0)


@SQLITE_ALONE
@pytest.mark.parametrize("body", [b"", b"{", b"\xff", b'{"a": 1}', b"[1]"])
@pytest.mark.shows("actions.test")
async def test_connection_test_tells_who_calls_whatever_is_sent(site: Site, body: bytes) -> None:
    key = await site.key("subscriber")
    answer = await site.anonymous.post("/webhook/test", data=body, headers={"Authorization": f"Bearer {key}"})

    assert answer.data == {
        "ok": True,
        "authenticated_by": "api_key",
        "header": "Authorization",
        "role": "subscriber",
        "time": "2026-01-15 12:00:00",
    }


@SQLITE_ALONE
async def test_answers_are_as_documented(site: Site) -> None:
    editor = await site.client("editor")
    for action, body in (
        ("publish", article()),
        ("draft", article(categories=["New"])),
        ("schedule", article(scheduled_at=LATER)),
        ("bulk-publish", {"items": [article(title=unlike("bulk")), SHORT, {"title": 5}]}),
        ("queue-pending", {}),
        ("test", {}),
    ):
        answer = await call(editor, action, body)
        assert answer.status in (200, 201)
        await assert_documented(site, "POST", f"/webhook/{action}", answer)
    await assert_documented(site, "GET", "/webhook", await editor.get("/webhook"))
