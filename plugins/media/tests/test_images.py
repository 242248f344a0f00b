"""What becomes of images: judged by their content, shown as they were meant (contract 5, Uploads)."""

from typing import Any

import pytest
from PIL import Image

from cms_host.testing import Site, dump
from cms_media.testing import picture, upload, uploaded

from .conftest import SQLITE_ALONE, kept, shown
from .zoo import Animal, animals, bombs, hollow_png, monsters, saved, turned

pytestmark = SQLITE_ALONE
#: How far a colour may be from its original after two lossy encodings.
NEAR = 6


@pytest.mark.shows("media.formats", "media.upright", "media.animated", "media.variants")
async def test_variants_show_what_the_original_shows(site: Site) -> None:
    author = await site.client("author")
    for animal in animals():
        record = await uploaded(author, animal.file)

        assert (record["mime_type"], (record["width"], record["height"])) == (animal.mime_type, animal.size), (
            animal.name
        )
        for kind in ("avif", "webp"):
            image = await shown(site, record["urls"][kind])
            assert image.format == kind.upper(), animal.name
            assert_alike(animal, image)


def assert_alike(animal: Animal, image: Image.Image) -> None:
    pixel: Any = image.convert("RGBA" if len(animal.colour) == 4 else "RGB").getpixel((0, 0))
    unseen = animal.colour[3:] == (0,)
    near = all(abs(one - other) <= NEAR for one, other in zip(pixel, animal.colour, strict=True))

    assert image.size == animal.size, animal.name
    assert near or (unseen and pixel[3] == 0), f"{animal.name}: {pixel}"
    assert image.mode == ("RGBA" if len(animal.colour) == 4 else "RGB"), animal.name
    assert bool(image.info.get("icc_profile")) is animal.has_profile, animal.name
    assert not image.info.get("exif"), animal.name
    assert not image.info.get("xmp"), animal.name
    assert getattr(image, "n_frames", 1) == 1, animal.name


@pytest.mark.shows("media.original", "media.upright")
async def test_the_original_keeps_what_variants_lose(site: Site) -> None:
    record = await uploaded(await site.client("author"), turned())
    original = await shown(site, record["urls"]["original"])

    assert (original.size, original.getexif()[274]) == ((40, 30), 6)
    assert (await site.fetch("GET", record["urls"]["original"])).body == turned()


@pytest.mark.shows("media.formats.others", "media.nothing", "errors.422.image")
async def test_what_is_no_image_is_422_and_nothing_is_stored(site: Site, database_url: str) -> None:
    author = await site.client("author")
    before = dump(database_url)
    for name, file in monsters().items():
        answer = await upload(author, file, filename="photo.png")
        assert (answer.status, "JPEG, PNG, WebP, AVIF or GIF" in answer.error["message"]) == (422, True), name

    assert dump(database_url) == before
    assert kept(site) == set()


@pytest.mark.shows("media.pixels", "media.nothing")
async def test_what_is_too_large_is_422_and_is_not_decoded(site: Site, database_url: str) -> None:
    author = await site.client("author")
    before = dump(database_url)
    for name, file in bombs().items():
        answer = await upload(author, file)
        assert (answer.status, "50 megapixels" in answer.error["message"]) == (422, True), name

    assert dump(database_url) == before
    assert kept(site) == set()


@pytest.mark.shows("media.pixels")
async def test_what_is_just_not_too_large_is_decoded(site: Site) -> None:
    author = await site.client("author")
    for size in ((16_383, 2), (2, 16_383)):
        record = await uploaded(author, picture(size=size))
        assert (record["width"], record["height"]) == size
    # Of as many pixels as may be, but cut off: it is looked at, and found to be no image.
    answer = await upload(author, hollow_png(10_000, 5_000))
    assert (answer.status, "can be decoded" in answer.error["message"]) == (422, True), answer.text


@pytest.mark.shows("media.formats", "media.names")
async def test_neither_name_nor_declared_type_counts(site: Site) -> None:
    author = await site.client("author")
    for declared in ("image/png", "text/html", "image/svg+xml", "application/json", "nonsense"):
        assert (await uploaded(author, picture("GIF"), content_type=declared))["mime_type"] == "image/gif"
        assert (await upload(author, b"<svg/>", content_type=declared)).status == 422
    for name in (
        "../../x.html",
        "..\\x",
        "a.svg",
        "CON",
        "x" * 300,
        "%2e%2e%2f",
        "ş.php",
        'a"b.png',
        "<img src=x>",
        "",
    ):
        record = await uploaded(author, picture("GIF"), filename=name)
        stem, _, extension = record["filename"].partition(".")
        assert (record["mime_type"], extension, stem.isalnum(), len(stem)) == ("image/gif", "gif", True, 26)
    assert {path.split("/")[0] for path in kept(site)} == {"2026"}


async def test_settings_decide_how_variants_are_encoded(site: Site) -> None:
    author, file = await site.client("author"), saved(Image.effect_noise((64, 64), 60), "PNG")
    sizes: list[list[int]] = []
    for quality in (5, 95):
        await site.set(**{"media.avif_quality": quality, "media.webp_quality": quality})
        urls = (await uploaded(author, file))["urls"]
        sizes.append([len((await site.fetch("GET", urls[kind])).body) for kind in ("avif", "webp")])

    assert all(2 * small < large for small, large in zip(*sizes, strict=True))
