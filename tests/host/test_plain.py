"""Plain text of titles, names and alt texts: tags go, everything else stays."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cms_host.api import plain_text

soup = st.text(alphabet="<>/!?ab =\"'&; -i\u0307\u0327", max_size=60)


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        ("Ayşe & O'Hara", "Ayşe & O'Hara"),
        ("<b>Ayşe</b> <i class='x'>Yılmaz</i>", "Ayşe Yılmaz"),
        ("1 < 2 > 0, <3, a <- b", "1 < 2 > 0, <3, a <- b"),
        ("<me@example.org>", "<me@example.org>"),
        ("<script>alert(1)</script>", "alert(1)"),
        ("<<b>script>x", "x"),
        ("a<!-- b -->c<!DOCTYPE html>", "ac"),
        ("&lt;b&gt;", "&lt;b&gt;"),
        ("C\u0327a", "\u00c7a"),
        ("C<b></b>\u0327a", "\u00c7a"),
        ("<unclosed", "<unclosed"),
    ],
)
def test_tags_go_and_everything_else_stays(sent: str, kept: str) -> None:
    assert plain_text(sent) == kept


@given(soup)
def test_plain_text_of_plain_text_is_the_same(text: str) -> None:
    once = plain_text(text)

    assert plain_text(once) == once
    assert unicodedata.is_normalized("NFC", once)


@given(st.text())
def test_text_without_brackets_only_takes_its_composed_form(text: str) -> None:
    text = text.replace("<", "(")

    assert plain_text(text) == unicodedata.normalize("NFC", text)
