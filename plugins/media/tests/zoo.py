"""Images of every kind that cameras, programs and attackers make; all of them are made here."""

import struct
import zlib
from collections.abc import Iterator
from io import BytesIO
from typing import Any, NamedTuple

from PIL import Image, ImageCms

from cms_media.testing import picture

RED, GREEN = (200, 50, 50), (10, 200, 10)
SIZE = (40, 30)
_ORIENTATION, _GPS, _COPYRIGHT = 274, 34853, 33432
SRGB = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()


class Animal(NamedTuple):
    """An image that is taken, and what its variants show."""

    name: str
    file: bytes
    mime_type: str
    size: tuple[int, int] = SIZE
    #: Of the pixel in the upper left corner; a fourth value is its opacity.
    colour: tuple[int, ...] = RED
    has_profile: bool = False


def animals() -> Iterator[Animal]:
    """Those that are taken."""
    yield Animal("JPEG", _red("JPEG"), "image/jpeg")
    yield Animal("on its side, from a place", turned(), "image/jpeg", size=(30, 40), has_profile=True)
    yield Animal("CMYK", _filled("CMYK", (0, 255, 255, 55), "JPEG"), "image/jpeg", colour=(200, 0, 0))
    yield Animal("grey", _filled("L", 100, "JPEG"), "image/jpeg", colour=(100, 100, 100))
    yield Animal("several pictures", _several("MPO"), "image/jpeg")
    yield Animal("a profile that is none", _red("JPEG", icc_profile=b"x" * 200), "image/jpeg")
    yield Animal("EXIF data that are none", _red("JPEG", exif=b"Exif\0\0MM\0*\xff\xff\xff\xff"), "image/jpeg")
    yield Animal("PNG", _red("PNG"), "image/png")
    yield Animal("16 bits", _filled("I;16", 32_896, "PNG"), "image/png", colour=(128, 128, 128))
    yield Animal("one bit", _filled("1", 1, "PNG"), "image/png", colour=(255, 255, 255))
    yield Animal("a palette with a hole", _palette(transparency=1), "image/png", colour=(*GREEN, 0))
    yield Animal("a palette", _palette(), "image/png", colour=GREEN)
    yield Animal("grey and half seen", _filled("LA", (100, 128), "PNG"), "image/png", colour=(100, 100, 100, 128))
    yield Animal("half seen", _filled("RGBA", (*RED, 128), "PNG"), "image/png", colour=(*RED, 128))
    yield Animal("one colour is a hole", _red("PNG", transparency=RED), "image/png", colour=(*RED, 0))
    yield Animal("a profile", _red("PNG", icc_profile=SRGB), "image/png", has_profile=True)
    yield Animal("GIF", _palette("GIF"), "image/gif", colour=GREEN)
    yield Animal("moving GIF", _several("GIF"), "image/gif")
    yield Animal("WebP", _red("WEBP"), "image/webp")
    yield Animal("moving WebP", _several("WEBP"), "image/webp")
    yield Animal("AVIF", _red("AVIF"), "image/avif")
    yield Animal("moving AVIF", _several("AVIF"), "image/avif")


def monsters() -> dict[str, bytes]:
    """What is refused, and never as too large to be looked at."""
    photo = Image.effect_noise((200, 150), 60).convert("RGB")
    return {
        "nothing to see": b"\0" * 1000,
        "SVG": b'<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"></svg>',
        "HTML": b"<!doctype html><script>alert(1)</script>",
        "HTML behind a PNG header": b"\x89PNG\r\n\x1a\n<html><script>alert(1)</script>",
        "HTML behind a GIF header": b"GIF89a/*<script>alert(1)</script>*/=1;",
        "cut off JPEG": saved(photo, "JPEG")[:-500],
        "cut off PNG": saved(photo, "PNG")[:-500],
        "cut off WebP": saved(photo, "WEBP")[:-500],
        "cut off AVIF": saved(photo, "AVIF")[:-500],
        "TIFF": _red("TIFF"),
        "BMP": _red("BMP"),
        "JPEG 2000": _red("JPEG2000"),
        "icon": _red("ICO"),
        "PDF": b"%PDF-1.4\n%%EOF",
    }


def bombs() -> dict[str, bytes]:
    """What says of itself that it is too large."""
    return {
        "60,000 by 60,000": hollow_png(60_000, 60_000),
        "50.1 megapixels": hollow_png(10_000, 5_010),
        "a pixel too wide": hollow_png(16_384, 2),
        "a pixel too high": hollow_png(2, 16_384),
        "a GIF of 4.3 gigapixels": b"GIF89a" + b"\xff" * 4 + b"\0\0\0,\0\0\0\0" + b"\xff" * 4 + b"\0\x02\x02D\1\0;",
    }


def hollow_png(width: int, height: int) -> bytes:
    """A PNG of one bit a pixel, with next to none of them."""
    header = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    parts = ((b"IHDR", header), (b"IDAT", zlib.compress(b"\0" * 1000)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(*part) for part in parts)


def turned() -> bytes:
    """A photo taken on its side, with its place and its maker in it; turned the wrong way it begins with green."""
    exif = Image.Exif()
    exif[_ORIENTATION] = 6
    exif[_COPYRIGHT] = "Somebody"
    exif.get_ifd(_GPS)[1] = "N"
    image = Image.new("RGB", SIZE, RED)
    image.paste(GREEN, (0, 0, SIZE[0], SIZE[1] // 2))
    return saved(image, "JPEG", exif=exif, icc_profile=SRGB)


def _chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


def saved(image: Image.Image, kind: str, **options: Any) -> bytes:
    """The image as a file."""
    made = BytesIO()
    image.save(made, kind, **options)
    return made.getvalue()


def _filled(mode: str, colour: Any, kind: str, **options: Any) -> bytes:
    return picture(kind, size=SIZE, mode=mode, color=colour, **options)


def _red(kind: str, **options: Any) -> bytes:
    return _filled("RGB", RED, kind, **options)


def _palette(kind: str = "PNG", **options: Any) -> bytes:
    image = Image.new("P", SIZE, 1)
    image.putpalette([0, 0, 0, *GREEN])
    return saved(image, kind, **options)


def _several(kind: str) -> bytes:
    others = [Image.new("RGB", SIZE, (0, 0, shade)) for shade in (100, 200)]
    return saved(Image.new("RGB", SIZE, RED), kind, save_all=True, append_images=others)
