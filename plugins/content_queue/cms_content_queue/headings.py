"""The first heading of a text, for articles that have no title of their own."""

import re
from contextlib import suppress
from html.parser import HTMLParser

#: A title is not looked for any deeper than this, in characters.
_ENOUGH = 65_536
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_ATX = re.compile(r" {0,3}#[ \t]+(\S.*)")
_UNDERLINE = re.compile(r" {0,3}=+[ \t]*")
#: Links and images show their text; marks around words are not part of it. Bounded, so that it is linear.
_LINK = re.compile(r"!?\[([^\]\[]{1,300})\](?:\([^()\s]{0,500}\)|\[[^\]\[]{0,200}\])")
_MARKS = re.compile(r"[*`]|(?<!\w)_+(?=\S)|(?<=\S)_+(?!\w)")


def first_heading(text: str, content_format: str) -> str:
    """What the first heading of the first level says; empty where there is none.

    :param content_format: `markdown` or `html`.
    """
    text = text[:_ENOUGH]
    return _in_markdown(text) if content_format == "markdown" else _in_html(text)


def _in_markdown(text: str) -> str:
    fence, before = "", ""
    for line in text.splitlines():
        mark = _FENCE.match(line)
        if fence:
            fence = "" if mark and mark[1].startswith(fence) else fence
        elif mark:
            fence = mark[1]
        elif found := _ATX.fullmatch(line):
            return _plain(_without_closing(found[1].rstrip()))
        elif before and _UNDERLINE.fullmatch(line):
            return _plain(before)
        before = "" if mark or fence else line.strip()
    return ""


def _without_closing(text: str) -> str:
    """A heading without the marks that may stand at its end as well, after a blank."""
    bare = text.rstrip("#")
    return bare if not bare or bare[-1] in " \t" else text


def _plain(text: str) -> str:
    return _MARKS.sub("", _LINK.sub(r"\1", text)).strip()


class _Heading(HTMLParser):
    """Collects the text of the first `h1`."""

    def __init__(self) -> None:
        super().__init__()
        self.inside = False
        self.done = False
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.inside = self.inside or (tag == "h1" and not self.done)

    def handle_endtag(self, tag: str) -> None:
        if tag == "h1" and self.inside:
            self.inside, self.done = False, True

    def handle_data(self, data: str) -> None:
        if self.inside:
            self.found.append(data)


def _in_html(text: str) -> str:
    parser = _Heading()
    # The parser of Python 3.11 gives up on some declarations that there are not.
    with suppress(AssertionError):
        parser.feed(text)
    return " ".join("".join(parser.found).split()) if parser.done else ""
