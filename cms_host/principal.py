"""Who is calling."""

from enum import IntEnum
from typing import NamedTuple, Protocol

from aiohttp import web

from cms_host.db import Reader


class Role(IntEnum):
    """What a caller may do; each role may do all that those below it may (spec, Role capabilities)."""

    SUBSCRIBER = 1
    AUTHOR = 2
    EDITOR = 3
    ADMIN = 4

    @classmethod
    def named(cls, name: str) -> "Role":
        """:raises KeyError: no such role."""
        return cls[name.upper()]

    @property
    def label(self) -> str:
        return self.name.lower()


class Principal(NamedTuple):
    """The account that a request acts as, proved by this request's own credentials."""

    user_id: int
    username: str
    name: str
    role: Role
    #: How the caller was recognised: `api_key` or `signature`, and by which header; `operator` without one, where a
    #: command acts in the account's name.
    authenticated_by: str
    header: str
    key_name: str = ""
    #: Microseconds since the epoch, or None where the key never expires.
    key_expires_at: int | None = None

    @property
    def is_editor(self) -> bool:
        """Editor or administrator: may touch what is not theirs."""
        return self.role >= Role.EDITOR


class Recognised(NamedTuple):
    """A caller, and the version of the settings as the same statement saw it."""

    principal: Principal
    settings_version: int


class Authenticator(Protocol):
    """One way to recognise a caller."""

    async def authenticate(self, request: web.Request, db: Reader) -> Recognised | None:
        """The caller, or None when the request carries no credentials of this kind.

        :raises Unauthorized: it carries some, and they are not good.
        """
