"""Images as large as cameras make them, and files that only say they are; all are the same at every run."""

import random
import struct
import zlib
from io import BytesIO

from PIL import Image

#: Of the image that W9 uploads (QUALITY, Speed).
UPLOADED = (2000, 1333)


def photograph(width: int, height: int, kind: str = "JPEG", mode: str = "RGB") -> bytes:
    """Return an image file with the detail of a photograph: soft forms, some grain, and edges."""
    chance = random.Random(9)
    coarse, fine = _noise(chance, width, height, 40), _noise(chance, width, height, 4)
    light = Image.linear_gradient("L").resize((width, height))
    forms = Image.blend(Image.blend(coarse, light, 0.5), fine, 0.12)
    bands = [forms, light, coarse, forms][: len(mode)]
    made = BytesIO()
    Image.merge(mode, bands).save(made, kind, quality=90)
    return made.getvalue()


def hollow_png(width: int, height: int) -> bytes:
    """Return a PNG that says it is so large and holds next to nothing."""
    header = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(b"\x00" * 1000)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in chunks
    )


def _noise(chance: random.Random, width: int, height: int, grain: int) -> Image.Image:
    """Random light and dark in spots of so many pixels."""
    size = (width // grain, height // grain)
    spots = Image.frombytes("L", size, chance.randbytes(size[0] * size[1]))
    return spots.resize((width, height), Image.Resampling.BICUBIC)
