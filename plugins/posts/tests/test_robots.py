"""What SEO objects say to robots, and where posts are."""

import pytest

from cms_posts.robots import Robots, own_forms, robots_of

SENT = [
    ({}, Robots(False, None)),
    ({"robots": "index,follow"}, Robots(False, None)),
    ({"robots": "NOINDEX, nofollow"}, Robots(True, None)),
    ({"robots": "none"}, Robots(True, None)),
    ({"robots": "noimageindex,max-snippet:-1"}, Robots(False, None)),
    ({"canonical_url": "/a/"}, Robots(False, "/a")),
    ({"canonical_url": "https://example.org/ı/%C4%B1?x=1#top"}, Robots(False, "https://example.org/%C4%B1/%C4%B1?x=1")),
    ({"canonical_url": "/", "robots": "noindex"}, Robots(True, "")),
]


@pytest.mark.parametrize(("sent", "robots"), SENT)
def test_what_was_sent_is_read_as_robots_read_it(sent: dict[str, str], robots: Robots) -> None:
    assert robots_of(sent) == robots


FORMS = [
    ("{base_url}/{slug}", "https://example.org", ("https://example.org/{slug}", "/{slug}")),
    ("{base_url}/{slug}", "https://example.org/blog", ("https://example.org/blog/{slug}", "/blog/{slug}")),
    ("{base_url}/{slug}", "", ("/{slug}", "/{slug}")),
    ("/yazı/{id}/", "https://example.org", ("/yaz%C4%B1/{id}", "/yaz%C4%B1/{id}")),
    ("https://other.example/{slug}-{id}", "", ("https://other.example/{slug}-{id}", "/{slug}-{id}")),
]


@pytest.mark.parametrize(("pattern", "base_url", "forms"), FORMS)
def test_a_post_may_name_its_own_address_in_two_forms(pattern: str, base_url: str, forms: tuple[str, str]) -> None:
    assert own_forms(pattern, base_url) == forms
