"""Posts that meet all the rules of the gate at once."""

from typing import Any

import pytest

from cms_host.testing import MakeSite, Site
from cms_posts.testing import article

HOPELESS: dict[str, Any] = {
    "title": "Kısa",
    "content": "<h3>Ağrı</h3><p>Günde iki kez. <a href='https://example.com/'>Bakın</a>, <a href='#a'>sonra</a></p>",
    "editorial": {"ymyl": True, "sources": [" "]},
    "status": "published",
}
#: Of the rules that look at nothing but the post itself.
BLOCKING = {"short_content", "short_title", "ymyl_no_reviewer", "ymyl_no_sources"}
WARNING = {"missing_cover", "missing_h2", "missing_internal_links"}


def codes(verdicts: list[dict[str, Any]]) -> list[str]:
    return [verdict["code"] for verdict in verdicts]


@pytest.mark.shows("gate.together", "envelope.refusal.blocks")
async def test_a_hopeless_post_is_told_everything_at_once_in_a_stable_order(site: Site) -> None:
    editor = await site.client("editor")
    answer = await editor.post("/posts", json=HOPELESS)

    assert answer.status == 422
    assert sorted(answer.json) == ["blocks", "error", "success"]
    assert set(codes(answer.json["blocks"])) >= BLOCKING
    assert codes(answer.json["blocks"]) == sorted(codes(answer.json["blocks"]))
    assert all(sorted(block) == ["code", "message_en", "message_tr"] for block in answer.json["blocks"])
    assert not WARNING & set(codes(answer.json["blocks"]))
    assert (await editor.get("/posts")).data["total"] == 0
    assert (await editor.post("/posts", json=HOPELESS)).json == answer.json


@pytest.mark.shows(
    "gate.missing_cover", "gate.missing_internal_links", "gate.missing_h2", "posts.written.gate", "posts.written.codes",
)  # fmt: skip
async def test_warnings_are_told_with_their_details_and_do_not_stop_a_post(site: Site) -> None:
    editor = await site.client("editor")
    plain = article(content="<p>" + "Tekneler sabah döner. " * 80 + "</p>", featured_image="", status="published")
    answer = await editor.post("/posts", json=plain)

    assert answer.status == 201
    assert answer.data["post"]["status"] == "published"
    told = {warning["code"]: warning for warning in answer.data["warnings"]}
    assert told.keys() >= WARNING
    assert told["missing_cover"]["detail"]["field"] == "featured_image"


@pytest.mark.shows("gate.ymyl_no_reviewer")
async def test_a_reviewed_ymyl_post_passes_and_is_refused_once_it_changes(site: Site) -> None:
    editor = await site.client("editor")
    editorial = {"ymyl": True, "sources": ["https://example.org/study"]}
    answer = await editor.post("/posts", json=article(editorial=editorial, reviewed=True, status="published"))
    assert answer.status == 201, answer.text

    path, title = f"/posts/{answer.data['id']}", "A title that nobody has reviewed"
    refused = await editor.patch(path, json={"title": title})
    assert (refused.status, codes(refused.json["blocks"])) == (422, ["ymyl_no_reviewer"])
    assert "changed" in refused.json["blocks"][0]["message_en"]
    assert (await editor.patch(path, json={"title": title, "reviewed": True})).status == 200


async def test_a_rule_that_is_switched_off_says_nothing(make_site: MakeSite) -> None:
    site = await make_site(disabled=["gate-short-title", "gate-missing-cover"])
    editor = await site.client("editor")

    refused = await editor.post("/posts", json=HOPELESS)
    assert set(codes(refused.json["blocks"])) & BLOCKING == BLOCKING - {"short_title"}
    passed = await editor.post("/posts", json=article(title="Kısa", featured_image="", status="published"))
    assert "missing_cover" not in codes(passed.data["warnings"])
