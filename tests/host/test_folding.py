"""Folding for comparison and search (contract 3)."""

from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cms_host.folding import fold_keep_length, fold_title


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
    assert len({fold_title(title) for title in same}) == 1


@pytest.mark.parametrize(
    ("one", "other"), [("résumé", "resume"), ("ñ", "n"), ("å", "a"), ("a b", "ab"), ("o\u0304", "o")]
)
def test_other_accents_and_words_count(one: str, other: str) -> None:
    assert fold_title(one) != fold_title(other)


def test_no_single_character_changes_its_length_or_folds_twice() -> None:
    # The Basic Multilingual Plane without surrogates, and where the compatibility forms are beyond it.
    codes = [*range(0xD800), *range(0xE000, 0x10000), *range(0x1D400, 0x1D800), *range(0x1F100, 0x1F260)]
    everything = "".join(map(chr, codes))
    folded = fold_keep_length(everything)
    assert len(folded) == len(everything)
    assert fold_keep_length(folded) == folded


@given(st.text())
def test_folding_a_title_twice_is_folding_it_once(text: str) -> None:
    assert fold_title(fold_title(text)) == fold_title(text)


@given(st.text())
def test_position_in_a_folded_text_is_the_position_in_the_original(text: str) -> None:
    folded = fold_keep_length(text)
    assert len(folded) == len(text)
    assert folded == "".join(fold_keep_length(character) for character in text)


@given(st.text(alphabet="abcçgğhıIiİoösşuüâîÂÎÛ KLM"))
def test_both_ways_of_folding_agree_on_turkish(text: str) -> None:
    assert " ".join(fold_keep_length(text).split()) == fold_title(text)


@given(st.text(alphabet=st.characters(exclude_categories=["Cs", "Cn"])))
def test_form_of_the_same_text_does_not_matter(text: str) -> None:
    assert {fold_title(normalize(form, text)) for form in ("NFC", "NFD", "NFKC", "NFKD")} == {fold_title(text)}
