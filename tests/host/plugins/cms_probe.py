"""A family whose endpoints tell what the host handed them."""

import time

from aiohttp import web

from cms_host.api import (
    Choice,
    FlagField,
    HealthCheck,
    Moment,
    NotFound,
    NotYours,
    Number,
    Page,
    PostObserver,
    Role,
    Route,
    Schema,
    Setting,
    Text,
    Texts,
    Whole,
    body,
    hookimpl,
    path_id,
    query,
    unit_of,
)  # fmt: skip

GREETING = Setting("probe.greeting", "hello", "What the probe says.", minimum=1, maximum=20)


class Fields(Schema):
    title = Text(required=True)
    note = Text(limit=10)
    status = Choice("draft", "published")
    count = Whole()
    featured = FlagField()
    tags = Texts(limit=5, most=3)
    at = Moment()


class Filter(Schema):
    page = Number()
    search = Text()


async def say_hello(request):
    unit = unit_of(request)
    return unit.answer({"greeting": unit.host.settings[GREETING], "caller": unit.principal.username})


async def echo_fields(request):
    return unit_of(request).answer(await body(request, Fields()), 201)


async def echo_filter(request):
    return unit_of(request).answer(dict(query(request, Filter())))


async def change_thing(request):
    """Things 1 and 2 exist; only editors may change 2."""
    number = path_id(request)
    if number not in (1, 2):
        raise NotFound
    if number == 2 and not unit_of(request).principal.is_editor:
        raise NotYours
    return unit_of(request).answer(await body(request, Fields()))


async def work_too_long(request):
    unit = unit_of(request)
    return unit.answer(await unit.host.workers.run(time.sleep, 30, timeout=0.2))


async def crash(request):
    raise RuntimeError("the probe's secret")


async def refuse(request):
    raise web.HTTPGone


async def show_page(request):
    return web.Response(text="a page")


@hookimpl
def cms_routes(host):
    return [
        Route("GET", "/probe", say_hello, Role.SUBSCRIBER),
        Route("GET", "/probe/filter", echo_filter, Role.SUBSCRIBER),
        Route("POST", "/probe", echo_fields, Role.AUTHOR),
        Route("PUT PATCH", "/probe/things/{id}", change_thing, Role.AUTHOR),
        Route("GET", "/probe/work", work_too_long, Role.SUBSCRIBER),
        Route("GET", "/probe/crash", crash, Role.SUBSCRIBER),
        Route("GET", "/probe/gone", refuse, Role.SUBSCRIBER),
        Route("GET", "/users", say_hello, Role.SUBSCRIBER),
    ]


@hookimpl
def cms_pages(host):
    return [Page("GET", "/probe-page", show_page), Page("GET", "/probe-crash", crash)]


@hookimpl
def cms_settings():
    return [GREETING]


async def be_well(unit):
    return "well"


@hookimpl
def cms_health_checks(host):
    return [HealthCheck("probe", be_well)]


class Unmoved(PostObserver):
    """Is told of posts, of which this site has none."""

    async def saved(self, change, tx):
        raise AssertionError("a post was saved on a site that has no posts")


@hookimpl
def cms_post_observers(host):
    return [Unmoved()]
