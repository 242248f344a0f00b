"""The last report of a post, and what of a refusal is noted."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Iterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from sqlalchemy import ClauseElement, Executable
from sqlalchemy.ext.compiler import compiles

from cms_host.api import Finding, Query, Report, Verdict
from cms_host.testing import Answer, Client, Site, assert_documented, dump
from cms_posts.gate_reports import find_report, gate_figures
from cms_posts.plan import Plan
from cms_posts.publishing import RefusedByGate, noting_refusals
from cms_posts.testing import NOTED, article, created


class DropCounts(Executable, ClauseElement):
    """Takes the table away in which refusals are counted."""

    inherit_cache = True


@compiles(DropCounts)
def _drop_counts(statement: DropCounts, compiler: Any, **options: Any) -> str:
    return "DROP TABLE gate_counts"


async def report(client: Client, number: int = 1) -> dict[str, Any]:
    data: dict[str, Any] = (await client.get(f"/posts/{number}/gate")).data
    return data


async def refusals(site: Site) -> dict[str, int]:
    return (await gate_figures(site.host.db, 0))["refusals"]


@pytest.mark.shows("posts.gate", "posts.gate.refused", "gate.counted")
async def test_refused_publish_keeps_its_report_and_is_counted(site: Site, database_url: str) -> None:
    client = await site.client("author")
    await created(client, title="Short", featured_image="")
    before = dump(database_url, NOTED)
    assert (await client.get("/posts/1/gate")).status == 404
    site.clock.advance(60)
    assert (await client.post("/posts/1/publish")).status == 422
    await assert_documented(site, "GET", "/posts/{id}/gate", await client.get("/posts/1/gate"))
    kept = await report(client)
    assert (kept["ran_at"], kept["trigger"], kept["passes"]) == ("2026-01-15 12:01:00", "publish", False)
    (block,) = kept["blocks"]
    assert block["code"] == "short_title"
    assert block["detail"] == {"measured": 5, "required": 10, "related_ids": [], "field": "title"}
    assert [each["code"] for each in kept["warnings"]] == ["missing_cover"]
    assert await refusals(site) == {"short_title": 1}
    assert dump(database_url, NOTED) == before


@pytest.mark.shows("posts.gate", "posts.gate.refused")
async def test_each_write_that_the_gate_decides_about_keeps_its_report(site: Site) -> None:
    client = await site.client("editor")
    await created(client, status="published")
    assert (await report(client))["trigger"] == "create"
    for method, path, body, trigger in (
        ("POST", "/posts/1/publish", None, "publish"),
        ("PATCH", "/posts/1", {"title": "Another harbour"}, "update"),
        ("POST", "/posts/1/review", None, "review"),
        ("POST", "/posts/1/revisions/1/restore", None, "restore"),
    ):
        site.clock.advance(60)
        assert (await client.request(method, path, json=body)).status == 200
        kept = await report(client)
        assert (kept["trigger"], kept["passes"], kept["blocks"]) == (trigger, True, [])
    assert kept["ran_at"] == "2026-01-15 12:04:00"
    assert await refusals(site) == {}


async def test_refused_write_of_any_kind_replaces_the_report(site: Site) -> None:
    client = await site.client("editor")
    await created(client, status="published", title="Short enough")
    await client.patch("/posts/1", json={"title": "A longer title"})
    await site.set(**{"gate.short_title.minimum": 13})
    for method, path, body, trigger in (
        ("PATCH", "/posts/1", {"title": "Shorter yet"}, "update"),
        ("POST", "/posts/1/revisions/1/restore", None, "restore"),
    ):
        assert (await client.request(method, path, json=body)).status == 422
        kept = await report(client)
        assert (kept["trigger"], kept["passes"], len(kept["blocks"])) == (trigger, False, 1)
    await site.set(**{"gate.short_title.minimum": 20})
    assert (await client.post("/posts/1/review")).status == 422
    assert (await report(client))["trigger"] == "review"
    assert await refusals(site) == {"short_title": 3}


async def test_refused_create_is_counted_and_keeps_no_report(site: Site, database_url: str) -> None:
    client = await site.client("author")
    answer = await client.post("/posts", json=article(title="Short", content="<p>x</p>", status="published"))
    assert answer.status == 422
    assert await refusals(site) == {"short_content": 1, "short_title": 1}
    assert dump(database_url)["gate_reports"] == []


async def test_check_and_draft_keep_nothing(site: Site, database_url: str) -> None:
    client = await site.client("author")
    await created(client, title="Short")
    await client.post("/posts/1/check")
    await client.post("/posts/check", json=article(title="Short"))
    await client.patch("/posts/1", json={"title": "Shorter"})
    kept = dump(database_url)
    assert (kept["gate_reports"], kept["gate_counts"]) == ([], [])


async def test_report_is_for_those_who_may_edit_the_post(site: Site) -> None:
    client = await site.client("author")
    await created(client, status="published")
    await created(client)
    other, reader = await site.client("author", "other"), await site.client("subscriber")
    assert (await other.get("/posts/1/gate")).error["message"] == "You can only modify your own content"
    assert (await reader.get("/posts/1/gate")).error["message"] == "Insufficient role for this operation"
    assert [(await each.get("/posts/2/gate")).status for each in (other, reader)] == [404, 404]
    assert (await (await site.client("editor")).get("/posts/1/gate")).status == 200


async def test_report_stays_in_the_trash_and_goes_with_the_post(site: Site, database_url: str) -> None:
    client = await site.client("author")
    await created(client, status="published")
    await client.delete("/posts/1")
    assert (await report(client))["passes"] is True
    await client.delete("/posts/1", json={"force": True})
    assert (await client.get("/posts/1/gate")).status == 404
    assert dump(database_url)["gate_reports"] == []


@pytest.mark.shows("gate.mode", "gate.counted")
async def test_shadow_is_counted_and_shown_to_nobody(site: Site) -> None:
    client = await site.client("author")
    await created(client, title="Short", featured_image="")
    modes = {"gate.short_title.mode": "shadow", "gate.missing_cover.mode": "shadow"}
    await site.set(**modes)
    nothing = {"passes": True, "blocks": [], "warnings": []}
    assert (await client.post("/posts/1/check")).data == nothing
    answer = await client.post("/posts/1/publish")
    assert (answer.status, answer.data["warnings"]) == (200, [])
    assert {name: value for name, value in (await report(client)).items() if name in nothing} == nothing
    assert (await client.patch("/posts/1", json={"content": "<p>x</p>"})).status == 422
    assert await gate_figures(site.host.db, 0) == {
        "refusals": {"short_content": 1},
        "shadow": {"missing_cover": 2, "short_title": 2},
        "schedule_refusals": 0,
    }


async def test_warn_tells_and_lets_pass_and_off_says_nothing(site: Site) -> None:
    client = await site.client("author")
    await created(client, title="Short", featured_image="")
    await site.set(**{"gate.short_title.mode": "warn", "gate.missing_cover.mode": "off"})
    answer = await client.post("/posts/1/publish")
    (warning,) = answer.data["warnings"]
    assert (answer.status, warning["code"], warning["detail"]["measured"]) == (200, "short_title", 5)
    assert [each["code"] for each in (await client.post("/posts/1/check")).data["warnings"]] == ["short_title"]
    assert await refusals(site) == {}


@pytest.mark.shows("gate.mode.setting")
async def test_mode_holds_from_the_next_request_on(site: Site) -> None:
    client, admin = await site.client("author"), await site.client("admin")
    await created(client, title="Short")
    for mode, status in (("block", 422), ("warn", 200), ("block", 422), ("off", 200)):
        await admin.put("/settings/gate.short_title.mode", json={"value": mode})
        assert (await client.post("/posts/1/publish")).status == status


async def test_refusal_that_cannot_be_noted_is_a_refusal_all_the_same(site: Site, log_lines: list[str]) -> None:
    client = await site.client("author")
    await created(client, title="Short")
    async with site.host.db.transaction() as tx:
        await tx.execute(Query(DropCounts()))
    answer = await client.post("/posts/1/publish", headers={"X-Request-Id": "the-request-1"})
    assert (answer.status, sorted(answer.json)) == (422, ["blocks", "error", "success"])
    (line,) = [line for line in log_lines if "could not be noted" in line]
    assert "the-request-1" in line
    assert (await client.get("/posts/1/gate")).status == 404


async def test_idempotency_key_is_not_used_up_by_a_refusal(site: Site) -> None:
    client, key = await site.client("author"), {"Idempotency-Key": "once"}
    await created(client, title="Short")
    for _ in range(2):
        assert (await client.post("/posts/1/publish", headers=key)).status == 422
    assert await refusals(site) == {"short_title": 2}
    await client.patch("/posts/1", json={"title": "Long enough now"})
    site.clock.advance(60)
    answers = [await client.post("/posts/1/publish", headers=key) for _ in range(2)]
    assert [answer.status for answer in answers] == [200, 200]
    assert answers[0].body == answers[1].body


async def test_racing_refusals_are_all_counted(site: Site) -> None:
    client = await site.client("author")
    for number in range(3):
        await created(client, title=f"Short {number}", content="<p>x</p>")
    answers = await asyncio.gather(*(client.post(f"/posts/{n % 3 + 1}/publish") for n in range(12)))
    assert {answer.status for answer in answers} == {422}
    assert await refusals(site) == {"short_content": 12, "short_title": 12}


async def test_post_that_is_gone_by_the_time_its_refusal_is_noted_keeps_no_report(site: Site) -> None:
    client = await site.client("author")
    await created(client)
    report = Report((Verdict("short_title", Finding("kısa", "short")),))
    with pytest.raises(RefusedByGate):
        async with noting_refusals(site.host):
            await client.delete("/posts/1", json={"force": True})
            raise RefusedByGate(Plan(1, None, "publish"), report)
    assert await refusals(site) == {"short_title": 1}
    assert await find_report(site.host.db, 1) is None


@pytest.fixture
def written(site: Site) -> Iterator[list[str]]:
    """The statements that write and that nobody waits for, in all transactions of the site."""
    ran: list[str] = []
    begin = site.host.db.transaction

    @asynccontextmanager
    async def listening(lock: str | None = None) -> AsyncIterator[Any]:
        async with begin(lock) as tx:
            run = tx.send

            async def send(query: Any, /, **values: Any) -> None:
                ran.append(query.compiled(tx.dialect).sql)
                await run(query, **values)

            patch.setattr(tx, "send", send)
            yield tx

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(site.host.db, "transaction", listening)
        yield ran


async def test_keeping_costs_one_statement_and_counting_one_for_all_codes(site: Site, written: list[str]) -> None:
    client = await site.client("author")
    await created(client)

    async def noted(act: Awaitable[Answer]) -> list[str]:
        written.clear()
        await act
        tables = [statement.split()[2] for statement in written]
        return [table for table in tables if table in NOTED]

    assert await noted(client.post("/posts/1/publish")) == ["gate_reports"]
    refused = client.patch("/posts/1", json={"title": "x", "content": "<p>x</p>"})
    assert await noted(refused) == ["gate_reports", "gate_counts"]
    await site.set(**{"gate.short_title.mode": "shadow", "gate.short_content.mode": "shadow"})
    shadowed = client.patch("/posts/1", json={"title": "x", "content": "<p>x</p>"})
    assert await noted(shadowed) == ["gate_reports", "gate_counts"]
