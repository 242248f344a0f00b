"""PUT, PATCH and DELETE of a comment, and what becomes of comments whose post is deleted."""

import asyncio

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import select

from cms_comments.tables import comments
from cms_host.api import Query
from cms_host.testing import Client, Site

from .conftest import SQLITE_ALONE, commented, ids, posted


@pytest.mark.parametrize("method", ["PUT", "PATCH"])
@pytest.mark.shows("others.comments.status", "role.editor.comments")
async def test_change_touches_only_what_is_sent(editor: Client, method: str) -> None:
    before = await commented(editor, await posted(editor), author_name="Ayşe", author_email="ayse@example.org")
    changes = {"status": "approved", "content": "<b>Better</b> said", "author_name": "Fatma", "author_email": ""}
    record = before
    for name, value in changes.items():
        answer = await editor.request(method, "/comments/1", json={name: value})
        assert (answer.status, answer.data) == (200, {**record, name: value})
        record = answer.data
    for status in ("spam", "pending", "trash", "approved"):
        answer = await editor.request(method, "/comments/1", json={"status": status})
        assert (answer.status, answer.data) == (200, {**record, "status": status})
    ignored = {"post_id": 4711, "parent_id": 1, "created_at": "2020-01-01", "author_ip": "10.0.0.1", "id": 5}
    assert (await editor.request(method, "/comments/1", json=ignored)).data == record
    assert (await editor.get("/comments/1")).data == record


@SQLITE_ALONE
@pytest.mark.shows("others.comments.status")
async def test_change_refused_leaves_the_comment(editor: Client) -> None:
    before = await commented(editor, await posted(editor))
    refused = {400: [{"content": " "}, {"status": 5}, {"author_name": "<i></i>"}], 422: [{"status": "live"}]}
    for status, bodies in refused.items():
        for body in bodies:
            assert (await editor.patch("/comments/1", json=body)).status == status, body
    assert (await editor.patch("/comments/4711", json={"status": "spam"})).status == 404
    assert (await editor.get("/comments/1")).data == before


@pytest.mark.shows("others.comments.delete", "role.editor.comments")
async def test_delete_moves_to_the_trash_from_which_a_status_brings_back(editor: Client) -> None:
    await commented(editor, await posted(editor), status="approved")
    for _ in range(2):
        assert (await editor.delete("/comments/1")).data == {"success": True}
    assert (await ids(editor), await ids(editor, "?status=trash")) == ([], [1])
    assert (await editor.patch("/comments/1", json={"status": "approved"})).data["status"] == "approved"
    assert await ids(editor) == [1]


@pytest.mark.shows("others.comments.delete")
async def test_delete_for_good_moves_the_replies_up(editor: Client) -> None:
    post_id = await posted(editor)
    for parent_id in (None, 1, 2, 2):
        await commented(editor, post_id, parent_id=parent_id)
    assert (await editor.delete("/comments/2", json={"force": True})).data == {"success": True}

    assert (await editor.get("/comments/2")).status == 404
    found = (await editor.get("/comments")).data["items"]
    assert {each["id"]: each["parent_id"] for each in found} == {1: None, 3: 1, 4: 1}
    assert (await editor.delete("/comments/1", json={"force": True})).status == 200
    assert {each["parent_id"] for each in (await editor.get("/comments")).data["items"]} == {None}
    assert (await editor.delete("/comments/2", json={"force": True})).status == 404
    # An id is never given twice.
    assert (await commented(editor, post_id))["id"] == 5


@pytest.mark.shows("others.comments.trash")
async def test_deleting_a_post_for_good_deletes_its_comments_and_no_others(editor: Client) -> None:
    post_id, other = await posted(editor), await posted(editor, slug="b")
    first = await commented(editor, post_id)
    await commented(editor, post_id, parent_id=first["id"])
    kept = await commented(editor, other)
    assert (await editor.delete(f"/posts/{post_id}", json={"force": True})).status == 200

    assert await ids(editor, "?status=pending,approved,spam,trash") == [kept["id"]]
    assert (await editor.get("/comments/1")).status == 404


async def test_writers_that_meet_are_all_answered_and_replies_keep_what_they_reply_to(
    site: Site, editor: Client
) -> None:
    """Replies, deletions of what is replied to, and of the post, at once: no answer is a fault, no reply dangles."""
    post_id = await posted(editor)
    for parent_id in (None, 1, 2, 3):
        await commented(editor, post_id, parent_id=parent_id)
    other = await posted(editor, slug="b")
    await commented(editor, other)
    forever = {"json": {"force": True}}
    answers = await asyncio.gather(
        *(editor.delete(f"/comments/{number}", **forever) for number in (1, 2, 3)),
        *(
            editor.post("/comments", json={"post_id": post_id, "content": "x", "parent_id": number % 4 + 1})
            for number in range(6)
        ),
        *(editor.patch(f"/comments/{number}", json={"status": "approved"}) for number in (2, 4)),
        editor.delete(f"/posts/{other}", **forever),
        editor.delete("/comments/5", **forever),
    )
    assert {each.status for each in answers} <= {200, 201, 404, 422}
    rows = dict(await site.host.db.all(Query(select(comments.c.id, comments.c.parent_id))))
    assert {parent for parent in rows.values() if parent is not None} <= rows.keys()
    assert 5 not in rows


@pytest.mark.parametrize("role", ["subscriber", "author"])
@SQLITE_ALONE
@pytest.mark.shows("others.comments.write", "role.moderation.comments")
async def test_writes_need_an_editor(site: Site, editor: Client, role: str) -> None:
    post_id = await posted(editor)
    before = await commented(editor, post_id, status="approved")
    client = await site.client(role)
    for method, path in (("POST", ""), ("PUT", "/1"), ("PATCH", "/1"), ("DELETE", "/1")):
        body = {"post_id": post_id, "content": "x", "status": "spam"}
        answer = await client.request(method, f"/comments{path}", json=body)
        assert (answer.status, answer.error["message"]) == (403, "Insufficient role for this operation")
    assert (await editor.get("/comments")).data["items"] == [before]


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=st.lists(st.tuples(st.sampled_from(["reply", "remove"]), st.integers(0, 50)), min_size=3, max_size=12))
@SQLITE_ALONE
async def test_replies_always_are_where_a_model_has_them(site: Site, steps: list[tuple[str, int]]) -> None:
    editor = await site.client("editor")
    post_id = await posted(editor)
    parents: dict[int, int | None] = {}
    for act, which in steps:
        there = [None, *parents]
        chosen = there[which % len(there)]
        if act == "reply":
            parents[(await commented(editor, post_id, parent_id=chosen))["id"]] = chosen
        elif chosen is not None:
            assert (await editor.delete(f"/comments/{chosen}", json={"force": True})).status == 200
            above = parents.pop(chosen)
            parents = {number: above if parent == chosen else parent for number, parent in parents.items()}
    found = (await editor.get(f"/comments?post_id={post_id}&per_page=100")).data["items"]
    assert {each["id"]: each["parent_id"] for each in found} == parents
