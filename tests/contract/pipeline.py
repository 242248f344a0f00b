"""Many requests on a few keep-alive connections: a client that writes ahead and does next to nothing per request."""

import asyncio
import json
from collections.abc import Sequence
from typing import Any, NamedTuple

from cms_host.testing import Site
from cms_host.testing.site import API

#: Requests that are written before the first answer is read.
AHEAD = 16


class Request(NamedTuple):
    """One request to a path below /api/v1, which is sent as it is."""

    method: str
    path: str
    body: Any = None


class Reply(NamedTuple):
    """The status, and the body if it is JSON."""

    status: int
    json: Any

    @property
    def record(self) -> dict[str, Any]:
        """What was written: all of `data`, or the post in it."""
        found: dict[str, Any] = self.json["data"].get("post", self.json["data"])
        return found


async def exchange(site: Site, key: str, requests: Sequence[Request], connections: int = 4) -> list[Reply]:
    """The answers in the order of the requests; on one connection they are also carried out in it."""
    parts = [requests[number::connections] for number in range(connections)]
    answered = await asyncio.gather(*(_converse(site, key, part) for part in parts))
    return [answered[number % connections][number // connections] for number in range(len(requests))]


async def _converse(site: Site, key: str, requests: Sequence[Request]) -> list[Reply]:
    url = site.http.make_url("/")
    reader, writer = await asyncio.open_connection(url.host, url.port)
    try:
        replies = []
        for start in range(0, len(requests), AHEAD):
            window = requests[start : start + AHEAD]
            writer.writelines(_encoded(request, key) for request in window)
            replies += [await _read(reader) for _ in window]
        return replies
    finally:
        writer.close()
        await writer.wait_closed()


def _encoded(request: Request, key: str) -> bytes:
    body = b"" if request.body is None else json.dumps(request.body).encode()
    head = (
        f"{request.method} {API}{request.path} HTTP/1.1\r\nHost: localhost\r\nX-API-Key: {key}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    return head.encode("ascii") + body


async def _read(reader: asyncio.StreamReader) -> Reply:
    status, *lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").splitlines()
    headers = dict(line.lower().split(": ", 1) for line in lines if line)
    body = await reader.readexactly(int(headers["content-length"]))
    is_json = headers.get("content-type", "").startswith("application/json")
    return Reply(int(status.split()[1]), json.loads(body) if is_json else None)
