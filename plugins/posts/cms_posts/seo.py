"""The SEO object: what clients sent, and what follows from the post for the rest (contract 4).

Pure. JSON-LD comes as data, not as a script: whoever writes it into a page escapes it there.
"""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from cms_host.api import fold, iso
from cms_posts.post import Post
from cms_posts.profiles import words

#: Characters of derived values, the ellipsis counted; what is longer is cut by search engines.
TITLE_LENGTH = 60
DESCRIPTION_LENGTH = 155
KEYWORD_LENGTH = 60
ROBOTS = "index,follow"
KEYS = (
    "meta_title", "meta_description", "focus_keyword", "canonical_url", "robots", "og_title", "og_description",
    "og_image", "schema_type", "schema_data",
)  # fmt: skip

# A word begins with a letter; what follows an apostrophe is a suffix ("İstanbul'un", "don't").
_WORD = re.compile(r"([^\W\d_]\w*)(?:['’ʼ]\w+)?")
_TELLS_NOTHING = frozenset(
    map(
        fold,
        words(
            "acaba ama ancak artık aslında bana bazı ben beni benim bile bir birçok biri biz böyle bu bunlar bunu",
            "bütün çok çünkü da daha de değil diye dolayı en eğer fakat gibi göre hakkında hangi hangisi hem hep",
            "her herkes hiç için içinde ile ise kadar karşı kendi ki kim kimi mı mi mu mü nasıl ne neden nedir",
            "nerede niçin niye o olan olarak oldu olduğu olmak olur onlar onu önce önemli sadece sana siz sonra",
            "şey şimdi şu tarafından tüm üzerinde üzerine var ve veya ya yani yapılır yapmak yeni yine yok zaman",
            "a about above after again against all also an and any are as at be because been before being below",
            "beneath beside between beyond both but by can could did do does doing down during each every",
            "everything few for from further get had has have having he her here his how however i if in inside",
            "into is it its just make making may might more most much must my need new no nor not nothing now of",
            "off on once only or other our out over own same she should so some something such than that the",
            "their them then there these they thing things this those through to too toward towards under until",
            "up upon us using very was we were what when where which while who whom why will with within without",
            "would you your",
        ),
    )
)


class Place(NamedTuple):
    """Where a post is found: its address, that of its cover ("" for none), and the site's time zone."""

    link: str
    cover: str
    zone: str


def seo_record(post: Post, sent: Mapping[str, Any], place: Place) -> dict[str, Any]:
    """The ten keys as clients see them: sent ones as they are, the others derived."""
    record: dict[str, Any] = {
        "meta_title": shortened(post.title, TITLE_LENGTH),
        "meta_description": shortened(post.excerpt, DESCRIPTION_LENGTH),
        "focus_keyword": focus_keyword(post.title),
        "canonical_url": place.link,
        "robots": ROBOTS,
        "og_image": place.cover,
        "schema_type": "WebPage" if post.type == "page" else "Article",
        **sent,
    }
    record.setdefault("og_title", record["meta_title"])
    record.setdefault("og_description", record["meta_description"])
    modified = iso(post.content_modified_at, place.zone)
    data = sent["schema_data"] if "schema_data" in sent else _schema_data(post, record, place.zone)
    record["schema_data"] = _dated(data, modified)
    return {key: record[key] for key in KEYS}


def merged(sent: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """What was sent so far, with the changes; None goes back to what is derived."""
    return {key: value for key, value in {**sent, **changes}.items() if value is not None}


def shortened(text: str, limit: int) -> str:
    """Give the beginning of a text, cut at a word where there is one, with an ellipsis if cut; at most `limit` long."""
    text = " ".join(text.split())
    if len(text) <= limit:
        return text
    head = text[:limit].rpartition(" ")[0]
    if len(head) < limit / 2:
        # One word without end, or a script that writes no blanks.
        head = text[: limit - 1]
    return head.rstrip(" ,;:.-–—…") + "…"


def focus_keyword(title: str) -> str:
    """Give the longest word of a title that is no common word of Turkish or English, the first of equals.

    A title of nothing but common words gives the longest of them, one without words "". Numbers are no words.
    """
    found: list[str] = _WORD.findall(title)
    telling = [word for word in found if fold(word) not in _TELLS_NOTHING]
    return max(telling or found, key=len, default="")[:KEYWORD_LENGTH]


def _schema_data(post: Post, record: Mapping[str, Any], zone: str) -> dict[str, Any]:
    """A description of the post in schema.org's words (JSON-LD)."""
    author = {"@type": "Person", "name": post.author_name} if post.author_name else None
    found = {
        "@context": "https://schema.org",
        "@type": record["schema_type"],
        "headline": post.title,
        "description": record["meta_description"],
        "url": record["canonical_url"],
        "mainEntityOfPage": record["canonical_url"],
        "image": record["og_image"],
        "author": author,
        "datePublished": None if post.published_at is None else iso(post.published_at, zone),
    }
    return {key: value for key, value in found.items() if value}


def _dated(data: Mapping[str, Any], modified: str) -> dict[str, Any]:
    """JSON-LD whose `dateModified` is the post's, in its graph as well: readers of it trust no other (spec)."""
    dated = {**data, "dateModified": modified}
    if isinstance(graph := data.get("@graph"), list):
        dated["@graph"] = [
            {**node, "dateModified": modified} if isinstance(node, dict) and "dateModified" in node else node
            for node in graph
        ]
    return dated
