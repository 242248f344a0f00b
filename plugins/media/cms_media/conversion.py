"""The one thing that this package asks a worker for. Light: what it needs is imported inside of the worker."""

from pathlib import Path

from cms_media.judging import Encoding, Judged

#: For `Workers.warm_up`: what a worker imports before it counts as ready.
WARM_UP = ("cms_media.convert", "cms_media.conversion")


def convert_image(source: Path, avif: Path, webp: Path, encoding: Encoding) -> Judged:
    """See :func:`cms_media.convert.convert`."""
    from cms_media.convert import convert

    return convert(source, avif, webp, encoding)
