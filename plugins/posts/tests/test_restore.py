"""POST /posts/{id}/revisions/{revision_id}/restore."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cms_host.testing import Answer, Client, Site, assert_documented, dump
from cms_posts.process import process_content
from cms_posts.removed import Removed
from cms_posts.testing import CONTENT, NOTED, created

WITH = {"with_relations": "1"}
#: What comes back; `content_modified_at` and `updated_at` move as with every change.
FACING = ("title", "slug", "content", "excerpt", "featured_image", "editorial", "reading_time")


async def restored(client: Client, revision_id: int = 1) -> Answer:
    return await client.post(f"/posts/1/revisions/{revision_id}/restore", params=WITH)


async def changed(client: Client, **body: object) -> None:
    answer = await client.patch("/posts/1", json=body)
    assert answer.status == 200, answer.text


async def test_restore_brings_back_everything_that_readers_saw(site: Site) -> None:
    client = await site.client("author")
    editorial = {"sources": ["https://example.org"], "ai_disclosure": "By machine"}
    before = await created(client, editorial=editorial, excerpt="By hand")
    await changed(
        client, title="Another", slug="another", content="<p>New.</p>", excerpt="", featured_image="",
        editorial={"sources": [], "ai_disclosure": None},
    )  # fmt: skip
    site.clock.advance(60)
    answer = await restored(client)
    assert answer.status == 200, answer.text
    after = answer.data["post"]
    assert {name: after[name] for name in FACING} == {name: before[name] for name in FACING}
    assert after["content_modified_at"] == "2026-01-15T12:01:00.000000+00:00"
    assert (answer.data["success"], answer.data["id"], answer.data["warnings"]) == (True, 1, [])
    await assert_documented(site, "POST", "/posts/{id}/revisions/{revision_id}/restore", await restored(client))


async def test_restore_keeps_the_state_that_it_replaces(site: Site) -> None:
    client = await site.client("author")
    await created(client, title="First")
    await changed(client, title="Second")
    await restored(client)
    listed = (await client.get("/posts/1/revisions")).data["items"]
    assert [item["title"] for item in listed] == ["Second", "First"]
    again = await restored(client, 2)
    assert again.data["post"]["title"] == "Second"


async def test_restore_twice_is_as_good_as_once(site: Site) -> None:
    client = await site.client("author")
    await created(client)
    await changed(client, content="<p>New &amp; <b>bold</b>: 1 &lt; 2.</p>", title="Fish & chips <3")
    await changed(client, content="<p>Newer.</p>", title="Newer")
    once = (await restored(client, 2)).data["post"]
    twice = (await restored(client, 2)).data["post"]
    assert {name: twice[name] for name in (*FACING, "content_modified_at")} == {
        name: once[name] for name in (*FACING, "content_modified_at")
    }
    assert (await client.get("/posts/1/revisions")).data["total"] == 3


MARKUP = st.lists(
    st.sampled_from(
        ["<p>", "</p>", "<b>", "<pre>", "\n", "<ul><li>", "<table>", "<td>", "# x", "* y", "&amp;", "&", "<"]
    )
    | st.text(max_size=5),
    max_size=12,
).map("".join)


@settings(max_examples=150, deadline=None)
@given(MARKUP, st.sampled_from(["html", "markdown"]))
def test_content_that_was_processed_comes_through_again_as_it_is(source: str, content_format: str) -> None:
    once = process_content(source, content_format, ())
    again = process_content(once.html, "html", ())
    assert (again.html, again.outline, again.removed) == (once.html, once.outline, Removed())


async def test_restore_leaves_what_readers_do_not_see(site: Site) -> None:
    client = await site.client("author")
    await created(client, editorial={"original_notes": "Old notes"}, seo={"robots": "noindex"})
    await changed(client, title="Another", is_featured=True, editorial={"original_notes": "New notes", "ymyl": True})
    after = (await restored(client)).data["post"]
    assert after["is_featured"] is True
    assert (after["editorial"]["original_notes"], after["editorial"]["ymyl"]) == ("New notes", True)
    assert after["status"] == "draft"


async def filed(site: Site) -> tuple[Client, dict[str, Any]]:
    """A post with a category and two tags, and a revision of that once it has none."""
    client = await site.client("editor")
    assert (await client.post("/categories", json={"name": "City"})).status == 201
    await created(client, categories=[1], tags=["Harbour", "Tide"])
    before = (await client.get("/posts/1", params=WITH)).data
    await changed(client, categories=[], tags=["Market"])
    [item] = (await client.get("/posts/1/revisions")).data["items"]
    assert item["changed_fields"] == ["categories", "tags"]
    return client, before


async def test_restore_brings_back_categories_and_tags(site: Site) -> None:
    client, before = await filed(site)
    answer = await restored(client)
    assert (answer.data["post"]["categories"], answer.data["post"]["tags"]) == (before["categories"], before["tags"])
    assert answer.data["warnings"] == []


async def test_restore_leaves_out_categories_and_tags_that_are_gone_and_says_so(site: Site) -> None:
    client, before = await filed(site)
    assert (await client.delete("/categories/city")).status == 200
    assert (await client.delete("/tags/tide")).status == 200
    answer = await restored(client)
    assert answer.data["post"]["categories"] == []
    assert [tag["name"] for tag in answer.data["post"]["tags"]] == ["Harbour"]
    gone = next(tag["id"] for tag in before["tags"] if tag["name"] == "Tide")
    told = {warning["code"]: warning["detail"] for warning in answer.data["warnings"]}
    assert told == {
        "unknown_category": {"field": "categories", "entries": [1]},
        "unknown_tag": {"field": "tags", "entries": [gone]},
    }


async def test_restore_finds_a_tag_by_its_new_name(site: Site) -> None:
    client, _ = await filed(site)
    assert (await client.patch("/tags/tide", json={"name": "Ebb"})).status == 200
    assert [tag["name"] for tag in (await restored(client)).data["post"]["tags"]] == ["Harbour", "Ebb"]


async def test_restore_over_what_the_caller_has_not_seen_is_a_conflict(site: Site) -> None:
    client = await site.client("author")
    seen = (await created(client))["content_modified_at"]
    await changed(client, title="Another")
    body = {"expected_content_modified_at": seen}
    answer = await client.post("/posts/1/revisions/1/restore", json=body)
    assert answer.status == 409
    assert (await client.get("/posts/1")).data["title"] == "Another"


async def test_restore_makes_a_slug_unique_that_another_post_has_meanwhile(site: Site) -> None:
    client = await site.client("author")
    await created(client)
    await changed(client, slug="elsewhere")
    await created(client)
    assert (await restored(client)).data["post"]["slug"] == "a-walk-along-the-harbour-2"


async def test_restore_of_a_published_post_runs_the_gate_and_a_refusal_writes_nothing(
    site: Site, database_url: str
) -> None:
    client = await site.client("author")
    await created(client, title="Short")
    await changed(client, title="Long enough a title", status="published")
    before = dump(database_url, NOTED)
    answer = await restored(client)
    assert answer.status == 422
    assert [block["code"] for block in answer.json["blocks"]] == ["short_title"]
    assert dump(database_url, NOTED) == before


async def test_restore_of_what_the_gate_let_pass_is_valid_again(site: Site) -> None:
    client = await site.client("author")
    await created(client, status="published")
    await changed(client, status="draft")
    await changed(client, title="Something else")
    assert (await client.get("/posts/1")).data["review_valid"] is False
    assert (await restored(client)).data["post"]["review_valid"] is True


async def test_restore_sanitises_by_what_may_stay_now(site: Site) -> None:
    client = await site.client("author")
    await created(client, content=CONTENT + '<iframe src="https://player.vimeo.com/video/1"></iframe>')
    await changed(client, content=CONTENT)
    await site.set(**{"posts.embed_hosts": []})
    answer = await restored(client)
    assert "iframe" not in answer.data["post"]["content"]
    assert [warning["code"] for warning in answer.data["warnings"]] == ["sanitized"]


async def test_restore_takes_content_for_the_html_that_it_is(site: Site) -> None:
    client = await site.client("author")
    before = await created(client, content="<pre>\n# no heading\n* no list\n</pre>")
    await changed(client, content=CONTENT)
    assert (await restored(client)).data["post"]["content"] == before["content"]


async def test_restore_of_anothers_revision_is_404(site: Site) -> None:
    client = await site.client("author")
    await created(client)
    await created(client)
    await client.patch("/posts/2", json={"title": "Another"})
    assert (await restored(client, 1)).status == 404
    assert (await client.post("/posts/2/revisions/1/restore")).status == 200


@pytest.mark.parametrize("bad", ["0", "9", "x", "1" * 20])
async def test_restore_of_no_revision_is_404(site: Site, bad: str) -> None:
    client = await site.client("author")
    await created(client)
    assert (await client.post(f"/posts/1/revisions/{bad}/restore")).status == 404


@pytest.mark.parametrize(("role", "expected"), [("subscriber", 403), ("author", 403), ("editor", 200)])
async def test_restore_is_for_those_who_may_change_the_post(site: Site, role: str, expected: int) -> None:
    owner = await site.client("author", "owner")
    await created(owner, status="published")
    await changed(owner, title="A longer walk along the harbour")
    assert (await restored(await site.client(role))).status == expected
