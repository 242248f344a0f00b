"""Excerpts: the right part of a text, escaped, with the right characters marked."""

import re
from html import unescape

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cms_host.api import WORD, Sought, begun_word, fold, parse_terms
from cms_search.excerpts import LENGTH, excerpt
from cms_search.marks import find_marks


def sought(text: str) -> Sought:
    return Sought(parse_terms(text), begun_word(text))


def shown(text: str, looked_for: str) -> str:
    return excerpt(text, find_marks(text, sought(looked_for)))


MARKED = [
    ("A harbour and harbours", "harbour", "A <mark>harbour</mark> and <mark>harbours</mark>"),
    ("A harbour and harbours", "harbour and", "A <mark>harbour</mark> <mark>and</mark> harbours"),
    ("Isparta ISPARTA ısparta İSPARTA", "ısparta", " ".join(["<mark>{}</mark>"] * 4)),
    ("ﬁne ﬁsh and ﬁ", "fine", "<mark>ﬁne</mark> ﬁsh and ﬁ"),
    ("aﬃne (ﬃ)", "affine", "<mark>aﬃne</mark> (ﬃ)"),
    ("İiİ, straße", "strasse iii", "<mark>İiİ</mark>, <mark>straße</mark>"),
    ("e\u0301te\u0301", "été", "<mark>e\u0301te\u0301</mark>"),
    ("E, posta! e-postalar", "e-posta", "<mark>E</mark>, <mark>posta</mark>! <mark>e</mark>-<mark>postalar</mark>"),
    ("posta e and e, other posta", "e-posta", "posta e and e, other posta"),
    ("100% ﬁ of C++, axb a_b", "0% fi _b", "10<mark>0%</mark> <mark>ﬁ</mark> of C++, axb a<mark>_b</mark>"),
    ("I㎏ a-iki", "I I㎏ -i iki", "<mark>I㎏</mark> a-<mark>iki</mark>"),
    ("<b>bold</b> & 'so'", "bold so", "&lt;b&gt;<mark>bold</mark>&lt;/b&gt; &amp; &#x27;<mark>so</mark>&#x27;"),
    ("<script>alert(1)</script>", "script", "&lt;<mark>script</mark>&gt;alert(1)&lt;/<mark>script</mark>&gt;"),
    ("Nothing of it", "elsewhere", "Nothing of it"),
    ("", "elsewhere", ""),
]  # fmt: skip


@pytest.mark.parametrize(("text", "looked_for", "expected"), MARKED)
def test_hits_are_marked_where_they_are(text: str, looked_for: str, expected: str) -> None:
    assert shown(text, looked_for) == expected.format(*text.split())


def test_a_long_text_is_cut_at_words_around_the_place_where_the_terms_come_together() -> None:
    filler = " ".join(f"word{number}" for number in range(300))
    text = f"harbour {filler} the harbour of boats {filler} boats"
    part = shown(text, "harbour boats")
    assert "the <mark>harbour</mark> of <mark>boats</mark> word0" in part
    plain = unescape(part.replace("<mark>", "").replace("</mark>", ""))
    assert len(plain) <= LENGTH
    assert f" {plain} " in text


def test_a_text_without_blanks_is_cut_all_the_same() -> None:
    text = "地図" * 500
    assert shown(text, "elsewhere") == text[:LENGTH]
    assert len(shown(f"{text}ab{text}", "ab")) <= LENGTH + len("<mark></mark>")


LETTERS = st.text(st.sampled_from("abisIİıﬁßş<>&'\"-_./ \n\u0301\u0307\u0327\u00b4\u00a0½㎏Ǆ"), max_size=40)
TEXTS = st.lists(st.one_of(LETTERS, st.sampled_from(["harbour", "ISPARTA", "<script>", "&amp;", "e-posta", "ﬁne"])))


@settings(max_examples=100, deadline=None)
@given(pieces=TEXTS, other=LETTERS, data=st.data())
@pytest.mark.shows("others.search.marks")
def test_without_its_marks_an_excerpt_is_a_part_of_the_text(pieces: list[str], other: str, data: st.DataObject) -> None:
    text = " ".join(pieces)
    chosen = data.draw(st.lists(st.sampled_from(text.split()), max_size=3)) if text.split() else []
    looked_for = sought(" ".join([*chosen, other]))
    marks = find_marks(text, looked_for)
    part = excerpt(text, marks)
    assert unescape(re.sub("</?mark>", "", part)) in text
    assert not set("<>") & set(re.sub("</?mark>", "", part))
    for mark in marks:
        assert is_hit(text[mark.start : mark.end], mark.term, looked_for), mark
    marked = {word for mark in marks for word in WORD.findall(fold(text[mark.start : mark.end]))}
    for term in looked_for.terms.words:
        if [term] == WORD.findall(term) and term in WORD.findall(fold(text)):
            assert term in marked, term


def is_hit(marked: str, term: str, looked_for: Sought) -> bool:
    """Whether the marked characters say what is looked for, or one of its words."""
    folded = fold(marked)
    if term in looked_for.terms.letters:
        return term in folded
    words = WORD.findall(term)
    return any(
        each in words or (term == looked_for.begun and each.startswith(words[-1])) for each in WORD.findall(folded)
    )
