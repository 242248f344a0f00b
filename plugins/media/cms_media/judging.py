"""What of an image file is taken, and as what; light, for the module that looks into files is the workers' alone."""

from typing import NamedTuple

from cms_host.api import Unprocessable

#: By Pillow's name of a format: type and extension. MPO is a JPEG with more pictures behind the first.
FORMATS = {
    "JPEG": ("image/jpeg", "jpg"),
    "MPO": ("image/jpeg", "jpg"),
    "PNG": ("image/png", "png"),
    "WEBP": ("image/webp", "webp"),
    "AVIF": ("image/avif", "avif"),
    "GIF": ("image/gif", "gif"),
}
MIME_TYPES = tuple(dict.fromkeys(mime_type for mime_type, _ in FORMATS.values()))
#: Contract 5; a WebP can't have longer sides either.
MOST_PIXELS, LONGEST_SIDE = 50_000_000, 16_383


class NotAnImage(Unprocessable):
    """The file must be a JPEG, PNG, WebP, AVIF or GIF image that can be decoded, whatever its name or type says"""


class TooManyPixels(Unprocessable):
    """The image must have at most 50 megapixels, and at most 16383 pixels a side"""


class TooHard(Unprocessable):
    """The image takes too much time or memory to convert"""


class Judged(NamedTuple):
    """What an image is, by its content."""

    mime_type: str
    extension: str
    #: Pixels, as it is shown.
    width: int
    height: int


class Encoding(NamedTuple):
    """How variants are encoded, by the settings."""

    avif_quality: int
    avif_speed: int
    webp_quality: int
    webp_method: int
