"""`expected_content_modified_at`: a writer who read an older state is told so (contract 4)."""

import pytest

from cms_host.testing import Site, dump
from cms_posts.testing import created

STALE = "2026-01-15T11:59:59.999999+00:00"


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("PATCH", "/posts/1", {"title": "Another title"}),
        ("PUT", "/posts/1", {"title": "Another title"}),
        ("POST", "/posts/1/publish", {}),
        ("POST", "/posts/1/review", {}),
        ("POST", "/posts/1/schedule", {"scheduled_at": "2026-02-01"}),
        ("DELETE", "/posts/1", {}),
        ("DELETE", "/posts/1", {"force": True}),
    ],
)
async def test_write_over_another_state_is_a_conflict(
    site: Site, database_url: str, method: str, path: str, body: dict[str, str]
) -> None:
    editor = await site.client("editor")
    record = await created(editor)
    before = dump(database_url)
    answer = await editor.request(method, path, json={**body, "expected_content_modified_at": STALE})
    assert answer.status == 409
    assert dump(database_url) == before
    seen = {"expected_content_modified_at": record["content_modified_at"]}
    assert (await editor.request(method, path, json={**body, **seen})).status == 200


async def test_two_edits_within_one_second_are_told_apart(site: Site) -> None:
    client = await site.client("author")
    seen = {"expected_content_modified_at": (await created(client))["content_modified_at"]}
    assert (await client.patch("/posts/1", json={"title": "First come", **seen})).status == 200
    assert (await client.patch("/posts/1", json={"title": "Second come", **seen})).status == 409
    assert (await client.get("/posts/1")).data["title"] == "First come"
