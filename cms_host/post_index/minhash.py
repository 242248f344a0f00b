"""One-permutation MinHash: short signatures of sets, whose bytes agree as often as the sets do (Jaccard).

Every element is hashed once; the hash says which of 128 slots it falls into, and each slot keeps the lowest it was
given. A slot that stays empty borrows from another one, always the same for the same slots taken (densification). Only
one byte of each lowest value is stored: two that differ agree once in 256, which no candidate is lost by.
"""

from collections.abc import Collection
from hashlib import blake2b
from typing import NamedTuple

SLOTS = 128
_SLOT_BITS = SLOTS.bit_length() - 1
#: Odd, so that each slot in turn is asked, whatever slot the walk begins at.
_STRIDES = tuple(blake2b(bytes([slot]), digest_size=1).digest()[0] | 1 for slot in range(SLOTS))


class Shape(NamedTuple):
    """How signatures are cut up for look-ups: two sets are compared when all rows of at least one band agree.

    With a resemblance of J that happens with a chance of about ``1 - (1 - J**rows) ** bands``.
    """

    bands: int
    rows: int

    @property
    def length(self) -> int:
        """Bytes of a signature; at most `SLOTS`."""
        return self.bands * self.rows


def signature(elements: Collection[str], shape: Shape) -> bytes:
    """The signature of a set; the same on every machine.

    :param elements: each once; at least one.
    """
    lowest: dict[int, int] = {}
    for element in elements:
        number = int.from_bytes(blake2b(element.encode("utf-8", "surrogateescape"), digest_size=8).digest(), "little")
        slot, value = number % SLOTS, number >> _SLOT_BITS
        if lowest.get(slot, value) >= value:
            lowest[slot] = value
    return bytes([lowest[_lender(slot, lowest)] & 0xFF for slot in range(shape.length)])


def _lender(slot: int, taken: Collection[int]) -> int:
    """The slot itself where it is taken; else one that is."""
    lender = slot
    while lender not in taken:
        lender = (lender + _STRIDES[slot]) % SLOTS
    return lender


def band_keys(signed: bytes, shape: Shape) -> list[int]:
    """One number for each band, in the order of the bands: the band's own bytes below its number."""
    rows = shape.rows
    return [
        band << 8 * rows | int.from_bytes(signed[band * rows : (band + 1) * rows], "big") for band in range(shape.bands)
    ]


def resemblance(one: bytes, other: bytes) -> float:
    """The share of bytes that agree, 0 to 1: near the Jaccard similarity of the sets."""
    return sum(map(int.__eq__, one, other)) / len(one)
