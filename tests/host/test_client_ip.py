"""Whose request it is, peer by peer and header by header."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cms_host.client_ip import NO_ADDRESS, ClientIp

PROXIES = ("10.0.0.0/8", "2001:db8:ff::/48")
PROXY, OUTER_PROXY, STRANGER = "10.0.0.1", "10.0.0.2", "203.0.113.9"


@pytest.mark.parametrize(
    ("peer", "lines", "client"),
    [
        pytest.param(STRANGER, [], STRANGER, id="no header"),
        pytest.param(STRANGER, ["198.51.100.1"], STRANGER, id="untrusted peer is not believed"),
        pytest.param("127.0.0.1", ["198.51.100.1"], "127.0.0.1", id="a local peer counts only if listed"),
        pytest.param(PROXY, [], PROXY, id="trusted peer without header"),
        pytest.param(PROXY, ["198.51.100.1"], "198.51.100.1", id="one hop"),
        pytest.param(PROXY, ["6.6.6.6, 198.51.100.1"], "198.51.100.1", id="what the client wrote is not believed"),
        pytest.param(PROXY, [f"198.51.100.1, {OUTER_PROXY}"], "198.51.100.1", id="trusted hops are stepped over"),
        pytest.param(PROXY, ["6.6.6.6", f"198.51.100.1,{OUTER_PROXY}"], "198.51.100.1", id="lines are one list"),
        pytest.param(PROXY, ["6.6.6.6", "198.51.100.1"], "198.51.100.1", id="the last line is the newest"),
        pytest.param(PROXY, ["10.0.0.9, 10.0.0.8"], "10.0.0.9", id="all trusted: the leftmost"),
        pytest.param(PROXY, ["198.51.100.1, unknown"], PROXY, id="no address at the right: the peer"),
        pytest.param(PROXY, [f"198.51.100.1, x, {OUTER_PROXY}"], OUTER_PROXY, id="no address inside: the last good"),
        pytest.param(PROXY, [f"198.51.100.1, , {OUTER_PROXY}"], OUTER_PROXY, id="an empty hop is no address"),
        pytest.param(PROXY, [""], PROXY, id="empty header"),
        pytest.param(PROXY, ["198.51.100.1:4711"], "198.51.100.1", id="port"),
        pytest.param(PROXY, ["[2001:db8::1]:4711"], "2001:db8::1", id="brackets and port"),
        pytest.param(PROXY, ["[2001:db8::1]"], "2001:db8::1", id="brackets"),
        pytest.param(PROXY, ["fe80::1%eth0"], "fe80::1", id="zone id"),
        pytest.param(PROXY, ["[fe80::1%eth0]:80"], "fe80::1", id="zone id, brackets and port"),
        pytest.param(PROXY, ["::ffff:198.51.100.1"], "198.51.100.1", id="IPv4 inside IPv6"),
        pytest.param(PROXY, ["2001:DB8:0:0:0:0:0:1"], "2001:db8::1", id="one spelling for an address"),
        pytest.param(PROXY, [f"198.51.100.1, ::ffff:{OUTER_PROXY}"], "198.51.100.1", id="trusted hop inside IPv6"),
        pytest.param("::ffff:10.0.0.1", ["198.51.100.1"], "198.51.100.1", id="trusted peer inside IPv6"),
        pytest.param("2001:db8:ff::7", ["2001:db8::1"], "2001:db8::1", id="IPv6 proxy"),
        pytest.param("::ffff:203.0.113.9", [], STRANGER, id="dual-stack socket"),
        pytest.param("fe80::1%eth0", [], "fe80::1", id="peer with zone id"),
        pytest.param(None, ["198.51.100.1"], NO_ADDRESS, id="no peer"),
        pytest.param("", ["198.51.100.1"], NO_ADDRESS, id="unnamed Unix socket"),
        pytest.param("/run/cms.sock", [], NO_ADDRESS, id="Unix socket"),
        pytest.param(PROXY, ["010.0.0.1"], PROXY, id="octal is no address"),
        pytest.param(PROXY, ["3232235777"], PROXY, id="a number is no address"),
        pytest.param(PROXY, ["١٢٧.0.0.1"], PROXY, id="other digits are no address"),
        pytest.param(PROXY, ["198.51.100.1:80:80"], PROXY, id="two ports are no address"),
        pytest.param(PROXY, ["[2001:db8::1"], PROXY, id="an open bracket is no address"),
        pytest.param(PROXY, ["198.51.100.1\x00"], PROXY, id="NUL is no address"),
    ],
)
@pytest.mark.shows("limit.forwarded.trusted", "limit.forwarded.others")
def test_client_behind_proxies(peer: str | None, lines: list[str], client: str) -> None:
    assert ClientIp(PROXIES).resolve(peer, lines) == client


@pytest.mark.shows("limit.forwarded.others")
def test_nobody_is_trusted_by_default() -> None:
    client_ip = ClientIp()
    for peer in ("127.0.0.1", "10.0.0.1", "172.64.0.1", STRANGER):
        assert client_ip.resolve(peer, ["198.51.100.1"]) == peer
    assert client_ip.header == "X-Forwarded-For"


@pytest.mark.parametrize(
    ("name", "inside", "outside"),
    [
        ("loopback", ["127.0.0.1", "127.8.8.8", "::1"], ["10.0.0.1", "::2"]),
        ("private", ["10.1.1.1", "172.31.0.1", "192.168.0.1", "fd00::1"], ["127.0.0.1", "172.32.0.1", "100.64.0.1"]),
        ("cloudflare", ["173.245.48.1", "104.27.0.1", "2606:4700::1", "2a06:98c7::1"], ["104.28.0.1", "2606:4701::1"]),
    ],
)
def test_named_networks(name: str, inside: list[str], outside: list[str]) -> None:
    client_ip = ClientIp([name])
    assert [client_ip.resolve(peer, ["6.6.6.6"]) for peer in inside] == ["6.6.6.6"] * len(inside)
    assert [client_ip.resolve(peer, ["6.6.6.6"]) for peer in outside] == outside


def test_cdn_header_is_believed_from_the_cdn_alone() -> None:
    client_ip = ClientIp(["cloudflare"], "CF-Connecting-IP")
    assert client_ip.resolve("172.64.0.1", ["198.51.100.1"]) == "198.51.100.1"
    assert client_ip.resolve(STRANGER, ["198.51.100.1"]) == STRANGER


@pytest.mark.parametrize(
    ("lines", "client"),
    [
        (["for=198.51.100.1"], "198.51.100.1"),
        (["For=198.51.100.1;proto=https;by=10.0.0.1"], "198.51.100.1"),
        (["proto=https; for=198.51.100.1"], "198.51.100.1"),
        (['for="198.51.100.1:4711"'], "198.51.100.1"),
        (['for="[2001:db8::1]:4711"'], "2001:db8::1"),
        (['for="[2001:db8::1]:_port"'], "2001:db8::1"),
        (["for=[2001:db8::1]"], "2001:db8::1"),
        ([f"for=6.6.6.6, for=198.51.100.1, for={OUTER_PROXY}"], "198.51.100.1"),
        (["for=6.6.6.6", f"for=198.51.100.1,for={OUTER_PROXY}"], "198.51.100.1"),
        (['for=198.51.100.1;host="a,for=6.6.6.6"'], "198.51.100.1"),
        (['for=198.51.100.1;host="a;for=6.6.6.6;b"'], "198.51.100.1"),
        (['for=198.51.100.1;host="a\\",for=6.6.6.6"'], "198.51.100.1"),
        (['for="6.6.6.6, for="[2001:db8::1]"'], "2001:db8::1"),
        (['for="6.6.6.6, for=198.51.100.1'], "198.51.100.1"),
        (["for=unknown"], PROXY),
        (["for=_hidden"], PROXY),
        (["proto=https"], PROXY),
        (["198.51.100.1"], PROXY),
        (["for=198.51.100.1;for=6.6.6.6"], PROXY),
        (["for=198.51.100.1 6.6.6.6"], PROXY),
        (['for="198.51.100.1'], PROXY),
        ([f"for=198.51.100.1, , for={OUTER_PROXY}"], OUTER_PROXY),
        ([""], PROXY),
    ],
)
def test_forwarded_header_of_rfc_7239(lines: list[str], client: str) -> None:
    assert ClientIp(PROXIES, "forwarded").resolve(PROXY, lines) == client


@given(st.text(st.sampled_from('for=12.:[]",; \\_%x'), max_size=60), st.sampled_from(["Forwarded", "X-Forwarded-For"]))
def test_what_a_client_writes_never_hides_what_the_proxy_adds(written: str, header: str) -> None:
    added = "for=198.51.100.1" if header == "Forwarded" else "198.51.100.1"
    client_ip = ClientIp(PROXIES, header)
    assert client_ip.resolve(PROXY, [written, added]) == "198.51.100.1"
    assert client_ip.resolve(PROXY, [f"{written}, {added}"]) == "198.51.100.1"


@given(st.text(max_size=40), st.sampled_from(["Forwarded", "X-Forwarded-For"]))
def test_any_text_has_a_client(text: str, header: str) -> None:
    client_ip = ClientIp(["0.0.0.0/0", "::/0"], header)
    assert client_ip.limiter_key(client_ip.resolve(PROXY, [text]))
    assert client_ip.resolve(text, [text])


@pytest.mark.parametrize("header", ["Forwarded", "X-Forwarded-For"])
@pytest.mark.parametrize("piece", [",", '"', '",', 'a="', "10.0.0.1,", "for=10.0.0.1,", 'for="\\', "[", " "])
def test_long_header_is_read_in_linear_time(header: str, piece: str) -> None:
    client_ip = ClientIp(PROXIES, header)
    started = time.process_time()
    client_ip.resolve(PROXY, [piece * (64_000 // len(piece))])
    assert time.process_time() - started < 1


def test_ipv6_clients_are_told_apart_by_the_configured_prefix() -> None:
    whole, grouped = ClientIp(), ClientIp(rate_limit_ipv6_prefix=64)
    assert whole.limiter_key("2001:db8::1") == "2001:db8::1"
    assert grouped.limiter_key("2001:db8::1") == grouped.limiter_key("2001:db8::ffff:2") == "2001:db8::/64"
    assert grouped.limiter_key("2001:db8:0:1::1") == "2001:db8:0:1::/64"
    assert grouped.limiter_key("198.51.100.1") == "198.51.100.1"
    assert grouped.limiter_key(NO_ADDRESS) == NO_ADDRESS


@pytest.mark.parametrize("entry", ["10.0.0.0/33", "10.0.0.1/8", "cloudfront", "", "::ffff:10.0.0.0/104"])
def test_wrong_network_is_refused_by_name(entry: str) -> None:
    with pytest.raises(ValueError, match="trusted_proxies") as caught:
        ClientIp(["loopback", entry])
    assert repr(entry) in str(caught.value)


@pytest.mark.parametrize("prefix", [0, 129, -1])
def test_wrong_prefix_is_refused_by_name(prefix: int) -> None:
    with pytest.raises(ValueError, match=f"rate_limit_ipv6_prefix: {prefix} "):
        ClientIp(rate_limit_ipv6_prefix=prefix)


def test_bare_address_is_a_network_of_one() -> None:
    client_ip = ClientIp(["192.0.2.7"])
    assert client_ip.resolve("192.0.2.7", ["198.51.100.1"]) == "198.51.100.1"
    assert client_ip.resolve("192.0.2.8", ["198.51.100.1"]) == "192.0.2.8"
