"""Rules that prepare before the publishing transaction."""

import json
from dataclasses import dataclass, field
from typing import Any

from cms_host.api import Candidate, Finding, Gate, GateRule, Reader
from cms_host.testing import Site
from cms_posts.testing import CONTENT, article, created


@dataclass
class Signing(GateRule):
    """Notes in which order it was asked."""

    code = "test.signing"
    kind = "block"
    asked: list[tuple[str, str]] = field(default_factory=list)

    async def prepare(self, candidate: Candidate) -> Any:
        self.asked.append(("prepare", candidate.title))
        return f"signed {candidate.title}"

    async def check(self, candidate: Candidate, db: Reader) -> list[Finding]:
        self.asked.append(("check", candidate.prepared))
        return []


async def test_rule_prepares_once_and_before_it_checks(site: Site) -> None:
    rule = Signing()
    site.host.gate = Gate([rule])
    client = await site.client("author")
    await created(client, title="A first title", status="published")
    await client.patch("/posts/1", json={"title": "A second title"})
    await client.post("/posts/1/publish")
    assert rule.asked == [
        ("prepare", "A first title"),
        ("check", "signed A first title"),
        ("prepare", "A second title"),
        ("check", "signed A second title"),
        ("prepare", "A second title"),
        ("check", "signed A second title"),
    ]


async def test_draft_makes_no_rule_prepare(site: Site) -> None:
    rule = Signing()
    site.host.gate = Gate([rule])
    await created(await site.client("author"))
    assert rule.asked == []


class Broken(Signing):
    """Is not able to prepare."""

    async def prepare(self, candidate: Candidate) -> Any:
        raise RuntimeError("no")


async def test_rule_that_cannot_prepare_refuses_the_publish(site: Site) -> None:
    site.host.gate = Gate([Broken()])
    answer = await (await site.client("author")).post("/posts", json=article(content=CONTENT, status="published"))
    assert (answer.status, [block["code"] for block in answer.json["blocks"]]) == (422, ["test.signing"])


async def test_failure_to_prepare_is_logged_once_with_the_request(site: Site, log_lines: list[str]) -> None:
    site.host.gate = Gate([Broken()])
    client = await site.client("author")
    await created(client)
    assert (await client.post("/posts/1/publish", headers={"X-Request-Id": "the-request-1"})).status == 422
    (line,) = [json.loads(line) for line in log_lines if "gate rule failed" in line]
    assert (line["level"], line["request_id"], line["rule"], line["post_id"]) == (
        "ERROR", "the-request-1", "test.signing", 1,
    )  # fmt: skip
    assert "RuntimeError" in line["traceback"]


async def test_failure_to_prepare_is_logged_although_no_check_follows(site: Site, log_lines: list[str]) -> None:
    site.host.gate = Gate([Broken()])
    client = await site.client("author")
    await created(client)
    stale = {"expected_content_modified_at": "2020-01-01 00:00:00"}
    assert (await client.post("/posts/1/publish", json=stale)).status == 409
    assert len([line for line in log_lines if "gate rule failed" in line]) == 1
