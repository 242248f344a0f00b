"""What the SEO object says of a post when nobody said it."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cms_posts.demo import make_posts
from cms_posts.post import Post
from cms_posts.seo import (
    DESCRIPTION_LENGTH,
    KEYS,
    KEYWORD_LENGTH,
    TITLE_LENGTH,
    Place,
    focus_keyword,
    merged,
    seo_record,
    shortened,
)

PLACE = Place("https://example.org/p", "https://example.org/media/a.jpg", "UTC")
TEXTS = st.text(max_size=400)


def post(**changes: Any) -> Post:
    made, _ = next(make_posts(1, 1, 1_768_478_400_000_000))
    return made._replace(**changes)


@given(TEXTS, TEXTS)
def test_derived_values_keep_within_their_limits(title: str, excerpt: str) -> None:
    record = seo_record(post(title=title, excerpt=excerpt), {}, PLACE)
    assert tuple(record) == KEYS
    assert len(record["meta_title"]) <= TITLE_LENGTH
    assert len(record["meta_description"]) <= DESCRIPTION_LENGTH
    assert len(record["focus_keyword"]) <= KEYWORD_LENGTH
    assert record["focus_keyword"] in title


@given(TEXTS, st.integers(2, 200))
def test_shortened_text_is_a_beginning_of_it(text: str, limit: int) -> None:
    plain = " ".join(text.split())
    short = shortened(text, limit)
    assert len(short) <= limit
    assert short == plain or (short.endswith("…") and plain.startswith(short[:-1]))
    assert shortened(short, limit) == short


def test_shortened_text_ends_with_a_word() -> None:
    assert shortened("The boats come in, with the tide", 20) == "The boats come in…"
    assert shortened("The boats come in", 17) == "The boats come in"
    assert shortened("x" * 30, 10) == "x" * 9 + "…"
    assert shortened("  a \n b  ", 10) == "a b"


@pytest.mark.parametrize(
    ("title", "word"),
    [
        ("A walk along the harbour", "harbour"),
        ("How should you do everything: notes", "notes"),
        ("İstanbul'un en güzel yerleri", "İstanbul"),
        ("NASIL yapılır: ekmek", "ekmek"),
        ("Kıyı kentleri için pratik bir kılavuz", "kentleri"),
        ("AB’nin yeni kuralı", "kuralı"),
        ("Red cats, blue dogs", "cats"),
        ("2026 1234567890 GPT4", "GPT4"),
        ("What is this?", "What"),
        ("🎉 123", ""),
        ("", ""),
    ],
)
def test_focus_keyword_is_the_longest_word_that_tells_something(title: str, word: str) -> None:
    assert focus_keyword(title) == word


def test_schema_data_of_a_published_post() -> None:
    one = post(title="Title", excerpt="Text.", author_name="Ayşe", published_at=1_768_478_400_000_000)
    one = one._replace(content_modified_at=1_768_478_460_000_001)
    assert seo_record(one, {}, PLACE)["schema_data"] == {
        "@context": "https://schema.org",
        "@type": "Article",
        "headline": "Title",
        "description": "Text.",
        "url": "https://example.org/p",
        "mainEntityOfPage": "https://example.org/p",
        "image": "https://example.org/media/a.jpg",
        "author": {"@type": "Person", "name": "Ayşe"},
        "datePublished": "2026-01-15T12:00:00.000000+00:00",
        "dateModified": "2026-01-15T12:01:00.000001+00:00",
    }


def test_schema_data_of_a_draft_leaves_out_what_there_is_not() -> None:
    found = seo_record(post(published_at=None, excerpt="", author_name=""), {}, PLACE._replace(cover=""))["schema_data"]
    assert found.keys() == {"@context", "@type", "headline", "url", "mainEntityOfPage", "dateModified"}


def test_page_is_a_web_page() -> None:
    record = seo_record(post(type="page"), {}, PLACE)
    assert (record["schema_type"], record["schema_data"]["@type"]) == ("WebPage", "WebPage")


def test_what_was_sent_reaches_what_is_derived_from_it() -> None:
    sent = {"meta_title": "For robots", "canonical_url": "/x", "schema_type": "NewsArticle", "og_image": ""}
    record = seo_record(post(), sent, PLACE)
    assert (record["og_title"], record["schema_data"]["@type"]) == ("For robots", "NewsArticle")
    assert record["schema_data"]["url"] == "/x"
    assert "image" not in record["schema_data"]


def test_sent_schema_data_never_tells_another_modification_date() -> None:
    own = {"@type": "Recipe", "dateModified": "1999-01-01", "@graph": [{"dateModified": "1999"}, {"name": "x"}, "y"]}
    one = post(content_modified_at=1_768_478_400_000_000)
    now = "2026-01-15T12:00:00.000000+00:00"
    assert seo_record(one, {"schema_data": own}, PLACE)["schema_data"] == {
        "@type": "Recipe",
        "dateModified": now,
        "@graph": [{"dateModified": now}, {"name": "x"}, "y"],
    }
    assert own["dateModified"] == "1999-01-01"
    assert seo_record(one, {"schema_data": {}}, PLACE)["schema_data"] == {"dateModified": now}


OBJECTS = st.dictionaries(st.sampled_from(KEYS[:4]), st.none() | st.text(max_size=3))


@given(OBJECTS, OBJECTS)
def test_null_goes_back_to_what_is_derived(first: dict[str, Any], second: dict[str, Any]) -> None:
    kept = merged(merged({}, first), second)
    assert None not in kept.values()
    for key in KEYS[:4]:
        assert kept.get(key) == (second[key] if key in second else first.get(key))
