"""POST /comments."""

import pytest

from cms_host.testing import Client, MakeSite, Site, dump

from .conftest import SQLITE_ALONE, commented, posted


@pytest.mark.shows("others.comments.record", "others.comments.read", "others.comments.pending")
async def test_create_answers_the_record_of_a_pending_comment(site: Site, editor: Client) -> None:
    post_id = await posted(editor)
    sent = {"author_name": "Ayşe <b>Y.</b>", "author_email": "ayse@example.org", "author_ip": "2001:DB8::1"}
    record = await commented(editor, post_id, content="Well <i>said</i>: <em>1 < 2</em>", **sent)

    assert record == {
        "id": 1,
        "post_id": post_id,
        "parent_id": None,
        "author_name": "Ayşe Y.",
        "author_email": "ayse@example.org",
        "author_ip": "2001:db8::1",
        "content": "Well <i>said</i>: <em>1 &lt; 2</em>",
        "status": "pending",
        "created_at": "2026-01-15 12:00:00",
    }
    assert (await editor.get("/comments/1")).data == record


@SQLITE_ALONE
async def test_create_takes_name_and_address_of_the_caller_where_none_are_sent(site: Site, editor: Client) -> None:
    record = await commented(editor, await posted(editor))

    assert (record["author_name"], record["author_email"], record["author_ip"]) == ("editor", "", "127.0.0.1")


@SQLITE_ALONE
async def test_create_keeps_the_address_that_a_trusted_proxy_vouches_for(make_site: MakeSite) -> None:
    editor = await (await make_site(trusted_proxies=("loopback",))).client("editor")
    body = {"post_id": await posted(editor), "content": "x"}
    answer = await editor.post("/comments", json=body, headers={"X-Forwarded-For": "10.0.0.9, 192.0.2.7"})

    assert answer.data["author_ip"] == "192.0.2.7"


@SQLITE_ALONE
@pytest.mark.shows("others.comments.pending")
async def test_create_approves_at_once_where_the_setting_says_so(site: Site, editor: Client) -> None:
    await site.set(**{"comments.auto_approve": True})

    assert (await commented(editor, await posted(editor)))["status"] == "approved"


@SQLITE_ALONE
async def test_create_ignores_status_and_other_fields_that_are_not_the_caller_s_to_send(editor: Client) -> None:
    sent = {"id": 77, "created_at": "2020-01-01 00:00:00", "discarded_at": 5}
    answer = await editor.post(
        "/comments", json={"post_id": await posted(editor), "content": "x", "status": "spam", **sent}
    )

    assert (answer.status, answer.data["id"], answer.data["status"]) == (201, 1, "pending")
    assert answer.data["created_at"] == "2026-01-15 12:00:00"


@pytest.mark.shows("others.comments.reply")
async def test_create_replies_to_a_comment_of_the_same_post(editor: Client) -> None:
    post_id = await posted(editor)
    first = await commented(editor, post_id)
    second = await commented(editor, post_id, parent_id=first["id"])
    third = await commented(editor, post_id, parent_id=second["id"])

    assert [each["parent_id"] for each in (first, second, third)] == [None, 1, 2]


@pytest.mark.shows("errors.409.comment", "others.comments.reply", "others.comments.post")
async def test_create_refused_writes_nothing(editor: Client, database_url: str) -> None:
    post_id, other, closed = await posted(editor), await posted(editor, slug="b"), await posted(editor, slug="c")
    trashed = await posted(editor, status="trash")
    await editor.patch(f"/posts/{closed}", json={"comment_status": "closed"})
    elsewhere = await commented(editor, other)
    before = dump(database_url)
    refused = {
        400: [
            {"content": ""},
            {"content": " <script>alert(1)</script> "},
            {"post_id": "1"},
            {"author_name": "<b></b>"},
        ],
        409: [{"post_id": closed}, {"post_id": trashed}],
        422: [
            {"post_id": 4711},
            {"post_id": -1},
            {"parent_id": 4711},
            {"parent_id": elsewhere["id"]},
            {"author_email": "no address"},
            {"author_email": "a@b.c, d@e.f"},
            {"author_ip": "999.1.1.1"},
            {"author_name": "x" * 201},
            {"content": "x" * 65_526},
            {"content": "<q>" * 5_000},
        ],
    }
    for status, bodies in refused.items():
        for body in bodies:
            answer = await editor.post("/comments", json={"post_id": post_id, "content": "Well said.", **body})
            assert answer.status == status, f"{body}: {answer.text}"
            if status == 422:
                assert [each["field"] for each in answer.error["errors"]] == [*body]
    assert (await editor.post("/comments", json={})).status == 400

    assert dump(database_url) == before


@SQLITE_ALONE
@pytest.mark.shows("others.comments.clean")
async def test_create_leaves_nothing_that_runs_and_tells_what_it_removed(editor: Client) -> None:
    source = (
        '<p onclick="x()">Hi<script>alert(1)</script><img src=x onerror=alert(1)>'
        '<a href="javascript:alert(1)">a</a><a href="https://example.org" rel="me">b</a></p>'
    )
    answer = await editor.post("/comments", json={"post_id": await posted(editor), "content": source})

    assert (
        answer.data["content"]
        == '<p>Hi<a rel="nofollow ugc">a</a><a href="https://example.org" rel="nofollow ugc">b</a></p>'
    )
    (warning,) = answer.data["warnings"]
    assert (warning["code"], warning["detail"]["tags"]) == ("sanitized", {"script": 1, "img": 1})
    again = await editor.patch("/comments/1", json={"content": answer.data["content"]})
    assert again.data == {name: value for name, value in answer.data.items() if name != "warnings"}


@SQLITE_ALONE
async def test_create_sent_again_with_its_key_makes_one_comment(editor: Client) -> None:
    sent = {"json": {"post_id": await posted(editor), "content": "x"}, "headers": {"Idempotency-Key": "a-key"}}
    first, second = [await editor.post("/comments", **sent) for _ in range(2)]

    assert (first.status, second.status, first.body) == (201, 201, second.body)
    assert (await editor.get("/comments")).data["total"] == 1
