"""Which check comes before which: contract, chapter 1, steps 2 to 9."""

from collections.abc import Sequence

import pytest

from cms_host.testing import MakeSite, Site

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
TOO_LARGE = {"data": b"x" * 2000, "headers": {"Content-Type": "text/plain"}}


@pytest.fixture
async def site(make_site: MakeSite, probe: Sequence[str]) -> Site:
    return await make_site(enabled=probe, max_body_bytes=1000)


@pytest.mark.parametrize("path", ["/probe", "/users", "/nothing", "/probe/things/1", ""])
@pytest.mark.shows("request.429.first", "auth.metered")
async def test_the_rate_limit_comes_before_the_key(make_site: MakeSite, probe: Sequence[str], path: str) -> None:
    site = await make_site(enabled=probe, rate_limit=1)
    first = await site.anonymous.get(path)

    assert (first.status, (await site.anonymous.get(path)).status) == (401, 429)


@pytest.mark.parametrize(("method", "path"), [("GET", "/nothing"), ("DELETE", "/probe"), ("GET", "/users/x")])
@pytest.mark.shows("request.401.routing", "errors.401")
async def test_the_key_comes_before_routing(site: Site, method: str, path: str) -> None:
    answer = await site.anonymous.request(method, path)

    assert (answer.status, answer.error) == (401, {"code": 401, "message": "Unauthorized"})


async def test_a_wrong_key_is_like_none(site: Site) -> None:
    assert (await site.anonymous.get("/nothing", headers={"X-API-Key": "wrong"})).status == 401


@pytest.mark.parametrize("role", ["subscriber", "author", "editor"])
@pytest.mark.parametrize(
    ("method", "path"),
    [("GET", "/users"), ("DELETE", "/users"), ("GET", "/users/"), ("GET", "/users/1/nothing"), ("PATCH", "/settings/x"),
     ("GET", "/settings"), ("GET", "/%75sers"), ("GET", "/users?x=1")],
)  # fmt: skip
@pytest.mark.shows("request.403.families", "errors.403.admin")
async def test_two_families_are_forbidden_before_routing(site: Site, role: str, method: str, path: str) -> None:
    answer = await (await site.client(role)).request(method, path)

    assert (answer.status, answer.error["message"]) == (403, "Forbidden")


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [("GET", "/users", 200), ("DELETE", "/users", 405), ("GET", "/users/nothing", 404), ("GET", "/settings", 404)],
)
async def test_administrators_come_as_far_as_routing_there(site: Site, method: str, path: str, status: int) -> None:
    assert (await (await site.client("admin")).request(method, path)).status == status


@pytest.mark.parametrize("path", ["/usersx", "/probe/users", "/user"])
async def test_other_paths_are_not_taken_for_them(site: Site, path: str) -> None:
    assert (await (await site.client("editor")).get(path)).status == 404


@pytest.mark.shows("request.404.routing")
async def test_routing_comes_before_the_role(site: Site) -> None:
    subscriber = await site.client("subscriber")

    assert (await subscriber.delete("/probe")).status == 405
    assert (await subscriber.post("/nothing")).status == 404


@pytest.mark.parametrize("path", ["/probe/things/1", "/probe/things/999", "/probe/things/x"])
@pytest.mark.shows("request.403.role", "role.insufficient")
async def test_the_role_comes_before_the_record(site: Site, path: str) -> None:
    answer = await (await site.client("subscriber")).put(path, **TOO_LARGE)

    assert (answer.status, answer.error["message"]) == (403, "Insufficient role for this operation")


@pytest.mark.parametrize(
    "number",
    [
        "3",
        "x",
        "1abc",
        "1.0",
        "-1",
        "+1",
        "0x1",
        "%201",
        "٢",
        "%D9%A1",
        str(2**63),
        "9" * 19,
        "9" * 20,
        "9" * 400,
        "%31%00",
    ],
)
@pytest.mark.shows("request.404.record", "request.id.digits", "request.id.range")
async def test_the_record_comes_before_the_body(site: Site, number: str) -> None:
    answer = await (await site.client("author")).put(f"/probe/things/{number}", **TOO_LARGE)

    assert (answer.status, answer.error["message"]) == (404, "Not found")


@pytest.mark.shows("request.403.own")
async def test_whose_the_record_is_comes_before_the_body(site: Site) -> None:
    answer = await (await site.client("author")).put("/probe/things/2", **TOO_LARGE)

    assert (answer.status, answer.error["message"]) == (403, "You can only modify your own content")


@pytest.mark.shows("request.body.order")
async def test_the_body_s_size_comes_before_its_type_its_form_and_its_fields(site: Site) -> None:
    editor = await site.client("editor")
    small = {**TOO_LARGE, "data": b"x"}

    assert (await editor.put("/probe/things/2", **TOO_LARGE)).status == 413
    assert (await editor.put("/probe/things/2", **small)).status == 415
    assert (await editor.put("/probe/things/2", data=b"x", headers={"Content-Type": "application/json"})).status == 400
    assert (await editor.put("/probe/things/2", json={"title": "T", "status": "gone"})).status == 422
    assert (await editor.put("/probe/things/2", json={"title": "T"})).status == 200


async def test_put_and_patch_are_the_same_where_a_route_says_so(site: Site) -> None:
    editor = await site.client("editor")

    assert (await editor.patch("/probe/things/1", json={"title": "T"})).data == {"title": "T"}
