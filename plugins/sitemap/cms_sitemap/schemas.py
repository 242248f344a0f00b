"""What clients may ask, and what they get."""

from marshmallow import fields

from cms_host.api import Choice, Number, PageRecord, Record, Schema
from cms_sitemap.settings import MOST

JSON, XML = "json", "xml"
#: `per_page` where none is sent: a page of JSON, and a whole file of XML.
DEFAULTS = {JSON: 1_000, XML: MOST}


class ReadSitemap(Schema):
    """Query parameters."""

    page = Number(metadata={"description": "Counted from 1.", "default": 1})
    per_page = Number(
        metadata={"description": f"Entries of a page, at most {MOST}; {DEFAULTS[JSON]} of JSON unless sent."}
    )
    format = Choice(JSON, XML, metadata={"description": "`xml` is the page as search engines read it."})


class EntryRecord(Record):
    """A page that search engines may show."""

    loc = fields.String(metadata={"description": "Its address."})
    lastmod = fields.String(metadata={"description": "When readers last saw it change, ISO 8601."})
    images = fields.List(fields.String(), metadata={"description": "Addresses of the cover and of the site's images."})


class EntryPage(PageRecord):
    """A page of the sitemap."""

    items = fields.List(fields.Nested(EntryRecord))
