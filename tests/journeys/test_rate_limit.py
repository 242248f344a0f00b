"""The rate limit is exact, however many requests come at once and however many processes answer them."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.host.process.installation import Installation
from tests.journeys.conftest import Start, call


@pytest.mark.parametrize("workers", ["1", "2"])
@pytest.mark.shows("limit.refused", "errors.429")
def test_parallel_requests_pass_exactly_to_the_limit(whole_site: Installation, start: Start, workers: str) -> None:
    running = start(whole_site, "--workers", workers, API_RATE_LIMIT="50")
    running.wait_for("curl ")
    with ThreadPoolExecutor(64) as pool:
        replies = list(pool.map(lambda _: call(running, "GET", "/health", whole_site.key), range(64)))
    assert Counter(reply.status for reply in replies) == {200: 50, 429: 14}
    refused = next(reply for reply in replies if reply.status == 429)
    assert refused.json == {"success": False, "error": {"code": 429, "message": "Rate limit exceeded"}}


@pytest.mark.shows("limit.metered", "auth.metered", "limit.one-budget")
def test_bad_keys_and_unknown_paths_use_up_the_limit(whole_site: Installation, start: Start) -> None:
    running = start(whole_site, API_RATE_LIMIT="4")
    running.wait_for("curl ")
    asked = [("/health", "wrong"), ("/nothing", "wrong"), ("/nothing", whole_site.key), ("/posts/x", whole_site.key)]
    assert [call(running, "GET", path, key).status for path, key in asked] == [401, 401, 404, 404]
    assert call(running, "GET", "/health", whole_site.key).status == 429


@pytest.mark.shows("limit.live")
def test_limit_in_the_file_counts_from_the_next_request(whole_site: Installation, start: Start) -> None:
    del whole_site.environment["API_RATE_LIMIT"]
    whole_site.configure("api_rate_limit = 2\n")
    running = start(whole_site)
    running.wait_for("curl ")
    assert [call(running, "GET", "/health", whole_site.key).status for _ in range(3)] == [200, 200, 429]
    whole_site.configure("api_rate_limit = 3\n")
    assert [call(running, "GET", "/health", whole_site.key).status for _ in range(2)] == [200, 429]
