"""What becomes of the posts of a deleted account."""

import asyncio
from typing import Any

import pytest

from cms_host.testing import Client, MakeSite, Site, dump
from cms_posts import ownership
from cms_posts.testing import article, created, unlike

#: What may differ after it.
MOVED = ("author_id", "author_name", "updated_at")


async def accounts(admin: Client) -> dict[str, int]:
    """Ids by usernames."""
    return {each["username"]: each["id"] for each in (await admin.get("/users?per_page=100")).data["items"]}


async def library(author: Client, editor: Client) -> None:
    """Posts of the author in every state, and one of the editor's."""
    for status in ("draft", "published", "pending", "trash"):
        await created(author, title=unlike(status), status=status, tags=["Deniz"])
    await created(author, title=unlike("later"), scheduled_at="2026-12-31 09:00:00")
    assert (await author.patch("/posts/1", json={"excerpt": "Another one"})).status == 200
    await created(editor, title=unlike("of the editor"))


async def records(admin: Client) -> list[dict[str, Any]]:
    every = {"status": "draft,published,pending,trash,scheduled", "order_by": "id", "order_dir": "asc"}
    found: list[dict[str, Any]] = (await admin.get("/posts", params=every)).data["items"]
    return found


@pytest.mark.shows("users.reassign", "errors.409.user")
async def test_posts_of_a_deleted_account_belong_to_the_heir_and_are_the_same_otherwise(
    site: Site, database_url: str
) -> None:
    admin, editor, author = [await site.client(role) for role in ("admin", "editor", "author")]
    ids = await accounts(admin)
    await library(author, editor)
    before, tables = await records(admin), dump(database_url)
    site.clock.advance(60)
    refused = await admin.delete(f"/users/{ids['author']}")
    assert (refused.status, "(posts: 5)" in refused.error["message"]) == (409, True)
    assert dump(database_url) == tables
    answer = await admin.delete(f"/users/{ids['author']}", json={"reassign_to": ids["editor"]})

    assert (answer.status, answer.data) == (200, {"success": True})
    after = await records(admin)
    assert [{name: value for name, value in each.items() if name not in MOVED} for each in after] == [
        {name: value for name, value in each.items() if name not in MOVED} for each in before
    ]
    assert {(each["author_id"], each["author_name"]) for each in after} == {(ids["editor"], "editor")}
    assert [each["updated_at"] for each in after] == ["2026-01-15 12:01:00"] * 5 + ["2026-01-15 12:00:00"]
    assert (await admin.get("/posts", params={"author_id": str(ids["editor"])})).data["total"] == 5
    assert [await index.verify(site.host.db) for index in site.host.indexes] == [[]] * len(site.host.indexes)


@pytest.mark.parametrize("lot", [1, 2, 4, 5])
@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
async def test_posts_go_over_lot_by_lot(site: Site, monkeypatch: pytest.MonkeyPatch, lot: int) -> None:
    monkeypatch.setattr(ownership, "LOT", lot)
    admin, author = await site.client("admin"), await site.client("author")
    for number in range(4):
        await created(author, title=unlike(number))
    ids = await accounts(admin)
    assert (await admin.delete(f"/users/{ids['author']}?reassign_to={ids['admin']}")).status == 200

    assert [each["author_id"] for each in await records(admin)] == [ids["admin"]] * 4


async def test_revisions_keep_the_number_of_an_editor_who_is_gone(site: Site) -> None:
    admin, author = await site.client("admin"), await site.client("author")
    own = (await accounts(admin))["author"]
    await created(author)
    assert (await author.patch("/posts/1", json={"title": "Another title"})).status == 200
    assert (await admin.delete(f"/users/{own}?reassign_to=1")).status == 200
    (revision,) = (await admin.get("/posts/1/revisions")).data["items"]

    assert (revision["editor_id"], revision["editor_name"]) == (own, "")


async def test_account_without_posts_goes_alone(site: Site, database_url: str) -> None:
    admin, editor = await site.client("admin"), await site.client("editor")
    await created(editor)
    await site.client("author")
    before = dump(database_url)["posts"]

    assert (await admin.delete(f"/users/{(await accounts(admin))['author']}", json={"reassign_to": 1})).status == 200
    assert dump(database_url)["posts"] == before


async def test_no_post_is_left_with_nobody_when_its_author_goes_meanwhile(site: Site, make_site: MakeSite) -> None:
    other = await make_site()
    admin, keys = await site.client("admin"), [await site.key("author", f"author{number}") for number in range(3)]
    ids = await accounts(admin)
    for number, key in enumerate(keys):
        writer, gone = Client(other, key), ids[f"author{number}"]
        posts = [writer.post("/posts", json=article(title=unlike(f"{number} {each}"))) for each in range(4)]
        deleted, *answers = await asyncio.gather(admin.delete(f"/users/{gone}?reassign_to={ids['admin']}"), *posts)
        assert deleted.status == 200
        assert {answer.status for answer in answers} <= {201, 401, 409}

    assert {each["author_id"] for each in await records(admin)} <= {ids["admin"]}
