"""Passwords of posts: kept as salted scrypt hashes, checked in a worker.

Such a password is shared by many readers and guards one text; it opens no account. The parameters take a worker some
30 ms for each check. This module is light, for workers import it: one that had to import the host for its first
password would use up the time of that job.
"""

import hashlib
import hmac
import secrets

#: Longest password, in characters.
LONGEST = 200
_COST = {"n": 2**14, "r": 8, "p": 1}


def hash_password(password: str) -> str:
    """The salt and the hash of a password, in hex."""
    salt = secrets.token_bytes(16)
    return f"{salt.hex()}${_derive(password, salt).hex()}"


def is_password(password: str, kept: str) -> bool:
    """Whether the password is the one that was hashed."""
    salt, _, digest = kept.partition("$")
    return hmac.compare_digest(_derive(password, bytes.fromhex(salt)), bytes.fromhex(digest))


def _derive(password: str, salt: bytes) -> bytes:
    return hashlib.scrypt(password.encode("utf-8", "surrogateescape"), salt=salt, **_COST)
