"""Images of somebody's own, and what Pillow alone makes of them."""

from functools import partial
from pathlib import Path

from PIL import Image, ImageOps

from bench.awkward import LONGEST_SIDE, MOST_BYTES, MOST_PIXELS, Made, Sample, look_of

#: What the service takes, by Pillow's names.
_TAKEN = ("JPEG", "PNG", "WEBP", "AVIF", "GIF")
_CREATED, _TOO_LARGE, _UNPROCESSABLE = 201, 413, 422
#: Modes that Pillow's plain way to RGB does right.
_PLAIN = ("RGB", "RGBA", "L", "LA", "P", "1")


def samples_of(folder: Path) -> list[Sample]:
    """Return the files in a folder and in those below it, by name."""
    files = sorted(each for each in folder.rglob("*") if each.is_file())
    return [Sample(str(each.relative_to(folder)), partial(_made, each), _status(each)) for each in files]


def _status(file: Path) -> int:
    if file.stat().st_size > MOST_BYTES:
        return _TOO_LARGE
    try:
        _opened(file)
    except (OSError, ValueError, SyntaxError):
        return _UNPROCESSABLE
    return _CREATED


def _made(file: Path) -> Made:
    content = file.read_bytes()
    if _status(file) != _CREATED:
        return Made(content)
    image = _opened(file)
    upright = ImageOps.exif_transpose(image)
    # Other colours are for those who know the profile.
    is_plain = image.mode in _PLAIN and (image.mode in ("RGB", "RGBA") or "icc_profile" not in image.info)
    return Made(content, upright.size, look_of(_seen(upright)) if is_plain else None, has_profile=None)


def _seen(image: Image.Image) -> Image.Image:
    """As RGBA if any of it can be seen through: encoders write no transparency where there is none."""
    if not image.has_transparency_data:
        return image.convert("RGB")
    whole = image.convert("RGBA")
    return whole if whole.getchannel("A").getextrema() != (255, 255) else whole.convert("RGB")


def _opened(file: Path) -> Image.Image:
    """:raises OSError, ValueError, SyntaxError: it can't be decoded, or is larger than is taken."""
    with Image.open(file, formats=_TAKEN) as image:
        if image.width * image.height > MOST_PIXELS or max(image.size) > LONGEST_SIDE:
            raise ValueError("too many pixels")
        image.load()
    return image
