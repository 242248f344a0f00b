"""Keys, and what they open (spec, Authentication; API keys)."""

import hashlib

import pytest

from cms_host.testing import Client, Site, dump
from cms_posts.testing import article

UNAUTHORIZED = {"success": False, "error": {"code": 401, "message": "Unauthorized"}}


@pytest.mark.parametrize(
    "header",
    [
        pytest.param("X-API-Key", marks=pytest.mark.shows("auth.x-api-key")),
        pytest.param("Authorization", marks=pytest.mark.shows("auth.bearer")),
        pytest.param("Api-Key", marks=pytest.mark.shows("auth.api-key")),
    ],
)
async def test_each_header_opens_the_same(site: Site, header: str) -> None:
    key = await site.key("author")
    sent = {header: f"Bearer {key}" if header == "Authorization" else key}

    assert (await site.anonymous.get("/health", headers=sent)).data["key"]["owner"] == "author"
    assert (await site.anonymous.post("/posts", json=article(), headers=sent)).status == 201
    assert (await site.anonymous.get("/users", headers=sent)).status == 403


@pytest.mark.shows("auth.everywhere", "auth.missing", "auth.unknown", "errors.401", "request.401.routing")
async def test_everything_is_401_without_a_good_key(site: Site) -> None:
    for path in (
        "/health",
        "/posts",
        "/posts/1",
        "/users",
        "/settings",
        "/nothing",
        "",
    ):
        for method in ("GET", "POST", "PUT", "PATCH", "DELETE"):
            assert (await site.anonymous.request(method, path)).json == UNAUTHORIZED
            wrong = {"X-API-Key": "cms_" + "a" * 40}
            assert (await site.anonymous.request(method, path, headers=wrong)).json == UNAUTHORIZED


@pytest.mark.shows("auth.query")
async def test_a_key_in_the_query_opens_nothing(site: Site) -> None:
    key = await site.key()
    for name in ("api_key", "key", "X-API-Key", "access_token"):
        assert (await site.anonymous.get("/health", params={name: key})).json == UNAUTHORIZED


@pytest.mark.shows("auth.cookie")
async def test_cookies_are_neither_given_nor_taken(site: Site) -> None:
    key = await site.key()
    for answer in (await Client(site, key).get("/health"), await Client(site, key).post("/posts", json=article())):
        assert "Set-Cookie" not in answer.headers
    for name in ("X-API-Key", "session", "Authorization"):
        assert (await site.anonymous.get("/health", headers={"Cookie": f"{name}={key}"})).json == UNAUTHORIZED


@pytest.mark.shows("auth.role", "key.owner")
async def test_a_key_carries_the_role_of_its_owner(site: Site) -> None:
    for role in ("subscriber", "author", "editor", "admin"):
        told = (await (await site.client(role)).get("/health")).data["key"]
        assert (told["owner"], told["role"]) == (role, role)
    assert (await (await site.client("editor")).get("/users")).status == 403
    assert (await (await site.client("admin")).get("/users")).status == 200


@pytest.mark.shows("key.secret.hash", "key.mask", "auth.made", "key.name")
async def test_of_a_secret_the_hash_and_both_ends_are_kept(site: Site, database_url: str) -> None:
    secret = await site.key("author", "ayse")
    await Client(site, secret).get("/posts")
    kept = dump(database_url)

    (row,) = kept["api_keys"]
    assert hashlib.sha256(secret.encode()).hexdigest() in row
    assert f"{secret[:8]}...{secret[-4:]}" in row
    assert "ayse's key" in row
    assert secret[8:-4] not in repr(kept)


@pytest.mark.shows("key.expiry.none")
async def test_a_key_without_an_expiry_lives_on(site: Site) -> None:
    client = await site.client()
    site.clock.advance(100 * 366 * 86_400)

    answer = await client.get("/health")
    assert (answer.status, answer.data["key"]["expires_at"]) == (200, None)
