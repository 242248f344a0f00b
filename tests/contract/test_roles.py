"""Every endpoint of the running site, asked by each of the five callers (spec, Role capabilities; contract 1)."""

from collections.abc import Mapping
from typing import Any

import pytest

from cms_host.testing import MakeSite, Site
from cms_posts.testing import article, unlike

from .callers import BROKEN, client_of, refused, sending
from .role_table import ADMIN_FAMILIES, CALLERS, DUTIES, FORBIDDEN, UNAUTHORIZED, refusal, suffices
from .routes import METHODS, Endpoint, endpoints, mounted
from .targets import ABSENT, NUMBERS, target

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
each_caller = pytest.mark.parametrize("caller", CALLERS)


async def test_every_endpoint_has_a_declared_role(site: Site) -> None:
    undeclared = [str(each) for each in endpoints(site) if str(each) not in DUTIES]

    assert undeclared == [], "say in role_table.py who may call it"


async def test_every_endpoint_says_the_role_that_the_spec_gives_it(site: Site) -> None:
    """None asks for more than that; one that asks for less leaves the decision to the record."""
    declared = {
        f"{method} {route.path}": route.needs.label
        for _, route in site.host.plugins.each("cms_routes", host=site.host)
        for method in route.methods
    }
    stricter = {name for name, least in declared.items() if CALLERS.index(least) > CALLERS.index(DUTIES[name].least)}

    assert stricter == set()
    assert declared.keys() == {str(each) for each in endpoints(site)}


async def test_head_and_the_trailing_slash_are_there_wherever_the_path_is(site: Site) -> None:
    there = set(mounted(site))
    expected = {
        Endpoint(method, f"{each.path}{slash}")
        for each in endpoints(site)
        for slash in ("", "/")
        for method in (("GET", "HEAD") if each.method == "GET" else (each.method,))
    }

    assert there == expected


@each_caller
@pytest.mark.shows("role.insufficient", "request.403.role", "errors.403.role", "auth.everywhere")
async def test_whose_role_is_too_low_is_refused_before_record_and_body_are_looked_at(site: Site, caller: str) -> None:
    client = await client_of(site, caller)
    for each in endpoints(site):
        expected = refusal(caller, each)
        if expected is None:
            continue
        for slash in ("", "/"):
            answer = await client.request(each.method, each.at(ABSENT) + slash, **BROKEN)
            assert refused(answer) == expected, f"{caller}: {each}"


@each_caller
@pytest.mark.shows("role.admin", "auth.role")
async def test_whose_role_suffices_is_served(site: Site, caller: str) -> None:
    client = await client_of(site, caller)
    for each in endpoints(site):
        if not suffices(caller, each):
            continue
        duty = DUTIES[str(each)]
        for slash in ("", "/"):
            path = each.at(await target(site, each, caller)) + slash
            answer = await client.request(each.method, path, **sending(await meaning(site, duty.body)))
            assert answer.status == duty.answer, f"{caller}: {each}: {answer.text}"


async def meaning(site: Site, body: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
    """The body, with a name that is not taken yet, and with a tag or post that exists where it is about one."""
    if body and "into" in body:
        return {"into": (await target(site, Endpoint("GET", "/tags/{slug}"), "editor"))["slug"]}
    if body and "post_id" in body:
        return {**body, "post_id": (await target(site, Endpoint("GET", "/posts/{id}"), "editor"))["id"]}
    if body and "title" in body and "content" in body:
        # The gate lets no two be alike.
        return {**body, **article(title=unlike(f"matrix {next(NUMBERS)}"))}
    if body and "name" in body:
        return {**body, "name": f"{body['name']} {next(NUMBERS)}"}
    if body and "username" in body:
        return {**body, "username": (name := f"{body['username']}{next(NUMBERS)}"), "email": f"{name}@example.org"}
    return body


@each_caller
@pytest.mark.shows("request.head")
async def test_head_answers_as_get_does_without_a_body(site: Site, caller: str) -> None:
    client = await client_of(site, caller)
    for each in endpoints(site):
        if each.method != "GET":
            continue
        allowed = refusal(caller, each) is None
        path = each.at(await target(site, each, caller) if allowed else ABSENT)
        for slash in ("", "/"):
            got, head = await client.get(path + slash), await client.head(path + slash)
            assert (head.status, head.body) == (got.status, b""), f"{caller}: {each}"


@pytest.mark.parametrize("caller", ["subscriber", "author", "editor", "admin"])
async def test_what_names_nothing_is_not_found(site: Site, caller: str) -> None:
    client = await client_of(site, caller)
    for each in endpoints(site):
        if not each.parameters or refusal(caller, each) is not None:
            continue
        answer = await client.request(each.method, each.at(ABSENT), **BROKEN)
        assert answer.status == 404, f"{caller}: {each}: {answer.text}"


@each_caller
@pytest.mark.shows("errors.405")
async def test_another_method_is_refused_after_key_and_family(site: Site, caller: str) -> None:
    client = await client_of(site, caller)
    for path in sorted({each.path for each in mounted(site)}):
        concrete = Endpoint("GET", path).at(ABSENT)
        methods = {each.method for each in mounted(site) if each.matches(concrete)}
        outside = forbidden(caller, Endpoint("GET", path))
        for method in {*METHODS, "OPTIONS", "PROPFIND"} - methods:
            answer = await client.request(method, concrete)
            assert answer.status == (401 if caller == "nobody" else 403 if outside else 405), f"{method} {path}"
            assert set(answer.headers.get("Allow", "").split(", ")) == (methods if answer.status == 405 else {""})


@each_caller
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.shows("errors.404.path", "request.403.families")
async def test_an_unknown_path_is_refused_after_key_and_family(site: Site, caller: str, method: str) -> None:
    client = await client_of(site, caller)
    families = sorted({each.family for each in endpoints(site)})
    for path in ("", "/", "/nothing", *(f"/{family}/x/y/nothing/at/all" for family in families)):
        answer = await client.request(method, path)
        outside = forbidden(caller, Endpoint(method, f"{path}/"))
        assert answer.status == (401 if caller == "nobody" else 403 if outside else 404), f"{caller}: {method} {path}"
        if method != "HEAD" and answer.status != 404:
            assert refused(answer) == (FORBIDDEN if outside else UNAUTHORIZED)


def forbidden(caller: str, endpoint: Endpoint) -> bool:
    """Contract 1.4."""
    return endpoint.family in ADMIN_FAMILIES and caller not in ("admin", "nobody")


@pytest.mark.shows("request.429.first")
async def test_the_limit_comes_before_everything(make_site: MakeSite) -> None:
    site = await make_site(rate_limit=1)
    client = await site.client("subscriber")
    assert (await client.get("/health")).status == 200
    for each in mounted(site):
        answer = await client.request(each.method, each.at(ABSENT))
        assert answer.status == 429, str(each)
        assert "X-Request-Id" not in answer.headers


@pytest.mark.shows("auth.query")
async def test_a_key_in_the_query_is_none(site: Site) -> None:
    key = await site.key("admin")
    for each in endpoints(site):
        for name in ("api_key", "key", "X-API-Key", "access_token"):
            answer = await site.anonymous.request(each.method, each.at(ABSENT), params={name: key})
            assert refused(answer) == UNAUTHORIZED, str(each)
