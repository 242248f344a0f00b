"""A tag as clients see it (contract 5)."""

from typing import Any

from cms_host.api import local
from cms_tags.store import Tag


def tag_record(tag: Tag, published: int, zone: str) -> dict[str, Any]:
    """The record of one tag.

    :param published: how many published posts carry it.
    :param zone: the site's, for its dates and times.
    """
    return {
        "id": tag.id,
        "name": tag.name,
        "slug": tag.slug,
        "post_count": published,
        "created_at": local(tag.created_at, zone),
    }
