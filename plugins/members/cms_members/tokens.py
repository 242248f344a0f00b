"""What the link in a mail carries: 256 bits, of which only the hash is kept."""

import hashlib
import re
import secrets

_FORM = re.compile(r"[A-Za-z0-9_-]{43}", re.ASCII)


def new_token() -> str:
    """43 characters that stand in an address as they are."""
    return secrets.token_urlsafe(32)


def is_token(text: str) -> bool:
    """Whether it could be one."""
    return _FORM.fullmatch(text) is not None


def hash_of(token: str) -> str:
    """SHA-256 in hex. A token this random needs neither salt nor a slow hash."""
    return hashlib.sha256(token.encode()).hexdigest()
