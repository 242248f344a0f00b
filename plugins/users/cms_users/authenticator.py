"""Recognises callers by API key: one statement a request, and nothing remembered between them."""

import hmac
from typing import NamedTuple

from aiohttp import web
from sqlalchemy import bindparam, select

from cms_host.api import Clock, Principal, Query, Reader, Recognised, Role, Unauthorized, settings_version
from cms_users.last_used import LastUsed
from cms_users.secrets import hashed
from cms_users.tables import api_keys, users

MAX_LENGTH = 256
_HEADERS = ("X-API-Key", "Api-Key")
_BEARER = "bearer "


class KeyRow(NamedTuple):
    """A key, its owner, and the version of the settings, all as of one moment."""

    id: int
    key_hash: str
    name: str
    active: bool
    expires_at: int | None
    user_id: int
    username: str
    display_name: str
    role: str
    user_active: bool
    settings_version: int


_FIND = Query(
    select(
        api_keys.c.id,
        api_keys.c.key_hash,
        api_keys.c.name,
        api_keys.c.active,
        api_keys.c.expires_at,
        users.c.id.label("user_id"),
        users.c.username,
        users.c.name.label("display_name"),
        users.c.role,
        users.c.active.label("user_active"),
        settings_version.label("settings_version"),
    )
    .join_from(api_keys, users, users.c.id == api_keys.c.user_id)
    .where(api_keys.c.key_hash == bindparam("key_hash")),
    KeyRow,
)


class ApiKeyAuthenticator:
    """The three headers of the spec (Authentication 2), all treated alike."""

    def __init__(self, clock: Clock, last_used: LastUsed) -> None:
        self._clock = clock
        self._last_used = last_used

    async def authenticate(self, request: web.Request, db: Reader) -> Recognised | None:
        sent = _sent_key(request)
        if sent is None:
            return None
        header, secret = sent
        digest, now = hashed(secret), self._clock.now()
        row = await db.first(_FIND, key_hash=digest)
        if row is None or not hmac.compare_digest(row.key_hash, digest) or not _is_good(row, now):
            raise Unauthorized
        self._last_used.note(row.id, now)
        principal = Principal(
            user_id=row.user_id,
            username=row.username,
            name=row.display_name,
            role=Role.named(row.role),
            authenticated_by="api_key",
            header=header,
            key_name=row.name,
            key_expires_at=row.expires_at,
        )
        return Recognised(principal, row.settings_version)


def _is_good(row: KeyRow, now: int) -> bool:
    return row.active and row.user_active and (row.expires_at is None or now <= row.expires_at)


def _sent_key(request: web.Request) -> tuple[str, str] | None:
    """The header and the key that came in it; None without any.

    :raises Unauthorized: two headers differ, or a key is not one that could exist.
    """
    headers = request.headers
    found = [(name, value) for name in _HEADERS for value in headers.getall(name, ())]
    bearers = [value for value in headers.getall("Authorization", ()) if value[: len(_BEARER)].lower() == _BEARER]
    found += [("Authorization", value[len(_BEARER) :]) for value in bearers]
    if not found:
        return None
    keys = {key for _, key in found}
    key = keys.pop()
    if keys or not key.isascii() or len(key) > MAX_LENGTH:
        raise Unauthorized
    return found[0]
