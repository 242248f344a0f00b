"""PUT /settings/{key} and PATCH /settings."""

from typing import Any

import pytest

from cms_host.testing import Client, MakeSite, Site, dump

from .conftest import value, with_shop

MASK = "********"
SQLITE_ALONE = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


@pytest.mark.parametrize(
    ("key", "new"),
    [
        ("shop.open", False), ("shop.seats", 100), ("shop.discount", 0.25), ("shop.discount", 0), ("shop.mode", "warn"),
        ("shop.hosts", []), ("shop.hosts", ["b.example", "ş"]), ("timezone", "Europe/Istanbul"),
    ],
)  # fmt: skip
async def test_put_changes_one_setting(site: Site, key: str, new: Any) -> None:
    client = await site.client()
    answer = await client.put(f"/settings/{key}", json={"value": new})

    assert (answer.status, answer.data["key"], answer.data["value"]) == (200, key, new)
    assert (await client.get(f"/settings/{key}")).data == answer.data


@pytest.mark.shows("others.settings.next")
async def test_change_holds_for_the_very_next_request_on_every_host(site: Site, make_site: MakeSite) -> None:
    other = await with_shop(make_site)
    here, there = await site.client(), Client(other, await site.key())
    assert (await there.get("/settings/shop.seats")).data["value"] == 12
    for seats in (13, 14, 15):
        await here.put("/settings/shop.seats", json={"value": seats})
        assert (await there.get("/settings/shop.seats")).data["value"] == seats


async def test_changed_time_zone_moves_the_moments_of_the_next_answer(site: Site) -> None:
    client = await site.client()
    before = (await client.get("/users/1")).data["created_at"]
    await client.put("/settings/timezone", json={"value": "Asia/Kolkata"})

    assert (before, (await client.get("/users/1")).data["created_at"]) == ("2026-01-15 12:00:00", "2026-01-15 17:30:00")


@pytest.mark.shows("others.settings", "others.settings.whole")
async def test_patch_changes_all_that_is_named_and_answers_it(site: Site) -> None:
    client = await site.client()
    answer = await client.patch("/settings", json={"shop.seats": 5, "shop.mode": "warn"})

    assert answer.status == 200
    assert [(item["key"], item["value"]) for item in answer.data["items"]] == [("shop.mode", "warn"), ("shop.seats", 5)]
    assert (answer.data["total"], answer.data["pages"], answer.data["per_page"]) == (2, 1, 2)
    assert (value(site, "shop.seats"), value(site, "shop.mode"), value(site, "shop.open")) == (5, "warn", True)


@pytest.mark.parametrize(
    ("bad", "status"),
    [
        ({"shop.mode": "off"}, 422),
        ({"shop.discount": 0.51}, 422),
        ({"shop.unheard": 1}, 422),
        ({"shop.open": "yes"}, 400),
        ({"shop.mode": "off", "shop.open": "yes", "shop.unheard": 1}, 400),
    ],
)
@pytest.mark.shows("others.settings.whole")
async def test_patch_with_one_bad_value_changes_nothing(
    site: Site, database_url: str, bad: dict[str, Any], status: int
) -> None:
    client = await site.client()
    before = dump(database_url)
    answer = await client.patch("/settings", json={"shop.seats": 5, **bad})

    assert answer.status == status
    assert [error["field"] for error in answer.error["errors"]] == list(bad)
    assert all(key in answer.error["message"] for key in bad)
    assert dump(database_url) == before
    assert value(site, "shop.seats") == 12


@SQLITE_ALONE
@pytest.mark.parametrize(
    ("key", "new", "status", "message"),
    [
        ("shop.open", 1, 400, "Must be of type boolean."),
        ("shop.open", None, 400, "Must be of type boolean."),
        ("shop.seats", "5", 400, "Must be of type integer."),
        ("shop.seats", 5.0, 400, "Must be of type integer."),
        ("shop.seats", True, 400, "Must be of type integer."),
        ("shop.hosts", "a", 400, "Must be of type array."),
        ("shop.hosts", [1], 400, "Must be of type array."),
        ("shop.seats", 0, 422, "Must be at least 1."),
        ("shop.seats", 101, 422, "Must be at most 100."),
        ("shop.mode", "Warn", 422, "Must be one of block, warn."),
        ("shop.token", "short", 422, "Must be at least 8 characters long."),
        ("timezone", "Mars/Olympus", 422, "'Mars/Olympus' is not an IANA time zone."),
        ("timezone", "localtime", 422, "'localtime' is not an IANA time zone."),
        ("timezone", "", 422, "'' is not an IANA time zone."),
    ],
)
async def test_put_refuses_what_the_setting_does_not_take(
    site: Site, database_url: str, key: str, new: Any, status: int, message: str
) -> None:
    client = await site.client()
    before = dump(database_url)
    answer = await client.put(f"/settings/{key}", json={"value": new})

    assert (answer.status, answer.error["errors"]) == (status, [{"field": "value", "message": message}])
    assert dump(database_url) == before


@SQLITE_ALONE
async def test_put_wants_a_value_and_an_existing_key(site: Site) -> None:
    client = await site.client()
    missing = await client.put("/settings/shop.seats", json={"Value": 5})
    assert (missing.status, missing.error["errors"][0]["field"]) == (400, "value")
    assert (await client.put("/settings/shop.unheard", data=b"x")).status == 404
    assert (await client.put("/settings/shop.seats", data=b"x")).status == 415
    assert (await client.patch("/settings", json=["shop.seats"])).status == 400


@SQLITE_ALONE
async def test_patch_of_nothing_changes_nothing(site: Site, database_url: str) -> None:
    client = await site.client()
    before = dump(database_url)
    answer = await client.patch("/settings", json={})

    assert (answer.status, answer.data["items"], answer.data["total"]) == (200, [], 0)
    assert dump(database_url) == before


@pytest.mark.shows("others.settings.secret")
async def test_secret_is_written_and_never_shown(site: Site) -> None:
    client = await site.client()
    answers = [
        await client.put("/settings/shop.token", json={"value": "canary-secret"}),
        await client.patch("/settings", json={"shop.token": "canary-secret"}),
        await client.get("/settings"),
        await client.get("/settings/shop.token"),
        await client.patch("/settings", json={"shop.token": "canary", "shop.open": 1}),
    ]

    assert [answer.status for answer in answers] == [200, 200, 200, 200, 400]
    assert "canary" not in "".join(answer.text for answer in answers)
    assert answers[3].data["value"] == MASK
    assert value(site, "shop.token") == "canary-secret"


@pytest.mark.shows("others.settings.secret")
async def test_mask_of_a_secret_leaves_it_as_it_is(site: Site, database_url: str) -> None:
    client = await site.client()
    await client.put("/settings/shop.token", json={"value": "canary-secret"})
    before = dump(database_url)
    assert (await client.put("/settings/shop.token", json={"value": MASK})).status == 200
    assert dump(database_url) == before

    await client.patch("/settings", json={"shop.token": MASK, "shop.seats": 5})
    assert (value(site, "shop.token"), value(site, "shop.seats")) == ("canary-secret", 5)


@SQLITE_ALONE
async def test_mask_is_an_ordinary_value_of_what_is_no_secret(site: Site) -> None:
    answer = await (await site.client()).put("/settings/shop.hosts", json={"value": [MASK]})

    assert answer.data["value"] == [MASK]
    assert (await (await site.client()).put("/settings/shop.mode", json={"value": MASK})).status == 422


async def test_secret_can_be_taken_away(site: Site) -> None:
    client = await site.client()
    await client.put("/settings/shop.token", json={"value": "canary-secret"})
    await client.put("/settings/shop.token", json={"value": ""})

    assert value(site, "shop.token") == ""
