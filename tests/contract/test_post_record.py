"""Every field of a post's record, by its type and by what it says (spec, Post record)."""

import re
from typing import Any

import pytest

from cms_host.api import Role
from cms_host.testing import Client, Site, dump
from cms_posts.testing import CONTENT, article, created, unlike
from cms_users.keys import KeyService
from cms_users.service import AccountService

LOCAL = re.compile(r"\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}")
ISO = re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}[+-]\d{2}:\d{2}")
FIELDS = {
    "id", "title", "slug", "status", "type", "excerpt", "content", "featured_image", "author_id", "author_name",
    "reading_time", "view_count", "published_at", "created_at", "updated_at", "content_modified_at", "reviewed_at",
    "review_valid", "editorial", "scheduled_at", "visibility", "comment_status", "is_featured",
}  # fmt: skip


async def every_way(client: Client) -> list[dict[str, Any]]:
    """The record of post 1 from every endpoint that gives one."""
    return [
        (await client.get("/posts/1")).data,
        (await client.get("/posts")).data["items"][0],
        (await client.patch("/posts/1", json={})).data["post"],
        (await client.post("/posts/1/publish")).data["post"],
        (await client.post("/posts", json=article())).data["post"],
    ]


@pytest.mark.shows(
    "post.id", "post.title", "post.slug", "post.excerpt", "post.content", "post.featured_image", "post.author_id",
    "post.author_name", "post.reading_time", "post.view_count", "post.editorial", "post.editorial.ymyl",
    "post.editorial.sources", "post.editorial.ai_disclosure", "post.editorial.original_notes", "post.is_featured",
    "post.categories", "post.tags", "post.visibility", "post.comment_status", "post.scheduled_at",
)  # fmt: skip
async def test_every_endpoint_gives_every_field_with_its_type_and_no_other(editor: Client) -> None:
    await created(editor)
    for record in await every_way(editor):
        assert record.keys() == FIELDS
        assert all(type(record[name]) is int for name in ("id", "author_id", "reading_time", "view_count"))
        texts = ("title", "slug", "excerpt", "content", "featured_image", "author_name", "status", "type")
        assert all(type(record[name]) is str for name in texts)
        assert type(record["is_featured"]) is bool
        assert (record["visibility"], record["comment_status"], record["scheduled_at"]) == ("public", "open", None)
        assert record["editorial"] == {"ai_disclosure": None, "original_notes": None, "sources": [], "ymyl": False}


@pytest.mark.shows(
    "post.title", "post.content", "post.excerpt", "post.featured_image", "post.comment_status", "post.visibility",
    "post.is_featured", "post.editorial.ai_disclosure", "post.editorial.original_notes", "post.editorial.sources",
    "post.editorial.ymyl", "post.type", "body.featured_image", "body.type", "body.visibility", "body.comment_status",
    "body.is_featured", "body.excerpt", "body.status", "body.slug",
)  # fmt: skip
async def test_what_is_sent_reads_back(editor: Client) -> None:
    sent = article(
        slug="by-hand", excerpt="By hand", status="pending", type="page", visibility="private", comment_status="closed",
        is_featured=True, featured_image="2026/01/b.jpg",
        editorial={"ai_disclosure": "By machine", "original_notes": "Kept", "sources": ["A law"], "ymyl": True},
    )  # fmt: skip
    record = (await editor.post("/posts", json=sent)).data["post"]

    assert {name: record[name] for name in sent} == sent
    assert (await editor.get("/posts/1")).data == record


@pytest.mark.shows("post.author_name", "post.author_id")
async def test_the_author_is_the_owner_of_the_key(site: Site, admin: Client) -> None:
    record = await created(await site.client("author", "ayse"))
    account = (await admin.get(f"/users/{record['author_id']}")).data

    assert (record["author_name"], account["username"], account["name"]) == ("ayse", "ayse", "ayse")


@pytest.mark.shows("post.author_name", "list.order_by.author_name")
async def test_the_author_s_name_is_not_the_one_he_signs_in_with(site: Site, admin: Client) -> None:
    names = {"yazar": "Fatma Yıldız", "ali": "Zeynep Ak"}
    for username, name in names.items():
        async with site.host.unit().write() as unit:
            account = await unit.get(AccountService).create(username, f"{username}@example.org", Role.AUTHOR, name)
            author = Client(site, await unit.get(KeyService).create(account, "laptop"))
        record = await created(author)
        assert (record["author_id"], record["author_name"]) == (account.id, name)
        assert (await admin.get(f"/posts/{record['id']}")).data == record
    listed = (await admin.get("/posts?order_by=author_name&order_dir=asc")).data["items"]

    assert [item["author_name"] for item in listed] == [*names.values()]


@pytest.mark.shows("post.slug")
async def test_no_two_posts_have_one_slug(editor: Client) -> None:
    records = [await created(editor), await created(editor), await created(editor, slug="a-walk-along-the-harbour")]
    records.append((await editor.patch("/posts/1", json={"slug": records[1]["slug"]})).data["post"])

    assert len({record["slug"] for record in records}) == 4


@pytest.mark.parametrize("status", ["published", "draft", "pending", "trash"])
@pytest.mark.shows(
    "post.status", "state.values.published", "state.values.draft", "state.values.pending", "state.values.trash",
    "state.new.status", "state.update", "list.status",
)  # fmt: skip
async def test_a_post_can_have_each_status(editor: Client, status: str) -> None:
    born = await created(editor, status=status)
    await created(editor, title=unlike(2))
    turned = (await editor.put("/posts/2", json={"status": status})).data["post"]
    await created(editor, status="draft" if status != "draft" else "pending")

    assert (born["status"], turned["status"]) == (status, status)
    listed = (await editor.get(f"/posts?status={status}")).data
    assert ([item["id"] for item in listed["items"]], listed["total"]) == ([2, 1], 2)


@pytest.mark.shows("post.type", "list.type", "body.type")
async def test_a_post_is_a_post_unless_it_is_a_page(editor: Client) -> None:
    assert (await created(editor))["type"] == "post"
    assert (await created(editor, type="page"))["type"] == "page"
    found = {
        kind: [each["id"] for each in (await editor.get(f"/posts?type={kind}")).data["items"]]
        for kind in ("post", "page")
    }
    assert found == {"post": [1], "page": [2]}
    assert (await editor.post("/posts", json=article(type="video"))).status == 422


@pytest.mark.shows("post.excerpt", "body.excerpt", "body.excerpt.form")
async def test_an_excerpt_is_derived_cut_at_a_word_and_ends_in_an_ellipsis(author: Client) -> None:
    words = "Words of several lengths follow one another here "
    record = await created(author, excerpt="", content=f"<p>{words * 40}</p>")
    derived = record["excerpt"]

    # With "several" it would be 163 characters.
    assert derived == words * 3 + "Words of…"
    assert (await created(author, content="<p>Short enough.</p>"))["excerpt"] == "Short enough."


@pytest.mark.shows("post.reading_time", "body.reading_time")
async def test_reading_time_is_minutes_of_two_hundred_words(author: Client) -> None:
    for words, minutes in (
        (1, 1),
        (200, 1),
        (201, 2),
        (400, 2),
        (1001, 6),
    ):
        assert (await created(author, content=f"<p>{'word ' * words}</p>"))["reading_time"] == minutes


@pytest.mark.shows("post.view_count")
async def test_a_new_post_has_no_views_and_no_body_brings_them(editor: Client) -> None:
    assert (await created(editor, view_count=7))["view_count"] == 0


@pytest.mark.shows("post.published_at", "post.created_at", "post.updated_at", "post.content_modified_at")
async def test_moments_have_their_forms(editor: Client) -> None:
    draft, published = await created(editor), await created(editor, status="published")

    assert draft["published_at"] is None
    assert LOCAL.fullmatch(published["published_at"])
    for record in (draft, published):
        assert LOCAL.fullmatch(record["created_at"])
        assert LOCAL.fullmatch(record["updated_at"])
        assert ISO.fullmatch(record["content_modified_at"])


@pytest.mark.shows("post.reviewed_at", "body.reviewed", "time.reviewed")
async def test_reviewed_at_is_null_until_a_review_and_then_the_last_one(site: Site, editor: Client) -> None:
    assert (await created(editor))["reviewed_at"] is None
    for moment in ("2026-01-15 12:00:00", "2026-01-15 13:00:00"):
        assert (await editor.patch("/posts/1", json={"reviewed": True})).data["post"]["reviewed_at"] == moment
        site.clock.advance(3600)
    assert (await editor.patch("/posts/1", json={"title": "Changed"})).data["post"]["reviewed_at"] == moment


@pytest.mark.shows("post.review_valid.null", "post.review_valid.true", "post.review_valid.false")
async def test_review_valid_compares_with_what_the_gate_let_through(author: Client) -> None:
    assert (await created(author))["review_valid"] is None
    assert (await author.post("/posts/1/publish")).data["post"]["review_valid"] is True
    await author.patch("/posts/1", json={"status": "draft"})
    seen = []
    for title in ("A walk along the harbour", "A walk along the river", "A walk along the harbour"):
        await author.patch("/posts/1", json={"title": title})
        seen.append((await author.get("/posts/1")).data["review_valid"])
    assert seen == [True, False, True]
    await author.post("/posts/1/publish")
    assert (await author.get("/posts/1")).data["review_valid"] is True


@pytest.mark.shows("values.text.absent")
async def test_absent_text_is_empty_and_not_null(author: Client) -> None:
    record = (await author.post("/posts", json={"title": "x", "content": '<img src="/a.png">'})).data["post"]

    assert (record["featured_image"], record["excerpt"]) == ("", "")


@pytest.mark.shows("post.password", "body.password", "post.visibility", "body.visibility")
async def test_a_password_is_kept_as_a_hash_and_shown_to_nobody(site: Site, editor: Client, database_url: str) -> None:
    secret = "open sesame, says Ali"
    answers = [await editor.post("/posts", json=article(visibility="password", password=secret, status="published"))]
    assert answers[0].status == 201, answers[0].text
    assert answers[0].data["post"]["visibility"] == "password"
    answers += [await editor.get(path) for path in ("/posts/1", "/posts", "/posts/1?with_relations=1")]
    answers.append(await editor.patch("/posts/1", json={"password": "another " + secret}))

    assert not [answer.text for answer in answers if secret in answer.text or '"password":' in answer.text]
    assert secret not in repr(dump(database_url))


@pytest.mark.shows("body.unknown")
async def test_fields_that_nobody_knows_are_ignored(author: Client) -> None:
    answer = await author.post("/posts", json=article(colour="red", id=9, created_at="2020-01-01 00:00:00"))

    assert (answer.status, answer.data["id"]) == (201, 1)
    assert answer.data["post"]["created_at"] == "2026-01-15 12:00:00"
    assert answer.data["post"]["content"] == CONTENT
