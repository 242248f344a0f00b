"""DELETE /tags/{slug}."""

import pytest

from cms_host.testing import Site, assert_documented

from .conftest import SQLITE_ALONE, created, names


async def test_delete_takes_one_tag_away(site: Site) -> None:
    client = await site.client("editor")
    await created(client, "a")
    await created(client, "b")
    answer = await client.delete("/tags/a")

    assert (answer.status, answer.data) == (200, {"success": True})
    assert await names(client) == ["b"]
    assert (await client.delete("/tags/a")).status == 404
    assert (await client.delete("/tags/%C3%A9")).status == 404
    await assert_documented(site, "DELETE", "/tags/{slug}", answer)


async def test_delete_frees_slug_and_name_but_not_the_id(site: Site) -> None:
    client = await site.client("editor")
    await created(client, "a")
    await client.delete("/tags/a")
    again = await created(client, "a")

    assert (again["slug"], again["id"]) == ("a", 2)


@SQLITE_ALONE
@pytest.mark.parametrize(("role", "status"), [("subscriber", 403), ("author", 403), ("editor", 200), ("admin", 200)])
async def test_delete_is_for_editors_and_above(site: Site, role: str, status: int) -> None:
    await created(await site.client("editor", "first"), "a")

    assert (await (await site.client(role)).delete("/tags/a")).status == status
