"""Posts of visibility `password` (contract 4)."""

import pytest

from cms_host.testing import Site, dump
from cms_posts.testing import article, created


async def test_password_post_shows_its_text_only_with_the_password(site: Site) -> None:
    await created(await site.client("author"), visibility="password", password="açıl susam", status="published")
    reader = await site.client("subscriber")
    closed = (await reader.get("/posts/1")).data
    assert (closed["content"], closed["excerpt"], closed["title"]) == ("", "", "A walk along the harbour")
    wrong = (await reader.get("/posts/1", headers={"X-Post-Password": "açıl"})).data
    assert wrong == closed
    for _ in range(2):
        opened = (await reader.get("/posts/1", headers={"X-Post-Password": "açıl susam"})).data
        assert opened["content"].startswith("<h2>Morning</h2>")
        assert opened["excerpt"].startswith("Morning")


async def test_password_post_is_open_to_its_author_and_to_editors(site: Site) -> None:
    await created(await site.client("author"), visibility="password", password="sesame", status="published")
    for role, name, is_open in (("author", None, True), ("editor", None, True), ("author", "other", False)):
        seen = (await (await site.client(role, name)).get("/posts/1")).data
        assert bool(seen["content"]) is is_open


async def test_password_is_never_shown_and_stored_hashed(site: Site, database_url: str) -> None:
    client = await site.client("author")
    answer = await client.post("/posts", json=article(visibility="password", password="sesame-street"))
    assert "sesame-street" not in answer.text
    assert "password_hash" not in answer.text
    assert "sesame-street" not in str(dump(database_url))


async def test_changed_password_closes_the_post_to_the_old_one(site: Site) -> None:
    client, reader = await site.client("author"), await site.client("subscriber")
    await created(client, visibility="password", password="old one", status="published")
    assert (await reader.get("/posts/1", headers={"X-Post-Password": "old one"})).data["content"]
    await client.patch("/posts/1", json={"password": "new one"})
    assert not (await reader.get("/posts/1", headers={"X-Post-Password": "old one"})).data["content"]
    assert (await reader.get("/posts/1", headers={"X-Post-Password": "new one"})).data["content"]


async def test_password_alone_makes_the_post_one_that_it_opens(site: Site) -> None:
    assert (await created(await site.client("author"), password="sesame"))["visibility"] == "password"


async def test_post_that_is_public_again_forgets_its_password(site: Site) -> None:
    client = await site.client("author")
    await created(client, visibility="password", password="sesame")
    await client.patch("/posts/1", json={"visibility": "public"})
    answer = await client.patch("/posts/1", json={"visibility": "password"})
    assert answer.status == 422
    assert answer.error["errors"][0]["field"] == "password"


@pytest.mark.parametrize("password", [None, ""])
async def test_visibility_password_without_one_is_refused(site: Site, password: str | None) -> None:
    client = await site.client("author")
    answer = await client.post("/posts", json=article(visibility="password", password=password))
    assert answer.status == 422


async def test_other_changes_keep_the_password(site: Site) -> None:
    client, reader = await site.client("author"), await site.client("subscriber")
    await created(client, visibility="password", password="sesame", status="published")
    await client.patch("/posts/1", json={"title": "A walk along the other harbour", "password": None})
    seen = (await reader.get("/posts/1", headers={"X-Post-Password": "sesame"})).data
    assert (seen["title"], bool(seen["content"])) == ("A walk along the other harbour", True)


async def test_hostile_password_header_opens_nothing(site: Site) -> None:
    await created(await site.client("author"), visibility="password", password="sesame", status="published")
    reader = await site.client("subscriber")
    for header in ("x" * 5000, "%00", "ı\u0307", " "):
        answer = await reader.get("/posts/1", headers={"X-Post-Password": header})
        assert (answer.status, answer.data["content"]) == (200, "")


@pytest.mark.parametrize("password", [" sesame", "sesame ", "two\nlines", "\t", "   "])
async def test_password_that_no_header_carries_is_refused(site: Site, password: str) -> None:
    client = await site.client("author")
    answer = await client.post("/posts", json=article(visibility="password", password=password))
    assert answer.status == 422
    assert answer.error["errors"][0]["field"] == "password"


async def test_password_that_is_not_heeded_is_told(site: Site) -> None:
    client = await site.client("author")
    answer = await client.post("/posts", json=article(visibility="private", password="sesame"))
    assert [(each["code"], each["detail"]) for each in answer.data["warnings"]] == [
        ("discarded", {"fields": ["password"]})
    ]
