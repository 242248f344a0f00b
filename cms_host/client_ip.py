"""Whose request it is: the client's address, behind any number of trusted proxies (spec, Limits rule 5)."""

import functools
import ipaddress
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from aiohttp.web import BaseRequest

#: The client of connections that have no address (Unix sockets): they are limited too, all together.
NO_ADDRESS = "no-address"

#: What the names that `trusted_proxies` takes beside CIDRs stand for. `private` is RFC 1918 and RFC 4193;
#: `cloudflare` is what www.cloudflare.com/ips lists (unchanged since 2023).
NAMED_NETWORKS = {
    "loopback": ("127.0.0.0/8", "::1/128"),
    "private": ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"),
    "cloudflare": (
        "173.245.48.0/20",
        "103.21.244.0/22",
        "103.22.200.0/22",
        "103.31.4.0/22",
        "141.101.64.0/18",
        "108.162.192.0/18",
        "190.93.240.0/20",
        "188.114.96.0/20",
        "197.234.240.0/22",
        "198.41.128.0/17",
        "162.158.0.0/15",
        "104.16.0.0/13",
        "104.24.0.0/14",
        "172.64.0.0/13",
        "131.0.72.0/22",
        "2400:cb00::/32",
        "2606:4700::/32",
        "2803:f800::/32",
        "2405:b500::/32",
        "2405:8100::/32",
        "2a06:98c0::/29",
        "2c0f:f248::/32",
    ),
}

_Network = ipaddress.IPv4Network | ipaddress.IPv6Network

_CACHED_ADDRESSES = 4096

# An address and maybe a port: `192.0.2.1:80`, `[2001:db8::1]:80`. RFC 7239 allows a made-up port too, `_x`.
_PORT = r"(?::(?:\d{1,5}|_[\w.-]+))?"
_WITH_PORT = re.compile(rf"(?:\[([^\[\]]*)\]|([^\[\]:]*)){_PORT}", re.ASCII)

# One `name=value` of RFC 7239. Values with colons must be quoted there, but not all proxies do it.
_FORWARDED_PAIR = re.compile(r"""\s*([\w!#$%&'*+.^`|~-]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]*))\s*(?:;|\Z)""", re.ASCII)

_QUOTE_OR_ESCAPE = re.compile(r'"|\\.')

_MAPPED_IPV4 = ipaddress.IPv6Network("::ffff:0:0/96")


class ClientIp:
    """Finds the client's address, believing one forwarded header as far as trusted proxies vouch for it.

    `trusted_proxies` holds CIDRs (a bare address is a network of one) and the names `loopback`, `private`
    and `cloudflare`. `forwarded_header` is the one header that is read: `Forwarded` by the syntax of RFC
    7239, any other as a comma-separated list of addresses, client first, as in `X-Forwarded-For`.
    `rate_limit_ipv6_prefix`, 1 to 128, is the number of leading bits by which IPv6 clients are told apart.

    Raises `ValueError`, naming the setting and the value, for what is no network, no known name, or no
    prefix length.
    """

    def __init__(
        self,
        trusted_proxies: Sequence[str] = (),
        forwarded_header: str = "X-Forwarded-For",
        rate_limit_ipv6_prefix: int = 128,
    ) -> None:
        if not 1 <= rate_limit_ipv6_prefix <= 128:
            raise ValueError(f"rate_limit_ipv6_prefix: {rate_limit_ipv6_prefix} is not between 1 and 128")
        #: Name of the header whose values `resolve` takes.
        self.header = forwarded_header
        self._trusted = tuple(network for entry in trusted_proxies for network in _networks(entry))
        self._hops = _forwarded_hops if forwarded_header.lower() == "forwarded" else _listed_hops
        self._ipv6_prefix = rate_limit_ipv6_prefix
        # The caches belong to this object: they keep the common case, a known peer, at a dictionary's price.
        cached = functools.lru_cache(maxsize=_CACHED_ADDRESSES)
        self._peer_address = cached(_peer_address)
        self._is_trusted = cached(self._in_trusted_network)
        self._ipv6_group = cached(self._network_of_ipv6)

    def resolve(self, peer: str | None, header_values: Sequence[str]) -> str:
        """Return the client's address in its normal form, or `NO_ADDRESS`.

        `peer` is the address at the other end of the connection, `header_values` the values of all lines of
        the header named `header`, in order. They count only if the peer is trusted. Then the hops are walked
        from the right: trusted ones are stepped over, and the first other one is the client. Where a hop is
        no address the walk ends, with the hop to its right as the client; and where all are trusted, the
        leftmost is.
        """
        client = self._peer_address(peer)
        if not self._trusted or not header_values or not self._is_trusted(client):
            return client
        for hop in self._hops(",".join(header_values)):
            address = normalise(hop)
            if address is None:
                return client
            client = address
            if not self._is_trusted(client):
                return client
        return client

    def of(self, request: "BaseRequest") -> str:
        """Return the address that a request is from, as `resolve` gives it."""
        return self.resolve(request.remote, request.headers.getall(self.header, ()))

    def limiter_key(self, client: str) -> str:
        """Return the text under which requests of `client`, as `resolve` gave it, are counted.

        IPv6 addresses that agree in the first `rate_limit_ipv6_prefix` bits share one key, their network.
        """
        if self._ipv6_prefix == 128 or ":" not in client:
            return client
        return self._ipv6_group(client)

    def _in_trusted_network(self, client: str) -> bool:
        if client == NO_ADDRESS:
            return False
        address = ipaddress.ip_address(client)
        return any(address in network for network in self._trusted)

    def _network_of_ipv6(self, client: str) -> str:
        return str(ipaddress.ip_network((client, self._ipv6_prefix), strict=False))


def normalise(text: str) -> str | None:
    """Return the address in `text` in its one normal form, or None when there is none.

    Port, brackets and zone id are dropped, and IPv4 addresses mapped into IPv6 become IPv4 again.
    """
    text = text.strip()
    match = _WITH_PORT.fullmatch(text)
    if match:
        text = match[1] or match[2] or ""
    try:
        address = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return str(mapped or address)


def _peer_address(peer: str | None) -> str:
    return normalise(peer or "") or NO_ADDRESS


def _networks(entry: str) -> Iterator[_Network]:
    for text in NAMED_NETWORKS.get(entry, (entry,)):
        try:
            yield _network(text)
        except ValueError as error:
            names = ", ".join(NAMED_NETWORKS)
            raise ValueError(
                f"trusted_proxies: {entry!r} is neither a network (CIDR) nor one of {names}: {error}"
            ) from error


def _network(text: str) -> _Network:
    network = ipaddress.ip_network(text)
    if isinstance(network, ipaddress.IPv6Network) and network.subnet_of(_MAPPED_IPV4):
        # Addresses are compared in their normal form, so that this one would never match anything.
        raise ValueError("IPv4 networks are written as IPv4")
    return network


def _listed_hops(header: str) -> Iterator[str]:
    return reversed(header.split(","))


def _forwarded_hops(header: str) -> Iterator[str]:
    # Read from the right, for what a client wrote on the left, such as a quote that is never closed, must not
    # change how the proxies' own elements are read. A comma inside quotes has an odd number of them after it.
    parts: list[str] = []
    quotes = 0
    for part in reversed(header.split(",")):
        parts.append(part)
        quotes += _QUOTE_OR_ESCAPE.findall(part).count('"')
        if quotes % 2 == 0:
            yield _forwarded_for(",".join(reversed(parts)))
            parts.clear()
    if parts:
        yield ""


def _forwarded_for(element: str) -> str:
    """Return the node of the one `for` pair in an element of RFC 7239's header, or "" when it has none."""
    nodes = []
    position = 0
    while position < len(element):
        pair = _FORWARDED_PAIR.match(element, position)
        if pair is None:
            return ""
        if pair[1].lower() == "for":
            nodes.append(pair[2] or pair[3] or "")
        position = pair.end()
    return nodes[0] if len(nodes) == 1 else ""
