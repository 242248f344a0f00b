"""POST /posts."""

import pytest

from cms_host.testing import Site, dump
from cms_posts.testing import CONTENT, COVER, NOTED, article, created


async def test_create_without_status_is_a_draft_and_skips_the_gate(site: Site) -> None:
    client = await site.client("author")
    answer = await client.post("/posts", json={"title": "x", "content": "<p>y</p>"})
    assert answer.status == 201
    assert answer.data["success"] is True
    assert answer.data["post"]["status"] == "draft"
    assert answer.data["id"] == answer.data["post"]["id"]
    assert answer.data["warnings"] == []


async def test_create_answers_with_every_field_of_the_record(site: Site) -> None:
    record = await created(await site.client("editor", "ayse"))
    assert record == {
        "id": 1,
        "title": "A walk along the harbour",
        "slug": "a-walk-along-the-harbour",
        "status": "draft",
        "type": "post",
        "excerpt": record["excerpt"],
        "content": CONTENT,
        "featured_image": COVER,
        "author_id": record["author_id"],
        "author_name": "ayse",
        "reading_time": 2,
        "view_count": 0,
        "visibility": "public",
        "comment_status": "open",
        "is_featured": False,
        "scheduled_at": None,
        "published_at": None,
        "created_at": "2026-01-15 12:00:00",
        "updated_at": "2026-01-15 12:00:00",
        "content_modified_at": "2026-01-15T12:00:00.000000+00:00",
        "reviewed_at": None,
        "review_valid": None,
        "editorial": {"ai_disclosure": None, "original_notes": None, "sources": [], "ymyl": False},
    }


async def test_create_published_passes_the_gate_and_is_stamped(site: Site) -> None:
    record = await created(await site.client("author"), status="published")
    assert record["status"] == "published"
    assert record["published_at"] == "2026-01-15 12:00:00"
    assert record["review_valid"] is True


async def test_create_published_refused_writes_nothing(site: Site, database_url: str) -> None:
    client = await site.client("author")
    before = dump(database_url, NOTED)
    answer = await client.post("/posts", json={"title": "Short", "content": "<p>Short.</p>", "status": "published"})
    assert answer.status == 422
    assert set(answer.json) == {"success", "error", "blocks"}
    assert answer.json["error"] == "quality_gate"
    assert [block["code"] for block in answer.json["blocks"]] == ["short_content", "short_title"]
    assert all(set(block) == {"code", "message_tr", "message_en"} for block in answer.json["blocks"])
    assert dump(database_url, NOTED) == before


async def test_create_published_tells_the_gates_warnings(site: Site) -> None:
    client = await site.client("author")
    plain = article(content="<p>" + "Words without a heading or a link. " * 60 + "</p>", status="published")
    del plain["featured_image"]
    answer = await client.post("/posts", json=plain)
    assert answer.status == 201, answer.text
    codes = [warning["code"] for warning in answer.data["warnings"]]
    assert codes == ["missing_cover", "missing_h2", "missing_internal_links"]


@pytest.mark.parametrize(
    ("body", "fields"),
    [
        ({}, {"title", "content"}),
        ({"title": "", "content": "x"}, {"title"}),
        ({"title": "  ", "content": "x"}, {"title"}),
        ({"title": "x", "content": ""}, {"content"}),
        ({"title": 1, "content": ["x"]}, {"title", "content"}),
        ({"title": None, "content": "x"}, {"title"}),
        ({"title": "<b></b>", "content": "x"}, {"title"}),
        ({"title": "x", "content": "<script>alert(1)</script>"}, {"content"}),
        ({"title": "x", "content": "x", "is_featured": "yes"}, {"is_featured"}),
        ({"title": "x", "content": "x", "editorial": {"sources": "x"}}, {"editorial.sources"}),
    ],
)
async def test_create_names_the_fields_that_are_missing_or_mistyped(site: Site, body: object, fields: set[str]) -> None:
    answer = await (await site.client("author")).post("/posts", json=body)
    assert answer.status == 400
    assert {error["field"] for error in answer.error["errors"]} == fields
    assert all(field in answer.error["message"] for field in fields)


@pytest.mark.parametrize(
    "change",
    [
        {"status": "live"},
        {"type": "video"},
        {"visibility": "secret"},
        {"scheduled_at": "tomorrow"},
        {"scheduled_at": "2020-01-01 00:00:00"},
        {"status": "scheduled"},
        {"title": "x" * 501},
    ],
)
async def test_create_refuses_what_is_well_formed_but_unacceptable(site: Site, change: dict[str, str]) -> None:
    answer = await (await site.client("editor")).post("/posts", json=article(**change))
    assert answer.status == 422
    assert answer.error["code"] == 422


async def test_create_takes_markdown(site: Site) -> None:
    record = await created(
        await site.client("author"), content="# Title\n\nSome *text* and\n\n| a | b |\n|---|---|\n| 1 | 2 |"
    )
    assert "<h1>Title</h1>" in record["content"]
    assert "<em>text</em>" in record["content"]
    assert "<table>" in record["content"]


async def test_create_sanitises_and_says_what_was_removed(site: Site) -> None:
    client = await site.client("author")
    content = '<p onclick="x()">a</p><script>steal()</script><a href="javascript:x">b</a>'
    answer = await client.post("/posts", json=article(content=content))
    stored = answer.data["post"]["content"]
    assert "script" not in stored
    assert "onclick" not in stored
    assert [warning["code"] for warning in answer.data["warnings"]] == ["sanitized"]
    assert "script" in answer.data["warnings"][0]["message_en"]


async def test_create_with_a_taken_title_makes_the_slug_unique(site: Site) -> None:
    client = await site.client("author")
    slugs = [(await created(client, title="Iğdır'ın Çağrısı"))["slug"] for _ in range(3)]
    assert slugs == ["igdirin-cagrisi", "igdirin-cagrisi-2", "igdirin-cagrisi-3"]


async def test_create_with_a_title_of_symbols_is_named_by_its_id(site: Site) -> None:
    client = await site.client("author")
    await created(client)
    record = await created(client, title="🎉🎉🎉")
    assert record["slug"] == f"post-{record['id']}"
    assert (await client.get(f"/posts/{record['id']}")).data["slug"] == record["slug"]


async def test_create_under_a_reserved_name_gets_a_number(site: Site) -> None:
    record = await created(await site.client("author"), title="Admin")
    assert record["slug"] == "admin-2"


async def test_create_derives_the_excerpt_only_when_it_is_empty(site: Site) -> None:
    client = await site.client("author")
    derived = (await created(client, excerpt=""))["excerpt"]
    assert derived.startswith("Morning The boats")
    assert derived.endswith("…")
    assert len(derived) <= 161
    assert (await created(client, excerpt="By hand"))["excerpt"] == "By hand"


async def test_create_with_a_future_time_is_scheduled_whatever_the_status(site: Site) -> None:
    client = await site.client("author")
    record = await created(client, title="x", status="published", scheduled_at="2027-05-01 10:00:00")
    assert record["status"] == "scheduled"
    assert record["scheduled_at"] == "2027-05-01 10:00:00"


async def test_create_by_an_author_ignores_another_author_id(site: Site) -> None:
    editor = await created(await site.client("editor"))
    author = await site.client("author")
    mine = await created(author)
    assert mine["author_id"] != editor["author_id"]
    assert (await created(author, author_id=editor["author_id"]))["author_id"] == mine["author_id"]


async def test_create_by_an_editor_honours_author_id(site: Site) -> None:
    author = await created(await site.client("author"))
    editor = await site.client("editor")
    record = await created(editor, author_id=author["author_id"])
    assert (record["author_id"], record["author_name"]) == (author["author_id"], "author")
    assert (await editor.post("/posts", json=article(author_id=999))).status == 422


async def test_create_ignores_fields_that_are_not_for_clients(site: Site) -> None:
    sent = {"id": 77, "view_count": 5, "published_at": "2020-01-01", "reviewed_at": "2020-01-01", "review_valid": True}
    record = await created(await site.client("author"), **sent, created_at="2020-01-01 00:00:00")
    assert record["id"] == 1
    assert record["view_count"] == 0
    assert record["published_at"] is None
    assert record["reviewed_at"] is None
    assert record["created_at"] == "2026-01-15 12:00:00"


async def test_create_a_page_needs_an_editor(site: Site) -> None:
    answer = await (await site.client("author")).post("/posts", json=article(type="page"))
    assert (answer.status, answer.error["message"]) == (403, "Insufficient role for this operation")
    assert (await created(await site.client("editor"), type="page"))["type"] == "page"


async def test_create_by_a_subscriber_is_refused(site: Site) -> None:
    answer = await (await site.client("subscriber")).post("/posts", json=article())
    assert (answer.status, answer.error["message"]) == (403, "Insufficient role for this operation")


async def test_create_with_content_over_the_limit_names_the_setting(site: Site) -> None:
    await site.set(**{"posts.max_content_bytes": 2000})
    answer = await (await site.client("author")).post("/posts", json=article(content="<p>x</p>" * 300))
    assert answer.status == 413
    assert "posts.max_content_bytes" in answer.error["message"]


@pytest.mark.parametrize(
    "content",
    ["<b>" * 25_000, "[" * 20_000, "\n".join("  " * depth + "- x" for depth in range(300)), "<ul><li>" * 300],
    ids=["100 KB of b", "20,000 brackets", "300 nested lists", "300 nested lists in HTML"],
)
async def test_create_with_hostile_content_is_a_clear_422(site: Site, content: str) -> None:
    answer = await (await site.client("author")).post("/posts", json=article(content=content))
    assert answer.status == 422
    assert answer.error["errors"][0]["field"] == "content"
