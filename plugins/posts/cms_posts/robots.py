"""What a post's SEO object says to robots, as far as the sitemap wants to know. Pure."""

from collections.abc import Mapping
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from cms_host.api import ascii_address

#: Directives that keep a page out of the index; `none` is short for `noindex,nofollow`.
_KEEPS_OUT = frozenset({"noindex", "none"})


class Robots(NamedTuple):
    """What is stored of it."""

    noindex: bool
    #: Comparable; None where no address was sent.
    canonical: str | None


def robots_of(sent: Mapping[str, Any]) -> Robots:
    """What the keys that a client sent say to robots."""
    directives = {each.strip().lower() for each in str(sent.get("robots", "")).split(",")}
    canonical = sent.get("canonical_url")
    return Robots(not _KEEPS_OUT.isdisjoint(directives), None if canonical is None else comparable(str(canonical)))


def comparable(address: str) -> str:
    """An address in the one form in which two of the same page are equal: a slash at its end makes no other page."""
    return ascii_address(address.partition("#")[0]).rstrip("/")


def own_forms(pattern: str, base_url: str) -> tuple[str, str]:
    """How posts may name their own address: whole, and from the site's root; `{slug}` and `{id}` are still to fill in.

    :param pattern: the setting `permalink`.
    """
    whole = pattern.replace("{base_url}", base_url)
    parts = urlsplit(whole)
    origin = f"{parts.scheme}://{parts.netloc}" if parts.netloc else ""
    return _encoded(whole), _encoded(whole.removeprefix(origin))


def _encoded(pattern: str) -> str:
    return ascii_address(pattern.partition("#")[0], besides="{}").rstrip("/")
