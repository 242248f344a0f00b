"""Signatures of inbound webhooks (contract 6): HMAC-SHA256, in hex, of bytes that the caller and we know."""

import hashlib
import hmac
import re
from collections.abc import Sequence

#: The scheme may be named or not.
_SIGNATURE = re.compile(r"(?:sha256=)?([0-9a-fA-F]{64})", re.ASCII)
_TIMESTAMP = re.compile(r"[0-9]{1,12}", re.ASCII)


def secrets_in(value: str) -> Sequence[bytes]:
    """The secrets of a setting that holds one, or several parted by commas; blanks around them do not count."""
    return [secret.strip().encode() for secret in value.split(",")]


def digest_of(header: str) -> bytes | None:
    """The digest in the value of a header; None where it is no signature."""
    found = _SIGNATURE.fullmatch(header)
    return bytes.fromhex(found[1]) if found else None


def moment_of(header: str) -> int | None:
    """The Unix seconds in the value of a header; None where it is no number of them."""
    return int(header) if _TIMESTAMP.fullmatch(header) else None


def signed_bytes(body: bytes, action: str, timestamp: str | None = None) -> bytes:
    """What is signed: the body, or `<timestamp>.<action>.<body>` where a timestamp was sent, as it was sent."""
    return body if timestamp is None else b".".join((timestamp.encode(), action.encode(), body))


def signature(secret: bytes, signed: bytes) -> bytes:
    """The digest that belongs to these bytes."""
    return hmac.digest(secret, signed, hashlib.sha256)


def is_signed(digest: bytes, signed: bytes, secrets: Sequence[bytes]) -> bool:
    """Whether the digest was made with one of the secrets; how much of it is right can't be told by the time."""
    return any(hmac.compare_digest(signature(secret, signed), digest) for secret in secrets)
