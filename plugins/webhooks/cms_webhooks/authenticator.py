"""Recognises callers without a key by the signature of what they send (spec, Authentication 11; contract 6)."""

import re

from aiohttp import web

from cms_host.api import Host, Principal, Reader, Recognised, Role, Unauthorized, read_raw
from cms_users.api import carries_key
from cms_webhooks.memory import Signed, note
from cms_webhooks.settings import INBOUND_SECRET, INBOUND_USER, REQUIRE_TIMESTAMP
from cms_webhooks.signing import digest_of, is_signed, moment_of, secrets_in, signed_bytes
from cms_webhooks.store import Account, find_account

HEADER, TIMESTAMP = "X-Webhook-Signature", "X-Webhook-Timestamp"
#: Seconds by which a caller's clock, and the way of his call, may differ from ours.
TOLERANCE = 300
SECOND = 1_000_000
#: What a signature opens; the action is part of what may be signed.
_ACTION = re.compile(r"/api/v1/webhook/([a-z-]+)/?")


class SignatureAuthenticator:
    """Signed calls of the actions; a signature opens nothing else."""

    def __init__(self, host: Host) -> None:
        self._host = host

    async def authenticate(self, request: web.Request, db: Reader) -> Recognised | None:
        action = _ACTION.fullmatch(request.path) if request.method == "POST" else None
        if action is None or HEADER not in request.headers or carries_key(request):
            return None
        # A secret that was changed on another host holds from this call on.
        await self._host.settings.refresh(db)
        digest = await self._verified(request, action[1])
        account = await self._account(db)
        note(request, Signed(action[1], digest))
        principal = Principal(account.id, account.username, account.name, account.role, "signature", HEADER)
        return Recognised(principal, account.settings_version)

    async def _verified(self, request: web.Request, action: str) -> bytes:
        """The signature, which is right. All that needs no body is looked at first. :raises Unauthorized: it is not."""
        settings = self._host.settings
        digest, timestamp = digest_of(_only(request, HEADER)), self._timestamp(request)
        if digest is None or not settings[INBOUND_SECRET] or not settings[INBOUND_USER]:
            raise Unauthorized
        body = await read_raw(request, self._host.config.max_body_bytes)
        if not is_signed(digest, signed_bytes(body, action, timestamp), secrets_in(settings[INBOUND_SECRET])):
            raise Unauthorized
        return digest

    def _timestamp(self, request: web.Request) -> str | None:
        """The timestamp as it was sent. :raises Unauthorized: it is none of now, or is missing where it must not."""
        if TIMESTAMP not in request.headers:
            if self._host.settings[REQUIRE_TIMESTAMP]:
                raise Unauthorized
            return None
        sent = _only(request, TIMESTAMP)
        moment = moment_of(sent)
        if moment is None or abs(self._host.clock.now() - moment * SECOND) > TOLERANCE * SECOND:
            raise Unauthorized
        return sent

    async def _account(self, db: Reader) -> Account:
        """Whom the call acts as. :raises Unauthorized: nobody who may, or not any more."""
        account = await find_account(db, self._host.settings[INBOUND_USER])
        if account is None or not account.active or account.role is Role.ADMIN:
            raise Unauthorized
        return account


def _only(request: web.Request, header: str) -> str:
    """:raises Unauthorized: the header was sent more than once."""
    values = request.headers.getall(header)
    if len(values) > 1:
        raise Unauthorized
    return values[0]
