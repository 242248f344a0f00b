"""The sitemap as search engines read it (sitemaps.org; images by Google's extension), piece by piece. Pure."""

from collections.abc import Iterable
from xml.sax.saxutils import escape

from cms_host.api import SitemapEntry, ascii_address, iso

CONTENT_TYPE = "application/xml; charset=utf-8"
_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
_SITEMAP = "http://www.sitemaps.org/schemas/sitemap/0.9"
_IMAGE = "http://www.google.com/schemas/sitemap-image/1.1"
URLSET_BEGINS = f'{_HEAD}<urlset xmlns="{_SITEMAP}" xmlns:image="{_IMAGE}">\n'.encode()
URLSET_ENDS = b"</urlset>\n"
INDEX_BEGINS = f'{_HEAD}<sitemapindex xmlns="{_SITEMAP}">\n'.encode()
INDEX_ENDS = b"</sitemapindex>\n"
_QUOTES = {"'": "&apos;", '"': "&quot;"}


def url_elements(entries: Iterable[SitemapEntry], zone: str) -> bytes:
    """The entries.

    :param zone: the site's, for the moments of their last changes.
    """
    return "".join([_url(each, zone) for each in entries]).encode()


def sitemap_element(address: str, modified_at: int, zone: str) -> bytes:
    """One file in the index."""
    return f"<sitemap>{_placed(address, modified_at, zone)}</sitemap>\n".encode()


def _url(entry: SitemapEntry, zone: str) -> str:
    images = "".join([f"<image:image><image:loc>{_address(each)}</image:loc></image:image>" for each in entry.images])
    return f"<url>{_placed(entry.loc, entry.modified_at, zone)}{images}</url>\n"


def _placed(address: str, modified_at: int, zone: str) -> str:
    return f"<loc>{_address(address)}</loc><lastmod>{iso(modified_at, zone)}</lastmod>"


def _address(address: str) -> str:
    """In characters that addresses are made of; nothing of it is XML."""
    return escape(ascii_address(address), _QUOTES)
