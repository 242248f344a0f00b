"""GET /settings and GET /settings/{key}."""

import pytest
from marshmallow import RAISE

from cms_host.testing import Site
from cms_settings.schemas import SettingPage, SettingRecord

FORBIDDEN = {"success": False, "error": {"code": 403, "message": "Forbidden"}}
SQLITE_ALONE = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


@SQLITE_ALONE
@pytest.mark.shows("others.settings", "others.settings.record")
async def test_list_shows_every_setting_by_key(site: Site) -> None:
    data, keys = (await (await site.client()).get("/settings?per_page=100")).data, sorted(site.host.settings.registry)

    assert [item["key"] for item in data["items"]] == keys
    assert (data["total"], data["pages"], data["current_page"], data["per_page"]) == (len(keys), 1, 1, 100)
    assert SettingPage(unknown=RAISE).validate(data) == {}
    assert SettingRecord(unknown=RAISE).validate(data["items"], many=True) == {}
    assert data["items"][keys.index("timezone")] == {
        "key": "timezone",
        "value": "UTC",
        "default": "UTC",
        "type": "string",
        "description": "IANA name of the zone in which dates and times are shown and read.",
        "plugin": "host",
    }


@SQLITE_ALONE
async def test_list_is_paged(site: Site) -> None:
    client, keys = await site.client(), sorted(site.host.settings.registry)
    for query, expected in (("per_page=3", keys[:3]), ("per_page=3&page=2", keys[3:6]), ("page=9", [])):
        data = (await client.get(f"/settings?{query}")).data
        assert ([item["key"] for item in data["items"]], data["total"]) == (expected, len(keys))
    assert (await client.get(f"/settings?page={'9' * 25}")).data["items"] == []
    assert (await client.get("/settings?page=x")).status == 422


@SQLITE_ALONE
async def test_read_shows_one_setting_as_the_list_does(site: Site) -> None:
    client = await site.client()
    for item in (await client.get("/settings")).data["items"]:
        assert (await client.get(f"/settings/{item['key']}")).data == item


@SQLITE_ALONE
@pytest.mark.parametrize("key", ["shop", "shop.", "SHOP.open", "shop.open%00", "shop.open%2F", "ş", "x" * 2000])
async def test_read_of_what_is_no_setting_is_404(site: Site, key: str) -> None:
    answer = await (await site.client()).get(f"/settings/{key}")

    assert (answer.status, answer.error) == (404, {"code": 404, "message": "Not found"})


@SQLITE_ALONE
@pytest.mark.parametrize("role", ["subscriber", "author", "editor"])
@pytest.mark.shows("role.forbidden.settings", "request.403.families")
async def test_lower_roles_are_forbidden_whatever_the_method_or_path(site: Site, role: str) -> None:
    client = await site.client(role)
    for path in ("/settings", "/settings/", "/settings/timezone", "/settings/x/y", "/settings/nothing"):
        for method in ("GET", "POST", "PUT", "PATCH", "DELETE"):
            assert (await client.request(method, path, json={"value": 1})).json == FORBIDDEN


@SQLITE_ALONE
async def test_other_methods_are_not_allowed(site: Site) -> None:
    client = await site.client()
    assert (await client.delete("/settings/timezone")).headers["Allow"] == "GET, HEAD, PUT"
    assert (await client.post("/settings", json={})).headers["Allow"] == "GET, HEAD, PATCH"
