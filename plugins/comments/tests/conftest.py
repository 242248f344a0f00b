"""Posts and comments on a site, as their endpoints make them."""

from typing import Any

import pytest

from cms_host.testing import Client, Site
from cms_posts.testing import unlike

#: For what no database has a part in.
SQLITE_ALONE = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
PASSWORD = "open sesame"


@pytest.fixture
async def editor(site: Site) -> Client:
    return await site.client("editor")


async def posted(client: Client, **fields: Any) -> int:
    """The id of a new post, a draft unless something else is said; short, for no gate looks at a draft."""
    body = {"title": unlike(repr(fields)), "content": "<p>Short.</p>", **fields}
    answer = await client.post("/posts", json=body)
    assert answer.status == 201, answer.text
    number: int = answer.data["id"]
    return number


async def commented(client: Client, post_id: int, **fields: Any) -> dict[str, Any]:
    """The record of a new comment, in the status that is asked for."""
    status = fields.pop("status", None)
    answer = await client.post("/comments", json={"post_id": post_id, "content": "Well said.", **fields})
    assert answer.status == 201, answer.text
    if status:
        answer = await client.patch(f"/comments/{answer.data['id']}", json={"status": status})
        assert answer.status == 200, answer.text
    record: dict[str, Any] = answer.data
    return record


async def ids(client: Client, query: str = "", **options: Any) -> list[int]:
    """The ids in a list, in its order; its total is right."""
    answer = await client.get(f"/comments{query}", **options)
    assert answer.status == 200, answer.text
    found = [item["id"] for item in answer.data["items"]]
    assert answer.data["total"] == len(found)
    return found
