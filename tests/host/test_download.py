"""Files from other hosts: what arrives, what is followed, and what is refused."""

import asyncio
import os
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import suppress
from ipaddress import IPv4Network, ip_network
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from cms_host.errors import TooLarge
from cms_host.fetch import Fetcher, Unreachable
from cms_host.receiving import receiving

from .file_source import Source, redirect

LOOPBACK = ip_network("127.0.0.0/8")
FILE = os.urandom(300_000)
#: Seconds, and bytes, that no test reaches.
ENOUGH, MUCH = 60.0, 10_000_000


@pytest.fixture
async def source() -> AsyncIterator[Source]:
    source = Source()
    async with source.server:
        yield source


class Written:
    """What the writer got."""

    def __init__(self) -> None:
        self.pieces: list[bytes] = []

    async def write(self, piece: bytes) -> None:
        self.pieces.append(piece)


async def download(url: str, *, seconds: float = ENOUGH, most: int = MUCH) -> bytes:
    written = Written()
    await Fetcher([LOOPBACK]).download(url, written.write, seconds=seconds, most=most)
    return b"".join(written.pieces)


async def refused(url: str, *, seconds: float = ENOUGH, most: int = MUCH) -> str:
    with pytest.raises(Unreachable) as caught:
        await download(url, seconds=seconds, most=most)
    return str(caught.value)


async def test_a_file_arrives_piece_by_piece_as_it_is_stored(source: Source) -> None:
    source.answers["/file"] = web.Response(body=FILE)
    written = Written()
    await Fetcher([LOOPBACK]).download(source.url(), written.write, seconds=ENOUGH, most=len(FILE))

    assert b"".join(written.pieces) == FILE
    assert len(written.pieces) > 1
    (request,) = source.seen
    assert (request.method, request.headers["Accept-Encoding"]) == ("GET", "identity")
    assert sorted(request.headers) == ["Accept", "Accept-Encoding", "Connection", "Host", "User-Agent"]


async def test_a_file_is_received_on_disk(source: Source, tmp_path: Path) -> None:
    source.answers["/file"] = web.Response(body=FILE)
    async with receiving(tmp_path, len(FILE)) as file:
        await Fetcher([LOOPBACK]).download(source.url(), file.write, seconds=ENOUGH, most=MUCH)
        received = await file.finish()

        assert received.path.read_bytes() == FILE


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_a_redirect_is_followed_with_nothing_taken_along(source: Source, status: int) -> None:
    source.answers["/file"] = redirect("elsewhere?a=1", status)
    source.answers["/elsewhere"] = web.Response(body=FILE)

    assert await download(source.url()) == FILE
    assert [request.method for request in source.seen] == ["GET", "GET"]
    assert "Cookie" not in source.seen[1].headers
    assert "Referer" not in source.seen[1].headers


@pytest.mark.shows("outgoing.download")
async def test_three_redirects_are_followed_and_no_fourth(source: Source) -> None:
    async def step(request: web.Request) -> web.StreamResponse:
        number = int(request.path[1:])
        return redirect(f"/{number + 1}") if number < 5 else web.Response(body=FILE)

    source.answers = {f"/{number}": step for number in range(6)}
    assert await download(source.url("/2")) == FILE
    source.seen.clear()
    assert await refused(source.url("/1")) == "there are more than 3 redirects"
    assert [request.path for request in source.seen] == ["/1", "/2", "/3", "/4"]


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (web.Response(status=404, body=b"peer"), "the answer has the status 404"),
        (web.Response(status=206, body=b"peer"), "the answer has the status 206"),
        (web.Response(status=304), "the answer has the status 304"),
        (web.Response(body=b"peer", headers={"Content-Encoding": "gzip"}), "the answer is compressed"),
        (web.Response(body=b"peer", headers={"Content-Encoding": "identity, br"}), "the answer is compressed"),
        (web.Response(status=302, body=b"peer"), "a redirect leads nowhere"),
        (redirect("file:///etc/passwd"), "the address does not begin with http:// or https://"),
        (redirect("ftp://example.org/peer"), "the address does not begin with http:// or https://"),
        (redirect("http://peer:secret@example.org/"), "the address holds a user name or password"),
        (redirect("http://example.org\\@127.0.0.1/peer"), "a redirect leads to an address with characters"),
        (redirect("http://[peer/"), "no answer that can be read"),
        (redirect("http://192.168.0.1/peer"), "no connection: 192.168.0.1 is not a public address"),
    ],
)
async def test_what_is_no_file_is_refused_without_a_word_of_the_other_side(
    source: Source, answer: web.Response, told: str
) -> None:
    source.answers["/file"] = answer
    written = Written()
    with pytest.raises(Unreachable) as caught:
        await Fetcher([LOOPBACK]).download(source.url(), written.write, seconds=ENOUGH, most=MUCH)

    assert str(caught.value).startswith(told)
    assert "peer" not in str(caught.value)
    assert written.pieces == []


@pytest.mark.shows("outgoing.download")
@pytest.mark.parametrize("is_length_told", [True, False])
async def test_a_file_that_is_too_large_is_left_as_soon_as_it_is(source: Source, is_length_told: bool) -> None:
    async def answer(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse()
        if is_length_told:
            response.content_length = len(FILE)
        await response.prepare(request)
        await response.write(FILE)
        return response

    source.answers["/file"] = answer
    written = Written()
    with pytest.raises(Unreachable, match="the file has more than 100000 bytes"):
        await Fetcher([LOOPBACK]).download(source.url(), written.write, seconds=ENOUGH, most=100_000)
    assert sum(map(len, written.pieces)) <= 100_000


@pytest.mark.shows("outgoing.download")
async def test_a_file_that_does_not_arrive_in_time_is_left(source: Source) -> None:
    left = asyncio.Event()

    async def drip(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse()
        await response.prepare(request)
        await response.write(b"x")
        await left.wait()
        return response

    source.answers["/file"] = drip
    assert await refused(source.url(), seconds=0.3) == "no answer within 0.3 seconds"
    left.set()


@pytest.mark.parametrize("error", [TooLarge("too large"), OSError("disk full"), TimeoutError(), ValueError("no")])
async def test_what_the_writer_raises_is_raised_as_it_is(source: Source, error: Exception) -> None:
    async def write(piece: bytes) -> None:
        raise error

    source.answers["/file"] = web.Response(body=FILE)
    with pytest.raises(type(error)) as caught:
        await Fetcher([LOOPBACK]).download(source.url(), write, seconds=ENOUGH, most=MUCH)
    assert caught.value is error


@pytest.mark.shows("outgoing.quoting")
@pytest.mark.parametrize(
    ("sent", "told"),
    [
        (b"SSH-2.0-peer\r\n", "no answer that can be read (ClientResponseError)"),
        (b"HTTP/1.1 200 OK\r\npeer \x00: x\r\n\r\n", "no answer that can be read (ClientResponseError)"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\npeer", "no answer that can be read (ClientPayloadError)"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\npeer\r\n", "no answer that can be read"),
        (b"", "no answer that can be read (ServerDisconnectedError)"),
    ],
)
async def test_what_is_no_good_answer_is_not_quoted(sent: bytes, told: str) -> None:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(sent)
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        error = await refused(f"http://127.0.0.1:{port}/")

    assert error.startswith(told)
    assert "peer" not in error


@pytest.mark.shows("outgoing.download")
@pytest.mark.parametrize(
    ("beginning", "endless"),
    [
        (b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
        (b"HTTP/1.1 200 OK\r\n", b"X-Header: x\r\n"),
        (b"HTTP/1.1 200 OK\r\nX-Header: ", b"x"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;", b"x"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n", b"X-Trailer: x\r\n"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", b"1;xxxxxxxx\r\nx\r\n"),
    ],
    ids=["interim answers", "headers", "a header", "an extension", "trailers", "wrapping"],
)
async def test_what_goes_on_without_being_a_file_is_left(beginning: bytes, endless: bytes) -> None:
    sent = 0

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal sent
        await reader.readuntil(b"\r\n\r\n")
        writer.write(beginning)
        with suppress(ConnectionError):
            while True:
                sent += len(endless) * 1000
                writer.write(endless * 1000)
                await writer.drain()
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        error = await refused(f"http://127.0.0.1:{port}/", most=100_000)

    assert error.startswith("no ")
    # What the buffers of two sockets hold was sent as well.
    assert sent < 32 * 2**20


async def test_a_proxy_of_the_environment_does_not_connect_in_our_place(
    source: Source, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9/")
    source.answers["/file"] = web.Response(body=FILE)

    assert await download(source.url()) == FILE


class Once(Sequence[IPv4Network]):
    """Exempts the loopback network the first time that it is asked, and never again."""

    def __init__(self) -> None:
        self._left = [LOOPBACK]

    def __len__(self) -> int:
        return len(self._left)

    def __getitem__(self, index: Any) -> Any:
        return self._left[index]

    def __iter__(self) -> Iterator[IPv4Network]:
        return iter([self._left.pop()] if self._left else [])


async def test_a_connection_that_leads_elsewhere_than_it_was_made_to_is_not_used(source: Source) -> None:
    fetcher = Fetcher(Once())
    with pytest.raises(Unreachable, match=r"no connection: 127\.0\.0\.1 is not a public address"):
        await fetcher.download(source.url(), Written().write, seconds=ENOUGH, most=MUCH)
    assert source.seen == []
