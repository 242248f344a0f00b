"""What the gate's refusals are counted as, and the last report of a post."""

from cms_host.api import Finding, Report, Verdict
from cms_host.testing import Site
from cms_posts.gate_reports import (
    KEPT_DAYS,
    KeptReport,
    Refusal,
    count_refusal,
    find_report,
    gate_figures,
    keep_report,
)
from cms_posts.testing import created

DAY = 86_400_000_000


def verdict(code: str) -> Verdict:
    return Verdict(code, Finding("kısa", "short", 1, 2))


async def count(site: Site, report: Report, kind: Refusal = "refusal", ago: int = 0) -> None:
    async with site.host.db.transaction() as tx:
        await count_refusal(tx, report, kind, site.clock.now() - ago * DAY)


async def test_each_rule_counts_once_in_a_run_whatever_it_found(site: Site) -> None:
    refused = Report((verdict("a.b"), verdict("a.b"), verdict("c")), shadowed=("s",))
    await count(site, refused)
    await count(site, refused)
    await count(site, Report(shadowed=("s", "t")))
    await count(site, Report((verdict("c"), verdict("d"))), "schedule")
    await count(site, Report(), "schedule")

    assert await gate_figures(site.host.db, site.clock.now()) == {
        "refusals": {"a.b": 2, "c": 3, "d": 1},
        "shadow": {"s": 3, "t": 1},
        "schedule_refusals": 1,
    }


async def test_figures_begin_with_the_day_that_is_asked_for(site: Site) -> None:
    for ago in (0, 30, 31):
        await count(site, Report((verdict("a"),)), ago=ago)

    assert (await gate_figures(site.host.db, site.clock.now() - 30 * DAY))["refusals"] == {"a": 2}


async def test_counts_are_forgotten_after_ninety_days(site: Site) -> None:
    for ago in (0, KEPT_DAYS, KEPT_DAYS + 1):
        await count(site, Report((verdict("a"),)), ago=ago)
    assert await site.run_job("posts.gate-counts")

    assert (await gate_figures(site.host.db, 0))["refusals"] == {"a": 2}


async def test_the_last_report_takes_the_place_of_the_one_before(site: Site) -> None:
    await created(await site.client("author"))
    async with site.host.db.transaction() as tx:
        await keep_report(tx, 1, "publish", Report((verdict("a"),)), 5)
        await keep_report(tx, 1, "update", Report((), (verdict("b"),)), 7)

    told = {"code": "b", "message_tr": "kısa", "message_en": "short"}
    detail = {"measured": 1, "required": 2, "related_ids": [], "field": None}
    expected = KeptReport(7, "update", True, [], [{**told, "detail": detail}])
    assert await find_report(site.host.db, 1) == expected
    assert await find_report(site.host.db, 2) is None
