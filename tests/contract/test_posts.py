"""The endpoints of posts (spec, Endpoints: Posts)."""

import json

import pytest

from cms_host.testing import Client, MakeSite, Site
from cms_posts.testing import article, created

ENDPOINTS = [
    ("GET", "/posts"),
    ("GET", "/posts/1"),
    ("POST", "/posts"),
    ("PUT", "/posts/1"),
    ("PATCH", "/posts/1"),
    ("POST", "/posts/1/publish"),
    ("POST", "/posts/1/schedule"),
    ("GET", "/posts/1/revisions"),
    ("DELETE", "/posts/1"),
]


@pytest.mark.shows("posts.list", "posts.read", "posts.create", "posts.update", "posts.publish", "posts.delete")
async def test_a_life_of_a_post(author: Client) -> None:
    made = await author.post("/posts", json=article())
    assert (made.status, made.data["id"]) == (201, 1)
    assert (await author.get("/posts/1")).data == made.data["post"]
    assert (await author.get("/posts")).data["items"] == [made.data["post"]]
    changed = await author.patch("/posts/1", json={"excerpt": "By hand"})
    assert changed.data["post"] == {**made.data["post"], "excerpt": "By hand", **moved(changed.data["post"])}
    assert (await author.post("/posts/1/publish")).data["post"]["status"] == "published"
    assert (await author.delete("/posts/1")).data == {"success": True}
    assert (await author.get("/posts")).data["items"] == []


def moved(record: dict[str, str]) -> dict[str, str]:
    return {name: record[name] for name in ("updated_at", "content_modified_at")}


@pytest.mark.parametrize("method", ["PUT", "PATCH"])
@pytest.mark.shows("posts.update", "body.optional")
async def test_put_and_patch_change_what_is_sent_and_nothing_else(author: Client, method: str) -> None:
    before = await created(author, slug="mine", excerpt="By hand", editorial={"sources": ["A law"]})
    for body in ({"title": "Another title"}, {"content": "<p>Other.</p>"}, {"comment_status": "closed"}, {}):
        answer = await author.request(method, "/posts/1", json=body)
        assert answer.status == 200
        after = answer.data["post"]
        free = {*body, "updated_at", "content_modified_at", "reading_time"}
        assert {name for name in before if before[name] != after[name]} <= free
        assert {name: after[name] for name in body} == body
        before = after


@pytest.mark.shows("posts.written", "posts.create", "posts.update", "posts.publish")
async def test_every_write_answers_with_the_whole_record(author: Client) -> None:
    answers = [
        await author.post("/posts", json=article()),
        await author.put("/posts/1", json={"title": "Another title"}),
        await author.post("/posts/1/publish"),
        await author.post("/posts/1/publish", json={}),
    ]
    for answer in answers:
        assert answer.data.keys() == {"success", "id", "post", "warnings"}
        assert (answer.data["success"], answer.data["id"], answer.data["warnings"]) == (True, 1, [])
    assert answers[-1].data["post"] == (await author.get("/posts/1")).data


@pytest.mark.shows("posts.written.gate", "posts.written.codes")
async def test_warnings_of_the_gate_are_told_when_it_ran_and_only_then(author: Client) -> None:
    plain = {"title": "A title that is long", "content": "<p>" + "Words and more words. " * 90 + "</p>"}
    assert (await author.post("/posts", json=plain)).data["warnings"] == []
    for answer in (
        await author.post("/posts", json={**plain, "content": f"<p>{'x' * 1500}</p>", "status": "published"}),
        await author.patch("/posts/1", json={"title": "Something else to read", "status": "published"}),
        await author.post("/posts/1/publish"),
    ):
        codes = [warning["code"] for warning in answer.data["warnings"]]
        assert codes == ["missing_cover", "missing_h2", "missing_internal_links"]
        for warning in answer.data["warnings"]:
            assert (
                {"code", "message_tr", "message_en"} <= warning.keys() <= {"code", "message_tr", "message_en", "detail"}
            )


@pytest.mark.shows("posts.written.discarded", "body.content.told")
async def test_what_was_taken_out_is_told_on_drafts_too(author: Client) -> None:
    content = '<p onclick="a()" onfocus="b()">Text</p><p onclick="c()">More</p><script>d()</script>'
    (warning,) = (await author.post("/posts", json=article(content=content))).data["warnings"]

    assert warning["code"] == "sanitized"
    assert warning["detail"]["tags"] == {"script": 1}
    assert warning["detail"]["attributes"] == {"onclick": 2, "onfocus": 1}


@pytest.mark.shows("posts.read.slug", "posts.read.missing", "errors.404.id", "errors.404.slug")
async def test_what_is_no_id_of_a_post_is_404_everywhere(editor: Client) -> None:
    await created(editor)
    for bad in (
        "a-walk-along-the-harbour",
        "2",
        "0",
        "1x",
        "-1",
        "1.0",
    ):
        for method, path in (("GET", ""), ("PUT", ""), ("PATCH", ""), ("DELETE", ""), ("POST", "/publish")):
            answer = await editor.request(method, f"/posts/{bad}{path}", json={} if method != "GET" else None)
            assert (answer.status, answer.error["code"]) == (404, 404)


@pytest.mark.shows("request.id.digits", "request.id.range")
async def test_ids_out_of_form_or_range_are_404(editor: Client) -> None:
    await created(editor)

    for bad in (
        str(2**63),
        "9" * 19,
        "9" * 20,
        "1" * 400,
        "٢",
        "+1",
        "%201",
        "1%00",
        "0x1",
    ):
        assert (await editor.get(f"/posts/{bad}")).status == 404
        assert (await editor.get(f"/posts/{2**63 - 1}")).status == 404


@pytest.mark.parametrize("slash", ["", "/"])
@pytest.mark.shows(
    "posts.id.missing", "errors.400.id", "request.missing-id.writes", "request.missing-id.publish",
    "request.missing-id.schedule", "request.missing-id.revisions",
)  # fmt: skip
async def test_a_missing_id_is_400(editor: Client, slash: str) -> None:
    asked = [("PUT", ""), ("PATCH", ""), ("DELETE", ""), ("POST", "//publish"), ("POST", "//schedule")]
    for method, path in [*asked, ("GET", "//revisions")]:
        answer = await editor.request(method, f"/posts{path}{slash}")
        assert (answer.status, answer.error["code"]) == (400, 400)
        assert "id" in answer.error["message"]


@pytest.mark.shows("posts.auth", "posts.metered", "limit.one-budget", "limit.metered")
async def test_each_endpoint_wants_a_key_and_counts(make_site: MakeSite) -> None:
    site = await make_site(rate_limit=len(ENDPOINTS))
    answers = [await site.anonymous.request(*endpoint) for endpoint in (*ENDPOINTS, *ENDPOINTS)]

    assert [answer.status for answer in answers] == [401] * len(ENDPOINTS) + [429] * len(ENDPOINTS)


@pytest.mark.shows("posts.json", "errors.415")
async def test_bodies_are_json_and_say_so(author: Client) -> None:
    await created(author)
    body = json.dumps(article())
    for kind, status in (("application/json", 201), ("text/plain", 415), ("application/x-www-form-urlencoded", 415)):
        assert (await author.post("/posts", data=body, headers={"Content-Type": kind})).status == status
    for method in ("PUT", "PATCH"):
        answer = await author.request(method, "/posts/1", data=body, headers={"Content-Type": "text/plain"})
        assert answer.status == 415


@pytest.mark.shows("posts.method", "errors.405", "request.405.allow")
async def test_a_method_that_a_path_does_not_know_is_405(editor: Client) -> None:
    for method, path, allowed in (
        ("POST", "/posts/1", {"GET", "HEAD", "PUT", "PATCH", "DELETE"}),
        ("GET", "/posts/1/publish", {"POST"}),
        ("DELETE", "/posts/1/publish", {"POST"}),
        ("POST", "/health", {"GET", "HEAD"}),
    ):
        answer = await editor.request(method, path)

        assert (answer.status, answer.error["message"]) == (405, "Method not allowed")
        assert set(answer.headers["Allow"].split(", ")) == allowed


@pytest.mark.shows("request.slash", "request.head")
async def test_a_slash_changes_nothing_and_head_is_get_without_its_body(site: Site, author: Client) -> None:
    await created(author)
    for path in ("/posts", "/posts/1", "/health"):
        plain = await author.get(path)
        assert (await author.get(f"{path}/")).json == plain.json
        head = await author.head(path)
        assert (head.status, head.body) == (200, b"")
        assert head.headers["Content-Length"] == plain.headers["Content-Length"]
    assert (await author.post("/posts/", json=article())).status == 201
    assert (await author.head("/posts/9")).status == 404
