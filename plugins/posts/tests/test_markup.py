"""Markdown or HTML (contract 4), and what Markdown becomes."""

import pytest

from cms_posts.html import sanitize
from cms_posts.markup import kind, to_html

MARKDOWN = {
    "heading": "# Title\n\ntext",
    "heading underlined": "Title\n=====\n\ntext",
    "bullets": "- one\n- two",
    "numbers": "1. one\n2. two",
    "quote": "> said",
    "table": "| a | b |\n|---|---|\n| 1 | 2 |",
    "fence": "```\ncode\n```",
    "tilde fence": "~~~\ncode\n~~~",
    "bold": "some **bold** text",
    "bold by underscores": "some __bold__ text",
    "link": "see [there](https://example.org)",
    "reference": "[1]: https://example.org",
    "plain text": "just a text\n\nwith paragraphs",
    "less than": "a < b and b > c",
    "heart": "I <3 it",
    "HTML in a fence": "```html\n<p>x</p>\n```",
    "HTML in a code span": "use `<p>` here",
    "HTML block first": "<div>box</div>\n\n# Title",
    "inline HTML within": "a <b>b</b> **c**",
    "Windows line ends": "# Title\r\n\r\ntext\r\n",
    "nothing": "",
}
HTML = {
    "paragraph": "<p>text</p>",
    "inline only": "some <b>bold</b> text",
    "line break": "one<br>two",
    "bullets in a paragraph": "<p>\n- 5 * 3\n- x\n</p>",
    "hash in a pre": "<pre>\n# comment\n</pre>",
    "stars in a list": "<ul>\n<li>**x**</li>\n</ul>",
    "Gutenberg": "<!-- wp:paragraph -->\n<p>text</p>\n<!-- /wp:paragraph -->",
    "whole document": "<!doctype html>\n<html><body>\n<p>x</p>\n</body></html>",
    "nested blocks": "<div>\n<section>\n# not a title\n</section>\n</div>",
    "attributes": '<p class="a" title="[x](y)">text</p>',
    "unclosed blocks": "<p>one\n<p># two",
}


@pytest.mark.parametrize("text", MARKDOWN.values(), ids=MARKDOWN)
def test_markdown_is_told_from_html(text: str) -> None:
    assert kind(text) == "markdown"


@pytest.mark.parametrize("text", HTML.values(), ids=HTML)
def test_html_is_told_from_markdown(text: str) -> None:
    assert kind(text) == "html"


def test_markdown_has_tables_fences_and_footnotes() -> None:
    html = sanitize(to_html("| a |\n|---|\n| 1 |\n\n```python\nx < 1\n```\n\nword[^1]\n\n[^1]: note\n"))
    assert "<td>1</td>" in html.html
    assert '<pre><code class="language-python">x &lt; 1\n</code></pre>' in html.html
    assert '<li id="fn:1">' in html.html
    assert '<a class="footnote-ref" href="#fn:1">1</a>' in html.html
    assert not html.removed


def test_alignment_of_table_columns_survives() -> None:
    assert '<td style="text-align: right">' in sanitize(to_html("| a |\n|--:|\n| 1 |")).html


def test_html_in_code_stays_text_and_outside_of_it_is_sanitised() -> None:
    cleaned = sanitize(to_html("```\n<script>x</script>\n```\n\n<script>y</script>\n\n[a](javascript:1)"))
    assert "&lt;script&gt;x&lt;/script&gt;" in cleaned.html
    assert "y" not in cleaned.html
    assert cleaned.removed.detail() == {"tags": {"script": 1}, "attributes": {"href": 1}}


def test_one_conversion_knows_nothing_of_the_one_before() -> None:
    to_html("word[^1]\n\n[^1]: note\n\n[ref]: https://example.org")
    assert to_html("word[^1] and [ref]") == "<p>word[^1] and [ref]</p>"
