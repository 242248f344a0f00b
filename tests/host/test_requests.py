"""What every request goes through, on the way in and on the way out."""

import pytest


@pytest.fixture
async def site(make_site, probe):
    return await make_site(enabled=probe)


async def test_a_key_is_recognised_and_the_handler_answers(site):
    answer = await (await site.client("subscriber")).get("/probe")

    assert (answer.status, answer.data) == (200, {"greeting": "hello", "caller": "subscriber"})
