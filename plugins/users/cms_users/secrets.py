"""Making and recognising the secrets of API keys (contract 8)."""

import hashlib
import secrets
import string

PREFIX = "cms_"
_LENGTH = 40
_ALPHABET = string.ascii_letters + string.digits


def new_secret() -> str:
    """`cms_` and 40 characters from the system's generator: 238 bits."""
    return PREFIX + "".join(secrets.choice(_ALPHABET) for _ in range(_LENGTH))


def hashed(secret: str) -> str:
    """SHA-256 in hex. A secret this random needs neither salt nor a slow hash."""
    return hashlib.sha256(secret.encode()).hexdigest()


def masked(secret: str) -> str:
    """The first eight and the last four characters."""
    return f"{secret[:8]}...{secret[-4:]}"
