"""Cases of ymyl_no_sources: what a post about health, money or safety rests on."""

from typing import Any

import pytest

from cms_gate_ymyl_no_sources import YmylNoSources
from cms_host.testing import check

REFUSED: dict[str, dict[str, Any]] = {
    "a_ymyl_post_without_sources": {"sources": ()},
    "a_ymyl_post_with_an_empty_source": {"sources": ("",)},
    "a_ymyl_post_with_nothing_but_blank_sources": {"sources": (" ", "\t\n", "\u00a0", "\u3000")},
}
PASSED: dict[str, dict[str, Any]] = {
    "a_ymyl_post_with_a_source": {"sources": ("https://example.org/study",)},
    "a_ymyl_post_with_a_source_that_is_no_address": {"sources": ("Türk Ceza Kanunu, madde 81",)},
    "a_ymyl_post_with_one_source_among_blank_ones": {"sources": ("", " ", "WHO, 2024")},
    "another_post_without_sources": {"sources": (), "ymyl": False},
    "another_post_with_a_blank_source": {"sources": (" ",), "ymyl": False},
}


@pytest.mark.parametrize("fields", REFUSED.values(), ids=REFUSED)
async def test_refuses(fields: dict[str, Any]) -> None:
    (finding,) = await check(YmylNoSources(), **{"ymyl": True, **fields})

    assert (finding.measured, finding.required, finding.field) == (0, 1, "editorial.sources")


@pytest.mark.parametrize("fields", PASSED.values(), ids=PASSED)
async def test_passes(fields: dict[str, Any]) -> None:
    assert await check(YmylNoSources(), **{"ymyl": True, **fields}) == []


async def test_says_what_was_measured_and_what_is_required() -> None:
    (finding,) = await check(YmylNoSources(), ymyl=True, sources=())

    assert finding.message_tr == "YMYL olarak işaretlenen yazının kaynağı yok; en az 1 kaynak gerekli."
    assert finding.message_en == "The post is marked as YMYL and names no source; at least 1 is required."
