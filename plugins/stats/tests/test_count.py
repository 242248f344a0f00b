"""POST /stats/views: what is taken, and what becomes of it."""

from typing import Any

import pytest

from cms_host.testing import MakeSite, Site, assert_documented, dump
from cms_stats.api import ViewCounters

from .conftest import FLUSH, SQLITE_ALONE, Counters, shown, view

KEY = {"headers": {"Idempotency-Key": "one-key"}}


async def test_views_are_counted_by_the_minute_and_not_by_the_request(
    site: Site, counters: Counters, database_url: str
) -> None:
    await site.client("editor")
    await site.client("subscriber")
    before = dump(database_url)
    await view(site, {1: 2, 2: 3})
    await view(site, {2: 4})
    assert dump(database_url) == before
    assert (await shown(site))["total"] == 0

    await site.run_job(FLUSH)
    assert counters.views.total() == 9
    assert (counters.views[1], counters.views[2]) == (2, 7)
    assert await shown(site) == {
        "total": 9, "today": 9, "last_7_days": 9, "last_30_days": 9, "daily": {"2026-01-15": 9},
    }  # fmt: skip


async def test_answer_says_what_is_counted_and_names_posts_that_there_are_not(site: Site, counters: Counters) -> None:
    client = await site.client("editor")
    items = [{"post_id": each, "count": 2} for each in (3, 99, 3, -1, 2**63 - 1)]
    answer = await client.post("/stats/views", json={"items": items})
    (warning,) = answer.data["warnings"]

    assert (answer.status, answer.data["success"], answer.data["counted"]) == (200, True, 4)
    assert (warning["code"], warning["detail"]) == (
        "unknown_post",
        {"field": "items", "entries": [-1, 99, 2**63 - 1]},
    )
    await assert_documented(site, "POST", "/stats/views", answer)
    await site.run_job(FLUSH)
    assert counters.views.total() == counters.views[3] == 4


@SQLITE_ALONE
@pytest.mark.parametrize(
    ("body", "status", "field"),
    [
        ({}, 400, "items"),
        ({"items": []}, 400, "items"),
        ({"items": {"post_id": 1, "count": 1}}, 400, "items"),
        ({"items": [7]}, 400, "items.0"),
        ({"items": [{"post_id": 1}]}, 400, "items.0.count"),
        ({"items": [{"count": 1}]}, 400, "items.0.post_id"),
        ({"items": [{"post_id": "1", "count": 1}]}, 400, "items.0.post_id"),
        ({"items": [{"post_id": 1, "count": 1.5}]}, 400, "items.0.count"),
        ({"items": [{"post_id": 1, "count": True}]}, 400, "items.0.count"),
        ({"items": [{"post_id": 1, "count": 1}, {"post_id": 1, "count": 0}]}, 422, "items.1.count"),
        ({"items": [{"post_id": 1, "count": -1}]}, 422, "items.0.count"),
        ({"items": [{"post_id": 1, "count": 1_000_001}]}, 422, "items.0.count"),
        ({"items": [{"post_id": 1, "count": 1}] * 1001}, 422, "items"),
    ],
)
async def test_views_refused_are_not_counted(
    site: Site, counters: Counters, body: dict[str, Any], status: int, field: str
) -> None:
    answer = await (await site.client("editor")).post("/stats/views", json=body)
    await site.run_job(FLUSH)

    assert (answer.status, answer.error["errors"][0]["field"]) == (status, field)
    assert counters.views.total() == 0


@SQLITE_ALONE
async def test_a_thousand_entries_of_a_million_views_are_taken(site: Site, counters: Counters) -> None:
    items = [{"post_id": number % 9 + 1, "count": 1_000_000} for number in range(1000)]
    answer = await (await site.client("editor")).post("/stats/views", json={"items": items})
    await site.run_job(FLUSH)

    assert (answer.status, answer.data["counted"]) == (200, 10**9)
    assert counters.views.total() == (await shown(site))["total"] == 10**9


@SQLITE_ALONE
@pytest.mark.parametrize(("role", "status"), [("subscriber", 403), ("author", 403), ("editor", 200), ("admin", 200)])
async def test_views_are_counted_for_editors_and_above(site: Site, role: str, status: int) -> None:
    body = {"items": [{"post_id": 1, "count": 1}]}

    assert (await (await site.client(role)).post("/stats/views", json=body)).status == status


async def test_views_under_a_key_are_written_with_it_and_count_once(
    site: Site, counters: Counters, database_url: str
) -> None:
    for _ in range(3):
        await view(site, {1: 2, 2: 3}, **KEY)
        assert (await shown(site))["total"] == counters.views.total() == 5
    before = dump(database_url, without=["jobs"])
    await site.run_job(FLUSH)
    assert dump(database_url, without=["jobs"]) == before


@SQLITE_ALONE
async def test_where_nobody_keeps_posts_no_view_counts(make_site: MakeSite) -> None:
    site = await make_site(enabled=["users", "stats"])
    site.provide(ViewCounters)
    await view(site, {1: 1})
    await view(site, {1: 1}, **KEY)
    await site.run_job(FLUSH)

    assert (await shown(site))["total"] == 0
