"""What clients may send as the SEO object of a post, and what they get (spec, SEO object)."""

import re
from collections.abc import Mapping
from typing import Any

import orjson
from marshmallow import fields

from cms_host.api import Record, Schema, Text, plain_text, unacceptable
from cms_posts.urls import is_web_address

ADDRESS_LIMIT = 2_000
#: Largest `schema_data`, in bytes of JSON.
DATA_LIMIT = 64 * 1024
#: Google's list and the robots standard; matched without regard to case.
_DIRECTIVE = re.compile(
    r"all|none|index|noindex|follow|nofollow|noarchive|nocache|nosnippet|noimageindex|notranslate|indexifembedded"
    r"|max-snippet: ?-?[0-9]{1,6}|max-video-preview: ?-?[0-9]{1,6}|max-image-preview: ?(?:none|standard|large)"
    r"|unavailable_after: ?[0-9]{4}-[0-9]{2}-[0-9]{2}[0-9T:Z.+ -]{0,30}",
    re.ASCII | re.IGNORECASE,
)
_TYPE = re.compile(r"(?:https?://schema\.org/)?[A-Z][A-Za-z0-9]*", re.ASCII)


class PlainText(Text):
    """Text without tags."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> str:
        return plain_text(super()._deserialize(value, attr, data, **kwargs)).strip()


class Address(Text):
    """An http(s) address or one that begins with "/".

    :param of_image: it may also be empty, or the path of a stored medium as `featured_image` holds it.
    """

    def __init__(self, *, of_image: bool = False, **kwargs: Any) -> None:
        super().__init__(limit=ADDRESS_LIMIT, **kwargs)
        self._of_image = of_image

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> str:
        address = super()._deserialize(value, attr, data, **kwargs).strip()
        is_path = ":" not in address and is_web_address(f"/{address}")
        if not is_web_address(address) and not (self._of_image and is_path):
            unacceptable("Must begin with http://, https:// or /, and hold no spaces; null derives it.")
        return address


class Robots(Text):
    """Directives for robots, parted by commas."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> str:
        text = super()._deserialize(value, attr, data, **kwargs).strip()
        for each in text[: ADDRESS_LIMIT + 1].split(","):
            if not _DIRECTIVE.fullmatch(each.strip()):
                unacceptable("Must be known directives parted by commas, such as noindex,follow; null derives it.")
        return text


class SchemaType(Text):
    """A type of schema.org."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> str:
        text = super()._deserialize(value, attr, data, **kwargs).strip()
        if not _TYPE.fullmatch(text):
            unacceptable("Must be the name of a schema.org type, such as NewsArticle; null derives it.")
        return text


class JsonObject(fields.Dict):
    """A JSON object of limited size."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Mapping[Any, Any]:
        found: Mapping[Any, Any] = super()._deserialize(value, attr, data, **kwargs)
        if len(orjson.dumps(found)) > DATA_LIMIT:
            unacceptable(f"Must be at most {DATA_LIMIT} bytes of JSON.")
        return found


class SeoBody(Schema):
    """What search engines are told of a post; only what is sent changes, and null derives the value from the post."""

    meta_title = PlainText(limit=300, allow_none=True)
    meta_description = PlainText(limit=1_000, allow_none=True)
    focus_keyword = PlainText(limit=200, allow_none=True)
    canonical_url = Address(allow_none=True)
    robots = Robots(limit=500, allow_none=True, metadata={"example": "noindex,follow"})
    og_title = PlainText(limit=300, allow_none=True)
    og_description = PlainText(limit=1_000, allow_none=True)
    og_image = Address(of_image=True, allow_none=True)
    schema_type = SchemaType(limit=100, allow_none=True, metadata={"example": "NewsArticle"})
    schema_data = JsonObject(allow_none=True)


class SeoRecord(Record):
    """What search engines are told of a post."""

    meta_title = fields.String()
    meta_description = fields.String()
    focus_keyword = fields.String()
    canonical_url = fields.String()
    robots = fields.String()
    og_title = fields.String()
    og_description = fields.String()
    og_image = fields.String()
    schema_type = fields.String()
    schema_data = fields.Dict(metadata={"description": "JSON-LD; `dateModified` is always `content_modified_at`."})
