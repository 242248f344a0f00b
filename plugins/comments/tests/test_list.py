"""GET /comments and GET /comments/{id}."""

from itertools import product
from typing import Any, NamedTuple

import pytest

from cms_host.testing import Client, Site
from cms_posts.testing import article, unlike

from .conftest import PASSWORD, SQLITE_ALONE, commented, ids, posted

STATUSES = ("pending", "approved", "spam", "trash")
POST_STATUSES = ("published", "draft", "trash")
VISIBILITIES = ("public", "private", "password")


class On(NamedTuple):
    """What decides who sees a comment."""

    own: bool
    post: str
    visibility: str
    status: str


def sees(role: str, on: On, *, password: bool = False) -> bool:
    """Contract 4 and 5: editors everything; below, what is approved on posts that they may read."""
    if role == "editor":
        return True
    if on.status != "approved" or on.post == "trash":
        return False
    if role == "author" and on.own:
        return True
    opened = on.visibility == "public" or (on.visibility == "password" and password)
    return on.post == "published" and opened


async def filled(site: Site, editor: Client) -> tuple[dict[On, int], dict[int, list[On]]]:
    """A comment of each kind, with its id; and which are on each post."""
    await site.client("author")
    listed = (await (await site.client("admin")).get("/users")).data["items"]
    author_id = next(each["id"] for each in listed if each["username"] == "author")
    made: dict[On, int] = {}
    posts: dict[int, list[On]] = {}
    for own, post, visibility in product((True, False), POST_STATUSES, VISIBILITIES):
        password = {"password": PASSWORD} if visibility == "password" else {}
        owner = {"author_id": author_id} if own else {}
        body: dict[str, Any] = article(
            title=unlike((own, post, visibility)), visibility=visibility, **password, **owner
        )
        post_id = (await editor.post("/posts", json=body)).data["id"]
        posts[post_id] = [On(own, post, visibility, status) for status in STATUSES]
        for on in posts[post_id]:
            made[on] = (await commented(editor, post_id, status=on.status))["id"]
        if post != "draft":
            assert (await editor.patch(f"/posts/{post_id}", json={"status": post})).status == 200
    return made, posts


@pytest.mark.shows("others.comments.sees", "others.comments.password", "others.comments.private")
async def test_who_sees_which_comments(site: Site, editor: Client) -> None:
    """In lists, in totals, in lists of one post, and one by one; with the password, without, and with a wrong one."""
    made, posts = await filled(site, editor)
    shown = {"right": {"X-Post-Password": PASSWORD}, "wrong": {"X-Post-Password": "x"}, "none": {}}
    for role, (what, headers) in product(("subscriber", "author", "editor"), shown.items()):
        client = await site.client(role)
        opened = what == "right"
        for on, comment_id in made.items():
            answer = await client.get(f"/comments/{comment_id}", headers=headers)
            assert answer.status == (200 if sees(role, on, password=opened) else 404), (role, on, what)
            if answer.status == 200:
                assert {"author_email", "author_ip"} <= answer.data.keys() if role == "editor" else not {
                    "author_email", "author_ip"
                } & answer.data.keys()  # fmt: skip
        for post_id, there in posts.items():
            expected = [made[on] for on in there if sees(role, on, password=opened)]
            query = f"?post_id={post_id}&status=pending,approved,spam,trash"
            assert await ids(client, query, headers=headers) == expected[::-1], (role, there[0], what)
        everything = {made[on] for on in made if on.post != "trash" and sees(role, on)}
        assert {*await ids(client, "?per_page=100&status=pending,approved,spam,trash", headers=headers)} == everything


@pytest.fixture
async def few(editor: Client) -> Client:
    """One comment in each status on a first post, by their ids; two more on a second."""
    first, second = await posted(editor), await posted(editor, slug="second")
    for status in STATUSES:
        await commented(editor, first, status=status)
    for status in ("pending", "approved"):
        await commented(editor, second, status=status)
    return editor


@pytest.mark.shows("others.comments", "others.comments.default")
async def test_list_is_filtered_by_post_and_by_status(few: Client) -> None:
    expected = {
        "": [6, 5, 2, 1],
        "?post_id=1": [2, 1],
        "?status=pending": [5, 1],
        "?status=spam": [3],
        "?status=trash,spam": [4, 3],
        "?post_id=1&status=approved": [2],
        "?post_id=1&status=trash,approved": [4, 2],
        "?post_id=4711": [],
        "?post_id=0": [],
    }
    assert {query: await ids(few, query) for query in expected} == expected
    for wrong in ("?status=live", "?status=", "?post_id=x"):
        assert (await few.get(f"/comments{wrong}")).status == 422


@pytest.mark.shows("others.comments")
async def test_list_is_newest_first_and_paged(site: Site, few: Client) -> None:
    site.clock.advance(-3600)
    older = await commented(few, 1)
    site.clock.advance(7200)
    newer = await commented(few, 1)
    pages = [(await few.get(f"/comments?per_page=4&page={number}")).data for number in (1, 2, 3)]

    assert [[item["id"] for item in each["items"]] for each in pages] == [
        [newer["id"], 6, 5, 2],
        [1, older["id"]],
        [],
    ]
    assert {(each["total"], each["pages"], each["per_page"]) for each in pages} == {(6, 2, 4)}
    assert (await few.get("/comments?page=9223372036854775807&per_page=100")).data["items"] == []


async def test_figures_are_by_status(site: Site, few: Client) -> None:
    (source,) = [each for each in site.host.stat_sources if each.name == "comments"]
    expected = {"total": 6, "pending": 2, "approved": 2, "spam": 1, "trash": 1}

    assert await source.run(site.host.unit()) == expected


@SQLITE_ALONE
@pytest.mark.shows("others.comments.trash")
async def test_comments_hide_with_a_trashed_post_and_come_back_with_it(site: Site, editor: Client) -> None:
    body = article(status="published")
    post_id = (await editor.post("/posts", json=body)).data["id"]
    comment = await commented(editor, post_id, status="approved")
    subscriber = await site.client("subscriber")
    assert await ids(subscriber) == [comment["id"]]
    await editor.delete(f"/posts/{post_id}")

    assert (await ids(subscriber), await ids(editor), await ids(editor, f"?post_id={post_id}")) == ([], [], [1])
    assert (await subscriber.get("/comments/1")).status == 404
    await editor.patch(f"/posts/{post_id}", json={"status": "published"})
    assert (await ids(subscriber), await ids(editor)) == ([1], [1])
