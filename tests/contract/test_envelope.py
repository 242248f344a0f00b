"""What is around every answer (spec, Response envelope)."""

from math import ceil

import pytest

from cms_host.testing import Client
from cms_posts.testing import article, created

#: Every list, with the size of a page of it that nobody chose; there is one category, and they all are one page.
LISTS = {
    "/posts": 20,
    "/posts/1/revisions": 20,
    "/media": 20,
    "/categories": 1,
    "/tags": 20,
    "/comments": 20,
    "/users": 20,
    "/settings": 20,
    "/search?q=harbour": 20,
    "/sitemap": 1_000,
}


@pytest.mark.shows("envelope.success", "envelope.data")
async def test_a_success_is_a_flag_and_its_data(editor: Client) -> None:
    answers = [
        await editor.post("/posts", json=article()),
        await editor.get("/posts/1"),
        await editor.get("/posts"),
        await editor.patch("/posts/1", json={"excerpt": "By hand"}),
        await editor.post("/posts/1/publish"),
        await editor.get("/health"),
        await editor.delete("/posts/1"),
    ]

    assert [answer.status for answer in answers] == [201, 200, 200, 200, 200, 200, 200]
    for answer in answers:
        assert answer.json.keys() == {"success", "data"}
        assert answer.json["success"] is True
        assert isinstance(answer.json["data"], dict)


@pytest.mark.shows("envelope.items", "envelope.total", "envelope.pages", "envelope.per_page")
async def test_a_list_has_its_records_and_its_numbers(admin: Client) -> None:
    await created(admin)
    assert (await admin.post("/categories", json={"name": "Boats"})).status == 201
    for path, size in LISTS.items():
        data = (await admin.get(path)).data

        assert data["per_page"] == size, path
        assert data.keys() == {"items", "total", "pages", "current_page", "per_page"}
        assert all(type(data[name]) is int for name in ("total", "pages", "current_page", "per_page"))
        assert len(data["items"]) == min(data["total"], size), path
        assert data["pages"] == ceil(data["total"] / size), path
        assert data["current_page"] == 1
        assert data["total"] > 0 or path not in ("/posts", "/categories", "/users", "/settings")


@pytest.mark.shows("envelope.total", "envelope.pages", "envelope.current_page", "envelope.per_page")
async def test_each_page_of_a_list_has_its_own_records_and_the_same_totals(editor: Client) -> None:
    for _ in range(5):
        await created(editor)
    pages = [(await editor.get(f"/posts?per_page=2&page={page}")).data for page in (1, 2, 3)]

    assert [[item["id"] for item in page["items"]] for page in pages] == [[5, 4], [3, 2], [1]]
    assert [(page["total"], page["pages"], page["per_page"]) for page in pages] == [(5, 3, 2)] * 3
    assert [page["current_page"] for page in pages] == [1, 2, 3]


@pytest.mark.shows("envelope.per_page")
async def test_an_empty_list_tells_twenty(subscriber: Client) -> None:
    for path in ("/posts", "/categories", "/tags", "/media", "/comments", "/search?q=harbour"):
        empty = {"items": [], "total": 0, "pages": 0, "current_page": 1, "per_page": 20}
        assert (await subscriber.get(path)).data == empty


@pytest.mark.shows(
    "envelope.error", "envelope.error.code", "envelope.error.message", "envelope.error.one-shape", "errors.envelope"
)
async def test_every_error_is_a_flag_a_code_and_a_message(editor: Client, subscriber: Client) -> None:
    await editor.post("/tags", json={"name": "Taken"})
    answers = {
        400: await editor.post("/posts", json={}),
        401: await subscriber.get("/posts", headers={"X-API-Key": "wrong"}),
        403: await subscriber.post("/posts", json=article()),
        404: await editor.get("/posts/9"),
        405: await editor.delete("/health"),
        409: await editor.post("/tags", json={"name": "Taken"}),
        413: await editor.post("/posts", json=article(content="x" * 900_000)),
        415: await editor.post("/posts", data="title=x", headers={"Content-Type": "text/plain"}),
        422: await editor.get("/posts?page=x"),
    }

    for status, answer in answers.items():
        assert answer.status == status
        assert answer.json.keys() == {"success", "error"}
        assert answer.json["success"] is False
        assert answer.error.keys() - {"errors"} == {"code", "message"}
        assert (answer.error["code"], type(answer.error["code"])) == (status, int)
        assert isinstance(answer.error["message"], str)
        assert answer.error["message"]


@pytest.mark.shows(
    "envelope.refusal", "envelope.refusal.error", "envelope.refusal.blocks", "errors.refusal", "errors.422.gate",
    "gate.shape",
)  # fmt: skip
async def test_a_refusal_of_the_gate_has_its_own_shape(author: Client) -> None:
    short = article(title="Short", content="<p>Short.</p>")
    await created(author, title="Short", content="<p>Short.</p>")
    answers = [
        await author.post("/posts", json={**short, "status": "published"}),
        await author.patch("/posts/1", json={"status": "published"}),
        await author.post("/posts/1/publish"),
    ]

    for answer in answers:
        assert answer.status == 422
        assert answer.json.keys() == {"success", "error", "blocks"}
        assert (answer.json["success"], answer.json["error"]) == (False, "quality_gate")
        assert [block["code"] for block in answer.json["blocks"]] == ["short_content", "short_title"]
        for block in answer.json["blocks"]:
            assert block.keys() == {"code", "message_tr", "message_en"}
            assert all(isinstance(text, str) and text for text in block.values())


@pytest.mark.shows("values.created", "values.ok")
async def test_creations_are_201_and_everything_else_is_200(editor: Client) -> None:
    assert (await editor.post("/posts", json=article())).status == 201
    assert (await editor.post("/categories", json={"name": "News"})).status == 201
    assert (await editor.post("/tags", json={"name": "Sea"})).status == 201
    assert (await editor.post("/posts/1/publish")).status == 200
    assert (await editor.put("/posts/1", json={"excerpt": "x"})).status == 200
    assert (await editor.delete("/posts/1")).status == 200
