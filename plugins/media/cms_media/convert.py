"""From one image to its variants. Workers alone import this module, for Pillow is large and what it reads is hostile.

The traps that it goes around, one by one, are in docs/media.md.
"""

import logging
import warnings
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import pillow_avif  # noqa: F401 - registers the AVIF encoder that the package declares, over Pillow's own.
from PIL import Image, ImageCms, ImageOps

from cms_media.judging import FORMATS, LONGEST_SIDE, MOST_PIXELS, Encoding, Judged, NotAnImage, TooManyPixels

log = logging.getLogger("cms_media.convert")
#: Modes whose samples have more than eight bits, and by what they are divided.
_DEEP = {"I;16": 257, "I;16L": 257, "I;16B": 257, "I": 257}
_SRGB = ImageCms.createProfile("sRGB")
#: What a colour profile says it is about, and the modes that fit.
_SPACES = {"RGB": ("RGB", "RGBA"), "GRAY": ("L", "LA"), "CMYK": ("CMYK",)}


def convert(source: Path, avif: Path, webp: Path, encoding: Encoding) -> Judged:
    """Look at an image and write its variants, of the same size, turned as it is shown, without its metadata.

    :raises NotAnImage: of no format that is taken, or not to be decoded or converted.
    :raises TooManyPixels: its header says so; nothing was decoded.
    """
    # A bomb only warns as long as it is not twice as large.
    warnings.simplefilter("error", Image.DecompressionBombWarning)
    warnings.filterwarnings("ignore", category=UserWarning, module="PIL")
    Image.MAX_IMAGE_PIXELS = MOST_PIXELS
    try:
        return _converted(source, avif, webp, encoding)
    except (NotAnImage, TooManyPixels, MemoryError):
        raise
    except (Image.DecompressionBombWarning, Image.DecompressionBombError) as error:
        raise TooManyPixels from error
    except Exception as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise  # A full disk, say: Pillow's own complaints have no number.
        # Whatever Pillow stumbles over is the file's fault, and no error of the service.
        log.info("an image can't be converted: %r", error)
        raise NotAnImage from error


class _Passing(Image.Image):
    """Lets its pixels go once they were copied for an encoder, which needs the memory more (4 bytes a pixel)."""

    def __init__(self, image: Image.Image) -> None:
        super().__init__()
        self.im, self._mode, self._size = image.im, image.mode, image.size

    def tobytes(self, encoder_name: str = "raw", *args: Any) -> bytes:
        copied = super().tobytes(encoder_name, *args)
        self.im = Image.new(self.mode, (1, 1)).im
        return copied


def _converted(source: Path, avif: Path, webp: Path, encoding: Encoding) -> Judged:
    image, (mime_type, extension) = _decoded(source)
    _turn_upright(image)
    image, profile = _in_colour(image)
    kept: dict[str, Any] = {"exif": b"", "xmp": b"", "icc_profile": profile}
    image.save(webp, "WEBP", quality=encoding.webp_quality, method=encoding.webp_method, **kept)
    # AVIF takes by far the most memory: it comes last, and nothing else is kept meanwhile.
    image = _Passing(image)
    image.save(avif, "AVIF", quality=encoding.avif_quality, speed=encoding.avif_speed, max_threads=1, **kept)
    return Judged(mime_type, extension, image.width, image.height)


def _decoded(source: Path) -> tuple[Image.Image, tuple[str, str]]:
    """The first picture, with the type and extension of the format."""
    with Image.open(source, formats=[name for name in FORMATS if name != "MPO"]) as opened:
        width, height = opened.size
        if width * height > MOST_PIXELS or max(width, height) > LONGEST_SIDE:
            raise TooManyPixels
        # Of 50 megapixels every copy is 200 MB: one is made only where there are frames to go astray among.
        image = opened.copy() if getattr(opened, "is_animated", False) else opened
        image.load()
        return image, FORMATS[opened.format or ""]


def _turn_upright(image: Image.Image) -> None:
    """As its EXIF data say; what can't be read of those says nothing."""
    try:
        ImageOps.exif_transpose(image, in_place=True)
    except (OSError, ValueError, TypeError, KeyError, SyntaxError, ArithmeticError) as error:
        log.info("EXIF data can't be read: %r", error)


def _in_colour(image: Image.Image) -> tuple[Image.Image, bytes]:
    """As RGB or RGBA with nothing attached, and the profile to read its colours by; none for sRGB."""
    profile = image.info.get("icc_profile") or b""
    image = _shallow(image)
    if profile:
        image, profile = _profiled(image, profile)
    mode = "RGBA" if "A" in image.getbands() or "transparency" in image.info else "RGB"
    image = image if image.mode == mode else image.convert(mode)
    # Encoders help themselves to what they find here.
    image.info = {}
    return image, profile


def _shallow(image: Image.Image) -> Image.Image:
    """In eight bits, without a palette."""
    if image.mode in _DEEP:
        divisor = _DEEP[image.mode]
        deep = image.convert("I") if image.mode != "I" else image
        return deep.point(lambda value: value / divisor).convert("L")
    if image.mode == "PA" or (image.mode == "P" and "transparency" in image.info):
        return image.convert("RGBA")
    if image.mode in ("P", "YCbCr", "LAB", "HSV"):
        return image.convert("RGB")
    return image.convert("L") if image.mode in ("1", "F") else image


def _profiled(image: Image.Image, profile: bytes) -> tuple[Image.Image, bytes]:
    """A profile of RGB stays; colours of any other are converted by it; one that does not fit the image is let go."""
    try:
        read = ImageCms.ImageCmsProfile(BytesIO(profile))
        space = read.profile.xcolor_space.strip()
        if image.mode not in _SPACES.get(space, ()):
            return image, b""
        if space == "RGB":
            return image, profile
        return _CONVERTED[image.mode](image, read), b""
    except (ImageCms.PyCMSError, OSError, ValueError, TypeError) as error:
        log.info("a colour profile can't be used: %r", error)
        return image, b""


def _to_srgb(image: Image.Image, profile: ImageCms.ImageCmsProfile) -> Image.Image:
    found = ImageCms.profileToProfile(image, profile, _SRGB, outputMode="RGB")
    if found is None:
        raise ValueError("nothing was converted")
    return found


def _alpha_apart(image: Image.Image, profile: ImageCms.ImageCmsProfile) -> Image.Image:
    found = _to_srgb(image.getchannel("L"), profile)
    found.putalpha(image.getchannel("A"))
    return found


_CONVERTED: dict[str, Callable[[Image.Image, ImageCms.ImageCmsProfile], Image.Image]] = {
    "CMYK": _to_srgb,
    "L": _to_srgb,
    "LA": _alpha_apart,
}
