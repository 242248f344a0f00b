"""Plain text of titles, names and alt texts (contract 3)."""

from time import perf_counter
from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cms_host.plain import plain_text


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        ("<b>x</b>", "x"),
        ("a <b class='c'>d</b><br/>e", "a de"),
        ("<script>alert(1)</script>", "alert(1)"),
        ("<<b>script>alert(1)<</b>/script>", "alert(1)"),
        ("<<<<i>b>b>b>x", "x"),
        ("<!-- note -->x<!doctype html><?php ?>", "x"),
        ("<svg/onload=alert(1)>x", "x"),
        ("<p\n>x</p\t>", "x"),
    ],
)
def test_tags_are_removed(sent: str, kept: str) -> None:
    assert plain_text(sent) == kept


@pytest.mark.parametrize(
    "text",
    [
        "a < b",
        "a < b > c",
        "1 <2> 3",
        "I <3 it",
        "x->y <- z",
        "AT&T &amp; &lt;b&gt;",
        "Ayşe <ayse@example.org>",
        "a <b",
        "\"'“”",
        "  a\n",
    ],
)
def test_other_characters_are_kept_as_sent(text: str) -> None:
    assert plain_text(text) == text


def test_composed_form_is_made_also_where_a_tag_stood() -> None:
    assert plain_text("e\u0301 s<b>\u0327") == "é ş"


@given(st.one_of(st.text(), st.text(alphabet="<>/!b -\u0338\u0301e=")))
def test_plain_text_of_plain_text_is_itself(text: str) -> None:
    plain = plain_text(text)
    assert plain_text(plain) == plain
    assert normalize("NFC", plain) == plain


@pytest.mark.parametrize("unit", ["<", ">", "<b>", "<b", "<a ", "<<b>", "</", "< >"])
def test_time_grows_as_the_text_does(unit: str) -> None:
    def seconds(count: int) -> float:
        times = []
        for _ in range(3):
            began = perf_counter()
            plain_text(unit * count + ">" * count)
            times.append(perf_counter() - began)
        return min(times)

    # Quadratic would be a factor of 256.
    assert seconds(80_000) < 100 * seconds(5_000)
