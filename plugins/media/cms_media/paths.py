"""The names of files: our own, random, in folders by month. No client has a part in them."""

import re
import secrets
from datetime import UTC, datetime
from typing import NamedTuple

#: Everything that is ever stored, and nothing that leads anywhere else.
_FORM = re.compile(r"[0-9]{4}/(?:0[1-9]|1[0-2])/[a-z0-9]{26}(?:-original)?\.(?:jpg|png|gif|webp|avif)", re.ASCII)
_LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"
_LENGTH = 26


class Paths(NamedTuple):
    """Where the three files of one image are kept."""

    original: str
    avif: str
    webp: str


def new_paths(extension: str, now: int) -> Paths:
    """Paths that nothing else has.

    :param extension: of the original, without the dot. :param now: microseconds since the epoch.
    """
    month = datetime.fromtimestamp(now // 1_000_000, UTC).strftime("%Y/%m")
    # 134 bits: nobody guesses what was not shown to him, and no two are ever the same.
    base = f"{month}/{''.join(secrets.choice(_LETTERS) for _ in range(_LENGTH))}"
    # An original that is AVIF or WebP itself would otherwise have the name of its variant.
    mark = "-original" if extension in ("avif", "webp") else ""
    return Paths(f"{base}{mark}.{extension}", f"{base}.avif", f"{base}.webp")


def is_path(text: str) -> bool:
    """Whether a file could be stored under this path."""
    return _FORM.fullmatch(text) is not None


def checked(path: str) -> str:
    """The path. :raises ValueError: no file could be stored under it, and nobody should look what is there."""
    if not is_path(path):
        raise ValueError(f"{path!r} is no path of a stored file")
    return path
