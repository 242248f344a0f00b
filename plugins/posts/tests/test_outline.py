"""What a post's outline holds, and what is derived from its text."""

from html import escape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cms_posts.html import sanitize
from cms_posts.outline import excerpt, make_outline, reading_time


def test_text_has_blanks_between_blocks_and_none_inside_of_words() -> None:
    html = "<h2>One</h2><p>a<b>b</b>c<br>d</p>\n\n<ul><li>e</li><li>f</li></ul><table><tr><td>g<td>h</table>"
    assert make_outline(sanitize(html).html).text == "One abc d e f g h"


def test_text_is_what_a_reader_sees() -> None:
    html = '<p title="no">a &lt;b&gt; &amp;amp; &nbsp; c</p><img alt="no" src="x"><!-- no --><script>no</script>'
    assert make_outline(sanitize(html).html).text == "a <b> &amp; c"


def test_headings_links_and_images_are_listed_in_order() -> None:
    html = sanitize(
        '<h2>A <em>b</em></h2><p><a href="/x?a=1&amp;b=2">x</a><a>y</a></p><h3></h3>'
        '<img src="/1.jpg" srcset="/2.jpg 1x, /3.jpg 2x"><picture><source srcset="/4.avif"></picture>'
        '<video src="/v.mp4" poster="/5.jpg"></video><h2>C &gt; d</h2><a href="#f">z</a>'
    ).html
    outline = make_outline(html)
    assert outline.headings == ((2, "A b"), (3, ""), (2, "C > d"))
    assert outline.links == ("/x?a=1&b=2", "#f")
    assert outline.images == ("/1.jpg", "/2.jpg", "/3.jpg", "/4.avif", "/5.jpg")


def test_candidates_with_commas_in_their_addresses_stay_whole() -> None:
    html = sanitize('<img srcset="/w_400,h_300/a.jpg 400w, /b.jpg, /c.jpg 2x,/d.jpg">').html
    assert make_outline(html).images == ("/w_400,h_300/a.jpg", "/b.jpg", "/c.jpg", "/d.jpg")


@given(st.text(alphabet=st.characters(exclude_categories=["Cs", "Cc", "Cn"])))
def test_text_of_an_escaped_text_is_that_text_with_single_blanks(text: str) -> None:
    assert make_outline(sanitize(f"<p>{escape(text)}</p>").html).text == " ".join(text.split())


@pytest.mark.parametrize(("words", "minutes"), [(0, 1), (1, 1), (200, 1), (201, 2), (400, 2), (401, 3)])
def test_reading_time_is_200_words_a_minute_rounded_up(words: int, minutes: int) -> None:
    assert reading_time("word " * words) == minutes


def test_excerpt_of_a_short_text_is_that_text() -> None:
    assert excerpt("") == ""
    assert excerpt("x" * 160) == "x" * 160


def test_excerpt_is_cut_at_a_word() -> None:
    text = "word " * 40
    assert excerpt(text.strip()) == ("word " * 32).strip() + "…"
    assert excerpt("a" * 155 + " bcd, efg hij") == "a" * 155 + " bcd…"


def test_excerpt_of_a_text_without_blanks_is_cut_anywhere() -> None:
    assert excerpt("漢" * 300) == "漢" * 160 + "…"
    assert excerpt("x " + "漢" * 300) == "x " + "漢" * 158 + "…"


@given(st.text())
def test_excerpt_begins_as_the_text_does_and_keeps_its_length(text: str) -> None:
    text = " ".join(text.split())
    short = excerpt(text)
    assert len(short) <= 161
    assert text.startswith(short.removesuffix("…") if len(text) > 160 else short)
