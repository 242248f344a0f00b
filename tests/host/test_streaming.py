"""Answers that are sent piece by piece: whoever leaves, or takes nothing in, ends them."""

import asyncio
from collections.abc import AsyncGenerator

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from cms_host.streaming import stream

PIECE = b"x" * 2**20
#: Seconds that a test waits for what has to come about, however busy the machine is.
WAIT = 60


class Endless:
    """Pieces without end, and whether anybody still wants them."""

    def __init__(self) -> None:
        self.given = 0
        self.ended = asyncio.Event()

    async def pieces(self) -> AsyncGenerator[bytes]:
        try:
            while True:
                yield PIECE
                self.given += 1
        finally:
            self.ended.set()


@pytest.fixture
def endless() -> Endless:
    return Endless()


async def served(endless: Endless, patience: float) -> TestServer:
    async def answer(request: web.Request) -> web.StreamResponse:
        return await stream(request, endless.pieces(), "text/plain", patience)

    app = web.Application()
    app.router.add_get("/", answer)
    server = TestServer(app)
    await server.start_server(access_log=None)
    return server


async def asked(server: TestServer) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    reader, writer = await asyncio.open_connection(server.host, server.port)
    writer.write(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
    assert b" 200 " in await asyncio.wait_for(reader.readline(), WAIT)
    return reader, writer


async def test_client_that_leaves_ends_the_stream(endless: Endless, log_lines: list[str]) -> None:
    server = await served(endless, WAIT)
    _, writer = await asked(server)
    writer.transport.abort()
    await asyncio.wait_for(endless.ended.wait(), WAIT)
    await server.close()
    assert [line for line in log_lines if '"level":"ERROR"' in line] == []


async def test_client_that_takes_nothing_in_is_cut_off(endless: Endless) -> None:
    server = await served(endless, 0.2)
    reader, writer = await asked(server)
    await asyncio.wait_for(endless.ended.wait(), WAIT)
    last = b""
    while piece := await asyncio.wait_for(reader.read(2**20), WAIT):
        last = piece
    writer.transport.abort()
    await server.close()
    # What it got does not look like the whole.
    assert not last.endswith(b"0\r\n\r\n")


async def test_no_piece_is_made_before_the_last_one_is_on_its_way(endless: Endless) -> None:
    server = await served(endless, WAIT)
    reader, writer = await asked(server)
    await asyncio.wait_for(reader.readexactly(30 * 2**20), WAIT)
    assert endless.given < 60
    writer.transport.abort()
    await asyncio.wait_for(endless.ended.wait(), WAIT)
    await server.close()
