"""Posts that neighbours bring in: by the same door, with categories by name."""

import asyncio
from typing import Any

import pytest

from cms_host.api import FieldErrors, InsufficientRole, NotFound, NotYours, Principal, Refused, Role, UnitOfWork, fold
from cms_host.testing import Site, dump
from cms_posts.api import Submissions
from cms_posts.testing import NOTED, article, unlike

SHORT = {"title": "Short", "content": "<p>Short.</p>"}


async def acting(site: Site, role: str = "editor", username: str | None = None) -> UnitOfWork:
    """A unit of work of an account."""
    client = await site.client(role, username)
    key = (await client.get("/health")).data["key"]
    me = (await (await site.client("admin")).get(f"/users?search={key['owner']}")).data["items"][0]
    principal = Principal(me["id"], me["username"], me["name"], Role.named(role), "test", "none")
    return UnitOfWork(site.host, site.host.db, principal)


async def submit(unit: UnitOfWork, sent: dict[str, Any], **options: Any) -> dict[str, Any]:
    ready = await unit.get(Submissions).new(sent, "test", **options)
    async with ready.writing() as write:
        return await ready.carry_out(write)


async def shelved(site: Site, post_id: int) -> list[str]:
    """The names of the categories that a post is in."""
    client = await site.client("admin")
    record = (await client.get(f"/posts/{post_id}", params={"with_relations": "1"})).data
    return [each["name"] for each in record["categories"]]


async def names(site: Site) -> list[str]:
    return [each["name"] for each in (await (await site.client("admin")).get("/categories")).data["items"]]


async def test_new_post_is_the_callers_and_answers_as_a_create(site: Site) -> None:
    unit = await acting(site, "author")
    data = await submit(unit, article())

    assert data.keys() == {"success", "id", "post", "warnings"}
    assert (data["post"]["status"], data["post"]["author_id"]) == ("draft", unit.principal.user_id)
    assert (await (await site.client("author")).get(f"/posts/{data['id']}")).data == data["post"]


async def test_editor_finds_categories_by_name_wherever_they_are_and_makes_the_others(site: Site) -> None:
    client = await site.client("editor")
    for body in ({"name": "Şehir"}, {"name": "Liman", "parent_id": 1}, {"name": "Liman", "slug": "x"}):
        assert (await client.post("/categories", json=body)).status == 201
    sent = article(categories=[1, "LIMAN", "sehir", "New", " new ", "<b></b>", {"id": 1}, "y" * 201, True])
    data = await submit(await acting(site), sent)

    assert await shelved(site, data["id"]) == ["Şehir", "Liman", "New"]
    assert await names(site) == ["Liman", "Liman", "New", "Şehir"]
    assert (await client.get("/posts?category=x")).data["total"] == 1
    (warning,) = data["warnings"]
    assert (warning["code"], warning["detail"]["entries"]) == (
        "unknown_category",
        ["<b></b>", {"id": 1}, "y" * 201, True],
    )


async def test_author_finds_categories_and_makes_none(site: Site) -> None:
    await (await site.client("editor")).post("/categories", json={"name": "Liman"})
    data = await submit(await acting(site, "author"), article(categories=["liman", "New"]))

    assert await shelved(site, data["id"]) == ["Liman"]
    assert await names(site) == ["Liman"]
    assert [(each["code"], each["detail"]["entries"]) for each in data["warnings"]] == [("unknown_category", ["New"])]


async def test_names_are_no_categories_of_a_plain_create(site: Site) -> None:
    editor = await site.client("editor")
    await editor.post("/categories", json={"name": "Liman"})
    answer = await editor.post("/posts", json=article(categories=["Liman", "New"]))

    assert await shelved(site, answer.data["id"]) == []
    assert await names(site) == ["Liman"]


async def test_publish_refused_leaves_no_category_behind(site: Site, database_url: str) -> None:
    unit = await acting(site)
    before = dump(database_url, without=NOTED)
    with pytest.raises(Refused):
        await submit(unit, {**SHORT, "categories": ["New"], "tags": ["new"]}, status="published")

    assert dump(database_url, without=NOTED) == before
    stats = (await (await site.client("admin")).get("/stats")).data
    assert stats["gate"]["refusals"]["short_content"] == 1


async def test_new_names_of_parallel_posts_are_made_once(site: Site) -> None:
    unit = await acting(site)
    sent = [article(title=unlike(n), categories=["Bir", "İki"] if n % 2 else ["iki", "bir"]) for n in range(6)]
    status = ["published", "draft", "published", "draft", "draft", "published"]
    await asyncio.gather(*(submit(unit, each, status=status[n]) for n, each in enumerate(sent)))

    assert sorted(map(fold, await names(site))) == ["bir", "iki"]
    assert [len(await shelved(site, n + 1)) for n in range(6)] == [2] * 6


@pytest.mark.parametrize(
    ("sent", "discarded"),
    [
        ({}, []),
        ({"status": "draft", "scheduled_at": None}, []),
        ({"status": "published", "scheduled_at": "2026-06-01"}, ["status", "scheduled_at"]),
    ],
)
async def test_status_of_the_neighbour_counts(site: Site, sent: dict[str, Any], discarded: list[str]) -> None:
    data = await submit(await acting(site, "author"), article(**sent), status="draft")

    assert (data["post"]["status"], data["post"]["scheduled_at"]) == ("draft", None)
    assert [each["detail"]["fields"] for each in data["warnings"]] == ([discarded] if discarded else [])


async def test_stored_post_is_published_and_scheduled_under_the_neighbours_name(site: Site) -> None:
    unit = await acting(site, "author")
    posts = unit.get(Submissions)
    number = (await submit(unit, article()))["id"]
    later = await posts.schedule(number, {"scheduled_at": "2026-06-01 09:00:00"}, "test")
    async with later.writing() as write:
        assert (await later.carry_out(write))["post"]["status"] == "scheduled"
    ready = await posts.publish(number, {}, "test")
    async with ready.writing() as write:
        assert (await ready.carry_out(write))["post"]["status"] == "published"

    assert (later.is_new, ready.is_new, (await posts.new(article(), "test")).is_new) == (False, False, True)
    assert (await (await site.client("author")).get(f"/posts/{number}/gate")).data["trigger"] == "test"


async def test_neighbours_do_not_lead_past_roles_and_owners(site: Site) -> None:
    editor, other = await acting(site), await acting(site, "author", "other")
    reader = await acting(site, "subscriber")
    draft = (await submit(editor, article()))["id"]
    shown = (await submit(editor, article(), status="published"))["id"]

    with pytest.raises(InsufficientRole):
        await reader.get(Submissions).new(article(), "test")
    with pytest.raises(InsufficientRole):
        await other.get(Submissions).new(article(type="page"), "test")
    with pytest.raises(NotFound):
        await other.get(Submissions).publish(draft, {}, "test")
    with pytest.raises(NotYours):
        await other.get(Submissions).schedule(shown, {"scheduled_at": "2026-06-01"}, "test")
    with pytest.raises(FieldErrors):
        await other.get(Submissions).new({"title": ""}, "test")
