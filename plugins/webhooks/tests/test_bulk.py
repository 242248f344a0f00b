"""Many posts in one call (contract 6, bulk-publish; contract 10)."""

from typing import Any

import pytest

from cms_host.api import Candidate, Finding, Gate, GateRule, Reader
from cms_host.testing import Answer, Client, Site, dump
from cms_posts.service import PostService
from cms_posts.testing import article, created, unlike

from .conftest import SQLITE_ALONE, total

KEY = {"Idempotency-Key": "a-batch"}
SHORT = {"title": "Short", "content": "<p>Short.</p>"}


async def send(client: Client, *items: Any, headers: dict[str, str] | None = None, **fields: Any) -> Answer:
    answer = await client.post("/webhook/bulk-publish", json={"items": items, **fields}, headers=headers)
    assert answer.status == 200, answer.text
    return answer


def verdicts(answer: Answer) -> list[Any]:
    """What became of each: the status of the post, the codes of the gate, or the status of the error."""
    found: list[Any] = []
    for index, each in enumerate(answer.data["results"]):
        assert each["index"] == index
        if each["success"]:
            assert each.keys() == {"index", "success", "id", "status"}
            found.append(each["status"])
        else:
            assert each.keys() == {"index", "success", "error", "blocks"}
            is_gate = each["error"] == "quality_gate"
            found.append([block["code"] for block in each["blocks"]] if is_gate else each["error"]["code"])
    return found


@pytest.mark.shows("actions.bulk-publish", "actions.bulk.alone")
async def test_each_item_has_its_own_verdict(site: Site) -> None:
    author = await site.client("author")
    twice = article(title=unlike("twice"))
    items = [
        article(title=unlike("good")),
        SHORT,
        twice,
        {**twice, "title": twice["title"].upper()},
        {"title": "No content at all"},
        article(title=unlike("page"), type="page"),
        article(title=unlike("wrong"), status="pending"),
        article(title=unlike("later"), scheduled_at="2026-06-01"),
        article(title=unlike("draft"), status="draft"),
        article(title=unlike("last")),
    ]
    answer = await send(author, *items)
    expected = ["published", ["short_content", "short_title"], "published"]
    told = verdicts(answer)

    assert told[:3] == expected
    assert "duplicate_title" in told[3]
    assert told[4:] == [400, 403, 422, 422, "draft", "published"]
    assert [answer.data[name] for name in ("total", "succeeded", "failed")] == [10, 4, 6]
    assert (await author.get("/posts?status=published")).data["total"] == 3
    assert answer.data["results"][4]["error"]["errors"][0]["field"] == "content"


@SQLITE_ALONE
@pytest.mark.shows("actions.bulk.status")
async def test_status_of_the_batch_is_that_of_items_without_one(site: Site) -> None:
    author = await site.client("author")
    items = [SHORT, {**SHORT, "status": "published"}, {**SHORT, "status": "draft"}]

    assert verdicts(await send(author, *items, status="draft")) == ["draft", ["short_content", "short_title"], "draft"]


@SQLITE_ALONE
@pytest.mark.shows("actions.bulk.size")
async def test_a_hundred_items_are_taken(site: Site) -> None:
    editor = await site.client("editor")
    answer = await send(editor, *[{**SHORT, "categories": ["New"]} for _ in range(100)], status="draft")

    assert (answer.data["succeeded"], await total(site), await total(site, "/categories")) == (100, 100, 1)


@pytest.mark.shows("idempotency.items")
async def test_items_count_one_by_one_under_a_key(site: Site, database_url: str) -> None:
    author = await site.client("author")
    items = [article(title=unlike("one")), SHORT, article(title=unlike("two"))]
    first = await send(author, *items, headers=KEY)
    assert verdicts(first) == ["published", ["short_content", "short_title"], "published"]
    await site.set(**{"gate.short_title.minimum": 0, "gate.short_content.minimum": 0})
    again = await send(author, *items, headers=KEY)
    before = dump(database_url)
    site.clock.advance(60)
    third = await send(author, *items, headers=KEY)

    assert verdicts(again) == ["published", "published", "published"]
    assert [again.data["results"][n] for n in (0, 2)] == [first.data["results"][n] for n in (0, 2)]
    assert [answer.headers.get("Idempotent-Replayed") for answer in (first, again, third)] == [None, None, "true"]
    assert (third.json, dump(database_url)) == (again.json, before)


@SQLITE_ALONE
@pytest.mark.shows("idempotency.items")
async def test_another_item_under_the_same_key_is_a_conflict_of_its_own(site: Site) -> None:
    author = await site.client("author")
    one, two, three = (article(title=unlike(name)) for name in ("one", "two", "three"))
    await send(author, one, two, headers=KEY)

    assert verdicts(await send(author, one, three, headers=KEY)) == ["published", 409]
    assert verdicts(await send(author, one, two, three, headers=KEY)) == ["published"] * 3
    assert await total(site) == 3
    # An item is what it would become, too.
    assert verdicts(await send(author, one, status="draft", headers=KEY)) == [409]


class Fragile(GateRule):
    """Lets everything pass."""

    code, kind = "test.fragile", "block"

    async def check(self, candidate: Candidate, db: Reader) -> list[Finding]:
        return []


@SQLITE_ALONE
@pytest.mark.shows("actions.bulk.alone")
async def test_fault_with_one_item_is_its_own_and_is_found_in_the_log(
    site: Site, monkeypatch: pytest.MonkeyPatch, log_lines: list[str]
) -> None:
    site.host.gate = Gate([Fragile()])
    author, carry_out = await site.client("author"), PostService.carry_out

    async def breaking(service: PostService, plan: Any) -> Any:
        if plan.changes["title"] == "Breaks":
            raise RuntimeError("the disk is on fire")
        return await carry_out(service, plan)

    monkeypatch.setattr(PostService, "carry_out", breaking)
    items = [article(title=unlike("one")), article(title="Breaks"), article(title=unlike("two"))]
    answer = await send(author, *items)

    assert verdicts(answer) == ["published", 500, "published"]
    reference = answer.data["results"][1]["error"]["message"].removesuffix(")").rpartition(" ")[2]
    assert "disk" not in answer.text
    assert [reference in line for line in log_lines].count(True) == 1


async def test_bulk_items_of_an_author_are_his(site: Site) -> None:
    author = await site.client("author")
    await created(await site.client("editor"))
    await send(author, article(title=unlike("one"), author_id=1), status="draft")

    assert (await author.get("/posts/2")).data["author_name"] == "author"
