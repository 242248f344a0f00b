"""Recognises callers by API key: one statement a request, and nothing remembered between them."""

import hmac
from typing import NamedTuple

from aiohttp import web
from sqlalchemy import bindparam, select

from cms_host.api import Clock, Principal, Query, Reader, Recognised, Role, Unauthorized, settings_version
from cms_users.last_used import LastUsed
from cms_users.secrets import hashed
from cms_users.sent_key import sent_key
from cms_users.tables import api_keys, users

_ROLES = {role.label: role for role in Role}


class KeyRow(NamedTuple):
    """An active key of an active owner, and the version of the settings, all as of one moment."""

    id: int
    key_hash: str
    name: str
    expires_at: int | None
    user_id: int
    username: str
    display_name: str
    role: str
    settings_version: int


#: Found by the unique index of the hash, which tells an observer of its timing nothing about the key.
FIND_KEY = Query(
    select(
        api_keys.c.id,
        api_keys.c.key_hash,
        api_keys.c.name,
        api_keys.c.expires_at,
        users.c.id.label("user_id"),
        users.c.username,
        users.c.name.label("display_name"),
        users.c.role,
        settings_version.label("settings_version"),
    )
    .join_from(api_keys, users, users.c.id == api_keys.c.user_id)
    .where(api_keys.c.key_hash == bindparam("key_hash"), api_keys.c.active, users.c.active),
    KeyRow,
)


class ApiKeyAuthenticator:
    """The three headers of the spec (Authentication 2), all treated alike."""

    def __init__(self, clock: Clock, last_used: LastUsed) -> None:
        self._clock = clock
        self._last_used = last_used

    async def authenticate(self, request: web.Request, db: Reader) -> Recognised | None:
        sent = sent_key(request)
        if sent is None:
            return None
        header, secret = sent
        digest, now = hashed(secret), self._clock.now()
        row = await db.first(FIND_KEY, key_hash=digest)
        if row is None or not hmac.compare_digest(row.key_hash, digest):
            raise Unauthorized
        if row.expires_at is not None and now > row.expires_at:
            raise Unauthorized
        self._last_used.note(row.id, now)
        return Recognised(_principal(row, header), row.settings_version)


def _principal(row: KeyRow, header: str) -> Principal:
    role = _ROLES[row.role]
    return Principal(row.user_id, row.username, row.display_name, role, "api_key", header, row.name, row.expires_at)
