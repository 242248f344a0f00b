"""What is kept of a body to know it again, and from which its passwords must not be guessed."""

import asyncio
import hashlib

#: The name under which every endpoint takes a password; a client that spells it with escapes has but itself to blame.
_SECRET = b'"password"'


async def fingerprint_of(raw: bytes, salt: str) -> str:
    """A digest of a body, in hex: SHA-256; scrypt, off the event loop, where there is a password in it.

    All else in such a body may be known from the database, and SHA-256 would let whoever reads that try passwords by
    the milliard, past the slow hashes that are kept of them.

    :param salt: the same for bodies that are compared.
    """
    if _SECRET not in raw:
        return hashlib.sha256(raw).hexdigest()
    return (await asyncio.to_thread(_slow, raw, salt.encode())).hex()


def _slow(raw: bytes, salt: bytes) -> bytes:
    """Some 150 ms and 16 MiB, about what one try at a password of an account costs."""
    return hashlib.scrypt(raw, salt=salt, n=2**14, r=8, p=5)
