"""The one way out: whatever this service asks of other hosts by itself is asked through here.

Which address a name stands for is known when the connection is made and not before, so it is there that every address
is checked: names that resolve to something else the second time, redirects and literals of any spelling pass by it.
"""

import time
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import aclosing, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from typing import Any

import aiohttp
from aiohttp.abc import AbstractResolver
from yarl import URL

from cms_host.names import Names
from cms_host.public_addresses import Network, PublicConnector, addresses_of, may_be_asked

#: Seconds until a connection stands.
CONNECT = 3.0
#: Bytes that may arrive beside a body, and for each byte of it: a chunk of one byte takes six.
BESIDE, WRAPPED = 256 * 1024, 6
#: Redirects that a download follows.
MOST_REDIRECTS = 3
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
#: Sent with a download: what arrives is what is stored, and a compressed answer could hold any number of bytes.
_DOWNLOADING = {"Accept-Encoding": "identity", "User-Agent": "cms-host"}


class Unreachable(Exception):
    """The request was not made, or not answered well and in time.

    The message says why and is for operators' eyes only: it tells who answers in their network. It quotes nothing that
    the other side sent.
    """


@dataclass(frozen=True, slots=True)
class Received:
    """An answer, of whose body only the beginning was read."""

    status: int
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True, slots=True)
class Fetcher:
    """Asks other hosts, at any port.

    :param exempt: networks that may be asked although they are private (config `fetch_allow`).
    :param resolver: looks names up; the machine's own where there is none.
    """

    exempt: Sequence[Network] = ()
    resolver: AbstractResolver = field(default_factory=Names)

    async def post(
        self, url: str, body: bytes, headers: Mapping[str, str], *, private: bool = False, seconds: float, most: int
    ) -> Received:
        """Send a body. Redirects are answers like any other.

        :param private: addresses that are not public may be asked. :param seconds: for all of it.
        :param most: bytes of the answer that are read.
        :raises Unreachable: there was no answer.
        """
        with _telling(seconds):
            async with self._asking("POST", url, private, seconds, most, data=body, headers=headers) as response:
                return Received(response.status, dict(response.headers), await _beginning(response, most))

    async def download(
        self, url: str, write: Callable[[bytes], Awaitable[object]], *, seconds: float, most: int
    ) -> None:
        """Hand what is at a public address to a writer, piece by piece as it arrives (contract 6, media from a URL).

        Up to three redirects are followed, each with a check and a connection of its own. What the writer raises is
        raised as it is; what it was given before an error is of no worth.

        :param write: such as :meth:`cms_host.api.Receiving.write`. :param seconds: for all of it.
        :param most: bytes that the file may have.
        :raises Unreachable: nothing is there, it may not be asked for, or it is not to be had within these limits.
        """
        size = 0
        async with aclosing(self._pieces(url, seconds, most)) as pieces:
            async for piece in pieces:
                size += len(piece)
                if size > most:
                    raise Unreachable(f"the file has more than {most} bytes")
                await write(piece)

    async def refuse_private(self, url: str) -> None:
        """Refuse an address that would not be asked, as far as that can be known beforehand.

        A name that nobody knows at present is let pass: whoever asks it later is checked again.

        :raises Unreachable: it is no address, or none of the IP addresses behind it is public.
        """
        found = await addresses_of(checked(url).host or "", self.resolver)
        if found and not any(may_be_asked(each, self.exempt) for each in found):
            raise Unreachable(f"the address leads to {', '.join(found)}, which is not public")

    async def _pieces(self, url: str, seconds: float, most: int) -> AsyncGenerator[bytes]:
        deadline = time.monotonic() + seconds
        for _ in range(1 + MOST_REDIRECTS):
            with _telling(seconds):
                # Zero would be no limit at all.
                left = max(deadline - time.monotonic(), 0.001)
                async with self._asking("GET", url, False, left, most, headers=_DOWNLOADING) as response:
                    if response.status not in _REDIRECTS:
                        _check_is_file(response)
                        async for piece in response.content.iter_any():
                            yield piece
                        return
                    url = _redirected(response)
        raise Unreachable(f"there are more than {MOST_REDIRECTS} redirects")

    @asynccontextmanager
    async def _asking(
        self, method: str, url: str, private: bool, seconds: float, most: int, **options: Any
    ) -> AsyncIterator[aiohttp.ClientResponse]:
        target = checked(url)
        connector = PublicConnector(
            lambda address: private or may_be_asked(address, self.exempt), self.resolver, BESIDE + WRAPPED * most
        )
        async with (
            aiohttp.ClientSession(
                connector=connector,
                timeout=aiohttp.ClientTimeout(total=seconds, connect=CONNECT),
                cookie_jar=aiohttp.DummyCookieJar(),
                auto_decompress=False,
                # A proxy would make the connection in our place, and nobody would check its address.
                trust_env=False,
            ) as session,
            session.request(method, target, allow_redirects=False, **options) as response,
        ):
            yield response


def checked(url: str) -> URL:
    """An address that can be asked.

    :raises Unreachable: it is none of http or https, or would not be asked as it reads.
    """
    if not url.isprintable() or " " in url or "\\" in url:
        raise Unreachable("the address holds characters that no address has")
    try:
        target = URL(url)
    except ValueError as error:
        raise Unreachable(f"the address can't be read: {error}") from error
    if target.scheme not in ("http", "https") or not target.host:
        raise Unreachable("the address does not begin with http:// or https:// and a host")
    if target.user is not None or target.password is not None:
        raise Unreachable("the address holds a user name or password")
    return target


def _check_is_file(response: aiohttp.ClientResponse) -> None:
    """:raises Unreachable: the answer is none, or is not sent as it is stored."""
    if response.status != 200:
        raise Unreachable(f"the answer has the status {response.status}")
    if response.headers.get("Content-Encoding", "identity").strip().lower() != "identity":
        raise Unreachable("the answer is compressed, which was not asked for")


def _redirected(response: aiohttp.ClientResponse) -> str:
    """The address that an answer sends us to. :raises Unreachable: none that is as well protected as this one."""
    location = response.headers.get("Location")
    if location is None:
        raise Unreachable("a redirect leads nowhere")
    if "\\" in location or not location.isprintable():
        raise Unreachable("a redirect leads to an address with characters that no address has")
    target = response.url.join(URL(location))
    if response.url.scheme == "https" and target.scheme != "https":
        raise Unreachable("a redirect leads from https to what is not")
    return str(target)


async def _beginning(response: aiohttp.ClientResponse, most: int) -> bytes:
    body = bytearray()
    async for chunk in response.content.iter_any():
        body += chunk
        if len(body) >= most:
            break
    return bytes(body[:most])


@contextmanager
def _telling(seconds: float) -> Iterator[None]:
    """Whatever goes wrong with a request is told as one error."""
    try:
        yield
    except (TimeoutError, aiohttp.ClientError, OSError, ValueError) as error:
        raise Unreachable(_told(error, seconds)) from error


def _told(error: BaseException, seconds: float) -> str:
    if isinstance(error, TimeoutError):
        return f"no answer within {seconds:g} seconds"
    if isinstance(error, OSError):
        return f"no connection: {getattr(error, 'os_error', error)}"
    if isinstance(error, aiohttp.InvalidURL):
        return str(error)
    # The text of the others quotes the other side.
    return f"no answer that can be read ({type(error).__name__})"
