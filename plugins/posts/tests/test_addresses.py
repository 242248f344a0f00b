"""Where readers find a post: the setting `permalink` and the site's `base_url`."""

import pytest

from cms_host.api import InvalidSetting
from cms_host.testing import MakeSite, Site
from cms_posts.addresses import PERMALINK, cover_url, permalink
from cms_posts.testing import created
from cms_posts.urls import is_web_address


@pytest.mark.parametrize(
    ("pattern", "address"),
    [
        ("{base_url}/{slug}", "https://site.example/blog/a-walk-along-the-harbour"),
        ("{base_url}/?p={id}", "https://site.example/blog/?p=1"),
        ("/news/{id}-{slug}.html", "/news/1-a-walk-along-the-harbour.html"),
        ("https://www.example.org/{slug}#top", "https://www.example.org/a-walk-along-the-harbour#top"),
    ],
)
async def test_permalink_follows_the_setting(make_site: MakeSite, pattern: str, address: str) -> None:
    site = await make_site(base_url="https://site.example/blog")
    client = await site.client("author")
    await created(client)
    await site.set(permalink=pattern)
    seo = (await client.get("/posts/1", params={"with_relations": "1"})).data["seo"]
    assert (seo["canonical_url"], seo["schema_data"]["url"]) == (address, address)


class Row:
    id = 7
    slug = "x"


async def test_permalink_is_path_absolute_where_the_site_has_no_address(site: Site) -> None:
    assert permalink(site.host, Row()) == "/x"


@pytest.mark.parametrize(
    "pattern",
    [
        "",
        "{base_url}/posts",
        "{base_url}{slug}",
        "{slug}",
        "//{slug}",
        "/x{base_url}/{slug}",
        "{base_url}/{slug}/{title}",
        "{base_url}/{slug",
        "{base_url}/{slug!r}",
        "{base_url}/{{slug}}",
        "ftp://x.example/{slug}",
        "javascript:{slug}",
        "{base_url}/ {slug}",
        '{base_url}/"{slug}',
        "/" + "x" * 500 + "{slug}",
    ],
)
def test_permalink_that_would_be_no_address_is_refused(pattern: str) -> None:
    with pytest.raises(InvalidSetting, match=r"^permalink: \w"):
        PERMALINK.parse(pattern)


@pytest.mark.parametrize(
    ("cover", "address"),
    [
        ("", ""),
        ("2026/01/a.jpg", "https://site.example/media/2026/01/a.jpg"),
        ("2026/my photo.jpg", "https://site.example/media/2026/my%20photo.jpg"),
        ("/static/a.jpg", "https://site.example/static/a.jpg"),
        ("https://cdn.example/a.jpg?w=1", "https://cdn.example/a.jpg?w=1"),
        ("javascript:alert(1)", "https://site.example/media/javascript%3Aalert%281%29"),
        ("//evil.example/a.jpg", "https://site.example/media/evil.example/a.jpg"),
    ],
)
async def test_cover_is_found_by_its_path(make_site: MakeSite, cover: str, address: str) -> None:
    site = await make_site(base_url="https://site.example")
    assert cover_url(site.host, cover) == address


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("/", True),
        ("/a?b=c&d=ğ#e", True),
        ("http://localhost:8000/x", True),
        ("https://münchen.example/ü", True),
        ("HTTPS://EXAMPLE.ORG", True),
        ("https://example.org:99999/", False),
        ("https://", False),
        ("https:///x", False),
        ("mailto:me@example.org", False),
        ("/a\\b", False),
        ("/\\evil.example", False),
        ("/a\nb", False),
        ("/a\u200bb", False),
        ("/<b>", False),
        ("x", False),
        ("", False),
    ],
)
def test_web_address(value: str, expected: bool) -> None:
    assert is_web_address(value) is expected
