"""DELETE /users/{id}, and what becomes of what the account owns."""

from typing import Any

import pytest

from cms_host.testing import Client, MakeSite, Site, assert_documented, dump
from cms_users.api import Ownership

from .conftest import SQLITE_ALONE, MakeKey, Shelf, made


class Broken(Shelf):
    """Can't give anything away."""

    async def reassign(self, user_id: int, to: int) -> None:
        raise RuntimeError("the shelf is stuck")


@pytest.mark.shows("users.delete")
async def test_deleted_account_is_gone_with_its_keys_on_every_host(
    site: Site, make_site: MakeSite, make_key: MakeKey, database_url: str
) -> None:
    admin, other = await site.client("admin"), await make_site(enabled=["users"])
    before = dump(database_url)
    client = Client(other, await make_key("ayse", "editor"))
    assert (await client.get("/users")).status == 403
    answer = await admin.delete("/users/2")

    assert (answer.status, answer.data) == (200, {"success": True})
    assert (await client.get("/users")).status == 401
    assert [(await admin.request(method, "/users/2")).status for method in ("GET", "PATCH", "DELETE")] == [404] * 3
    assert {**dump(database_url), "sqlite_sequence": []} == {**before, "sqlite_sequence": []}
    assert (await made(admin))["id"] == 3
    await assert_documented(site, "DELETE", "/users/{id}", answer)


@SQLITE_ALONE
@pytest.mark.shows("errors.409.user", "users.reassign")
async def test_delete_of_who_owns_something_says_how_much_of_what(site: Site, database_url: str) -> None:
    admin = await site.client("admin")
    await made(admin)
    site.provide(Ownership, Shelf("media", u2=1), Shelf("pages", u1=5), Shelf("posts", u2=12))
    before = dump(database_url)
    answer = await admin.delete("/users/2")

    assert answer.status == 409
    assert "(media: 1, posts: 12)" in answer.error["message"]
    assert "reassign_to" in answer.error["message"]
    assert dump(database_url) == before


@SQLITE_ALONE
@pytest.mark.shows("users.reassign")
@pytest.mark.parametrize(
    ("query", "body"), [("", {"reassign_to": 1}), ("?reassign_to=1", None), ("?reassign_to=1", {"reassign_to": 1})]
)
async def test_delete_gives_what_the_account_owns_to_the_one_that_is_named(
    site: Site, query: str, body: dict[str, Any] | None
) -> None:
    admin = await site.client("admin")
    await made(admin)
    shelves = [Shelf("media", u1=2, u2=1), Shelf("posts", u2=3), Shelf("drawings")]
    site.provide(Ownership, *shelves)
    answer = await admin.delete(f"/users/2{query}", **({"json": body} if body else {}))

    assert answer.status == 200
    assert [shelf.owned for shelf in shelves] == [{1: 3}, {1: 3}, {}]


@SQLITE_ALONE
@pytest.mark.parametrize(
    ("query", "body", "status"),
    [
        ("", {"reassign_to": 2}, 422),
        ("", {"reassign_to": 4711}, 422),
        ("", {"reassign_to": -1}, 422),
        ("", {"reassign_to": "1"}, 400),
        ("", {"reassign_to": None}, 400),
        ("?reassign_to=x", {}, 422),
        ("?reassign_to=99999999999999999999", {}, 422),
        ("?reassign_to=3", {"reassign_to": 1}, 422),
    ],
)
@pytest.mark.shows("users.reassign")
async def test_delete_refuses_an_heir_that_can_not_be(
    site: Site, database_url: str, query: str, body: dict[str, Any], status: int
) -> None:
    admin = await site.client("admin")
    await made(admin)
    await made(admin, "mehmet")
    site.provide(Ownership, shelf := Shelf("posts", u2=1))
    before = dump(database_url)
    answer = await admin.delete(f"/users/2{query}", json=body)

    assert (answer.status, [each["field"] for each in answer.error["errors"]]) == (status, ["reassign_to"])
    assert (dump(database_url), shelf.owned) == (before, {2: 1})


async def test_delete_that_fails_half_way_leaves_all_as_it_was(
    site: Site, make_key: MakeKey, database_url: str
) -> None:
    admin = await site.client("admin")
    await make_key("ayse", "author")
    site.provide(Ownership, Shelf("media", u2=1), Broken("posts", u2=1))
    before = dump(database_url)

    assert (await admin.delete("/users/2", json={"reassign_to": 1})).status == 500
    assert dump(database_url) == before


@pytest.mark.shows("users.own")
async def test_own_account_is_neither_deleted_nor_disabled_nor_demoted(site: Site, database_url: str) -> None:
    admin = await site.client("admin")
    await made(admin, role="admin")
    before = dump(database_url)
    answers = [
        await admin.delete("/users/1"),
        await admin.patch("/users/1", json={"active": False}),
        await admin.put("/users/1", json={"role": "editor", "name": "Another"}),
    ]

    assert [answer.status for answer in answers] == [409] * 3
    assert {answer.error["message"] for answer in answers} == {
        "You can't delete, disable or demote the account that you are using; another administrator can"
    }
    assert dump(database_url) == before
    assert (await admin.patch("/users/1", json={"role": "admin", "active": True, "name": "Root"})).status == 200
