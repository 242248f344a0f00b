"""What the list of accounts can be narrowed to."""

import pytest

from cms_host.testing import Site

from .conftest import SQLITE_ALONE, made


@pytest.mark.shows("users.list")
async def test_list_is_narrowed_by_role_activity_and_search(site: Site) -> None:
    client = await site.client("admin")
    await made(client, "isik", name="Işık Şahin", role="editor")
    await made(client, "mehmet", name="100% _Mehmet_\\", role="author", active=False)
    await made(client, "zoe", email="info@sahin.example", role="author")
    expected = {
        "": [1, 2, 3, 4],
        "role=author": [3, 4],
        "role=editor,admin": [1, 2],
        "role=subscriber": [],
        "active=1": [1, 2, 4],
        "active=0": [3],
        "active=true": [1, 2, 4],
        "active=false": [3],
        "search=ŞAHİN": [2, 4],
        "search=ışık": [2],
        "search=  işık   sahin ": [2],
        "search=%25": [3],
        "search=_": [3],
        "search=\\": [3],
        "search=mehmetmehmet": [],
        "search=": [1, 2, 3, 4],
        "search=sahin&role=author&active=1": [4],
        "active=1&role=admin,author": [1, 4],
    }

    for query, ids in expected.items():
        data = (await client.get(f"/users?{query}")).data
        assert ([each["id"] for each in data["items"]], data["total"]) == (ids, len(ids)), query
    second = (await client.get("/users?role=author&per_page=1&page=2")).data
    assert ([each["id"] for each in second["items"]], second["total"], second["pages"]) == ([4], 2, 2)


@SQLITE_ALONE
@pytest.mark.parametrize(
    "query", ["role=boss", "role=editor,", "role=", "active=yes", "active=", f"search={'x' * 201}"]
)
async def test_list_refuses_a_filter_that_is_none(site: Site, query: str) -> None:
    answer = await (await site.client("admin")).get(f"/users?{query}")

    assert answer.status == 422
    assert answer.error["errors"][0]["field"] == query.partition("=")[0]
