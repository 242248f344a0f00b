"""One running site, and clients that talk to it over a real socket."""

import json as jsonlib
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from aiohttp import web
    from aiohttp.test_utils import TestClient

    from cms_host.host import Host
    from cms_host.limiter import Limiter
    from cms_host.services import UnitOfWork
    from cms_host.workers import Workers

API = "/api/v1"
T = TypeVar("T")


class FakeClock:
    """A clock that only moves when it is told to."""

    def __init__(self, now: int = 1_768_478_400_000_000) -> None:
        #: Microseconds since the epoch; 2026-01-15 12:00:00 UTC at first.
        self._now = now

    def now(self) -> int:
        """Microseconds since the epoch, in UTC."""
        return self._now

    def advance(self, seconds: float) -> None:
        """Let time pass."""
        self._now += round(seconds * 1_000_000)


@dataclass(frozen=True, slots=True)
class Answer:
    """One response, read to its end."""

    status: int
    #: The parsed body, or None where it is not JSON.
    json: Any
    headers: Mapping[str, str]
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()

    @property
    def data(self) -> Any:
        """`data` of a success envelope."""
        assert self.json["success"] is True, self.text
        return self.json["data"]

    @property
    def error(self) -> Any:
        """`error` of an error envelope."""
        assert self.json["success"] is False, self.text
        return self.json["error"]


@dataclass(frozen=True, slots=True)
class Client:
    """Sends requests to paths under /api/v1 with one API key, or none."""

    site: "Site"
    key: str | None = None

    async def request(self, method: str, path: str, **options: Any) -> Answer:
        """Any method; `options` are those of aiohttp's client (`json`, `data`, `params`, `headers`, ...)."""
        headers = dict(options.pop("headers", None) or {})
        if self.key is not None:
            headers.setdefault("X-API-Key", self.key)
        return await self.site.fetch(method, API + path, headers=headers, **options)

    async def get(self, path: str, **options: Any) -> Answer:
        return await self.request("GET", path, **options)

    async def head(self, path: str, **options: Any) -> Answer:
        return await self.request("HEAD", path, **options)

    async def post(self, path: str, **options: Any) -> Answer:
        return await self.request("POST", path, **options)

    async def put(self, path: str, **options: Any) -> Answer:
        return await self.request("PUT", path, **options)

    async def patch(self, path: str, **options: Any) -> Answer:
        return await self.request("PATCH", path, **options)

    async def delete(self, path: str, **options: Any) -> Answer:
        return await self.request("DELETE", path, **options)


@dataclass(slots=True)
class Site:
    """An application that answers on a loopback port; made by the fixtures `site` and `make_site`."""

    app: "web.Application"
    host: "Host"
    clock: FakeClock
    http: "TestClient[Any, Any]"
    _keys: dict[str, tuple[str, str]] = field(default_factory=dict)

    @property
    def url(self) -> str:
        """The site's address, without a slash at the end."""
        return str(self.http.make_url("/")).rstrip("/")

    @property
    def anonymous(self) -> Client:
        """A client without a key."""
        return Client(self)

    async def client(self, role: str = "admin", username: str | None = None) -> Client:
        """A client with the key of an account; see :meth:`key`."""
        return Client(self, await self.key(role, username))

    async def key(self, role: str = "admin", username: str | None = None) -> str:
        """The secret of an API key, whose account is made at the first call; it is named after its role by default."""
        from cms_host.enrolment import Enrolment
        from cms_host.principal import Role

        username = username or role
        if username not in self._keys:
            async with self.host.unit().write() as unit:
                address = f"{username}@example.org"
                secret = await unit.get(Enrolment).enrol(username, address, Role.named(role), f"{username}'s key")
            self._keys[username] = (role, secret)
        known, secret = self._keys[username]
        assert known == role, f"{username} is {known}, not {role}"
        return secret

    async def set(self, **values: Any) -> None:
        """Change settings, as `await site.set(**{"gate.short_content.minimum": 10})`; they hold from now on."""
        async with self.host.db.transaction() as tx:
            await self.host.settings.store(tx, values, self.clock.now())
        await self.host.settings.refresh(self.host.db)

    def provide(self, kind: type[T], *objects: T) -> None:
        """Have just these objects stand for a service type, in every unit of work from now on."""
        self.host.services[kind] = [partial(_given, each) for each in objects]

    async def run_job(self, name: str) -> bool:
        """Run a background job now if it is due; says whether it ran."""
        await self.host.jobs.announce()
        return await self.host.jobs.run_due(self.host.jobs.named(name))

    async def fetch(self, method: str, path: str, **options: Any) -> Answer:
        """A request to any path of the site. Redirects are not followed."""
        options.setdefault("allow_redirects", False)
        async with self.http.request(method, path, **options) as response:
            body = await response.read()
            is_json = response.content_type == "application/json" and body
            return Answer(response.status, jsonlib.loads(body) if is_json else None, response.headers, body)


def _given(one: T, unit: "UnitOfWork") -> T:
    """A factory of what is there already."""
    return one


#: Seconds that a gate rule gets in a test; one that tries what becomes of a late one brings a `Gate` of its own.
RULE_PATIENCE = 30.0


@asynccontextmanager
async def serving(
    clock: FakeClock,
    *,
    disabled: Iterable[str] = (),
    enabled: Iterable[str] | None = None,
    rate_limit: int = 0,
    jobs: bool = False,
    limiter: "Limiter | None" = None,
    workers: "Workers | None" = None,
    **config: Any,
) -> AsyncIterator[Site]:
    """A site that answers for as long as the block lasts.

    :param disabled, enabled: plugins, as in the configuration.
    :param rate_limit: requests per hour; none by default.
    :param jobs: run background jobs beside the requests; otherwise they run when `site.run_job` says so.
    :param limiter: counts requests in place of the site's own, whose hours are true ones.
    :param config: any other field of the host's `Config`.
    """
    from aiohttp import DummyCookieJar
    from aiohttp.test_utils import TestClient, TestServer

    from cms_host.app import HOST, build_app
    from cms_host.config import Config, PluginSwitches

    switches = PluginSwitches(tuple(disabled), None if enabled is None else tuple(enabled))
    complete = Config(plugins=switches, api_rate_limit=rate_limit, **config)
    app = build_app(complete, clock, limiter=limiter, workers=workers, jobs=jobs)
    # A machine that is busy with other tests is no reason for a rule to be late.
    app[HOST].gate.timeout = RULE_PATIENCE
    server = TestServer(app)
    await server.start_server(access_log=None)
    async with TestClient(server, cookie_jar=DummyCookieJar()) as http:
        yield Site(app, app[HOST], clock, http)
