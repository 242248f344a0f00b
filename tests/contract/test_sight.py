"""Who sees what, and who may change it (contract 4, Who sees what; spec, Role capabilities)."""

import pytest

from cms_host.testing import Client, Site
from cms_posts.testing import CONTENT, article, created

INSUFFICIENT = "Insufficient role for this operation"
NOT_YOURS = "You can only modify your own content"
STATUSES = ("published", "draft", "scheduled", "pending", "trash")


async def one_of_each(client: Client) -> None:
    """Posts 1 to 5: one in each state, in the order of `STATUSES`."""
    for status in STATUSES:
        time = {"scheduled_at": "2026-06-01 09:30:00"} if status == "scheduled" else {}
        await created(client, status=status, **time)


async def seen(client: Client) -> tuple[list[int], list[int]]:
    """What a caller finds one by one, and in the lists."""
    single = [number for number in range(1, 6) if (await client.get(f"/posts/{number}")).status == 200]
    listed = [item["id"] for item in (await client.get("/posts")).data["items"]]
    trash = [item["id"] for item in (await client.get("/posts?status=trash")).data["items"]]
    return single, sorted(listed + trash)


@pytest.mark.shows("role.sees.editor", "role.sees.author", "role.sees.subscriber", "role.sees.not")
async def test_each_role_sees_its_share_of_the_states(
    site: Site, author: Client, editor: Client, admin: Client, subscriber: Client
) -> None:
    await one_of_each(author)
    everything = [1, 2, 3, 4, 5]

    assert [await seen(client) for client in (editor, admin, author)] == [(everything, everything)] * 3
    assert [await seen(client) for client in (subscriber, await site.client("author", "other"))] == [([1], [1])] * 2
    hidden = await subscriber.get("/posts/2")
    assert hidden.json == (await subscriber.get("/posts/999")).json


@pytest.mark.shows("role.sees.private", "role.sees.not", "post.visibility")
async def test_private_posts_exist_for_their_author_and_editors(
    site: Site, author: Client, editor: Client, admin: Client, subscriber: Client
) -> None:
    await created(author, status="published", visibility="private")
    for client in (author, editor, admin):
        assert ((await client.get("/posts/1")).status, (await client.get("/posts")).data["total"]) == (200, 1)
    for client in (subscriber, await site.client("author", "other")):
        assert ((await client.get("/posts/1")).status, (await client.get("/posts")).data["total"]) == (404, 0)
    assert (await (await site.client("author", "other")).patch("/posts/1", json={})).status == 404


@pytest.mark.shows("role.sees.password", "body.password", "post.password")
async def test_a_password_opens_content_and_excerpt(
    site: Site, author: Client, editor: Client, subscriber: Client
) -> None:
    await created(author, status="published", visibility="password", password="open sesame", excerpt="By hand")
    for client in (author, editor):
        record = (await client.get("/posts/1")).data
        assert (record["content"], record["excerpt"]) == (CONTENT, "By hand")
    for client in (subscriber, await site.client("author", "other")):
        for sent in ({}, {"X-Post-Password": "wrong"}, {"X-Post-Password": ""}):
            record = (await client.get("/posts/1", headers=sent)).data
            assert (record["content"], record["excerpt"], record["title"]) == ("", "", "A walk along the harbour")
            (item,) = (await client.get("/posts", headers=sent)).data["items"]
            assert (item["content"], item["excerpt"]) == ("", "")
        opened = (await client.get("/posts/1", headers={"X-Post-Password": "open sesame"})).data
        assert (opened["content"], opened["excerpt"]) == (CONTENT, "By hand")


@pytest.mark.shows("role.subscriber", "role.insufficient", "errors.403.role")
async def test_subscribers_write_nothing(author: Client, subscriber: Client) -> None:
    await created(author, status="published")
    asked = [("POST", "/posts"), ("PUT", "/posts/1"), ("PATCH", "/posts/1"), ("DELETE", "/posts/1")]
    asked += [("POST", "/posts/1/publish"), ("POST", "/posts/1/schedule"), ("POST", "/categories"), ("POST", "/tags")]
    for method, path in asked:
        answer = await subscriber.request(method, path, json=article())
        assert (answer.status, answer.error["message"]) == (403, INSUFFICIENT)
    assert (await subscriber.get("/posts/1")).data["title"] == "A walk along the harbour"


@pytest.mark.shows("role.author.posts", "role.own", "errors.403.own")
async def test_authors_change_their_own_posts_and_no_others(site: Site, author: Client) -> None:
    await created(author, status="published")
    other = await site.client("author", "other")
    future = {"scheduled_at": "2026-06-01 09:30:00"}
    asked = [
        ("PUT", "", {"title": "A title by another"}), ("PATCH", "", {}), ("POST", "/publish", None),
        ("POST", "/schedule", future), ("DELETE", "", None),
    ]  # fmt: skip
    for method, path, body in asked:
        answer = await other.request(method, f"/posts/1{path}", json=body)
        assert (answer.status, answer.error["message"]) == (403, NOT_YOURS)
    for method, path, body in asked:
        assert (await author.request(method, f"/posts/1{path}", json=body)).status == 200


@pytest.mark.shows("role.author.pages")
async def test_authors_write_no_pages(author: Client, editor: Client) -> None:
    await created(editor, type="page", status="published")
    await created(author)
    mine = (await author.get("/posts/2")).data["author_id"]
    await created(editor, type="page", author_id=mine)
    asked = [
        ("POST", "/posts", article(type="page")), ("PATCH", "/posts/1", {}), ("PATCH", "/posts/2", {"type": "page"}),
        ("PATCH", "/posts/3", {"title": "Mine"}), ("DELETE", "/posts/3", None), ("POST", "/posts/3/publish", None),
    ]  # fmt: skip
    for method, path, body in asked:
        answer = await author.request(method, path, json=body)
        assert (answer.status, answer.error["message"]) == (403, INSUFFICIENT), (method, path)
    assert (await author.get("/posts/1")).status == 200


@pytest.mark.shows("role.editor.posts", "role.editor.categories", "role.admin")
async def test_editors_write_what_belongs_to_anybody_and_administrators_do_so_too(
    author: Client, editor: Client, admin: Client
) -> None:
    for client in (editor, admin):
        number = (await created(author))["id"]
        assert (await client.patch(f"/posts/{number}", json={"title": "A title by another"})).status == 200
        assert (await client.post(f"/posts/{number}/publish")).status == 200
        assert (await client.delete(f"/posts/{number}", json={"force": True})).status == 200
        assert (await client.post("/posts", json=article(type="page"))).status == 201
        name = "By an editor" if client is editor else "By an administrator"
        for path in ("/categories", "/tags"):
            answer = await client.post(path, json={"name": name})
            assert answer.status == 201
            assert (await client.delete(f"{path}/{answer.data['slug']}")).status == 200
    assert [(await admin.get(path)).status for path in ("/users", "/users/1", "/settings")] == [200, 200, 200]
    assert (await admin.put("/settings/timezone", json={"value": "Europe/Istanbul"})).status == 200


@pytest.mark.parametrize(
    "path",
    [
        pytest.param("/users", marks=pytest.mark.shows("role.forbidden.users")),
        pytest.param("/settings", marks=pytest.mark.shows("role.forbidden.settings")),
    ],
)
@pytest.mark.shows("request.403.families", "errors.403.admin")
async def test_two_families_are_for_administrators_alone(
    editor: Client, author: Client, subscriber: Client, path: str
) -> None:
    for client in (editor, author, subscriber):
        for method in ("GET", "POST", "DELETE"):
            for below in ("", "/1", "/nothing/at/all"):
                answer = await client.request(method, path + below)
                assert (answer.status, answer.error["message"]) == (403, "Forbidden")
