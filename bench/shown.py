"""What is wrong with what became of an image: looked at in the files that anybody gets (contract 5, Uploads)."""

import hashlib
from collections.abc import Iterator, Mapping
from io import BytesIO
from typing import Any, NamedTuple

from PIL import Image, ImageChops, ImageStat

from bench.awkward import SCRIPT, Made, look_of

VARIANTS = ("avif", "webp")
#: What of 255 the looks may differ in the mean: both encodings lose something.
NEAR = 6.0
_PROMISED = {"X-Content-Type-Options": "nosniff", "Content-Type": "image/"}
#: Words of what was in the samples beside the picture.
_METADATA = (b"xmpmeta", b"A camera", b"GPSLatitude", b"41.00833 N", SCRIPT)
#: Seen through whatever is transparent; no picture has it.
_BEHIND = "magenta"


class Served(NamedTuple):
    """A file as anybody gets it."""

    content: bytes
    headers: Mapping[str, str]


def faults(made: Made, record: Mapping[str, Any], served: Mapping[str, Served]) -> list[str]:
    """Return what is wrong, in words.

    :param record: the answer's. :param served: the three files, by their names in `urls`.
    """
    original = served["original"].content
    found = [] if original == made.file else ["the original is not what was sent"]
    said = (record["size"], record["sha256"], (record["width"], record["height"]))
    if said != (len(made.file), hashlib.sha256(made.file).hexdigest(), made.size):
        found.append(f"the record says {said}")
    found += [f"{kind}: {name} is {file.headers.get(name)}" for kind, file in served.items() for name in _unkept(file)]
    return found + [f"{kind}: {fault}" for kind in VARIANTS for fault in _of_variant(made, kind, served[kind].content)]


def _unkept(file: Served) -> Iterator[str]:
    yield from (name for name, value in _PROMISED.items() if not file.headers.get(name, "").startswith(value))


def _of_variant(made: Made, kind: str, content: bytes) -> Iterator[str]:
    try:
        with Image.open(BytesIO(content), formats=[kind.upper()]) as image:
            image.load()
    except (OSError, ValueError, SyntaxError) as error:
        yield f"can't be decoded: {error!r}"
        return
    if image.size != made.size:
        yield f"has {image.size}, not {made.size}"
    if getattr(image, "n_frames", 1) != 1:
        yield "has several frames"
    if made.has_profile is not None and bool(image.info.get("icc_profile")) is not made.has_profile:
        yield "has a colour profile" if image.info.get("icc_profile") else "has lost its colour profile"
    yield from (f"still has {what}" for what in _left(image, content))
    if made.look is not None:
        yield from _unlike(made.look, image)


def _left(image: Image.Image, content: bytes) -> Iterator[str]:
    yield from (name for name in ("exif", "xmp", "comment") if image.info.get(name))
    if image.getexif():
        yield "EXIF data"
    yield from (word.decode() for word in _METADATA if word in content)


def _unlike(look: Image.Image, image: Image.Image) -> Iterator[str]:
    """Colours, transparency and which side is up, all in one."""
    if look.mode != image.mode:
        yield f"is {image.mode}, not {look.mode}"
    off = max(ImageStat.Stat(ImageChops.difference(_before(look), _before(look_of(image)))).mean)
    if off > NEAR:
        yield f"is off by {off:.0f} of 255"


def _before(image: Image.Image) -> Image.Image:
    behind = Image.new("RGBA", image.size, _BEHIND)
    return Image.alpha_composite(behind, image.convert("RGBA")).convert("RGB")
