"""Which addresses may stand in content (spec, POST /posts: executable URLs are removed; contract 4: `data:` as well).

Values come here decoded: entities are characters already.
"""

import re
from collections.abc import Iterable
from urllib.parse import urlsplit

#: Schemes of what a reader may follow, and of what a page loads by itself.
LINK_SCHEMES = frozenset({"http", "https", "mailto", "tel"})
RESOURCE_SCHEMES = frozenset({"http", "https"})
#: Where players live on the embed hosts; the other pages of these hosts may redirect anywhere.
PLAYER_PATHS = ("/embed/", "/video/")

#: Browsers skip tab, line feed and carriage return anywhere, and controls and blanks in front. Everything else that is
#: invisible goes too: an address that needs it is not one that we want.
_SKIPPED = re.compile(
    "[\\s\0-\x20\x7f-\xa0\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u2028-\u202f\u2060-\u206f"
    "\u3164\ufe00-\ufe0f\ufeff\uffa0`]+"
)
#: What a browser would take for something else, or a page for the end of an attribute.
_UNQUOTED = re.compile(r"""[<>"'\\]""")
_PATH_BEGINS = re.compile("[/?#]")
_CANDIDATE = re.compile(r"[\s,]*([^\s,]\S*)")


def is_safe_url(value: str, schemes: Iterable[str]) -> bool:
    """Whether an address is relative, or has one of the schemes.

    Stricter than a browser: whatever has a colon before its first "/", "?" or "#" is taken to have a scheme, so that
    no trick with characters can hide one ("javascript:1", "java\\nscript:", "vbscript&colon;", "x:y").
    """
    before_path = _PATH_BEGINS.split(_SKIPPED.sub("", value), maxsplit=1)[0]
    scheme, colon, _ = before_path.partition(":")
    return not colon or scheme.lower() in schemes


def is_safe_srcset(value: str) -> bool:
    """Whether every candidate of a `srcset` is safe to load."""
    return all(is_safe_url(url, RESOURCE_SCHEMES) for url in srcset_urls(value))


def srcset_urls(value: str) -> list[str]:
    """Give the addresses of a `srcset`, in order (HTML standard, "parse a srcset attribute")."""
    urls: list[str] = []
    position = 0
    while match := _CANDIDATE.match(value, position):
        url = match[1]
        position = match.end()
        if not url.endswith(","):
            # A width or a density follows, up to the next comma.
            comma = value.find(",", position)
            position = len(value) if comma < 0 else comma + 1
        urls.append(url.rstrip(","))
    return urls


def is_player(value: str, hosts: Iterable[str]) -> bool:
    """Whether an iframe's address is an https player of one of the hosts (setting `posts.embed_hosts`).

    A host allows the usual paths of players; an entry `host/path` allows what begins with that path instead.
    """
    if any(character in value for character in "\r\n\t\\"):
        return False
    try:
        url = urlsplit(value.strip())
        port = url.port
    except ValueError:
        return False
    if url.scheme not in ("https", "") or not url.netloc or "@" in url.netloc or port not in (None, 443):
        return False
    return any(_hosts_player(entry, url.hostname or "", url.path) for entry in hosts)


def _hosts_player(entry: str, host: str, path: str) -> bool:
    wanted, slash, prefix = entry.partition("/")
    if ".." in path or host != wanted.lower():
        return False
    return path.startswith(slash + prefix) if slash else path.startswith(PLAYER_PATHS)


def is_web_address(value: str) -> bool:
    """Whether a value is a whole http(s) address with a host, or a path that begins at the site's root.

    For addresses that stand outside of content, where nothing cleans them: no space, no quotes, nothing invisible.
    """
    if _SKIPPED.search(value) or _UNQUOTED.search(value):
        return False
    if value.startswith("/"):
        return not value.startswith("//")
    try:
        url = urlsplit(value)
        return url.scheme in RESOURCE_SCHEMES and bool(url.hostname) and (url.port is None or url.port > 0)
    except ValueError:
        return False
