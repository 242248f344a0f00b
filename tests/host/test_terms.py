"""What a client typed, as terms."""

import pytest

from cms_host.terms import begun_word, parse_terms

BEGUN = {
    "harb": "harb", "old  HARB ": "harb", "e-pos": "e-pos", "İspar": "ispar", "ab": "", "c++": "", "harb*": "",
    "old_": "", "": "", "harb ab": "", "ﬁn": "fin", "a-b": "a-b",
}  # fmt: skip


@pytest.mark.parametrize(("text", "begun"), BEGUN.items())
def test_last_term_may_go_on_where_it_ends_in_a_word(text: str, begun: str) -> None:
    assert begun_word(text) == begun
    assert not begun or begun in parse_terms(text).words
