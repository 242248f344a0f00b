"""Rules that prepare before the publishing transaction."""

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


async def test_rule_that_cannot_prepare_refuses_the_publish(site: Site) -> None:
    class Broken(Signing):
        async def prepare(self, candidate: Candidate) -> Any:
            raise RuntimeError("no")

    site.host.gate = Gate([Broken()])
    answer = await (await site.client("author")).post("/posts", json=article(content=CONTENT, status="published"))
    assert (answer.status, [block["code"] for block in answer.json["blocks"]]) == (422, ["test.signing"])
