"""A medium as clients see it (contract 5)."""

from typing import Any
from urllib.parse import quote

from cms_host.api import local
from cms_media.api import PUBLIC
from cms_media.store import Medium


def media_record(medium: Medium, base_url: str, zone: str) -> dict[str, Any]:
    """The record of one medium.

    :param base_url: the site's; where it is empty, addresses begin with a slash.
    :param zone: the site's, for its dates and times.
    """
    address = f"{base_url}{PUBLIC}"
    return {
        "id": medium.id,
        "title": medium.title,
        "alt": medium.alt,
        "filename": file_name(medium.path),
        "path": medium.path,
        "mime_type": medium.mime_type,
        "size": medium.size,
        "width": medium.width,
        "height": medium.height,
        "sha256": medium.sha256,
        "urls": {
            name: address + quote(path) for name, path in zip(("original", "avif", "webp"), medium.paths, strict=True)
        },
        "author_id": medium.author_id,
        "created_at": local(medium.created_at, zone),
    }


def file_name(path: str) -> str:
    """The last part of a path."""
    return path.rpartition("/")[2]
