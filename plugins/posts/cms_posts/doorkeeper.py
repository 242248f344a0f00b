"""Who has shown the password of a post; whoever did so once is not made to wait again."""

import hmac
import secrets
from collections import OrderedDict

from cms_host.api import Workers
from cms_posts.passwords import LONGEST, is_password

#: Passwords that are remembered as right, over all posts.
REMEMBERED = 1000


class Doorkeeper:
    """Tells whether a password opens a post, and remembers those that did. One for each host."""

    def __init__(self) -> None:
        self._pepper = secrets.token_bytes(32)
        self._opened: OrderedDict[bytes, None] = OrderedDict()

    async def opens(self, workers: Workers, password: str, kept: str) -> bool:
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
