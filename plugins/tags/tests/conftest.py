"""Tags on a site, as their endpoints make them."""

from collections.abc import Collection, Mapping
from typing import Any

import pytest

from cms_host.testing import Client

#: For what no database has a part in.
SQLITE_ALONE = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


async def created(client: Client, name: str = "News", **fields: Any) -> dict[str, Any]:
    """The record of a new tag."""
    answer = await client.post("/tags", json={"name": name, **fields})
    assert answer.status == 201, answer.text
    record: dict[str, Any] = answer.data
    return record


async def names(client: Client, query: str = "") -> list[str]:
    """The names in a list, in its order."""
    answer = await client.get(f"/tags{query}")
    assert answer.status == 200, answer.text
    return [item["name"] for item in answer.data["items"]]


class Carrier:
    """Carries numbers of posts, and what it was asked."""

    def __init__(self, published: Mapping[int, int]) -> None:
        self._published = published
        self.asked: list[list[int]] = []
        self.merged: list[tuple[int, int]] = []

    async def published_with(self, tag_ids: Collection[int]) -> Mapping[int, int]:
        self.asked.append(sorted(tag_ids))
        return self._published

    async def merge(self, tag_id: int, into_id: int) -> None:
        self.merged.append((tag_id, into_id))
