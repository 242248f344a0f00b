"""A site whose posts are viewed."""

from collections.abc import Mapping
from typing import Any

import pytest

from cms_host.testing import Client, Site

#: For what no database has a part in.
SQLITE_ALONE = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
#: What would take the time of a test that is about something else.
GATE = (
    "gate-duplicate-title", "gate-similar-title", "gate-similar-content", "gate-short-content", "gate-short-title",
)  # fmt: skip


async def view(site: Site, views: Mapping[int, int]) -> None:
    """Posts are viewed, and that is written."""
    items = [{"post_id": post_id, "count": n} for post_id, n in views.items()]
    answer = await (await site.client("editor")).post("/stats/views", json={"items": items})
    assert (answer.status, answer.data["warnings"]) == (200, []), answer.text
    await site.run_job("stats.views")


async def trends(client: Client, **params: str) -> dict[str, Any]:
    """`data` of the answer."""
    answer = await client.get("/trends", params=params)
    assert answer.status == 200, answer.text
    found: dict[str, Any] = answer.data
    return found


async def ranked(client: Client, **params: str) -> list[int]:
    """The ids of the posts, the one that is viewed most first."""
    return [item["post_id"] for item in (await trends(client, **params))["items"]]
