"""POST /tags/{slug}/merge."""

import asyncio
from typing import Any

import pytest

from cms_host.testing import MakeSite, Site, assert_documented, dump
from cms_tags.api import Tagged

from .conftest import SQLITE_ALONE, Carrier, created, names


async def test_merge_leaves_the_other_and_answers_its_record(site: Site) -> None:
    client = await site.client("editor")
    await created(client, "Colour")
    other = await created(client, "Color")
    site.provide(Tagged, one := Carrier({2: 3}), two := Carrier({2: 4}))
    answer = await client.post("/tags/colour/merge", json={"into": "color"})

    assert (answer.status, answer.data) == (200, {**other, "post_count": 7})
    assert one.merged == two.merged == [(1, 2)]
    assert await names(client) == ["Color"]
    await assert_documented(site, "POST", "/tags/{slug}/merge", answer)


@pytest.mark.parametrize(
    ("path", "sent", "status"),
    [
        ("nothing", {"into": "b"}, 404),
        ("nothing", {}, 404),
        ("a", {}, 400),
        ("a", {"into": ""}, 400),
        ("a", {"into": 2}, 400),
        ("a", {"into": "a"}, 422),
        ("a", {"into": "nothing"}, 422),
        ("a", {"into": "B"}, 422),
        ("a", {"into": "ü"}, 422),
    ],
)
async def test_merge_refused_writes_nothing(
    site: Site, database_url: str, path: str, sent: dict[str, Any], status: int
) -> None:
    client = await site.client("editor")
    await created(client, "a")
    await created(client, "b")
    site.provide(Tagged, carrier := Carrier({}))
    before = dump(database_url)
    answer = await client.post(f"/tags/{path}/merge", json=sent)

    assert answer.status == status
    assert status == 404 or answer.error["errors"][0]["field"] == "into"
    assert dump(database_url) == before
    assert carrier.merged == []


async def test_merge_that_fails_half_way_leaves_everything_as_it_was(site: Site, database_url: str) -> None:
    class Broken(Carrier):
        async def merge(self, tag_id: int, into_id: int) -> None:
            raise RuntimeError("no more room")

    client = await site.client("editor")
    await created(client, "a")
    await created(client, "b")
    site.provide(Tagged, Broken({}))
    before = dump(database_url)

    assert (await client.post("/tags/a/merge", json={"into": "b"})).status == 500
    assert dump(database_url) == before


async def test_merges_into_each_other_at_once_leave_one(site: Site, make_site: MakeSite) -> None:
    one, other = await site.client("editor"), await (await make_site()).client("editor", "other")
    await created(one, "a")
    await created(one, "b")
    answers = await asyncio.gather(
        one.post("/tags/a/merge", json={"into": "b"}), other.post("/tags/b/merge", json={"into": "a"})
    )

    assert [answer.status for answer in answers].count(200) == 1
    assert {answer.status for answer in answers} <= {200, 404, 422}
    assert len(await names(one)) == 1


@SQLITE_ALONE
@pytest.mark.parametrize(("role", "status"), [("subscriber", 403), ("author", 403), ("editor", 200), ("admin", 200)])
async def test_merge_is_for_editors_and_above(site: Site, role: str, status: int) -> None:
    editor = await site.client("editor", "first")
    await created(editor, "a")
    await created(editor, "b")

    assert (await (await site.client(role)).post("/tags/a/merge", json={"into": "b"})).status == status
