"""A colour profile of four inks, made here: whoever converts by it gets colours that nobody would guess (ICC.1)."""

import struct
from itertools import product

from PIL import Image, ImageCms

#: What full cyan looks like by this profile, in CIELAB: a red. Every other ink is as dark as it is expected to be.
CYAN_IS = (55.0, 60.0, 40.0)
_WHITE = (0.9642, 1.0, 0.8249)


def ink_profile() -> bytes:
    """Return an output profile CMYK to CIELAB, whose table has two points for each ink."""
    tags = {b"wtpt": b"XYZ \0\0\0\0" + b"".join(_fixed(value) for value in _WHITE), b"A2B0": _table()}
    place, directory, contents = 128 + 4 + 12 * len(tags), b"", b""
    for name, content in tags.items():
        directory += name + struct.pack(">II", place + len(contents), len(content))
        contents += content
    size = place + len(contents)
    return _header(size) + struct.pack(">I", len(tags)) + directory + contents


def cyan_seen() -> tuple[int, int, int]:
    """Return full cyan, by this profile, in sRGB."""
    lab = Image.new("LAB", (1, 1), tuple(_bytes(*CYAN_IS)))
    shown = ImageCms.profileToProfile(
        lab, ImageCms.createProfile("LAB"), ImageCms.createProfile("sRGB"), outputMode="RGB"
    )
    assert shown is not None
    seen = shown.getpixel((0, 0))
    assert isinstance(seen, tuple)
    return int(seen[0]), int(seen[1]), int(seen[2])


def _header(size: int) -> bytes:
    head = struct.pack(">I4sI4s4s4s", size, b"\0\0\0\0", 0x02400000, b"prtr", b"CMYK", b"Lab ")
    head += struct.pack(">6H", 2026, 1, 1, 0, 0, 0) + b"acsp"
    return head.ljust(68, b"\0") + b"".join(_fixed(value) for value in _WHITE) + b"\0" * 48


def _table() -> bytes:
    """lut8Type: four inks, three values, two points each, nothing bent before or after."""
    identity = [_fixed(float(row == column)) for row in range(3) for column in range(3)]
    straight = bytes(range(256))
    points = b"".join(_lab(*inks) for inks in product((0, 1), repeat=4))
    return b"mft1\0\0\0\0\x04\x03\x02\0" + b"".join(identity) + straight * 4 + points + straight * 3


def _lab(cyan: int, magenta: int, yellow: int, black: int) -> bytes:
    if (cyan, magenta, yellow, black) == (1, 0, 0, 0):
        return _bytes(*CYAN_IS)
    return _bytes(max(0.0, 100.0 - 30 * (cyan + magenta + yellow) - 100 * black), 0.0, 0.0)


def _bytes(lightness: float, red: float, yellow: float) -> bytes:
    """As eight bits have it: two of the axes begin in the middle."""
    return bytes((round(lightness * 2.55), round(red) + 128, round(yellow) + 128))


def _fixed(value: float) -> bytes:
    return struct.pack(">i", round(value * 65536))
