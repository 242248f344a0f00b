"""Markdown or HTML, and Markdown to HTML. Only workers import this module.

The decision is the tried rule of contract 4: Markdown marks outside of HTML blocks make a text Markdown, HTML in code
makes nothing HTML. A wrong guess is no danger: what comes out is sanitised either way.
"""

import re

from markdown import Markdown

from cms_posts.guards import without_endless_references
from cms_posts.profiles import words

EXTENSIONS = ("tables", "fenced_code", "footnotes", "sane_lists")

#: Characters that are looked at: no text needs longer to show what it is.
_ENOUGH = 200_000
#: Characters of one line that are looked at.
_ENOUGH_OF_A_LINE = 4_000
_VOID = words("hr br img col source input wbr")
_BLOCKS = words(
    "p h1 h2 h3 h4 h5 h6 ul ol li dl dt dd table thead tbody tfoot tr td th div section article blockquote pre figure",
    "figcaption iframe header footer main aside details summary nav video audio",
)
# All quantifiers are bounded, and all patterns see one line at a time: so the decision is linear.
_TAG = re.compile(r"<(/?)([a-z][a-z0-9]{0,15})(?:\s[^<>]{0,2000})?/?>", re.IGNORECASE)
_CODE_SPAN = re.compile(r"(?<!`)`{1,3}(?!`)[^`]{1,500}`{1,3}(?!`)")
_MARK = re.compile(
    r" {0,3}(?:#{1,6}[ \t]+\S|[-*+][ \t]+\S|\d{1,9}[.)][ \t]+\S|>[ \t]?\S|\|.{1,500}\|[ \t]*$|"
    r"\[[^\]\[]{1,200}\]:[ \t]*\S)"
)
_UNDERLINE = re.compile(r" {0,3}(?:=+|-+)[ \t]*$")
_INLINE_MARK = re.compile(
    r"\*\*[^\s*][^*]{0,200}\*\*|\[[^\]\[]{1,200}\]\([^()\s]{1,500}|(?<!\w)__[^\s_][^_]{0,200}__(?!\w)"
)


def kind(text: str) -> str:
    """Give "markdown" or "html". Text without marks and tags is Markdown: its paragraphs become paragraphs."""
    depth, before, html = 0, "", False
    for line in text[:_ENOUGH].splitlines():
        bare, stripped = line[:_ENOUGH_OF_A_LINE], line.strip()
        if depth <= 0:
            depth = 0
            bare = _CODE_SPAN.sub(" ", bare)
            if stripped.startswith(("```", "~~~")) or _is_marked(bare, stripped, before):
                return "markdown"
        for tag in _TAG.finditer(bare):
            html = True
            depth += _step(tag)
        before = stripped
    return "html" if html else "markdown"


def to_html(text: str) -> str:
    """Convert Markdown to HTML, which is not safe yet."""
    return Markdown(extensions=EXTENSIONS).convert(without_endless_references(text))


def _is_marked(line: str, stripped: str, before: str) -> bool:
    """Whether a line outside of HTML blocks carries a mark of Markdown; code spans are blank already."""
    if _MARK.match(line):
        return True
    if before and not before.startswith("<") and _UNDERLINE.match(line):
        return True
    return not stripped.startswith("<") and bool(_INLINE_MARK.search(_TAG.sub(" ", line)))


def _step(tag: re.Match[str]) -> int:
    """How a tag changes the depth of open blocks."""
    name = tag[2].lower()
    if name not in _BLOCKS or name in _VOID:
        return 0
    return -1 if tag[1] else 1
