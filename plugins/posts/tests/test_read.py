"""GET /posts/{id}: who sees what."""

import pytest

from cms_host.testing import Site
from cms_posts.testing import created


async def test_read_gives_the_record_that_was_written(site: Site) -> None:
    client = await site.client("author")
    record = await created(client)
    answer = await client.get(f"/posts/{record['id']}")
    assert answer.status == 200
    assert answer.data == record


@pytest.mark.parametrize(
    "bad",
    ["a-walk-along-the-harbour", "0", "99", "1abc", "-1", "+1", "1.0", "0x1", "١", "9223372036854775808", "1" * 40],
)
async def test_read_of_what_is_no_post_id_is_404(site: Site, bad: str) -> None:
    client = await site.client("editor")
    await created(client)
    answer = await client.get(f"/posts/{bad}")
    assert (answer.status, answer.error["code"]) == (404, 404)


async def test_read_answers_head_and_a_trailing_slash(site: Site) -> None:
    client = await site.client("author")
    await created(client)
    assert (await client.get("/posts/1/")).status == 200
    head = await client.head("/posts/1")
    assert (head.status, head.body) == (200, b"")


async def test_read_shows_drafts_to_their_author_and_to_editors_only(site: Site) -> None:
    await created(await site.client("author"))
    seen = {
        role: (await (await site.client(role)).get("/posts/1")).status
        for role in ("subscriber", "author", "editor", "admin")
    }
    assert seen == {"subscriber": 404, "author": 200, "editor": 200, "admin": 200}
    assert (await (await site.client("author", "other")).get("/posts/1")).status == 404


async def test_read_shows_private_posts_to_their_author_and_to_editors_only(site: Site) -> None:
    await created(await site.client("author"), status="published", visibility="private")
    assert (await (await site.client("subscriber")).get("/posts/1")).status == 404
    assert (await (await site.client("author", "other")).get("/posts/1")).status == 404
    assert (await (await site.client("author")).get("/posts/1")).status == 200


async def test_read_sends_no_cache_validators(site: Site) -> None:
    client = await site.client("author")
    await created(client)
    headers = (await client.get("/posts/1")).headers
    assert not {"ETag", "Last-Modified", "Retry-After"} & set(headers)
    assert not [name for name in headers if name.lower().startswith("x-ratelimit")]


async def test_read_shows_moments_in_the_sites_time_zone(site: Site) -> None:
    client = await site.client("author")
    await created(client)
    await site.set(timezone="Europe/Istanbul")
    record = (await client.get("/posts/1")).data
    assert record["created_at"] == "2026-01-15 15:00:00"
    assert record["content_modified_at"] == "2026-01-15T15:00:00.000000+03:00"
