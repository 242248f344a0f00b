"""Cases of ymyl_no_reviewer: whether an editor has reviewed what readers are going to see."""

from typing import Any

import pytest

from cms_gate_ymyl_no_reviewer import NEVER, OUTDATED, YmylNoReviewer
from cms_host.api import Finding
from cms_host.testing import check

YESTERDAY = 1_768_392_000_000_000
REFUSED: dict[str, tuple[dict[str, Any], Finding]] = {
    "a_ymyl_post_never_reviewed": ({"reviewed_at": None, "reviewed_hash": None}, NEVER),
    "a_ymyl_post_with_a_hash_but_no_review": ({"reviewed_at": None, "reviewed_hash": "now"}, NEVER),
    "a_ymyl_post_changed_since_its_review": ({"reviewed_at": YESTERDAY, "reviewed_hash": "before"}, OUTDATED),
    "a_ymyl_post_whose_review_knows_no_hash": ({"reviewed_at": YESTERDAY, "reviewed_hash": None}, OUTDATED),
    "a_ymyl_post_reviewed_at_the_epoch_and_changed": ({"reviewed_at": 0, "reviewed_hash": "before"}, OUTDATED),
}
PASSED: dict[str, dict[str, Any]] = {
    "a_ymyl_post_reviewed_as_it_stands": {"reviewed_at": YESTERDAY, "reviewed_hash": "now"},
    "a_ymyl_post_reviewed_at_the_epoch": {"reviewed_at": 0, "reviewed_hash": "now"},
    "another_post_never_reviewed": {"reviewed_at": None, "reviewed_hash": None, "ymyl": False},
    "another_post_changed_since_its_review": {"reviewed_at": YESTERDAY, "reviewed_hash": "before", "ymyl": False},
}


@pytest.mark.parametrize(("fields", "finding"), REFUSED.values(), ids=REFUSED)
async def test_refuses(fields: dict[str, Any], finding: Finding) -> None:
    assert await check(YmylNoReviewer(), **{"ymyl": True, "content_hash": "now", **fields}) == [finding]


@pytest.mark.parametrize("fields", PASSED.values(), ids=PASSED)
async def test_passes(fields: dict[str, Any]) -> None:
    assert await check(YmylNoReviewer(), **{"ymyl": True, "content_hash": "now", **fields}) == []


@pytest.mark.parametrize("finding", [NEVER, OUTDATED])
def test_says_what_was_measured_and_what_is_required(finding: Finding) -> None:
    assert finding.measured in ("never reviewed", "changed since its review")
    assert finding.required == "reviewed as it stands"
    assert finding.field == "reviewed"
