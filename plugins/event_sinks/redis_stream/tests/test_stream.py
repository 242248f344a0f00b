"""What readers of the stream get."""

import json

import pytest

from cms_host.api import Delivery, Occurrence
from cms_host.testing import MakeSite, Site
from cms_sink_redis_stream.sink import LOOKED_AT, NAME

from .happening import STREAM, entries, happen, log, numbers
from .server import RedisServer


@pytest.mark.shows("sinks.redis")
async def test_every_event_is_an_entry_in_the_order_in_which_it_happened(site: Site, server: RedisServer) -> None:
    await happen(site, 1, 2)
    await happen(site, 3)
    await site.run_job("host.events")

    assert numbers(server) == [1, 2, 3]
    for entry in entries(server):
        body = json.loads(entry[b"body"])
        assert [*entry] == [b"id", b"event", b"created_at", b"body"]
        for name in ("id", "event", "created_at"):
            assert entry[name.encode()].decode() == body[name]
        # Frozen as it was when it happened, and not escaped on the way.
        assert "ığdır 🌊".encode() in entry[b"body"]
    assert [each.ok for each in await log(site)] == [True] * 3


async def test_a_stream_is_trimmed_to_about_its_length(site: Site, server: RedisServer) -> None:
    await site.set(**{"sink.redis_stream.max_length": 10})
    await happen(site, *range(45))

    kept = numbers(server)
    assert 10 <= len(kept) <= 20
    assert kept == [*range(45)][-len(kept) :]


async def test_the_key_of_the_stream_is_a_setting(site: Site, server: RedisServer) -> None:
    await happen(site, 1)
    await site.set(**{"sink.redis_stream.stream": "ığdır"})
    await happen(site, 2)

    assert (numbers(server), numbers(server, "ığdır")) == ([1], [2])


async def test_without_an_address_there_is_no_sink_and_nothing_to_be_well(make_site: MakeSite) -> None:
    site = await make_site()

    assert NAME not in site.host.event_sinks
    assert NAME not in [each.name for each in site.host.health_checks]


async def test_a_repeated_delivery_adds_nothing(site: Site, server: RedisServer) -> None:
    """As when a process dies between the delivery and its note."""
    occurrence = Occurrence("an-id", "thing_happened", site.clock.now(), b'{"data":{"number":1}}')
    first = await deliver(site, occurrence)
    await happen(site, 2, 3)
    again = await deliver(site, occurrence)

    assert first == again
    assert numbers(server) == [1, 2, 3]


async def test_a_repeat_is_added_when_the_entry_is_no_longer_among_the_newest(site: Site, server: RedisServer) -> None:
    occurrence = Occurrence("an-id", "thing_happened", site.clock.now(), b'{"data":{"number":1}}')
    first = await deliver(site, occurrence)
    with server.connect() as redis:
        for number in range(LOOKED_AT):
            redis.xadd(STREAM, {"id": f"{number}", "body": "by somebody else"})
    again = await deliver(site, occurrence)

    assert first != again
    assert [entry[b"id"] for entry in entries(server)].count(b"an-id") == 2


async def deliver(site: Site, occurrence: Occurrence) -> str:
    """One attempt; gives the id of the entry."""
    result = await site.host.event_sinks[NAME].deliver(site.host.unit(), Delivery("a-delivery", "", 1, occurrence))
    assert result.ok
    return str(result.record["entry"])
