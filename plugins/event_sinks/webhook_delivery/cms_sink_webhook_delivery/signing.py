"""What proves to a receiver that a delivery is ours (spec, Events 3; the Standard Webhooks specification)."""

import base64
import binascii
import hashlib
import hmac
import secrets
from collections.abc import Mapping

PREFIX = "whsec_"
#: Fewer bytes could be guessed.
SHORTEST = 24


def new_secret() -> str:
    """A random secret in the form of Standard Webhooks: `whsec_` and 32 bytes in base64."""
    return PREFIX + base64.b64encode(secrets.token_bytes(32)).decode()


def check_secret(secret: str) -> str:
    """:raises ValueError: it is too short, or begins as one of Standard Webhooks and is none."""
    if len(_key(secret)) < SHORTEST:
        raise ValueError(f"must have {SHORTEST} bytes or more")
    return secret


def signed_headers(secret: str, event_id: str, timestamp: int, body: bytes) -> Mapping[str, str]:
    """The headers that sign a body.

    `X-Service-Signature` is the HMAC-SHA256 of the body alone, keyed with the secret as it is written; the three of
    Standard Webhooks sign the id and the time as well, keyed with the bytes that a `whsec_` secret stands for.

    :param timestamp: seconds since the epoch.
    """
    simple = hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
    signed = b".".join((event_id.encode(), str(timestamp).encode(), body))
    standard = base64.b64encode(hmac.new(_key(secret), signed, hashlib.sha256).digest()).decode()
    return {
        "X-Service-Signature": f"sha256={simple}",
        "webhook-id": event_id,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": f"v1,{standard}",
    }


def _key(secret: str) -> bytes:
    """:raises ValueError: what follows the prefix is no base64."""
    if not secret.startswith(PREFIX):
        return secret.encode()
    try:
        return base64.b64decode(secret.removeprefix(PREFIX), validate=True)
    except binascii.Error as error:
        raise ValueError(f"must be base64 after {PREFIX}") from error
