"""Front matter as people write it becomes fields of a post, and what is of no use is kept."""

from typing import Any

import pytest

from cms_content_queue.fields import Described, body_of, describe


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ({"Title": " A walk "}, {"title": "A walk"}),
        ({"slug": "walk"}, {"slug": "walk"}),
        ({"excerpt": "Short"}, {"excerpt": "Short"}),
        ({"summary": "Short"}, {"excerpt": "Short"}),
        ({"description": "Short"}, {"excerpt": "Short"}),
        ({"excerpt": "Short", "description": "For robots"}, {"excerpt": "Short", "seo.meta_description": "For robots"}),
        ({"categories": ["Sea", "Salt"]}, {"categories": ["Sea", "Salt"]}),
        ({"categories": "sea salt"}, {"categories": ["sea", "salt"]}),
        ({"categories": "Deep sea, Salt"}, {"categories": ["Deep sea", "Salt"]}),
        ({"category": "Deep sea"}, {"categories": ["Deep sea"]}),
        ({"tags": "sea, salt,"}, {"tags": ["sea", "salt"]}),
        ({"tag": "salt water"}, {"tags": ["salt water"]}),
        ({"tags": ["2024"]}, {"tags": ["2024"]}),
        ({"tags": []}, {"tags": []}),
        ({"taxonomies": {"tags": ["sea"], "categories": ["Coast"]}}, {"tags": ["sea"], "categories": ["Coast"]}),
        ({"author": "ayse"}, {"author": "ayse"}),
        ({"authors": ["ayse", "mehmet"]}, {"author": "ayse"}),
        ({"author": {"name": "Ayşe", "email": "a@example.org"}}, {"author": "a@example.org"}),
        ({"date": "2024-01-31"}, {"date": "2024-01-31"}),
        ({"publishDate": "2024-01-31"}, {"date": "2024-01-31"}),
        ({"draft": "true"}, {"is_draft": True}),
        ({"published": "false"}, {"is_draft": True}),
        ({"cover": "2024/walk.jpg"}, {"featured_image": "2024/walk.jpg"}),
        ({"cover-image": "walk.jpg"}, {"featured_image": "walk.jpg"}),
        ({"image": {"path": "walk.jpg", "alt": "A walk"}}, {"featured_image": "walk.jpg"}),
        ({"cover": {"alt": "A walk", "image": "walk.jpg"}}, {"featured_image": "walk.jpg"}),
        ({"comments": "no"}, {"comment_status": "closed"}),
        ({"comment_status": "open"}, {"comment_status": "open"}),
        ({"featured": "yes"}, {"is_featured": True}),
        ({"type": "page"}, {"type": "page"}),
        ({"meta_title": "Walk", "canonicalURL": "/w"}, {"seo.meta_title": "Walk", "seo.canonical_url": "/w"}),
        ({"seo": {"title": "Walk", "robots": "noindex"}}, {"seo.meta_title": "Walk", "seo.robots": "noindex"}),
        ({"ymyl": "true", "sources": ["WHO"]}, {"editorial.ymyl": True, "editorial.sources": ["WHO"]}),
        ({"editorial": {"ymyl": "off", "sources": "WHO"}}, {"editorial.ymyl": False, "editorial.sources": ["WHO"]}),
        ({"title": None, "layout": None, "description": " ", "seo": {"robots": ""}}, {}),
    ],
)
def test_a_key_goes_where_its_writer_means(written: dict[str, Any], meant: dict[str, Any]) -> None:
    assert describe(written) == Described(meant, {}, [])


def test_what_is_unknown_is_kept_by_its_own_name() -> None:
    written = {"layout": "post", "Permalink": "/x", "seo": {"mood": "calm"}, "Editorial": "none", "weight": "3"}

    kept = {"layout": "post", "Permalink": "/x", "seo.mood": "calm", "Editorial": "none", "weight": "3"}
    assert describe(written) == Described({}, kept, [])


def test_of_two_keys_that_mean_one_thing_the_second_is_kept_aside() -> None:
    assert describe({"cover": "a.jpg", "image": "b.jpg"}) == Described(
        {"featured_image": "a.jpg"}, {"image": "b.jpg"}, []
    )


@pytest.mark.parametrize(
    "written",
    [
        {"title": ["A walk"]}, {"tags": {"a": "b"}}, {"tags": [["a"]]}, {"author": {"url": "/me"}},
        {"author": []}, {"draft": "maybe"}, {"published": "soon"}, {"image": {"alt": "A walk"}}, {"comments": "few"},
        {"type": "posts"}, {"categories": ["Sea", "12"]}, {"category": "-3"}, {"tag": ["", "b"]},
    ],
)  # fmt: skip
def test_what_is_no_use_as_written_is_told_and_kept(written: dict[str, Any]) -> None:
    found = describe(written)

    assert found.unfit
    assert set(found.unfit) <= found.unknown.keys()
    assert found.fields == {}


def test_parts_of_objects_come_together_in_the_body() -> None:
    assert body_of({"slug": "a", "seo.robots": "none", "seo.og_title": "T", "editorial.ymyl": True}) == {
        "slug": "a",
        "seo": {"robots": "none", "og_title": "T"},
        "editorial": {"ymyl": True},
    }
