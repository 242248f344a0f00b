"""Images as awkward as they come, and files that only say they are images; all of them are made here."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any, NamedTuple

from PIL import Image, ImageCms

from bench.ink import cyan_seen, ink_profile
from bench.photographs import photograph, png, saved, scene

#: Contract 5 and 2: pixels, pixels of a side, bytes of a file.
MOST_PIXELS, LONGEST_SIDE, MOST_BYTES = 50_000_000, 16_383, 20 << 20
#: Of the small picture that says what an image looks like: large enough to tell its sides apart, and so small that what
#: encoders do to the colours of neighbouring pixels is lost in it, be the image itself ever so small.
LOOK = (12, 12)
SCRIPT = b"<script>alert(document.domain)</script>"
_SVG = b'<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><rect width="9" height="9"/></svg>'
_ORIENTATION, _MAKER, _GPS = 274, 271, 34853
_XMP = b'<x:xmpmeta xmlns:x="adobe:ns:meta/"><GPSLatitude>41,0N</GPSLatitude></x:xmpmeta>'
_SRGB = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
Size = tuple[int, int]


class Made(NamedTuple):
    """A file, and what its variants have to show if it is taken."""

    file: bytes
    size: Size = (0, 0)
    #: The first picture as it is shown, in the size of `LOOK`; RGBA where a part of it is transparent.
    look: Image.Image | None = None
    #: Whether the variants carry the colour profile: one of RGB stays, by any other the colours are converted. None
    #: where nobody knows.
    has_profile: bool | None = False


class Sample(NamedTuple):
    """An image to upload."""

    name: str
    make: Callable[[], Made]
    #: HTTP status of the answer.
    status: int = HTTPStatus.CREATED
    filename: str = "photo.jpg"


def samples(large: Size, small: Size, most: int = MOST_BYTES) -> list[Sample]:
    """Return all of them.

    :param large: pixels of those that cameras make. :param small: of the others. :param most: bytes that are allowed.
    """
    cut_off = slice(0, -(large[0] * large[1] // 240))
    return [
        Sample("JPEG, EXIF rotation and GPS", lambda: _turned(large)),
        Sample("JPEG", lambda: _plain(large, "JPEG", quality=90)),
        Sample("WebP", lambda: _plain(large, "WEBP", quality=90)),
        Sample("WebP with transparency", lambda: _see_through(large, "WEBP", quality=90)),
        Sample("CMYK JPEG with its profile", lambda: _inked(large)),
        Sample("PNG, 16 bits, colour", lambda: _deep(small)),
        Sample("PNG, 16 bits, grey", lambda: _deep_grey(small)),
        Sample("PNG with transparency", lambda: _see_through(small, "PNG")),
        Sample("PNG, palette with alpha", lambda: _palette(small)),
        Sample("animated GIF", lambda: _moving(small, "GIF")),
        Sample("animated WebP", lambda: _moving(small, "WEBP", lossless=True)),
        Sample("AVIF", lambda: _plain(small, "AVIF", speed=9)),
        Sample("AVIF with alpha", lambda: _see_through(small, "AVIF", speed=9)),
        Sample("JPEG with HTML in it and behind", lambda: _polyglot(small)),
        Sample("JPEG, exactly as large as allowed", lambda: _padded(small, most)),
        Sample("JPEG, 16,383 pixels wide", lambda: _plain((LONGEST_SIDE, 80), "JPEG", quality=90)),
        Sample("JPEG, 16,383 pixels high", lambda: _plain((80, LONGEST_SIDE), "JPEG", quality=90)),
        *_refused("a byte too large", HTTPStatus.REQUEST_ENTITY_TOO_LARGE, lambda: _padded(small, most + 1).file),
        *_refused("JPEG, cut off", HTTPStatus.UNPROCESSABLE_ENTITY, lambda: photograph(*large)[cut_off]),
        *_refused("PNG bomb, 60,000 x 60,000", HTTPStatus.UNPROCESSABLE_ENTITY, lambda: hollow_png(60_000, 60_000)),
        *_refused("GIF bomb, 65,535 x 65,535", HTTPStatus.UNPROCESSABLE_ENTITY, lambda: hollow_gif(65_535, 65_535)),
        *_refused("PNG, a row too many pixels", HTTPStatus.UNPROCESSABLE_ENTITY, lambda: hollow_png(10_000, 5_001)),
        *_refused("PNG, a pixel too wide", HTTPStatus.UNPROCESSABLE_ENTITY, lambda: hollow_png(LONGEST_SIDE + 1, 2)),
        *_refused("HTML with a PNG header", HTTPStatus.UNPROCESSABLE_ENTITY, lambda: b"\x89PNG\r\n\x1a\n" + SCRIPT),
        *_refused("SVG", HTTPStatus.UNPROCESSABLE_ENTITY, lambda: _SVG, "drawing.svg"),
        *_refused("SVG that is called .png", HTTPStatus.UNPROCESSABLE_ENTITY, lambda: _SVG, "drawing.png"),
        *_refused("nothing", HTTPStatus.BAD_REQUEST, lambda: b""),
    ]


def largest() -> list[Sample]:
    """Return images of as many pixels as are allowed: some seconds each, and hundreds of megabytes."""
    return [
        Sample("JPEG, 50 MP", lambda: _plain((10_000, MOST_PIXELS // 10_000), "JPEG", quality=90)),
        Sample("WebP with transparency, 50 MP", lambda: _see_through((10_000, 5_000), "WEBP", quality=90)),
    ]


def hollow_png(width: int, height: int) -> bytes:
    """Return a PNG that says it is so large and holds next to nothing."""
    return png(width, height, 1, 0, [bytes(999)])


def hollow_gif(width: int, height: int) -> bytes:
    """The same as a GIF (GIF89a: screen, one frame, one code)."""
    sides = width.to_bytes(2, "little") + height.to_bytes(2, "little")
    return b"GIF89a" + sides + b"\0\0\0,\0\0\0\0" + sides + b"\0\x02\x02D\1\0;"


def look_of(image: Image.Image) -> Image.Image:
    """Return what an image looks like, in small."""
    return image.resize(LOOK, Image.Resampling.BOX)


def _refused(name: str, status: int, make: Callable[[], bytes], filename: str = "photo.png") -> list[Sample]:
    return [Sample(name, lambda: Made(make()), status, filename)]


def _plain(size: Size, kind: str, **options: Any) -> Made:
    image = scene(*size)
    return Made(saved(image, kind, **options), size, look_of(image))


def _turned(size: Size) -> Made:
    """Taken on its side: what was the left edge is shown as the upper one (EXIF, Orientation 6)."""
    exif = Image.Exif()
    exif[_ORIENTATION], exif[_MAKER] = 6, "A camera"
    exif.get_ifd(_GPS).update({1: "N", 2: (41.0, 0.0, 30.0), 3: "E", 4: (29.0, 0.0, 15.0)})
    image = scene(*size)
    file = saved(image, "JPEG", quality=90, exif=exif, xmp=_XMP, icc_profile=_SRGB, comment=b"41.00833 N 29.00417 E")
    return Made(file, size[::-1], look_of(image).transpose(Image.Transpose.ROTATE_270), has_profile=True)


def _see_through(size: Size, kind: str, **options: Any) -> Made:
    image = scene(*size)
    image.putalpha(Image.linear_gradient("L").resize(size))
    return Made(saved(image, kind, **options), size, look_of(image))


def _inked(size: Size) -> Made:
    """Half in an ink that no one but the profile knows the colour of, half without ink."""
    image, look = Image.new("CMYK", size), Image.new("RGB", LOOK, "white")
    image.paste((255, 0, 0, 0), (0, 0, size[0] // 2, size[1]))
    look.paste(cyan_seen(), (0, 0, LOOK[0] // 2, LOOK[1]))
    return Made(saved(image, "JPEG", quality=95, icc_profile=ink_profile()), size, look)


def _deep(size: Size) -> Made:
    """Every sample once more as its own lower half: 0 to 255 become 0 to 65,535."""
    image = scene(*size)
    data, stride = image.tobytes(), size[0] * 3
    rows = (_doubled(data[at : at + stride]) for at in range(0, len(data), stride))
    return Made(png(*size, 16, 2, rows), size, look_of(image))


def _deep_grey(size: Size) -> Made:
    image = scene(*size).convert("L")
    data, stride = image.tobytes(), size[0]
    rows = (_doubled(data[at : at + stride]) for at in range(0, len(data), stride))
    return Made(png(*size, 16, 0, rows), size, look_of(image).convert("RGB"))


def _doubled(row: bytes) -> bytes:
    both = bytearray(2 * len(row))
    both[::2] = both[1::2] = row
    return bytes(both)


def _palette(size: Size) -> Made:
    """Half of the colours are transparent, each to another degree."""
    image = scene(*size).quantize(64)
    image.info["transparency"] = bytes(8 * index for index in range(32))
    return Made(saved(image, "PNG"), size, look_of(image.convert("RGBA")))


def _moving(size: Size, kind: str, **options: Any) -> Made:
    """Three frames; the others are of one colour each."""
    image = scene(*size).quantize(64).convert("RGB")
    others = [Image.new("RGB", size, colour) for colour in ("red", "blue")]
    file = saved(image, kind, save_all=True, append_images=others, duration=100, **options)
    return Made(file, size, look_of(image))


def _polyglot(size: Size) -> Made:
    image = scene(*size)
    file = saved(image, "JPEG", comment=b"*/" + SCRIPT + b"/*")
    return Made(file + b"\n<!doctype html>" + SCRIPT, size, look_of(image))


def _padded(size: Size, length: int) -> Made:
    made = _plain(size, "JPEG")
    return made._replace(file=made.file.ljust(length, b"\0"))
