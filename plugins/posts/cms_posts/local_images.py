"""Which images are the site's own, where they are, and which stored file each names (contract 4, broken_local_image).

Pure. Whether there is such a file is for those to ask who have the media.
"""

import re
from urllib.parse import SplitResult, unquote, urljoin, urlsplit

from cms_media.api import PUBLIC
from cms_posts.addresses import cover_address
from cms_posts.urls import RESOURCE_SCHEMES

#: Characters of the longest path that a stored file can have: indexes hold paths, and names are the service's own.
LONGEST = 200
#: Segments of letters, digits, dots and dashes; none is hidden or leads upwards.
_FILE = re.compile(r"[a-z0-9][a-z0-9._-]*(/[a-z0-9][a-z0-9._-]*)*", re.ASCII | re.IGNORECASE)
#: What needs no parser: thousands of images of one post are judged on the event loop.
_PLAIN = re.compile(r"/?[a-z0-9_-][a-z0-9._-]*(/[a-z0-9_-][a-z0-9._-]*)*", re.ASCII | re.IGNORECASE)
#: Where browsers see the beginning of a host, however many slashes there are.
_SLASHES = re.compile(r"^((?:https?:)?)/{3,}", re.IGNORECASE)
#: A host that nobody has, where the site has none (RFC 2606).
_NOWHERE = "http://nowhere.invalid"


def local_address(address: str, base_url: str) -> str | None:
    """The whole address of a local image; path-absolute where the site has no `base_url`.

    :param address: of an `src` or `srcset`. A relative one is taken from the root of the site, wherever its posts are:
        the setting `permalink` may move them at any time, and their images stay.
    :param base_url: of the site, without a slash at the end; "" where none is configured, and nothing but relative
        addresses is local.
    :returns: None for one that is not local.
    """
    url = _on_the_site(address, base_url)
    if url is None:
        return None
    if not base_url:
        url = url._replace(scheme="", netloc="", path="/" + url.path.lstrip("/"))
    return url._replace(fragment="").geturl()


def image_path(address: str, base_url: str) -> str | None:
    """The path, as media have it, of the file that a local address in content names.

    :param address, base_url: as of :func:`local_address`.
    :returns: "" for a local address at which there can be no stored file; None for one that is not local.
    """
    if _PLAIN.fullmatch(address):
        path = address if address.startswith("/") else f"{urlsplit(f'{base_url}/').path}{address}"
        return _named(path, base_url)
    url = _on_the_site(address, base_url)
    return None if url is None else _named(unquote(url.path), base_url)


def cover_path(cover: str, base_url: str) -> str | None:
    """The same for a cover, as clients send it and as it is stored; None for a post without one as well."""
    return image_path(cover_address(cover, base_url), base_url) if cover else None


def normal_cover(cover: str, base_url: str) -> str:
    """A cover as it is stored: of what may be a stored file its path, anything else as it was sent."""
    return cover_path(cover, base_url) or cover


def _on_the_site(address: str, base_url: str) -> SplitResult | None:
    """Where a browser looks for the address, if that is on the site's host, by http or https and at any port."""
    root = f"{base_url or _NOWHERE}/"
    try:
        site, url = urlsplit(root), urlsplit(urljoin(root, _SLASHES.sub(r"\1//", address.replace("\\", "/"), count=1)))
        host = url.hostname
    except ValueError:
        # A browser finds nothing there either, on no site.
        return None
    return url if url.scheme in RESOURCE_SCHEMES and _ascii(host) == _ascii(site.hostname) else None


def _named(path: str, base_url: str) -> str:
    """The path in the library of a path on the site's host."""
    folder = urlsplit(base_url).path + PUBLIC
    file = path.removeprefix(folder) if path.startswith(folder) else ""
    return file if len(file) <= LONGEST and _FILE.fullmatch(file) else ""


def _ascii(host: str | None) -> str | None:
    """A host as it is looked up: in Turkish letters or in punycode it is the same."""
    if host is None or host.isascii():
        return host
    try:
        return host.encode("idna").decode("ascii")
    except UnicodeError:
        return host
