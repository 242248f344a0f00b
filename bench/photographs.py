"""Pictures as large as cameras make them, and the files that hold them; all are the same at every run."""

import random
import struct
import zlib
from collections.abc import Iterable
from io import BytesIO
from typing import Any

from PIL import Image

#: Of the image that W9 uploads (QUALITY, Speed).
UPLOADED = (2000, 1333)
_SIGNATURE = b"\x89PNG\r\n\x1a\n"


def scene(width: int, height: int) -> Image.Image:
    """Return a picture with the detail of a photograph, no side of which is like another: forms, some grain, edges."""
    chance = random.Random(9)
    coarse, fine = _noise(chance, width, height, 40), _noise(chance, width, height, 4)
    light = Image.linear_gradient("L").resize((width, height))
    forms = Image.blend(Image.blend(coarse, light, 0.5), fine, 0.12)
    return Image.merge("RGB", [forms, light, coarse])


def saved(image: Image.Image, kind: str, **options: Any) -> bytes:
    """Return the picture as a file of one of Pillow's formats; `options` are those of its `save`."""
    made = BytesIO()
    image.save(made, kind, **options)
    return made.getvalue()


def photograph(width: int, height: int) -> bytes:
    """Return a picture as a JPEG, as cameras save them."""
    return saved(scene(width, height), "JPEG", quality=90)


def png(width: int, height: int, depth: int, colour: int, rows: Iterable[bytes]) -> bytes:
    """Return a PNG of rows as they stand in it, without the filter's byte (PNG, 11.2.2: bit depth and colour type)."""
    header = struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, 0)
    packed = zlib.compressobj(1)
    data = b"".join(packed.compress(b"\0" + row) for row in rows) + packed.flush()
    chunks = ((b"IHDR", header), (b"IDAT", data), (b"IEND", b""))
    return _SIGNATURE + b"".join(
        struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
        for kind, content in chunks
    )


def _noise(chance: random.Random, width: int, height: int, grain: int) -> Image.Image:
    """Random light and dark in spots of so many pixels."""
    size = (width // grain, height // grain)
    spots = Image.frombytes("L", size, chance.randbytes(size[0] * size[1]))
    return spots.resize((width, height), Image.Resampling.BICUBIC)
