"""What becomes of events while Redis fails: they wait, and health says so."""

import asyncio
from collections.abc import AsyncIterator, Iterator

import pytest

from cms_host.testing import MakeSite, Site
from cms_sink_redis_stream import sink

from .happening import STREAM, ThingHappened, happen, log, numbers
from .server import RedisServer, running

PASSWORD = "geheim-und-lang"


@pytest.fixture
def own_server() -> Iterator[RedisServer]:
    """A server that no other test needs."""
    with running() as server:
        yield server


@pytest.fixture
async def silent() -> AsyncIterator[str]:
    """The address of a server that takes connections, and says nothing."""
    gone = asyncio.Event()

    async def keep(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await gone.wait()
        writer.close()

    server = await asyncio.start_server(keep, "127.0.0.1", 0)
    async with server:
        yield f"redis://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        gone.set()


async def health(site: Site) -> str:
    """What health says of the stream to an administrator."""
    answer = await (await site.client()).get("/health")
    shown = answer.data["checks"]["redis_stream"]
    assert (answer.data["status"] == "ok") == (shown["status"] == "ok")
    return str(shown["detail"])


async def site_of(make_site: MakeSite, url: str) -> Site:
    site = await make_site(redis_url=url)
    site.host.event_kinds = {ThingHappened.kind: ThingHappened}
    return site


@pytest.mark.slow
@pytest.mark.shows("sinks.redis.away")
async def test_nothing_is_lost_when_redis_is_killed_and_comes_back(
    make_site: MakeSite, own_server: RedisServer
) -> None:
    site = await site_of(make_site, own_server.url)
    await happen(site, *range(10))
    own_server.kill()
    await happen(site, *range(10, 20))
    assert "connecting to" in await health(site)
    own_server.start()
    await happen(site, *range(20, 30))
    assert numbers(own_server) == [*range(10), *range(20, 30)]
    site.clock.advance(10)
    await happen(site)

    assert sorted(numbers(own_server)) == [*range(30)]
    assert await health(site) == f"30 events in {STREAM}"


@pytest.mark.shows("sinks.redis.away")
async def test_a_full_redis_gets_the_event_when_there_is_room_again(site: Site, server: RedisServer) -> None:
    with server.connect() as redis:
        redis.config_set("maxmemory", 1)
        try:
            await happen(site, 1)
            assert "OOM command not allowed" in await health(site)
        finally:
            redis.config_set("maxmemory", 0)
    assert numbers(server) == []
    site.clock.advance(10)
    await happen(site)

    assert numbers(server) == [1]
    assert await health(site) == f"1 events in {STREAM}"


async def test_a_key_that_is_no_stream_is_left_as_it_is(site: Site, server: RedisServer) -> None:
    with server.connect() as redis:
        redis.set(STREAM, "somebody's")
        await happen(site, 1)
        assert redis.get(STREAM) == b"somebody's"
    (attempt,) = await log(site)
    assert "WRONGTYPE" in attempt.record["error"]
    assert "WRONGTYPE" in await health(site)

    await site.set(**{"sink.redis_stream.stream": "free"})
    site.clock.advance(10)
    await happen(site)
    assert numbers(server, "free") == [1]


async def test_a_redis_that_says_nothing_is_left(
    make_site: MakeSite, silent: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sink, "PATIENCE", 0.3)
    monkeypatch.setattr(sink, "CONNECT", 0.2)
    site = await site_of(make_site, silent)
    await happen(site, 1)

    (attempt,) = await log(site)
    assert attempt.record == {"stream": STREAM, "error": "no answer within 0.3 seconds"}
    assert "Redis gave no answer within 0.2 seconds" in await health(site)


async def test_a_refused_password_is_told_nowhere(
    make_site: MakeSite, server: RedisServer, log_lines: list[str]
) -> None:
    site = await site_of(make_site, server.url.replace("unix://", f"unix://:{PASSWORD}@"))
    with server.connect() as redis:
        redis.config_set("requirepass", "another")
        try:
            await happen(site, 1)
            told = await health(site)
        finally:
            redis.config_set("requirepass", "")
    (attempt,) = await log(site)
    assert "invalid username-password pair" in attempt.record["error"]
    assert "invalid username-password pair" in told
    assert PASSWORD not in "\n".join([*log_lines, told, str(attempt.record), repr(site.host.event_sinks)])


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
@pytest.mark.parametrize("url", [f"redis://:{PASSWORD[:6]}#x@host", f"redis://:{PASSWORD[:6]}/x@host", "redis://[::1"])
async def test_an_address_that_can_not_be_read_refuses_the_start_and_is_not_shown(
    make_site: MakeSite, url: str
) -> None:
    with pytest.raises(Exception, match=r"sink-redis-stream.*redis_url can't be read") as caught:
        await make_site(redis_url=url)

    assert PASSWORD[:6] not in str(caught.value)


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
async def test_a_stopped_site_holds_no_connection(site: Site, server: RedisServer) -> None:
    await happen(site, 1)
    with server.connect() as redis:
        assert len(redis.client_list()) == 2
        await site.http.close()
        assert len(redis.client_list()) == 1
