"""Passwords of posts: kept as salted scrypt hashes, checked in a worker.

Such a password is shared by many readers and guards one text; it opens no account. The parameters take a worker some
30 ms for each check; whoever has shown the password once is not made to wait again.

This module is light: workers import it.
"""

import hashlib
import hmac
import secrets
from collections import OrderedDict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cms_host.api import Workers

#: The header that opens a post of visibility `password` (contract 4), and what the API's document says of it.
OPENER = "X-Post-Password"
OPENER_DOC = {"name": OPENER, "in": "header", "schema": {"type": "string"}, "description": "Opens a `password` post."}
#: Longest password, in characters.
LONGEST = 200
_COST = {"n": 2**14, "r": 8, "p": 1}
#: Passwords that are remembered as right, over all posts.
REMEMBERED = 1000


def is_sendable(password: str) -> bool:
    """Whether a reader can show it in a header: the blanks around a header's value are not part of it (RFC 9110)."""
    return password == password.strip() and password.isprintable()


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


class Doorkeeper:
    """Tells whether a password opens a post, and remembers those that did. One for each host."""

    def __init__(self) -> None:
        self._pepper = secrets.token_bytes(32)
        self._opened: OrderedDict[bytes, None] = OrderedDict()

    async def opens(self, workers: "Workers", password: str, kept: str) -> bool:
        """:raises Busy: the workers have no time for it."""
        if len(password) > LONGEST:
            return False
        # Neither the password nor anything that it could be guessed from stays in memory.
        shown = hmac.digest(self._pepper, f"{kept}\0{password}".encode("utf-8", "surrogateescape"), "sha256")
        if shown not in self._opened:
            if not await workers.run(is_password, password, kept):
                return False
            self._opened[shown] = None
            if len(self._opened) > REMEMBERED:
                self._opened.popitem(last=False)
        return True
