"""The rate limit and the headers that there are not (spec, Limits)."""

import pytest

from cms_host.limiter import MemoryLimiter
from cms_host.testing import FakeClock, MakeSite, Site
from cms_posts.testing import created

REFUSED = {"success": False, "error": {"code": 429, "message": "Rate limit exceeded"}}
SQLITE_ALONE = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
CACHING = {"etag", "last-modified", "retry-after"}


@SQLITE_ALONE
@pytest.mark.shows("limit.default", "limit.refused", "errors.429", "limit.environment")
async def test_without_configuration_a_hundred_pass_and_the_environment_wins(
    make_site: MakeSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = await make_site(rate_limit=None)
    statuses = [(await site.anonymous.get("/nothing")).status for _ in range(101)]
    assert statuses == [401] * 100 + [429]
    assert (await site.anonymous.get("/nothing")).json == REFUSED
    monkeypatch.setenv("API_RATE_LIMIT", "102")
    assert [(await site.anonymous.get("/nothing")).status for _ in range(3)] == [401, 401, 429]


@SQLITE_ALONE
@pytest.mark.shows("limit.live", "limit.environment")
async def test_a_changed_environment_holds_from_the_next_request(
    make_site: MakeSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = await make_site(rate_limit=1)
    client = await site.client()
    seen = []
    for limit in ("2", "2", "2", "3", "3", "0", "0"):
        monkeypatch.setenv("API_RATE_LIMIT", limit)
        seen.append((await client.get("/health")).status)
    assert seen == [200, 200, 429, 200, 429, 200, 200]


@SQLITE_ALONE
@pytest.mark.shows("limit.slides", "limit.refused", "limit.refused.free")
async def test_each_request_ages_out_an_hour_after_it_was_made(make_site: MakeSite, clock: FakeClock) -> None:
    site = await make_site(rate_limit=2, limiter=MemoryLimiter(lambda: clock.now() / 1_000_000))
    for seconds, statuses in (
        (0, [401]), (1800, [401, 429]), (1799, [429]), (1, [401, 429]), (1799, [429]), (1, [401, 429]),
    ):  # fmt: skip
        clock.advance(seconds)
        assert [(await site.anonymous.get("/nothing")).status for _ in statuses] == statuses


@SQLITE_ALONE
@pytest.mark.shows("limit.address", "limit.one-budget", "limit.metered", "auth.metered", "limit.refused.free")
async def test_keys_endpoints_and_bad_keys_of_one_address_share_one_budget(make_site: MakeSite) -> None:
    site = await make_site(rate_limit=5)
    admin, author = await site.client("admin"), await site.client("author")
    answers = [
        await admin.get("/health"),
        await author.get("/posts"),
        await site.anonymous.get("/posts"),
        await admin.delete("/nothing"),
        await author.get("/users", headers={"X-API-Key": "wrong"}),
        await admin.get("/health"),
        await author.post("/posts"),
    ]
    assert [answer.status for answer in answers] == [200, 200, 401, 404, 401, 429, 429]


@SQLITE_ALONE
@pytest.mark.shows("limit.forwarded.others", "limit.forwarded.trusted", "limit.address")
async def test_forwarded_addresses_count_behind_a_trusted_proxy_alone(make_site: MakeSite) -> None:
    one, two = ({"X-Forwarded-For": address} for address in ("198.51.100.1", "198.51.100.2"))
    direct = await make_site(rate_limit=1)
    assert [(await direct.anonymous.get("/x", headers=each)).status for each in (one, two)] == [401, 429]
    behind = await make_site(rate_limit=1, trusted_proxies=("loopback",))
    assert [(await behind.anonymous.get("/x", headers=each)).status for each in (one, two, one)] == [401, 401, 429]


@pytest.mark.shows("limit.headers.limit", "limit.headers.cache", "request.429.headers")
async def test_no_header_tells_of_limits_or_of_caching(make_site: MakeSite) -> None:
    site = await make_site(rate_limit=6)
    client = await site.client("author")
    record = await created(client)
    conditional = {"If-None-Match": "*", "If-Modified-Since": "Thu, 15 Jan 2099 12:00:00 GMT"}
    answers = [
        await client.get("/posts/1", headers=conditional),
        await client.get("/posts", headers=conditional),
        await client.patch("/posts/1", json={}, headers={"If-Match": '"other"'}),
        await client.get("/nothing"),
        await site.anonymous.get("/posts"),
        await client.get("/posts"),
    ]
    assert [answer.status for answer in answers] == [200, 200, 200, 404, 401, 429]
    assert answers[0].data == record
    for answer in answers:
        names = {name.lower() for name in answer.headers}
        assert names & CACHING == set()
        assert [name for name in names if name.startswith("x-ratelimit")] == []
    assert {name.lower() for name in answers[-1].headers} == {"content-type", "content-length", "date", "server"}


@pytest.mark.shows("request.id.made", "request.id.kept")
async def test_every_answer_has_a_request_id(site: Site) -> None:
    client = await site.client("author")
    asked = [("POST", "/posts"), ("GET", "/posts"), ("GET", "/nothing"), ("DELETE", "/health"), ("GET", "/users")]
    ids = [(await client.request(*each)).headers["X-Request-Id"] for each in asked]
    ids.append((await site.anonymous.get("/posts")).headers["X-Request-Id"])

    assert len(set(ids)) == len(ids)
    sent = {"X-Request-Id": "my-own-id.1"}
    assert (await client.get("/posts", headers=sent)).headers["X-Request-Id"] == "my-own-id.1"
