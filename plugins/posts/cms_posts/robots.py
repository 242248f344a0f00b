"""What a post's SEO object says to robots, as far as the sitemap wants to know. Pure."""

from collections.abc import Mapping
from typing import Any, NamedTuple
from urllib.parse import quote, urlsplit

#: Directives that keep a page out of the index; `none` is short for `noindex,nofollow`.
_KEEPS_OUT = frozenset({"noindex", "none"})
#: Characters that may stand in an address as they are (RFC 3986), "%" among them: what is encoded already stays so.
_AS_THEY_ARE = "%:/?#[]@!$&'()*+,;=~"


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


def ascii_address(address: str) -> str:
    """The address in characters that addresses are made of; any other is percent-encoded."""
    return quote(address, safe=_AS_THEY_ARE)


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
    return quote(pattern.partition("#")[0], safe=_AS_THEY_ARE + "{}").rstrip("/")
