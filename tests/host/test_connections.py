"""Slow clients are cut off, whatever they are slow with; everybody else is left in peace (RELIABILITY G25)."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from aiohttp import web

from cms_host import connections
from cms_host.connections import Connection, cut_slow_clients
from cms_host.middlewares.errors import errors

REQUEST = b"POST /measure HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n"
LAST = REQUEST.replace(b"Host: x", b"Host: x\r\nConnection: close")
Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]
#: Seconds that anything here may take, however busy the machine is.
PATIENCE = 30


async def measure(request: web.Request) -> web.Response:
    return web.json_response(len(await request.read()))


async def read_late(request: web.Request) -> web.Response:
    """Leave the body alone for longer than a client may."""
    await asyncio.sleep(3 * connections.WINDOW)
    return await measure(request)


class Server:
    """An application that answers on a loopback port with connections of our kind."""

    def __init__(self, server: web.Server, port: int) -> None:
        self.server = server
        self.port = port

    async def connect(self, sent: bytes) -> Streams:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        writer.write(sent)
        await writer.drain()
        return reader, writer

    async def answer(self, sent: bytes) -> bytes:
        """What comes until the connection ends."""
        reader, writer = await self.connect(sent)
        async with asyncio.timeout(PATIENCE):
            received = await reader.read()
        writer.close()
        return received


@asynccontextmanager
async def listening() -> AsyncIterator[Server]:
    app = web.Application(middlewares=[errors], client_max_size=1 << 24)
    app.router.add_post("/measure", measure)
    app.router.add_post("/late", read_late)
    runner = web.AppRunner(app)
    await runner.setup()
    server = runner.server
    assert server is not None
    stop = asyncio.Event()
    listener = await asyncio.get_running_loop().create_server(lambda: Connection(server, None, stop), "127.0.0.1", 0)
    watch = asyncio.create_task(cut_slow_clients(server))
    yield Server(server, listener.sockets[0].getsockname()[1])
    watch.cancel()
    listener.close()
    await runner.cleanup()


@pytest.fixture
async def server(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Server]:
    """A server whose patience is a thirtieth of the usual one."""
    for name, value in {"HEAD": 0.5, "WINDOW": 0.4, "WINDOW_BYTES": 400, "INTERVAL": 0.05}.items():
        monkeypatch.setattr(connections, name, value)
    async with listening() as made:
        yield made


async def received_by(reader: asyncio.StreamReader) -> bytes:
    """All that comes; nothing where the server cut the connection while we were sending."""
    try:
        return await reader.read()
    except ConnectionResetError:
        return b""


async def trickle(server: Server, head: bytes, part: bytes, count: int) -> tuple[bytes, int]:
    """Send a part every 50 ms until all are sent or the connection ends; gives what came, and the parts sent."""
    reader, writer = await server.connect(head)
    coming = asyncio.create_task(received_by(reader))
    sent = 0
    while sent < count and not coming.done():
        writer.write(part)
        sent += 1
        await asyncio.wait([coming], timeout=0.05)
    async with asyncio.timeout(PATIENCE):
        received = await coming
    writer.close()
    return received, sent


async def test_head_that_does_not_end_is_cut_off(server: Server) -> None:
    assert await server.answer(b"GET / HTTP/1.1\r\nX-A: ") == b""


async def test_head_that_trickles_is_cut_off(server: Server) -> None:
    received, sent = await trickle(server, b"GET / HTTP/1.1\r\n", b"X-A: 1\r\n", 600)
    assert received == b""
    assert sent < 600


async def test_second_head_on_a_connection_is_cut_off_too(server: Server) -> None:
    reader, writer = await server.connect(REQUEST % 2 + b"ab")
    await reader.readuntil(b"\r\n\r\n2")
    writer.write(b"GET / HT")
    async with asyncio.timeout(PATIENCE):
        assert await reader.read() == b""
    writer.close()


async def test_connection_without_a_request_is_closed(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "IDLE", 0.2)
    assert await server.answer(b"") == b""


async def test_body_that_stops_is_cut_off(server: Server, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    assert await server.answer(REQUEST % 1000 + b"abc") == b""
    assert "slow client cut off" in caplog.messages
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]


async def test_body_that_trickles_is_cut_off(server: Server) -> None:
    received, sent = await trickle(server, REQUEST % 100_000, b"a", 600)
    assert received == b""
    assert sent < 600


async def test_long_body_at_a_fair_speed_is_taken(server: Server) -> None:
    received, sent = await trickle(server, LAST % 60_000, b"a" * 2_000, 30)
    assert sent == 30
    assert received.endswith(b"60000")


async def test_client_is_not_blamed_for_a_slow_handler(server: Server) -> None:
    body = b"a" * 4_000_000
    head = LAST.replace(b"/measure", b"/late") % len(body)
    assert (await server.answer(head + body)).endswith(b"4000000")


async def test_good_request_is_answered_beside_many_slow_ones(server: Server) -> None:
    slow = [await server.connect(b"GET / HTTP/1.1\r\n") for _ in range(300)]
    answer = await server.answer(
        b"POST /measure HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 2\r\n\r\nab"
    )
    assert answer.endswith(b"\r\n\r\n2")
    async with asyncio.timeout(PATIENCE):
        assert {await reader.read() for reader, _ in slow} == {b""}
    for _, writer in slow:
        writer.close()
    assert server.server.connections == []


async def test_client_that_leaves_in_the_middle_is_no_error(server: Server, caplog: pytest.LogCaptureFixture) -> None:
    _, writer = await server.connect(REQUEST % 1000 + b"abc")
    async with asyncio.timeout(PATIENCE):
        while not any(each.is_busy for each in server.server.connections):
            await asyncio.sleep(0)
        writer.close()
        while server.server.connections:
            await asyncio.sleep(0)
    assert not [record for record in caplog.records if record.levelno >= logging.WARNING]


async def test_nonsense_is_answered_and_is_no_error(server: Server, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    answer = await server.answer(b"NONSENSE\r\n\r\n")
    assert answer.startswith(b"HTTP/1.0 400 Bad Request\r\n")
    assert b"Server: cms-host\r\n" in answer
    assert [record.levelno for record in caplog.records] == [logging.INFO]
