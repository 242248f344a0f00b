"""Cases of missing_internal_links: which addresses lead to the site itself."""

import pytest

from cms_gate_missing_internal_links import MissingInternalLinks
from cms_host.testing import check

SITE = "https://www.example.org"
WARNED: dict[str, tuple[str, ...]] = {
    "content_without_links": (),
    "a_link_to_another_site": ("https://example.com/foxes",),
    "a_link_to_another_host_of_the_domain": ("https://shop.example.org/",),
    "a_link_to_a_host_that_begins_like_the_site": ("https://www.example.org.example.com/",),
    "a_link_that_names_the_site_as_its_user": ("https://www.example.org@example.com/",),
    "a_link_to_another_site_without_a_scheme": ("//example.com/foxes",),
    "a_link_within_the_page": ("#foxes",),
    "an_empty_link": ("",),
    "a_mail_address": ("mailto:editor@www.example.org",),
    "a_telephone_number": ("tel:+902121234567",),
    "the_site_by_another_protocol": ("ftp://www.example.org/foxes",),
    "an_address_without_a_host": ("https:///foxes",),
    "an_address_that_is_none": ("https://[www.example.org/",),
    "several_links_none_of_them_internal": ("#a", "mailto:a@example.org", "https://example.com/"),
}
PASSED: dict[str, tuple[str, ...]] = {
    "an_absolute_path": ("/foxes",),
    "an_absolute_path_in_turkish": ("/tilkiler-ve-ağaçlar",),
    "a_relative_path": ("foxes",),
    "a_path_upwards": ("../foxes",),
    "a_path_with_a_fragment": ("/foxes#red",),
    "a_query": ("?page=2",),
    "the_site_by_its_address": ("https://www.example.org/foxes",),
    "the_front_page": ("https://www.example.org",),
    "the_site_by_http": ("http://www.example.org/foxes",),
    "the_site_in_capitals": ("HTTPS://WWW.EXAMPLE.ORG/foxes",),
    "the_site_with_a_port": ("https://www.example.org:443/foxes",),
    "the_site_without_a_scheme": ("//www.example.org/foxes",),
    "one_internal_link_among_others": ("#a", "https://example.com/", "/foxes"),
}


@pytest.mark.parametrize("links", WARNED.values(), ids=WARNED)
async def test_warns_about(links: tuple[str, ...]) -> None:
    (finding,) = await check(MissingInternalLinks(SITE), links=links)

    assert (finding.measured, finding.required, finding.field) == (0, 1, "content")


@pytest.mark.parametrize("links", PASSED.values(), ids=PASSED)
async def test_passes(links: tuple[str, ...]) -> None:
    assert await check(MissingInternalLinks(SITE), links=links) == []


@pytest.mark.parametrize("link", ["https://example.org/", "https://:80/", "#foxes"])
async def test_only_relative_links_count_where_the_site_has_no_address(link: str) -> None:
    rule = MissingInternalLinks("")

    assert await check(rule, links=(link,)) != []
    assert await check(rule, links=(link, "/foxes")) == []


async def test_a_port_in_the_address_of_the_site_does_not_count() -> None:
    assert await check(MissingInternalLinks("http://localhost:8000"), links=("http://localhost/foxes",)) == []


async def test_says_what_was_measured_and_what_is_recommended() -> None:
    (finding,) = await check(MissingInternalLinks(SITE), links=())

    assert finding.message_tr == "İçerikte site içi bağlantı yok; en az 1 tane önerilir."
    assert finding.message_en == "The content has no link to the site itself; at least 1 is recommended."


def test_never_blocks() -> None:
    assert MissingInternalLinks.kind == "warning"
