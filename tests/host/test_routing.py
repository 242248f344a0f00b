"""What becomes of a route's path, and of a page that sends its visitor elsewhere."""

from collections.abc import Sequence

import pytest
from aiohttp import web
from yarl import URL

from cms_host.principal import Role
from cms_host.routing import Route
from cms_host.testing import MakeSite, Site

from .conftest import Installer

NAMED = """
from aiohttp import web
from sqlalchemy import Text, bindparam, select

from cms_host.api import Page, Query, Role, Route, hookimpl, unit_of

_ECHO = Query(select(bindparam("name", type_=Text).label("name")))


async def echo_name(request):
    unit = unit_of(request)
    return unit.answer(await unit.db.value(_ECHO, name=request.match_info["name"]))


async def sign_in(request):
    elsewhere = web.HTTPFound("/elsewhere")
    elsewhere.set_cookie("session", "1")
    raise elsewhere


@hookimpl
def cms_routes(host):
    return [Route("GET", "/named/{name}", echo_name, Role.SUBSCRIBER)]


@hookimpl
def cms_pages(host):
    return [Page("GET", "/sign-in", sign_in)]
"""


@pytest.fixture
async def site(make_site: MakeSite, probe: Sequence[str], install: Installer) -> Site:
    install("named", NAMED)
    return await make_site(enabled=[*probe, "named"])


@pytest.mark.parametrize(
    ("sent", "seen"),
    [("tea", "tea"), ("%C3%A7ay", "çay"), ("a%2Fb", "a/b"), ("%ff", "%ff"), ("%ED%A0%80", "%ED%A0%80"), ("%25", "%")],
)
async def test_a_text_parameter_is_looked_up_as_it_was_sent(site: Site, sent: str, seen: str) -> None:
    client = await site.client("subscriber")
    answer = await site.fetch(
        "GET", URL(f"/api/v1/named/{sent}", encoded=True), headers={"X-API-Key": client.key or ""}
    )

    assert (answer.status, answer.data) == (200, seen)


@pytest.mark.parametrize("sent", ["%00", "tea%00", "%00tea"])
async def test_a_text_parameter_with_a_nul_names_nothing(site: Site, sent: str) -> None:
    assert (await (await site.client("subscriber")).get(f"/named/{sent}")).status == 404


async def test_a_redirect_of_a_page_keeps_its_cookies_and_has_a_request_id(site: Site) -> None:
    answer = await site.fetch("GET", "/sign-in")

    assert (answer.status, answer.headers["Location"]) == (302, "/elsewhere")
    assert answer.headers["Set-Cookie"].startswith("session=1;")
    assert answer.headers["X-Request-Id"]


@pytest.mark.parametrize(
    ("path", "parameters"),
    [
        ("/posts", {}),
        ("/posts/{id}", {"id": True}),
        ("/posts/{id}/revisions/{revision_id}", {"id": True, "revision_id": True}),
        ("/categories/{slug}", {"slug": False}),
        ("/settings/{key}/{identity}/{idle}", {"key": False, "identity": False, "idle": False}),
    ],
)
def test_a_parameter_is_a_number_by_its_name(path: str, parameters: dict[str, bool]) -> None:
    async def handler(request: web.Request) -> web.StreamResponse:
        raise web.HTTPNotFound

    assert Route("GET", path, handler, Role.SUBSCRIBER).parameters == parameters
