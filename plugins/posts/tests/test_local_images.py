"""Which addresses are the site's own, and which stored file they name."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cms_posts.local_images import LONGEST, cover_path, image_path, local_address, normal_cover

SITE = "https://www.example.org"
STORED = {
    "a_path_from_the_root": "/media/2026/11/a.jpg",
    "a_relative_path": "media/2026/11/a.jpg",
    "a_path_upwards": "../media/2026/11/a.jpg",
    "the_whole_address": f"{SITE}/media/2026/11/a.jpg",
    "the_address_by_http": "http://www.example.org/media/2026/11/a.jpg",
    "the_address_in_capitals": "HTTPS://WWW.EXAMPLE.ORG/media/2026/11/a.jpg",
    "the_address_with_a_port": "https://www.example.org:8443/media/2026/11/a.jpg",
    "the_address_without_a_scheme": "//www.example.org/media/2026/11/a.jpg",
    "a_query_and_a_fragment": "/media/2026/11/a.jpg?w=100#top",
    "letters_in_percent": "/media/2026/11/%61.jpg",
    "backslashes": "\\media\\2026\\11\\a.jpg",
    "dots_on_the_way": "/media/2026/./10/../11/a.jpg",
}
UNSTORABLE = {
    "another_folder": "/static/a.jpg",
    "a_file_beside_the_folder": "/media.jpg",
    "the_folder": "/media/",
    "the_folder_in_capitals": "/MEDIA/a.jpg",
    "a_bare_name": "a.jpg",
    "nothing_but_a_fragment": "#a",
    "a_hidden_file": "/media/.a.jpg",
    "a_way_out": "/media/../a.jpg",
    "a_way_out_in_percent": "/media/%2e%2e/%2e%2e/a.jpg",
    "a_null_in_percent": "/media/a%00.jpg",
    "turkish_letters": "/media/görsel.jpg",
    "a_blank": "/media/my photo.jpg",
    "an_endless_name": "/media/" + "a" * (LONGEST + 1),
}
ELSEWHERE = {
    "another_site": "https://example.com/media/2026/11/a.jpg",
    "another_host_of_the_domain": "https://cdn.example.org/media/2026/11/a.jpg",
    "the_site_as_a_user": "https://www.example.org@example.com/media/a.jpg",
    "another_site_without_a_scheme": "//example.com/media/a.jpg",
    "another_site_after_three_slashes": "///example.com/media/a.jpg",
    "another_site_after_backslashes": "\\\\example.com\\media\\a.jpg",
    "what_is_no_address": "https://[www.example.org/media/a.jpg",
    "what_is_no_web_address": "ftp://www.example.org/media/a.jpg",
}


@pytest.mark.parametrize("address", STORED.values(), ids=STORED)
def test_names_a_stored_file(address: str) -> None:
    assert image_path(address, SITE) == "2026/11/a.jpg"


@pytest.mark.parametrize("address", UNSTORABLE.values(), ids=UNSTORABLE)
def test_is_local_and_names_nothing_that_could_be_stored(address: str) -> None:
    assert image_path(address, SITE) == ""


@pytest.mark.parametrize("address", ELSEWHERE.values(), ids=ELSEWHERE)
def test_is_none_of_the_site(address: str) -> None:
    assert image_path(address, SITE) is None
    assert local_address(address, SITE) is None


def test_only_relative_addresses_are_local_where_the_site_has_no_address() -> None:
    for address in ("/media/a.jpg", "media/a.jpg", "../media/a.jpg"):
        assert image_path(address, "") == "a.jpg"
    for address in ("https://www.example.org/media/a.jpg", "//localhost/media/a.jpg", "https:///media/a.jpg"):
        assert image_path(address, "") is None


def test_a_site_in_a_folder_has_its_media_there() -> None:
    site = "https://example.org/blog"

    assert image_path("https://example.org/blog/media/a.jpg", site) == image_path("media/a.jpg", site) == "a.jpg"
    assert image_path("/media/a.jpg", site) == image_path("https://example.org/media/a.jpg", site) == ""
    assert cover_path("a.jpg", site) == cover_path("/media/a.jpg", site) == "a.jpg"


def test_a_turkish_host_is_the_same_in_punycode() -> None:
    assert image_path("https://xn--ky-fka.example/media/a.jpg", "https://köy.example") == "a.jpg"
    assert image_path("https://köy.example/media/a.jpg", "https://xn--ky-fka.example") == "a.jpg"
    assert image_path(f"https://{'ö' * 99}.example/media/a.jpg", "https://köy.example") is None


@pytest.mark.parametrize(
    ("cover", "path", "kept"),
    [
        ("2026/11/a.jpg", "2026/11/a.jpg", "2026/11/a.jpg"),
        ("/media/2026/11/a.avif", "2026/11/a.avif", "2026/11/a.avif"),
        (f"{SITE}/media/2026/11/a.webp?v=2", "2026/11/a.webp", "2026/11/a.webp"),
        ("/static/a.jpg", "", "/static/a.jpg"),
        ("my photo.jpg", "", "my photo.jpg"),
        ("javascript:alert(1)", "", "javascript:alert(1)"),
        ("https://cdn.example/a.jpg?w=1", None, "https://cdn.example/a.jpg?w=1"),
        ("", None, ""),
    ],
)
def test_a_cover_is_kept_as_the_path_that_it_names(cover: str, path: str | None, kept: str) -> None:
    assert cover_path(cover, SITE) == path
    assert normal_cover(cover, SITE) == kept
    assert normal_cover(kept, SITE) == kept


@given(st.text(), st.sampled_from(["", SITE, "https://example.org/blog"]))
def test_any_text_is_judged_and_what_is_kept_of_it_stays(text: str, site: str) -> None:
    path = image_path(text, site)

    assert path is None or len(path) <= LONGEST
    assert normal_cover(normal_cover(text, site), site) == normal_cover(text, site)


@pytest.mark.parametrize(
    ("address", "site", "whole"),
    [
        ("media/a.jpg#top", SITE, f"{SITE}/media/a.jpg"),
        ("a.jpg?w=1", "https://example.org/blog", "https://example.org/blog/a.jpg?w=1"),
        ("http://WWW.example.org:8080/a.jpg", SITE, "http://WWW.example.org:8080/a.jpg"),
        ("\\\\www.example.org\\a.jpg", SITE, f"{SITE}/a.jpg"),
        ("media/a.jpg#top", "", "/media/a.jpg"),
        ("/.//example.com/a.jpg", "", "/example.com/a.jpg"),
    ],
)
def test_an_image_of_the_site_has_a_whole_address(address: str, site: str, whole: str) -> None:
    assert local_address(address, site) == whole


@given(st.text(), st.sampled_from(["", SITE, "https://example.org/blog"]))
def test_a_whole_address_is_local_and_names_the_same(text: str, site: str) -> None:
    whole = local_address(text, site)

    assert (whole is None) == (image_path(text, site) is None)
    if whole is not None:
        assert local_address(whole, site) == whole
        assert image_path(whole, site) == image_path(text, site)


@given(st.text("ab0._-/M", max_size=20), st.sampled_from(["", SITE, "https://example.org/blog"]))
def test_plain_addresses_are_judged_like_all_others(text: str, site: str) -> None:
    for address in (text, f"/media/{text}", f"media/{text}"):
        # With a query it is no plain address any more, and names the same.
        assert image_path(address, site) == image_path(f"{address}?", site)
