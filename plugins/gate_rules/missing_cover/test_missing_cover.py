"""Cases of missing_cover."""

import pytest

from cms_gate_missing_cover import MissingCover
from cms_host.testing import check

WARNED = {"a_post_without_a_cover": "", "a_post_whose_cover_is_blank": "  \t"}
PASSED = {
    "a_post_with_a_stored_cover": "2026/01/cover.jpg",
    "a_post_whose_cover_has_a_turkish_name": "2026/01/kapak-görseli.avif",
    "a_post_with_a_cover_from_elsewhere": "https://example.org/cover.jpg",
}


@pytest.mark.parametrize("cover", WARNED.values(), ids=WARNED)
async def test_warns_about(cover: str) -> None:
    (finding,) = await check(MissingCover(), cover=cover)

    assert (finding.measured, finding.required, finding.field) == (0, 1, "featured_image")


@pytest.mark.parametrize("cover", PASSED.values(), ids=PASSED)
async def test_passes(cover: str) -> None:
    assert await check(MissingCover(), cover=cover) == []


async def test_says_what_was_measured_and_what_is_recommended() -> None:
    (finding,) = await check(MissingCover(), cover="")

    assert finding.message_tr == "Kapak görseli yok; 1 görsel eklenmesi önerilir."
    assert finding.message_en == "There is no cover image; 1 is recommended."


def test_never_blocks() -> None:
    assert MissingCover.kind == "warning"
