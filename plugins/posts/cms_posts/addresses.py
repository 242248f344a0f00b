"""Where readers find a post and its cover (contract 4, Permalink)."""

import re
from typing import Protocol
from urllib.parse import quote

from cms_host.api import Host, Setting
from cms_media.api import PUBLIC
from cms_posts.urls import is_web_address

_PLACES = re.compile(r"\{(base_url|slug|id)\}")
_BASE = "{base_url}"


class Linked(Protocol):
    """Whatever has an address: a post, or a row with its id and slug."""

    @property
    def id(self) -> int: ...

    @property
    def slug(self) -> str: ...


def check_permalink(pattern: str) -> None:
    """:raises ValueError: the pattern names no post, or would give no address."""
    if "{slug}" not in pattern and "{id}" not in pattern:
        raise ValueError("must hold {slug} or {id}")
    if re.search("[{}]", _PLACES.sub("", pattern)) or pattern.rfind(_BASE) > 0:
        raise ValueError("may begin with {base_url}, and hold {slug} and {id}, but no other braces")
    # What follows the base must not run into it: without one, it has to be a path.
    if not all(is_web_address(_filled(pattern, base, 1, "slug")) for base in ("https://example.org", "")):
        raise ValueError("must begin with {base_url}/, with / or with http:// or https://")


PERMALINK = Setting(
    "permalink",
    "{base_url}/{slug}",
    "Address of a post, with {base_url}, {slug} and {id} in their places; {slug} or {id} has to be there.",
    minimum=1,
    maximum=500,
    check=check_permalink,
)


def permalink(host: Host, post: Linked) -> str:
    """The public address of a post; path-absolute where the site has no `base_url`."""
    return _filled(host.settings[PERMALINK], host.config.base_url, post.id, post.slug)


def cover_url(host: Host, featured_image: str) -> str:
    """The address of a cover: of a stored medium by its path, of any other as it is; "" for none."""
    return cover_address(featured_image, host.config.base_url)


def cover_address(featured_image: str, base_url: str) -> str:
    """The same for a site of this `base_url`."""
    if not featured_image:
        return ""
    stands_alone = is_web_address(featured_image)
    if stands_alone and not featured_image.startswith("/"):
        return featured_image
    path = featured_image if stands_alone else PUBLIC + quote(featured_image.lstrip("/"))
    return base_url + path


def _filled(pattern: str, base_url: str, post_id: int, slug: str) -> str:
    values = {"base_url": base_url, "id": str(post_id), "slug": slug}
    return _PLACES.sub(lambda match: values[match[1]], pattern)
