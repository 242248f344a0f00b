"""Guards: hostile content is refused in words, faster than ordinary content is processed; what people write passes."""

import contextlib
from collections.abc import Callable
from time import perf_counter

import pytest

from cms_posts.guards import ContentTooComplex, check_content
from cms_posts.process import process_content

KB = 1024


def filled(unit: str, size: int) -> str:
    return unit * (size // len(unit))


#: Content that keeps a parser busy for seconds, or sends it deeper than Python goes; and a word of the refusal.
HOSTILE = {
    "opened tags": (filled("<b>", 100 * KB), "deep inside"),
    "opened divisions": ("<div>" * 20_000, "deep inside"),
    "opened and closed divisions": ("<div>" * 1_000 + "</div>" * 1_000, "deep inside"),
    "lists in HTML": ("<ul><li>" * 300 + "x", "deep inside"),
    "misnested formatting": (filled("<b></p>", 50 * KB), "deep inside"),
    "formatting in links": (filled("<a><b>", 20 * KB), "deep inside"),
    "formatting in tables": (filled("<table><b>", 20 * KB), "deep inside"),
    "foreign elements": (filled("<svg></p>", 20 * KB), "deep inside"),
    "self-closing that is none": (filled("<b/>", 20 * KB), "deep inside"),
    "attributes": (f"<p><a {filled('a ', 100 * KB)}></p>", "characters of attributes"),
    "different attributes": ("<p>\n<a " + " ".join(f"a{n}" for n in range(15_000)) + ">", "characters of attributes"),
    "values": ("<p>\n<a " + "".join(f'a{n}=""' for n in range(12_000)) + ">", "characters of attributes"),
    "less than": ("<" * 100 * KB, "'<' characters"),
    "ampersands": ("&" * 100 * KB, "'&' characters"),
    "very many brackets": ("[" * 100 * KB, r"'\[' characters"),
    "brackets": ("[" * 20_000, "brackets and links"),
    "brackets in brackets": ("[" * 9_000 + "]" * 9_000, "brackets and links"),
    "images": ("![](" * 5_000, "brackets and links"),
    "links": ("[a](" * 5_000, "brackets and links"),
    "links in angles": ("[a](<" * 4_000, "brackets and links"),
    "links with titles": ('[a](b "' * 4_000, "brackets and links"),
    "brackets of declarations": ("<![" * 6_000, "brackets and links"),
    "automatic links": ("<http://" * 2_500, "tags are"),
    "tags without end": ("<a " * 6_000, "tags are"),
    "comments without end": (filled("<!--", 100 * KB), "tags are"),
    "footnotes": ("[^1] " * 3_000 + "\n\n[^1]: x", "footnotes"),
    "fences": ("~~~x\n\n" * 3_000, "code fences"),
    "fence with lines": ('~~~ hl_lines="\n' + '"\n' * 8_000, "hl_lines"),
    "lists by indentation": ("".join("    " * depth + "- x\n" for depth in range(300)), "lists and quotes"),
    "lists by tabs": ("".join("\t" * depth + "1. x\n" for depth in range(300)), "lists and quotes"),
    "lists on one line": ("- " * 300 + "x", "lists and quotes"),
    "quotes on one line": (">" * 300 + "x", "lists and quotes"),
    "quotes with blanks": ("> " * 300 + "x", "lists and quotes"),
    "headings": ("# a\n" * 15_000, "headings"),
    "underlined headings": ("a\n=\n" * 15_000, "headings"),
    "escapes": ("\\" * 100 * KB, "full of marks"),
    "entities": ("&amp;" * 50_000, "full of marks"),
}
#: Strange, but no burden.
HARMLESS = {
    "comment ends": "-- >" * 5_000,
    "false comments": "<!-- -- >" * 2_000,
    "comments": "<!-- x -->" * 5_000,
    "one open fence": "~~~\n" + "x\n" * 10_000,
    "a rule of stars": "* " * 300,
    "an endless word": "x" * 300 * KB,
    "blanks": " " * 300 * KB,
    "a long value": f'<p><img alt="{"x" * 200 * KB}"></p>',
    "an image in the text": f'<p><img src="data:image/png;base64,{"A/+" * 60 * KB}"></p>',
    "raw text": filled("<script>", 50 * KB),
}
PARAGRAPH = "Lorem ipsum dolor *amet*, **consectetur** [adipiscing](https://example.org/a?b=1), sed `do` x. " * 6
ARTICLES = {
    "long documentation": f"## Part\n\n{PARAGRAPH}\n\n- one\n    - two\n\n```sh\nif [[ $a < 3 ]]\n```\n\n" * 130,
    "long HTML": f"<h2>Part</h2>\n<p>{PARAGRAPH}</p>\n<ul><li>a</li><li>b</li></ul>\n<pre>x &lt; 1</pre>\n" * 130,
    "table of 5,000 cells": "|a|b|c|d|e|\n|-|-|-|-|-|\n" + "| one | two | three | four | **five** |\n" * 1_000,
    "HTML table of 5,000 cells": "<table>" + ("<tr>" + "<td>text</td>" * 10 + "</tr>\n") * 500 + "</table>",
    "500 links": '[a link](https://example.org/page?x=1 "title") and ' * 500,
    "500 links in a list": "- [a link](https://example.org/page)\n" * 500,
    "footnotes": "".join(f"word[^{n}] " for n in range(300)) + "\n\n" + "".join(f"[^{n}]: note\n" for n in range(300)),
    "colours of a terminal": "# Log\n\n```\n" + "^[[31mred^[[0m\n" * 3_000 + "```\n",
    "HTML as an example": "# How\n\n```html\n" + "<div>\n" * 400 + "```\n",
    "YAML as an example": "# How\n\n~~~yaml\n" + "".join("  " * (n % 60) + "- k: v\n" for n in range(600)) + "~~~\n",
    "half-open intervals": "The range [0, 1) is half open. " * 150,
    "changelog": "## 1.0\n- fixed [#1](https://example.org/1)\n- more\n\n" * 300,
    "old HTML": "<a name=x><p>para <b>bold</b><br><ul><li>one<li>two</ul><hr>" * 300,
    "an icon": "<p>x</p><svg>" + "<path d='M0 0'/><g><circle r='1'/></g>" * 400 + "</svg>",
    "word processor": '<p class="MsoNormal" style="margin:0"><span lang="TR">Metin<o:p></o:p></span></p>\n' * 400,
}


def seconds(work: Callable[[], object], times: int = 3) -> float:
    best = float("inf")
    for _ in range(times):
        began = perf_counter()
        work()
        best = min(best, perf_counter() - began)
    return best


@pytest.fixture(scope="module")
def ordinary() -> float:
    """Seconds that an ordinary article of about 100 KB takes on this machine now."""
    return seconds(lambda: process_content(ARTICLES["long documentation"], None, ()))


@pytest.mark.parametrize(("content", "reason"), HOSTILE.values(), ids=HOSTILE)
def test_hostile_content_is_refused_sooner_than_an_article_is_done(content: str, reason: str, ordinary: float) -> None:
    def refuse() -> None:
        with pytest.raises(ContentTooComplex, match=reason):
            process_content(content, None, ())

    assert seconds(refuse) < ordinary


@pytest.mark.parametrize("content", HARMLESS.values(), ids=HARMLESS)
def test_strange_content_takes_no_longer_than_an_article(content: str, ordinary: float) -> None:
    assert seconds(lambda: process_content(content, None, ()), times=2) < 3 * ordinary


@pytest.mark.parametrize("content", ARTICLES.values(), ids=ARTICLES)
def test_what_people_write_passes(content: str) -> None:
    check_content(content)
    assert process_content(content, None, ()).html


@pytest.mark.parametrize("unit", ["<", "[", "&", "x", "<b>", "![](", "\n"])
def test_first_stage_costs_the_event_loop_next_to_nothing(unit: str, ordinary: float) -> None:
    def check() -> None:
        with contextlib.suppress(ContentTooComplex):
            check_content(filled(unit, 512 * KB))

    assert seconds(check) < ordinary / 20


def test_refusal_says_what_was_measured_and_what_the_limit_is() -> None:
    with pytest.raises(ContentTooComplex, match="elements are 300 deep inside each other, and 256 is the limit"):
        process_content("<div>" * 300, "html", ())


def test_what_nests_too_deep_for_python_is_refused_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cms_posts.process.check_markdown", lambda _: None)
    with pytest.raises(ContentTooComplex, match="nested too deeply"):
        process_content("".join("    " * depth + "- x\n" for depth in range(300)), "markdown", ())
