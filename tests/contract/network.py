"""A name server of the test's own, and an ear for whatever this process asks of others."""

import asyncio
import socket
import struct
import sys
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from ipaddress import ip_address
from typing import Any

from aiohttp.abc import AbstractResolver, ResolveResult

#: Addresses for a name, of both families; none where there is no such name.
Answers = Callable[[str], Sequence[str]]
#: Record types (RFC 1035 and 3596), and the class of the internet.
A, AAAA, IN = 1, 28, 1
FAMILIES = {A: socket.AF_INET, AAAA: socket.AF_INET6}
_HEADER = struct.Struct("!6H")
_RECORD = struct.Struct("!3HIH")
#: A response to a query that wanted recursion, and got it.
_RESPONSE = 0x8180
#: Where the name of the question stands, as answers refer to it.
_QUESTION = 0xC000 | _HEADER.size


class NameServer(asyncio.DatagramProtocol):
    """Answers every query for addresses with what the test says; it is asked anew each time."""

    def __init__(self, answers: Answers) -> None:
        self.answers = answers
        #: Each query: name and type.
        self.asked: list[tuple[str, int]] = []
        self._transport: Any = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport

    def datagram_received(self, data: bytes, addr: Any) -> None:
        number, name, kind, question = _read_query(data)
        self.asked.append((name, kind))
        version = 4 if kind == A else 6
        found = [ip for ip in map(ip_address, self.answers(name)) if ip.version == version]
        records = [_RECORD.pack(_QUESTION, kind, IN, 0, len(ip.packed)) + ip.packed for ip in found]
        head = _HEADER.pack(number, _RESPONSE, 1, len(records), 0, 0)
        self._transport.sendto(b"".join([head, question, *records]), addr)


class Lookup(AbstractResolver):
    """Asks that name server, by messages as any other; the machine's own knows none of the test's names."""

    def __init__(self, server: tuple[str, int]) -> None:
        self._server = server

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        found = [
            ResolveResult(
                hostname=host, host=address, port=port, family=FAMILIES[kind], proto=0, flags=socket.AI_NUMERICHOST
            )
            for kind in FAMILIES
            for address in await self._ask(host, kind)
        ]
        if not found:
            raise OSError(None, f"there is no {host}")
        return found

    async def _ask(self, host: str, kind: int) -> list[str]:
        loop = asyncio.get_running_loop()
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as ours:
            ours.setblocking(False)
            await loop.sock_sendto(ours, _query(host, kind), self._server)
            return _read_answers(await loop.sock_recv(ours, 65_535), kind)

    async def close(self) -> None:
        """There is nothing to close."""


@asynccontextmanager
async def naming(answers: Answers) -> AsyncIterator[tuple[NameServer, Lookup]]:
    """A running name server, and a resolver that asks it."""
    loop = asyncio.get_running_loop()
    transport, server = await loop.create_datagram_endpoint(lambda: NameServer(answers), ("127.0.0.1", 0))
    try:
        yield server, Lookup(transport.get_extra_info("sockname"))
    finally:
        transport.close()


class Ear:
    """Hears of every connection and every look-up that Python code of this process begins, whatever makes them."""

    def __init__(self) -> None:
        self._heard: list[str] | None = None
        sys.addaudithook(self._hear)

    def _hear(self, event: str, arguments: tuple[Any, ...]) -> None:
        if self._heard is None:
            return
        if event == "socket.connect" and isinstance(arguments[1], tuple):
            self._heard.append(f"{arguments[1][0]}:{arguments[1][1]}")
        elif event == "socket.getaddrinfo":
            self._heard.append(f"{arguments[0]}:{arguments[1]}")

    @contextmanager
    def listening(self) -> Iterator[list[str]]:
        """Whom the block asked for anything: name or address, and port."""
        self._heard = heard = []
        try:
            yield heard
        finally:
            self._heard = None


def _query(host: str, kind: int) -> bytes:
    labels = (label.encode("ascii") for label in host.rstrip(".").split("."))
    name = b"".join(bytes([len(label)]) + label for label in labels) + b"\0"
    return _HEADER.pack(1, 0x0100, 1, 0, 0, 0) + name + struct.pack("!2H", kind, IN)


def _read_query(data: bytes) -> tuple[int, str, int, bytes]:
    """Number, name, type, and the bytes of the question."""
    name, end = _read_name(data)
    return _HEADER.unpack_from(data)[0], name, struct.unpack_from("!H", data, end)[0], data[_HEADER.size : end + 4]


def _read_answers(data: bytes, kind: int) -> list[str]:
    """The addresses of a response."""
    at = _read_name(data)[1] + 4
    found = []
    for _ in range(_HEADER.unpack_from(data)[3]):
        length = _RECORD.unpack_from(data, at)[4]
        at += _RECORD.size + length
        found.append(socket.inet_ntop(FAMILIES[kind], data[at - length : at]))
    return found


def _read_name(data: bytes) -> tuple[str, int]:
    """The name of the question, and where it ends."""
    labels, at = [], _HEADER.size
    while length := data[at]:
        labels.append(data[at + 1 : at + 1 + length].decode("ascii"))
        at += 1 + length
    return ".".join(labels), at + 1
