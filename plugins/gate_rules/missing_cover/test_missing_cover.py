"""Cases of missing_cover."""

import pytest

from cms_gate_missing_cover import MissingCover
from cms_host.testing import MakeSite, check
from cms_media.testing import uploaded
from cms_posts.testing import publish

SITE = "https://site.example"
WARNED = {
    "a_post_without_a_cover": "",
    "a_post_whose_cover_is_blank": "  \t",
    "a_cover_of_the_site_that_is_no_medium": "/static/cover.jpg",
    "a_cover_whose_name_no_medium_has": "2026/01/kapak-görseli.avif",
}
PASSED = {
    "a_post_with_a_cover_from_elsewhere": "https://example.org/cover.jpg",
    "a_cover_from_elsewhere_between_blanks": " https://example.org/cover.jpg ",
}


@pytest.mark.parametrize("cover", WARNED.values(), ids=WARNED)
async def test_warns_about(cover: str) -> None:
    (finding,) = await check(MissingCover(SITE), cover=cover)

    assert (finding.measured, finding.required, finding.field) == (0, 1, "featured_image")


@pytest.mark.parametrize("cover", PASSED.values(), ids=PASSED)
async def test_passes(cover: str) -> None:
    assert await check(MissingCover(SITE), cover=cover) == []


@pytest.mark.shows("gate.missing_cover")
async def test_a_cover_that_is_not_stored_is_none(make_site: MakeSite) -> None:
    site = await make_site(base_url=SITE)
    await site.set(**{"gate.broken_local_image.mode": "off"})
    author = await site.client("author")
    medium = await uploaded(author)

    for cover in (medium["path"], *medium["urls"].values()):
        assert await check(MissingCover(SITE), site.host.db, cover=cover) == []
    assert len(await check(MissingCover(SITE), site.host.db, cover=f"{medium['path']}x")) == 1
    published = await publish(author, featured_image=medium["urls"]["webp"])
    assert published.data["warnings"] == []
    assert (await author.delete("/media/1", json={"force": True})).status == 200
    again = await author.post("/posts/1/publish")
    assert [warning["code"] for warning in again.data["warnings"]] == ["missing_cover"]


async def test_says_what_was_measured_and_what_is_recommended() -> None:
    (finding,) = await check(MissingCover(SITE), cover="")

    assert finding.message_tr == "Kapak görseli yok; 1 görsel eklenmesi önerilir."
    assert finding.message_en == "There is no cover image; 1 is recommended."


def test_never_blocks() -> None:
    assert MissingCover.kind == "warning"
