"""Categories on a site, as their endpoints make them."""

from collections.abc import Collection, Mapping
from typing import Any

import pytest

from cms_host.testing import Client

#: For what no database has a part in.
SQLITE_ALONE = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


async def created(client: Client, name: str = "News", **fields: Any) -> dict[str, Any]:
    """The record of a new category."""
    answer = await client.post("/categories", json={"name": name, **fields})
    assert answer.status == 201, answer.text
    record: dict[str, Any] = answer.data
    return record


async def tree(client: Client) -> dict[str, str | None]:
    """The slug of each category's parent, by its own."""
    items = (await client.get("/categories")).data["items"]
    slugs = {item["id"]: item["slug"] for item in items}
    return {item["slug"]: item["parent_id"] and slugs[item["parent_id"]] for item in items}


class Shelf:
    """Keeps numbers of posts, and what it was asked."""

    def __init__(self, published: Mapping[int, int]) -> None:
        self._published = published
        self.asked: list[list[int]] = []
        self.rearranged: list[list[int]] = []

    async def published_in(self, category_ids: Collection[int]) -> Mapping[int, int]:
        self.asked.append(sorted(category_ids))
        return self._published

    async def rearrange(self, category_ids: Collection[int]) -> None:
        self.rearranged.append(sorted(category_ids))
