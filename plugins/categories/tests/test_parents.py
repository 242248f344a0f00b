"""What neighbours ask: which of these categories exist, and below what."""

import asyncio

import pytest

from cms_categories.api import Categories
from cms_host.testing import Site

from .conftest import created


async def test_parents_are_told_of_the_ids_that_exist(site: Site) -> None:
    client = await site.client("editor")
    await created(client, "A")
    await created(client, "B", parent_id=1)
    categories = site.host.unit().get(Categories)

    assert await categories.parents([2, 1, 7, -1, 2]) == {1: None, 2: 1}
    assert await categories.parents([]) == {}


@pytest.mark.parametrize("method", ["DELETE", "PATCH"])
async def test_parents_stay_as_told_until_the_transaction_ends(site: Site, method: str) -> None:
    client = await site.client("editor")
    await created(client, "A")
    await created(client, "B", parent_id=1)
    async with site.host.unit().write() as unit:
        assert await unit.get(Categories).parents([2]) == {2: 1}
        rival = asyncio.create_task(client.request(method, "/categories/b", json={"parent_id": None}))
        await asyncio.wait([rival], timeout=0.3)
        assert not rival.done()
        assert await unit.get(Categories).parents([2]) == {2: 1}
    assert (await rival).status == 200

    assert await site.host.unit().get(Categories).parents([2]) == ({} if method == "DELETE" else {2: None})
