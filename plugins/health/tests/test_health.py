"""GET /health: always 200, whatever is wrong."""

import asyncio
import logging

import pytest
from marshmallow import RAISE

from cms_health import checks
from cms_health.schemas import HealthRecord
from cms_host.api import HealthCheck, UnitOfWork
from cms_host.testing import MakeSite, Site

SQLITE_ALONE = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


@pytest.fixture
async def site(make_site: MakeSite) -> Site:
    return await make_site(enabled=["users", "health"])


async def fine(unit: UnitOfWork) -> str:
    return "12 files"


async def broken(unit: UnitOfWork) -> str:
    raise OSError("the disk is full")


async def silent(unit: UnitOfWork) -> str:
    raise LookupError


async def hanging(unit: UnitOfWork) -> str:
    await asyncio.Event().wait()
    return "never"


def look_at(site: Site, **runs: object) -> None:
    more = [HealthCheck(name, run) for name, run in runs.items()]  # type: ignore[arg-type]
    site.host.health_checks = [*site.host.health_checks, *more]


@pytest.mark.shows("others.health.record", "others.health.details")
async def test_administrators_see_details(site: Site, database_url: str) -> None:
    data = (await (await site.client("admin")).get("/health")).data

    assert HealthRecord(unknown=RAISE).validate(data) == {}
    assert data.keys() == {"status", "version", "time", "key", "checks"}
    assert data["key"].keys() == {"name", "owner", "role", "expires_at"}
    assert data["checks"]["database"].keys() == {"status", "detail"}
    assert data["checks"]["database"]["detail"].startswith(database_url.partition(":")[0])
    assert data["key"]["expires_at"] is None


@pytest.mark.parametrize("role", ["subscriber", "author", "editor"])
@SQLITE_ALONE
@pytest.mark.shows("others.health", "others.health.details")
async def test_other_roles_see_how_the_parts_are_and_not_why(site: Site, role: str) -> None:
    look_at(site, media_store=broken, outbox=fine)
    answer = await (await site.client(role)).get("/health")

    assert (answer.status, answer.data["status"]) == (200, "degraded")
    assert answer.data["checks"] == {
        "database": {"status": "ok"},
        "mail": {"status": "ok"},
        "media_store": {"status": "degraded"},
        "outbox": {"status": "ok"},
        "scheduler": {"status": "ok"},
    }


@SQLITE_ALONE
async def test_check_that_fails_or_hangs_spoils_no_other(
    site: Site, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(checks, "TIME_LIMIT", 0.05)
    look_at(site, hanging=hanging, outbox=fine, media_store=broken, silent=silent)
    answer = await (await site.client("admin")).get("/health")

    assert (answer.status, answer.data["status"]) == (200, "degraded")
    added = {
        name: tuple(answer.data["checks"][name].values()) for name in ("hanging", "media_store", "outbox", "silent")
    }
    assert added == {
        "hanging": ("degraded", "No answer within 0.05 s"),
        "media_store": ("degraded", "the disk is full"),
        "outbox": ("ok", "12 files"),
        "silent": ("degraded", "LookupError"),
    }
    told = [record.__dict__["check"] for record in caplog.records if record.name == "cms_health"]
    assert sorted(told) == ["hanging", "media_store", "silent"]
    assert {record.levelno for record in caplog.records} == {logging.WARNING}


@SQLITE_ALONE
async def test_checks_run_side_by_side(site: Site) -> None:
    arrived = []
    all_here = asyncio.Event()

    async def meet(unit: UnitOfWork) -> str:
        arrived.append(unit)
        if len(arrived) == 3:
            all_here.set()
        await all_here.wait()
        return "met"

    look_at(site, one=meet, two=meet, three=meet)
    data = (await (await site.client()).get("/health")).data

    assert data["status"] == "ok"
    assert len({id(unit) for unit in arrived}) == 3


@SQLITE_ALONE
async def test_health_wants_a_key_and_answers_head(site: Site) -> None:
    assert (await site.anonymous.get("/health")).status == 401
    client = await site.client("subscriber")
    assert ((await client.head("/health")).status, (await client.get("/health/")).status) == (200, 200)
    assert (await client.post("/health")).status == 405
