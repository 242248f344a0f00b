"""GET /stats: what plugins tell, in the contract's shape."""

import asyncio
import logging
from typing import Any

import pytest

from cms_host.api import Figures, StatSource, UnitOfWork
from cms_host.testing import MakeSite, Site, assert_documented
from cms_stats import service
from cms_stats.records import NOTHING

from .conftest import SQLITE_ALONE

POSTS = {"total": 0, "published": 0, "draft": 0, "scheduled": 0, "pending": 0, "trash": 0}


def sources(site: Site, **runs: Any) -> None:
    """Have just these tell figures."""
    site.host.stat_sources = [StatSource(name, run) for name, run in runs.items()]


async def broken(unit: UnitOfWork) -> Figures:
    raise OSError("the disk is full")


async def hanging(unit: UnitOfWork) -> Figures:
    await asyncio.Event().wait()
    return 1


async def three(unit: UnitOfWork) -> Figures:
    return 3


async def test_figures_of_an_empty_site_are_all_there_as_documented(make_site: MakeSite) -> None:
    site = await make_site()
    client = await site.client("subscriber")
    answer = await client.get("/stats")
    days = answer.data["views"].pop("daily")

    assert answer.data == {
        "posts": POSTS,
        "pages": POSTS,
        "comments": {"total": 0, "pending": 0, "approved": 0, "spam": 0, "trash": 0},
        "media": {"total": 0, "bytes": 0},
        "users": 1,
        "categories": 0,
        "tags": 0,
        "views": {"total": 0, "today": 0, "last_7_days": 0, "last_30_days": 0},
        "gate": {"refusals": {}, "shadow": {}, "schedule_refusals": 0},
        "generated_at": "2026-01-15 12:00:00",
    }
    assert (len(days), days[0], days[-1]) == (
        30, {"date": "2025-12-17", "views": 0}, {"date": "2026-01-15", "views": 0},
    )  # fmt: skip
    await assert_documented(site, "GET", "/stats", await client.get("/stats"))


@SQLITE_ALONE
async def test_figures_that_nobody_tells_are_nought_and_those_of_strangers_are_added(site: Site) -> None:
    sources(site, users=three, moths=three)
    client = await site.client("subscriber")
    data = (await client.get("/stats")).data

    assert {key: data[key] for key in NOTHING} == {**NOTHING, "users": 3}
    assert data["moths"] == 3


@SQLITE_ALONE
async def test_source_that_fails_or_hangs_is_null_logged_and_spoils_no_other(
    site: Site, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(service, "TIME_LIMIT", 0.05)
    sources(site, posts=broken, pages=hanging, comments=broken, media=broken, users=broken, tags=three, gate=broken)
    answer = await (await site.client("subscriber")).get("/stats")

    assert answer.status == 200
    assert [name for name, value in answer.data.items() if value is None] == [
        "posts", "pages", "comments", "media", "users", "gate",
    ]  # fmt: skip
    assert (answer.data["tags"], answer.data["categories"]) == (3, 0)
    told = [record for record in caplog.records if record.name == "cms_stats"]
    assert sorted(record.__dict__["source"] for record in told) == [
        "comments", "gate", "media", "pages", "posts", "users",
    ]  # fmt: skip
    assert {record.levelno for record in told} == {logging.ERROR}
    await assert_documented(site, "GET", "/stats", answer)


@SQLITE_ALONE
async def test_sources_are_asked_side_by_side(site: Site) -> None:
    barrier = asyncio.Barrier(3)

    async def meet(unit: UnitOfWork) -> Figures:
        await barrier.wait()
        return 1

    sources(site, users=meet, tags=meet, categories=meet)
    data = (await (await site.client("subscriber")).get("/stats")).data

    assert [data[key] for key in ("users", "tags", "categories")] == [1, 1, 1]
