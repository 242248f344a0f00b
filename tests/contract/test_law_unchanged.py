"""A write that changes nothing moves nothing, `updated_at` neither (spec, Timestamp rules; contract 4)."""

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cms_host.testing import Client, Site, dump
from cms_posts.testing import NOTED, created

from .library import Library

#: Fields of a body that are the record's field of the same name.
SAME = (
    "title", "slug", "excerpt", "content", "status", "type", "visibility", "comment_status", "is_featured",
    "featured_image", "author_id", "editorial", "scheduled_at",
)  # fmt: skip
EDITORIAL = {"sources": ["https://example.org/boats"], "ai_disclosure": "None", "original_notes": "A & B", "ymyl": True}
MADE: tuple[Mapping[str, Any], ...] = (
    {},
    {"status": "published", "title": "Çay & <simit>, yes", "editorial": EDITORIAL, "reviewed": True},
    {"scheduled_at": "2026-12-31 09:00:00", "slug": "A slug of its own", "excerpt": "An excerpt of its own"},
    {"status": "pending", "visibility": "private", "type": "page", "tags": ["Deniz", "İskele"]},
    {"status": "trash", "visibility": "password", "password": "open sesame", "is_featured": True},
    {"content": "# Ahoy\n\n* one\n* two\n\n![a](b.png) <iframe src='https://vimeo.com'></iframe>", "tags": ["Deniz"]},
    {"title": "😀", "content": "<table><tr><td>x</table>", "comment_status": "closed", "featured_image": ""},
)


@pytest.fixture
async def library(site: Site) -> Library:
    admin = await site.client("admin")
    posts = [await created(admin, **{"title": f"A post of many states {n}", **made}) for n, made in enumerate(MADE)]
    site.clock.advance(3600)
    return Library({"admin": admin}, tuple(posts), posts[0]["author_id"])


def body_of(post: Mapping[str, Any], names: set[str]) -> dict[str, Any]:
    """The body that says what the post is already."""
    body = {name: post[name] for name in names if name in SAME}
    if "content" in body:
        # It is HTML by now, whatever it looks like.
        body["content_format"] = "html"
    if body.get("status") == "scheduled":
        body["scheduled_at"] = post["scheduled_at"]
    for name, key in (("tags", "name"), ("categories", "id")):
        if name in names:
            body[name] = [each[key] for each in post[name]]
    return body


async def read(client: Client, number: int) -> dict[str, Any]:
    record: dict[str, Any] = (await client.get(f"/posts/{number}", params={"with_relations": "1"})).data
    return record


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    number=st.integers(1, len(MADE)),
    names=st.sets(st.sampled_from((*SAME, "tags", "categories"))),
    method=st.sampled_from(("PUT", "PATCH")),
)
@pytest.mark.shows("time.updated.touch", "time.modified.stays")
async def test_a_post_that_is_told_what_it_is_stays_as_it_is(
    library: Library, database_url: str, number: int, names: set[str], method: str
) -> None:
    admin = library.clients["admin"]
    post, before = await read(admin, number), dump(database_url, without=NOTED)
    admin.site.clock.advance(60)
    answer = await admin.request(method, f"/posts/{number}", json=body_of(post, names))
    assert answer.status == 200, answer.text
    after = await read(admin, number)

    assert after == post
    assert dump(database_url, without=NOTED) == before


async def test_what_is_published_or_in_the_trash_already_stays_as_it_is(library: Library, database_url: str) -> None:
    admin = library.clients["admin"]
    before = dump(database_url, without=NOTED)
    answers = [await admin.post("/posts/2/publish"), await admin.delete("/posts/5")]

    assert [answer.status for answer in answers] == [200, 200]
    assert dump(database_url, without=NOTED) == before


async def test_a_change_moves_what_says_so(library: Library, database_url: str) -> None:
    """What the laws above look at does move: without this they might look at nothing."""
    admin = library.clients["admin"]
    for name, value in (("title", "Another title altogether"), ("tags", ["Martı"]), ("excerpt", "Another")):
        post, before = await read(admin, 1), dump(database_url, without=["posts.updated_at"])
        assert (await admin.patch("/posts/1", json={name: value})).status == 200
        assert (await read(admin, 1))["content_modified_at"] > post["content_modified_at"]
        assert dump(database_url, without=["posts.updated_at"]) != before
