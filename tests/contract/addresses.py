"""Addresses that nobody may be led to, and every way to write them."""

from ipaddress import IPv6Address, ip_address, ip_network

#: What IANA's registries of special-purpose addresses have, IPv4 and IPv6, and its registries of multicast addresses.
SPECIAL = """
    0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24
    192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15 198.51.100.0/24
    203.0.113.0/24 224.0.0.0/4 240.0.0.0/4 255.255.255.255/32
    ::/128 ::1/128 64:ff9b::/96 64:ff9b:1::/48 100::/64 100:0:0:1::/64 2001::/23 2001:db8::/32 2002::/16
    2620:4f:8000::/48 3fff::/20 5f00::/16 fc00::/7 fe80::/10 ff00::/8
"""
#: What is in none of them: an address of Azure, forms that stand for IPv4 ones, site-local ones, what is not given out.
OTHERS = "168.63.129.16/32 ::7f00:1/128 ::ffff:127.0.0.1/128 ::ffff:0:7f00:1/128 fec0::/10 4000::/3 a000::/3"
DENIED = f"{SPECIAL}{OTHERS}".split()
SPELT = "127.0.0.1 10.1.2.3 169.254.169.254 0.0.0.0 192.168.1.1 ::1 fe80::1 fd00::1 ff02::1"


def ends(network: str) -> list[str]:
    """The lowest and the highest address."""
    found = ip_network(network)
    return sorted({str(found[0]), str(found[-1])})


def spellings(address: str) -> list[str]:
    """The host of a URL, in every form that some reader of addresses has taken for this one."""
    ip = ip_address(address)
    if isinstance(ip, IPv6Address):
        return [f"[{ip}]", f"[{ip.exploded}]", f"[{str(ip).upper()}]", f"[{ip}%25lo]"]
    number, parts = int(ip), str(ip).split(".")
    high, low = number >> 16, number & 0xFFFF
    return [
        str(ip),
        f"{ip}.",
        str(number),
        hex(number),
        f"0{number:o}",
        ".".join(hex(int(part)) for part in parts),
        ".".join(f"0{int(part):o}" for part in parts),
        f"{parts[0]}.{number & 0xFFFFFF}",
        str(ip).translate({ord("0") + digit: 0xFF10 + digit for digit in range(10)}),
        str(ip).replace("1", "①").replace("2", "②"),
        str(ip).replace(".", "。"),
        f"[::ffff:{ip}]",
        f"[::ffff:{high:x}:{low:x}]",
        f"[::{high:x}:{low:x}]",
        f"[::ffff:0:{high:x}:{low:x}]",
        f"[64:ff9b::{high:x}:{low:x}]",
        f"[64:ff9b:1::{high:x}:{low:x}]",
        f"[2002:{high:x}:{low:x}::1]",
        f"[2001:0:{high:x}:{low:x}::1]",
    ]
