"""Builds the application of one site. There are no globals: two applications in one process never meet."""

from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from graphlib import CycleError
from pathlib import Path
from typing import Any

from aiohttp import web
from packaging.utils import canonicalize_name

from cms_host.client_ip import ClientIp
from cms_host.clock import Clock, SystemClock
from cms_host.config import Config, networks
from cms_host.db import make_database
from cms_host.events.dispatch import DISPATCH
from cms_host.events.event import Event
from cms_host.events.upkeep import CHECK as OUTBOX_CHECK
from cms_host.events.upkeep import FORGET as FORGET_EVENTS
from cms_host.events.upkeep import KEPT_DAYS
from cms_host.fetch import Fetcher
from cms_host.gate import Gate, mode_setting
from cms_host.health import DATABASE_CHECK
from cms_host.histories import by_requirement
from cms_host.host import TIMEZONE, Host
from cms_host.idempotency import FORGET
from cms_host.indexes import StoredIndex
from cms_host.jobs import JobRunner
from cms_host.limiter import Limiter, MemoryLimiter, SharedFileLimiter
from cms_host.live_limit import LiveLimit
from cms_host.middlewares.authenticate import authenticate
from cms_host.middlewares.authorize import authorize
from cms_host.middlewares.errors import errors
from cms_host.middlewares.idempotency import once
from cms_host.middlewares.rate_limit import rate_limit
from cms_host.openapi import add_docs
from cms_host.plugins import PluginErrors, Plugins, installed_as, load_plugins
from cms_host.routing import API_PREFIX, Route
from cms_host.settings import Settings
from cms_host.workers import Workers

HOST = web.AppKey("host", Host)
#: Address space in bytes, and seconds in the queue and at work, for the conversion of one image.
IMAGE_MEMORY, IMAGE_TIME = 3 << 30, 120.0


def make_host(
    config: Config, clock: Clock | None = None, plugins: Plugins | None = None, workers: Workers | None = None
) -> Host:
    """Load the plugins and wire them together; nothing is connected yet.

    :raises PluginErrors: what can't be loaded or does not fit together, all of it.
    """
    plugins = plugins or load_plugins(config.plugins)
    host = Host(
        config=config,
        clock=clock or SystemClock(),
        plugins=plugins,
        db=make_database(config.database, config.database_pool),
        settings=_settings(plugins),
        workers=workers or Workers(config.content_workers),
        image_workers=workers or Workers(config.image_workers, memory_limit=IMAGE_MEMORY, time_limit=IMAGE_TIME),
        client_ip=ClientIp(config.trusted_proxies, config.forwarded_header, config.rate_limit_ipv6_prefix),
        fetcher=Fetcher(networks(config.fetch_allow)),
    )
    for _, provided in plugins.call("cms_services", host=host):
        for kind, factory in provided.items():
            host.services[kind].append(factory)
    host.gate = _gate(host)
    host.post_observers = [each for _, each in host.plugins.each("cms_post_observers", host=host)]
    host.event_kinds = _event_kinds(plugins)
    host.event_sinks = {name: sink for name, (_, sink) in _named_once(host, "cms_event_sinks", "name").items()}
    host.health_checks = _all_of(host, "cms_health_checks", DATABASE_CHECK, OUTBOX_CHECK)
    host.stat_sources = _all_of(host, "cms_stats")
    host.indexes = _indexes(host)
    host.search_sources = _all_of(host, "cms_search_sources")
    host.sitemap_sources = _all_of(host, "cms_sitemap_sources")
    own = (FORGET, DISPATCH, FORGET_EVENTS)
    host.jobs = JobRunner(_all_of(host, "cms_jobs", *own), host.unit_of_now, host.db, host.clock)
    return host


def build_app(
    config: Config,
    clock: Clock | None = None,
    *,
    limiter: Limiter | None = None,
    workers: Workers | None = None,
    jobs: bool = True,
) -> web.Application:
    """The application: connected when it starts, let go when it stops.

    :param limiter: shared with other applications of this site; its own one where none is given.
    :param workers: the same, for content and images alike; what is shared is not closed when this application stops.
    :param jobs: run background jobs beside the requests: those that the configuration leaves to this process.
    :raises PluginErrors: the plugins can't be loaded or do not fit together.
    """
    host = make_host(config, clock, workers=workers)
    counting = limiter or MemoryLimiter()
    routes = _routes(host)
    app = web.Application(middlewares=[errors])
    app[HOST] = host
    app.add_subapp(API_PREFIX, _api(host, routes, counting))
    for _, page in host.plugins.each("cms_pages", host=host):
        app.router.add_route(page.method, page.path, page.handler)
    add_docs(app, routes)

    async def running(_: web.Application) -> AsyncIterator[None]:
        async with AsyncExitStack() as stack:
            if limiter is None:
                stack.callback(counting.close)
            if workers is None:
                stack.push_async_callback(host.close_workers)
            await stack.enter_async_context(connected(host))
            if jobs:
                await stack.enter_async_context(host.jobs.running(all_of_them=config.jobs))
            yield

    app.cleanup_ctx.append(running)
    return app


def shared_limiter(run_dir: Path) -> Limiter:
    """The limiter of several processes on one machine."""
    return SharedFileLimiter(run_dir / "rate-limit.sqlite3")


@asynccontextmanager
async def connected(host: Host) -> AsyncIterator[None]:
    """The database open, and the settings read, for as long as the block lasts; then all is let go.

    :raises DatabaseUnavailable: it cannot be reached.
    """
    await host.db.open()
    try:
        await host.settings.refresh(host.db)
        yield
    finally:
        await host.close_others()
        await host.db.close()


def _named_once(host: Host, hook: str, name: str, *own: Any) -> dict[str, tuple[str, Any]]:
    """The host's own, and what all plugins return for a hook, each with whom it is from; no two of the same name."""
    found: dict[str, tuple[str, Any]] = {getattr(item, name): ("host", item) for item in own}
    for plugin, item in host.plugins.each(hook, host=host):
        key = getattr(item, name)
        if key in found:
            raise PluginErrors([f"{found[key][0]} and {plugin}: {hook}: both have one named {key}"])
        found[key] = plugin, item
    return found


def _event_kinds(plugins: Plugins) -> dict[str, type[Event]]:
    found: dict[str, tuple[str, type[Event]]] = {}
    for plugin, kinds in plugins.call("cms_event_kinds"):
        for each in kinds:
            if each.kind in found:
                raise PluginErrors([f"{found[each.kind][0]} and {plugin}: both emit events named {each.kind}"])
            found[each.kind] = plugin, each
    return {kind: each for kind, (_, each) in found.items()}


def _all_of(host: Host, hook: str, *own: Any) -> list[Any]:
    return [item for _, item in _named_once(host, hook, "name", *own).values()]


def _indexes(host: Host) -> list[StoredIndex]:
    """Those of a plugin come after those of the plugins that it requires, from which they may be derived."""
    found = list(_named_once(host, "cms_indexes", "name").values())
    packages = {name: canonicalize_name(host.plugins.known[name].package) for name, _ in found}
    try:
        order = by_requirement({package: installed_as(package) for package in packages.values()})
    except CycleError as error:
        raise PluginErrors([f"these require each other in a circle: {', '.join(error.args[1])}"]) from error
    return [index for _, index in sorted(found, key=lambda each: order.index(packages[each[0]]))]


def _gate(host: Host) -> Gate:
    """The gate with all rules; the mode of each becomes a setting of the plugin that brings the rule."""
    rules = _named_once(host, "cms_gate_rules", "code")
    try:
        gate = Gate([rule for _, rule in rules.values()], settings=host.settings)
        for plugin, rule in rules.values():
            host.settings.declare(plugin, [mode_setting(rule)])
    except ValueError as error:
        raise PluginErrors([str(error)]) from error
    return gate


def _routes(host: Host) -> list[Route]:
    """The endpoints of all plugins. aiohttp would let the first of two that are the same answer, without a word."""
    owners: dict[tuple[str, str], str] = {}
    routes = []
    for plugin, route in host.plugins.each("cms_routes", host=host):
        for method in route.methods:
            owner = owners.setdefault((method, route.shape), plugin)
            if owner != plugin:
                raise PluginErrors([f"{owner} and {plugin}: cms_routes: both answer {method} {route.path}"])
        routes.append(route)
    return routes


def _settings(plugins: Plugins) -> Settings:
    declared = {"host": [TIMEZONE, KEPT_DAYS], **dict(plugins.call("cms_settings"))}
    try:
        return Settings(declared)
    except ValueError as error:
        raise PluginErrors([str(error)]) from error


def _api(host: Host, routes: Sequence[Route], limiter: Limiter) -> web.Application:
    authenticators = [each for _, each in host.plugins.each("cms_authenticators", host=host)]
    if not authenticators:
        raise PluginErrors(["no loaded plugin can recognise a caller (the users plugin does, by API key)"])
    limit = LiveLimit(host.config)
    api = web.Application(
        middlewares=[rate_limit(limiter, host.client_ip, limit.configured), authenticate(host, authenticators)]
    )
    under_way: set[str] = set()
    for route in routes:
        _mount(api, route, under_way)
    return api


def _mount(api: web.Application, route: Route, under_way: set[str]) -> None:
    for method in route.methods:
        handler = authorize(route, once(route.handler, under_way) if method == "POST" else route.handler)
        for path in (route.path, f"{route.path}/"):
            api.router.add_route(method, path, handler)
            if method == "GET":
                api.router.add_route("HEAD", path, handler)
