"""Folding for comparison and search (contract 3)."""

from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cms_host.folding import fold


@pytest.mark.parametrize(
    "same",
    [
        ("ISPARTA", "ısparta", "İsparta", "isparta", "IsPaRtA"),
        ("ÇĞÖŞÜ", "çğöşü", "CGOSU", "cgosu"),
        ("kâr", "KAR", "Kâr", "kar"),
        ("ＡＢＣ　１２", "abc 12", "abc  12", " ABC\t12\n"),
        ("ﬁn", "fin", "FIN"),
        ("Straße", "STRASSE"),
        ("s\u0327ey", "şey", "sey"),
        ("i\u0307", "İ", "I\u0307", "i"),
        ("①", "1"),
        ("\U0001d6a4", "i"),
    ],
    ids=lambda same: same[0],
)
def test_spellings_of_one_title_fold_together(same: tuple[str, ...]) -> None:
    assert len({fold(title) for title in same}) == 1


@pytest.mark.parametrize(
    ("one", "other"), [("résumé", "resume"), ("ñ", "n"), ("å", "a"), ("a b", "ab"), ("o\u0304", "o")]
)
def test_other_accents_and_words_count(one: str, other: str) -> None:
    assert fold(one) != fold(other)


@given(st.text())
def test_folding_a_title_twice_is_folding_it_once(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@given(st.text(alphabet=st.characters(exclude_categories=["Cs", "Cn"])))
def test_form_of_the_same_text_does_not_matter(text: str) -> None:
    assert {fold(normalize(form, text)) for form in ("NFC", "NFD", "NFKC", "NFKD")} == {fold(text)}
