"""Passwords of the admin panel, kept as Argon2id hashes."""

import asyncio
import re
import unicodedata
from collections.abc import Mapping
from typing import Any

from argon2 import PasswordHasher

from cms_host.api import FieldError, FieldErrors

SHORTEST, LONGEST = 8, 1024
_hasher = PasswordHasher()
_SURROGATE = re.compile("[\ud800-\udfff]")


async def hash_password(password: str) -> str:
    """The hash to keep. Takes about a tenth of a second, off the event loop.

    The password is read in its NFKC form, so that the same keys pressed on another system give the same password.

    :raises FieldErrors: it is too short or too long, or input that could not be decoded.
    """
    if found := password_faults(password):
        raise FieldErrors(found, 422)
    return await asyncio.to_thread(_hasher.hash, unicodedata.normalize("NFKC", password))


def password_faults(password: str) -> list[FieldError]:
    """What is wrong with a password."""
    if SHORTEST <= len(password) <= LONGEST and not _SURROGATE.search(password):
        return []
    return [FieldError("password", f"Must be {SHORTEST} to {LONGEST} characters of UTF-8 text.")]


async def with_hash(sent: Mapping[str, Any]) -> dict[str, Any]:
    """The fields with `password_hash` in place of a `password` that was sent; null takes the password away.

    :raises FieldErrors: as :func:`hash_password`.
    """
    fields = dict(sent)
    if "password" in fields:
        password = fields.pop("password")
        fields["password_hash"] = None if password is None else await hash_password(password)
    return fields
