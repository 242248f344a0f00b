"""The smallest plugin that recognises callers: a key says itself whose it is, as `editor.bob`."""

from zlib import crc32

from sqlalchemy import select

from cms_host.api import Enrolment, Principal, Query, Recognised, Role, Unauthorized, hookimpl, settings_version

_VERSION = Query(select(settings_version.label("version")))


class Keys:
    async def has_users(self):
        return True

    async def enrol(self, username, email, role, key_name):
        return f"{role.label}.{username}"

    async def authenticate(self, request, db):
        key = request.headers.get("X-API-Key")
        if key is None:
            return None
        role, _, username = key.partition(".")
        if role.upper() not in Role.__members__:
            raise Unauthorized
        principal = Principal(crc32(key.encode()), username, username, Role.named(role), "api_key", "X-API-Key")
        return Recognised(principal, await db.value(_VERSION))


@hookimpl
def cms_services(host):
    return {Enrolment: lambda unit: Keys()}


@hookimpl
def cms_authenticators(host):
    return [Keys()]
