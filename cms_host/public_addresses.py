"""Which addresses this service may ask by itself, and connections that are made to no others."""

import asyncio
import socket
from collections.abc import Callable, Sequence
from contextlib import suppress
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Any

import aiohttp
from aiohttp.abc import AbstractResolver

from cms_host.metering import Metered

Network = IPv4Network | IPv6Network
#: Not on the public internet, or standing for another address: the special-purpose registries of IANA, multicast, the
#: address at which Azure answers its machines, and all of IPv6 outside 2000::/3, from which alone IANA gives out.
PRIVATE: tuple[Network, ...] = tuple(
    ip_network(each)
    for line in (
        "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 168.63.129.16/32 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24",
        "192.0.2.0/24 192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15",
        "198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4",
        "::/3 2001::/23 2001:db8::/32 2002::/16 2620:4f:8000::/48 3fff::/20 4000::/2 8000::/1",
    )
    for each in line.split()
)


#: Seconds that a name may take to be looked up.
LOOK_UP = 3.0


class Denied(OSError):
    """The address is one that must not be asked."""


def may_be_asked(address: str, exempt: Sequence[Network] = ()) -> bool:
    """Whether an IP address is on the public internet, or exempt."""
    ip = ip_address(address.partition("%")[0])
    ip = (ip.ipv4_mapped or ip) if isinstance(ip, IPv6Address) else ip
    return any(ip in each for each in exempt) or not any(ip in each for each in PRIVATE)


async def addresses_of(host: str, resolver: AbstractResolver) -> Sequence[str]:
    """The IP addresses that a host stands for at present; none where that can't be known.

    :param host: a name, or an IP address in any spelling that the machine would take for one.
    """
    with suppress(ValueError):
        return [str(ip_address(host.partition("%")[0]))]
    with suppress(OSError):
        return [socket.inet_ntoa(socket.inet_aton(host))]
    try:
        async with asyncio.timeout(LOOK_UP):
            found = await resolver.resolve(host, 0, socket.AF_UNSPEC)
    except (OSError, ValueError):
        return []
    return [each["host"] for each in found]


class PublicConnector(aiohttp.TCPConnector):
    """Connects to addresses that may be asked, however they were found, once for each request.

    An address is looked at when its socket is made, and when the connection stands, before anything is sent on it.

    :param resolver: looks names up. :param most: bytes that may arrive.
    """

    def __init__(self, is_allowed: Callable[[str], bool], resolver: AbstractResolver, most: int) -> None:
        super().__init__(socket_factory=self._make_socket, resolver=resolver, force_close=True, use_dns_cache=False)
        self._is_allowed = is_allowed
        self._most = most

    async def connect(self, *args: Any, **options: Any) -> aiohttp.connector.Connection:
        connection = await super().connect(*args, **options)
        try:
            self._check(_peer(connection))
        except OSError:
            connection.close()
            raise
        if connection.transport is not None and connection.protocol is not None:
            metered = Metered(connection.protocol, connection.transport, self._most)
            connection.transport.set_protocol(metered)
        return connection

    def _make_socket(self, info: Any) -> socket.socket:
        family, kind, protocol, _, address = info
        self._check(address[0])
        return socket.socket(family, kind, protocol)

    def _check(self, address: str) -> None:
        if not self._is_allowed(address):
            raise Denied(f"{address} is not a public address")


def _peer(connection: aiohttp.connector.Connection) -> str:
    """Whom it really leads to. :raises ConnectionResetError: to nobody any more."""
    peer = connection.transport and connection.transport.get_extra_info("peername")
    if not peer:
        raise ConnectionResetError("the connection was closed at once")
    address: str = peer[0]
    return address
