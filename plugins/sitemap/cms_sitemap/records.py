"""An entry as clients of the API see it (contract 5, sitemap)."""

from typing import Any

from cms_host.api import SitemapEntry, iso


def entry_record(entry: SitemapEntry, zone: str) -> dict[str, Any]:
    """:param zone: the site's, for the moment of its last change."""
    return {"loc": entry.loc, "lastmod": iso(entry.modified_at, zone), "images": list(entry.images)}
