"""What the gate refuses and what it only mentions (spec, Quality gate; contract 4, Gate rules)."""

from typing import Any

import pytest

from cms_host.testing import Answer, Client, MakeSite, Site
from cms_posts.testing import article, created, unlike

TEXT = "Words of a text that is long enough for everybody who has to read it. " * 30


def blocks(answer: Answer) -> list[str]:
    assert answer.status == 422, answer.text
    return [block["code"] for block in answer.json["blocks"]]


@pytest.mark.shows("gate.short_content", "gate.short_content.minimum", "limit.short_content")
async def test_fifteen_hundred_characters_pass_and_one_less_does_not(author: Client, admin: Client) -> None:
    def of(length: int) -> dict[str, Any]:
        text = f"<p>{'<b></b>' * 300}   {'x' * length}\n\n  </p>"
        # What counts is what a reader sees: neither tags nor runs of space.
        return article(title=unlike(length), content=text, status="published")

    assert blocks(await author.post("/posts", json=of(1499))) == ["short_content"]
    assert (await author.post("/posts", json=of(1500))).status == 201
    assert (await admin.put("/settings/gate.short_content.minimum", json={"value": 1502})).status == 200
    assert blocks(await author.post("/posts", json=of(1501))) == ["short_content"]
    assert blocks(await author.post("/posts/1/publish")) == ["short_content"]


@pytest.mark.shows("gate.short_title")
async def test_ten_characters_of_title_pass_and_nine_do_not(site: Site, author: Client) -> None:
    assert blocks(await author.post("/posts", json=article(title="Çay ğüşıö", status="published"))) == ["short_title"]
    assert (await author.post("/posts", json=article(title="Çay ğüşıöx", status="published"))).status == 201
    await site.set(**{"gate.short_title.minimum": 11})
    assert blocks(await author.post("/posts/1/publish")) == ["short_title"]


@pytest.mark.shows("gate.ymyl_no_sources", "gate.ymyl_no_reviewer")
async def test_ymyl_needs_a_source_and_a_review_of_what_is_published(author: Client, editor: Client) -> None:
    await created(author, editorial={"ymyl": True})
    assert blocks(await author.post("/posts/1/publish")) == ["ymyl_no_reviewer", "ymyl_no_sources"]
    await author.patch("/posts/1", json={"editorial": {"sources": ["A study"]}})
    assert blocks(await author.post("/posts/1/publish")) == ["ymyl_no_reviewer"]
    await editor.patch("/posts/1", json={"reviewed": True})
    await author.patch("/posts/1", json={"title": "A walk that nobody has reviewed"})
    assert blocks(await author.post("/posts/1/publish")) == ["ymyl_no_reviewer"]
    await author.patch("/posts/1", json={"title": "A walk along the harbour"})
    assert (await author.post("/posts/1/publish")).status == 200
    await author.patch("/posts/1", json={"status": "draft", "editorial": {"sources": []}})
    assert "ymyl_no_sources" in blocks(await author.post("/posts/1/publish"))


@pytest.mark.parametrize(
    ("code", "change"),
    [
        pytest.param("missing_cover", {"featured_image": ""}, marks=pytest.mark.shows("gate.missing_cover")),
        pytest.param(
            "missing_internal_links",
            {"content": f'<h2>a</h2><p>{TEXT}</p><p><a href="https://elsewhere.example/">b</a></p>'},
            marks=pytest.mark.shows("gate.missing_internal_links"),
        ),
        pytest.param(
            "missing_h2", {"content": f'<h3>a</h3><p>{TEXT}<a href="/b">b</a></p>'},
            marks=pytest.mark.shows("gate.missing_h2"),
        ),
    ],
)  # fmt: skip
async def test_what_is_missing_is_a_warning_and_blocks_nothing(
    author: Client, code: str, change: dict[str, str]
) -> None:
    answer = await author.post("/posts", json=article(**change, status="published"))

    assert (answer.status, answer.data["post"]["status"]) == (201, "published")
    assert [warning["code"] for warning in answer.data["warnings"]] == [code]
    assert (await author.post("/posts", json=article(title="A title that is long", status="published"))).data[
        "warnings"
    ] == []


@pytest.mark.shows("gate.together")
async def test_all_that_is_wrong_is_told_at_once_in_one_order(author: Client) -> None:
    hopeless = {"title": "x", "content": "<p>y</p>", "editorial": {"ymyl": True}, "status": "published"}
    answers = [await author.post("/posts", json=hopeless) for _ in range(3)]

    assert blocks(answers[0]) == ["short_content", "short_title", "ymyl_no_reviewer", "ymyl_no_sources"]
    assert answers[0].json == answers[1].json == answers[2].json


@pytest.mark.shows("gate.crash", "gate.crash.warning", "gate.crash.logged")
async def test_a_rule_that_crashes_blocks_or_is_left_out_and_is_never_a_500(
    make_site: MakeSite, log_lines: list[str]
) -> None:
    site = await make_site()
    author = await site.client("author")

    async def crash(candidate: object, db: object) -> list[object]:
        raise LookupError("the rule's own trouble")

    titles = map(unlike, range(9))

    async def publish() -> Answer:
        body = article(title=next(titles), status="published")
        return await author.post("/posts", json=body, headers={"X-Request-Id": "the-request-1"})

    rules = {rule.code: rule for rule in site.host.gate.rules}
    object.__setattr__(rules["missing_cover"], "check", crash)
    assert (await publish()).data["warnings"] == []
    object.__setattr__(rules["short_title"], "check", crash)
    refused = await publish()
    assert blocks(refused) == ["short_title"]
    assert "fail" in refused.json["blocks"][0]["message_en"]
    assert "own trouble" not in refused.text
    told = [line for line in log_lines if "own trouble" in line]
    assert len(told) == 3
    assert all("the-request-1" in line for line in told)
