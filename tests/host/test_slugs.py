"""Slugs (contract 3)."""

from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cms_host.slugs import slug_candidates, slug_of


@pytest.mark.parametrize(
    ("title", "slug"),
    [
        ("İğdır'ın Çağrısı: Söyle, Böyle!", "igdirin-cagrisi-soyle-boyle"),
        ("ISPARTA ısparta", "isparta-isparta"),
        ("ŞÇĞÖÜ şçğöü", "scgou-scgou"),
        ("don’t can't rock‘n’roll", "dont-cant-rocknroll"),
        ("Straße & Ærø", "strasse-aero"),
        ("Привет", "privet"),
        ("A -- B", "a-b"),
        ("AT&amp;T &#65;", "at-amp-t-65"),
        ("😀 ... !", ""),
        ("", ""),
        ("2026", "2026"),
    ],
)
def test_title_becomes_a_slug_the_turkish_way(title: str, slug: str) -> None:
    assert slug_of(title) == slug


@given(st.text())
def test_slug_is_ascii_and_short_and_its_own_slug(title: str) -> None:
    slug = slug_of(title)
    assert len(slug) <= 200
    assert not slug.strip("abcdefghijklmnopqrstuvwxyz0123456789-")
    assert not slug.startswith("-")
    assert not slug.endswith("-")
    assert slug_of(slug) == slug


def test_long_title_is_cut_at_a_word() -> None:
    assert slug_of("word " * 100) == "-".join(["word"] * 40)
    assert slug_of("x" * 1000) == "x" * 200
    assert slug_of("-" * 100_000 + "x") == ""


def test_candidates_count_up_and_stay_short() -> None:
    assert list(islice(slug_candidates("a-post"), 3)) == ["a-post", "a-post-2", "a-post-3"]
    long = list(islice(slug_candidates("x" * 197 + "-ab"), 11))
    assert long[0] == "x" * 197 + "-ab"
    assert long[1] == "x" * 197 + "-2"
    assert long[10] == "x" * 197 + "-11"
    assert max(map(len, long)) <= 200


def test_reserved_slug_gets_a_number() -> None:
    assert list(islice(slug_candidates("admin", {"admin"}), 2)) == ["admin-2", "admin-3"]
