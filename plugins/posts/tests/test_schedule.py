"""POST /posts/{id}/schedule, and schedules in other writes."""

from typing import Any

import pytest

from cms_host.testing import Site, dump
from cms_posts.testing import created

LATER = "2026-01-16 09:30:00"


async def test_schedule_moves_the_post_and_skips_the_gate(site: Site) -> None:
    client = await site.client("author")
    await created(client, title="Short", content="<p>Short.</p>")
    answer = await client.post("/posts/1/schedule", json={"scheduled_at": LATER})
    assert answer.status == 200
    assert answer.data["success"] is True
    assert answer.data["id"] == 1
    assert answer.data["warnings"] == []
    assert (answer.data["post"]["status"], answer.data["post"]["scheduled_at"]) == ("scheduled", LATER)
    assert answer.data["post"]["published_at"] is None


async def test_schedule_takes_a_published_post_off_the_page(site: Site) -> None:
    client, reader = await site.client("author"), await site.client("subscriber")
    await created(client, status="published")
    await client.post("/posts/1/schedule", json={"scheduled_at": LATER})
    assert (await reader.get("/posts/1")).status == 404


async def test_schedule_is_read_in_the_sites_time_zone(site: Site) -> None:
    await site.set(timezone="Europe/Istanbul")
    client = await site.client("author")
    await created(client)
    answer = await client.post("/posts/1/schedule", json={"scheduled_at": "2026-01-16T09:30:00Z"})
    assert answer.data["post"]["scheduled_at"] == "2026-01-16 12:30:00"


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({}, 400),
        ({"scheduled_at": None}, 400),
        ({"scheduled_at": 5}, 400),
        ({"scheduled_at": "soon"}, 422),
        ({"scheduled_at": "2026-01-15 12:00:00"}, 422),
        ({"scheduled_at": "2020-01-01"}, 422),
    ],
)
async def test_schedule_refuses_what_is_no_time_in_the_future(
    site: Site, database_url: str, body: dict[str, Any], status: int
) -> None:
    client = await site.client("author")
    await created(client)
    before = dump(database_url)
    answer = await client.post("/posts/1/schedule", json=body)
    assert answer.status == status
    assert [each["field"] for each in answer.error["errors"]] == ["scheduled_at"]
    assert dump(database_url) == before


async def test_schedule_of_anothers_post_is_refused(site: Site) -> None:
    await created(await site.client("author"), status="published")
    other = await site.client("author", "other")
    answer = await other.post("/posts/1/schedule", json={"scheduled_at": LATER})
    assert (answer.status, answer.error["message"]) == (403, "You can only modify your own content")


async def test_status_scheduled_needs_a_time_that_is_sent_or_stored(site: Site) -> None:
    client = await site.client("author")
    await created(client)
    assert (await client.patch("/posts/1", json={"status": "scheduled"})).status == 422
    await client.patch("/posts/1", json={"scheduled_at": LATER})
    back = await client.patch("/posts/1", json={"status": "draft"})
    assert (back.data["post"]["status"], back.data["post"]["scheduled_at"]) == ("draft", None)
    again = await client.patch("/posts/1", json={"status": "scheduled"})
    assert (again.data["post"]["status"], again.data["post"]["scheduled_at"]) == ("scheduled", LATER)


async def test_null_as_scheduled_at_is_ignored(site: Site) -> None:
    client = await site.client("author")
    record = await created(client, scheduled_at=LATER)
    answer = await client.patch("/posts/1", json={"scheduled_at": None})
    assert answer.data["post"] == record
