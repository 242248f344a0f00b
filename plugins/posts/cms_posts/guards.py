"""Linear guards in front of the parsers: what would keep them busy for seconds is refused in milliseconds, in words.

bleach's parser is quadratic in depth and in the attributes of one tag; Markdown in what is opened and never closed
(RELIABILITY, fact 5). What slips through here still meets the workers' time limit, so the limits are generous: they
are far beyond what a person writes.

`check_content` is the first stage, cheap enough for the event loop. The others run in the worker, where it is known
what the content is: `check_markdown` before Markdown is converted, `check_html` before HTML is sanitised.

This module is light: the event loop's process imports it.
"""

import re
from bisect import bisect_left
from collections import Counter, defaultdict

from cms_posts.profiles import ARTICLE, DROPPED, VOID, words

#: "<" in all of the content: some 30,000 elements.
MOST_TAGS = 60_000
#: "&" in all of the content; each may be an entity.
MOST_ENTITIES = 60_000
#: "[" in all of the content.
MOST_BRACKETS = 60_000
#: Open elements inside each other; browsers stop at 512.
DEEPEST_ELEMENTS = 256
#: Characters of one tag, values in quotes apart.
LONGEST_TAG = 4_096
#: Lists and quotes inside each other.
DEEPEST_BLOCKS = 50
#: Opened code fences that are never closed.
MOST_OPEN_FENCES = 20
#: Characters that have to be read to find the ends of all brackets, links and tags: the sum of the distances.
FARTHEST_BRACKETS = 2_000_000
FARTHEST_TAGS = 5_000_000
#: Headings and rules in one paragraph (what has no blank line in it), times its length.
HEAVIEST_HEADINGS = 40_000_000
#: Marks inside of one paragraph (emphasis, code, links, tags, entities, escapes), times its length.
HEAVIEST_MARKS = 1_000_000_000
#: The squares of how often each footnote is referred to, summed.
MOST_FOOTNOTES = 250_000

# Elements that a parser closes by itself when the next one opens: these do not add up.
_CLOSED_BY_THE_NEXT = words("p li dt dd td th tr tbody thead tfoot colgroup caption rt rp a h1 h2 h3 h4 h5 h6")
_NESTING = (ARTICLE.tags | DROPPED) - VOID - _CLOSED_BY_THE_NEXT
_RAW_TEXT = words("script style textarea title xmp noembed noframes noscript iframe")

_TAG = re.compile(r"<(?:(!--)|(/?)([a-zA-Z][a-zA-Z0-9]*))")
_COMMENT_END = re.compile("--!?>")
_QUOTED = re.compile(r""""[^"]*+"|'[^']*+'""")
_LETTER = re.compile("[a-zA-Z]")

_ENDLESS_REFERENCE = re.compile("&#(?:[0-9]{8,}+|[xX][0-9a-fA-F]{7,}+);?")
_PARAGRAPH_END = re.compile(r"\n[ \t]*+\n")
_BRACKETS = re.compile(r"[\[\]]")
_UNCLOSED_LINK = re.compile(
    r"""\]\((?!\s*+(?:<[^<>\n]*+>|[^\s()"'<]*+(?:\([^\s()"']*+\)[^\s()"']*+)*+)"""
    r"""(?:\s++(?:"[^"\n]*+"|'[^'\n]*+'))?+\s*+\))"""
)
_FENCE = re.compile(
    r"^(`{3,}+|~{3,}+) *+(?:(\{[^\n]*\}|hl_lines=[^\n]*|\.?[\w#.+-]++ *+(?:hl_lines=[^\n]*)?+))?+$", re.MULTILINE
)
_MANY_MARKERS = re.compile(
    rf"^(?:[ \t]{{0,8}}+(?:>|[-+*](?=[ \t])|\d{{1,9}}+[.)](?=[ \t]))){{{DEEPEST_BLOCKS + 1},}}+.*+", re.MULTILINE
)
_DEEP_INDENT = re.compile(
    rf"^(?: {{4}}|\t| {{1,3}}\t){{{DEEPEST_BLOCKS + 1},}}+ *+(?:[-+*>]|\d{{1,9}}+[.)])(?=[ \t])", re.MULTILINE
)
_SPLITTING_LINE = re.compile(r"^(?: {0,3}#{1,6}(?!#)| {0,3}(?:=++|[-*_][-*_ ]*+)$)", re.MULTILINE)
_MARKS = re.compile(r"[*_`\\&<\[]")
_REFERENCE = re.compile(r"\[\^([^\]\[]{1,100}+)\]")


class ContentTooComplex(ValueError):
    """Content that would take a parser too long. The message says what was measured, and the limit."""


def check_content(text: str) -> None:
    """Refuse floods, whether the content is Markdown or HTML.

    :raises ContentTooComplex: the content has too many of something.
    """
    _limit("it has {measured} '<' characters", text.count("<"), MOST_TAGS)
    _limit("it has {measured} '&' characters", text.count("&"), MOST_ENTITIES)
    _limit("it has {measured} '[' characters", text.count("["), MOST_BRACKETS)


def check_html(html: str) -> None:
    """Refuse HTML whose tags are too long or too deep inside each other.

    :raises ContentTooComplex: they are.
    """
    for piece in html.split("<"):
        if len(piece) > LONGEST_TAG and _LETTER.match(piece):
            tag = _QUOTED.sub("", piece).partition(">")[0]
            _limit("a tag has {measured} characters of attributes", len(tag), LONGEST_TAG)
    _limit("its elements are {measured} deep inside each other", _depth(html), DEEPEST_ELEMENTS)


def check_markdown(text: str) -> None:
    """Refuse Markdown that opens, nests or repeats too much. What is in fenced code does not count.

    :raises ContentTooComplex: it does.
    """
    text = _without_fences(text.replace("\r\n", "\n").replace("\r", "\n"))
    _check_blocks(text)
    paragraphs = _PARAGRAPH_END.split(text)
    _check_brackets(paragraphs)
    _check_tags(text)
    _check_footnotes(text)
    _check_paragraphs(paragraphs)


def without_endless_references(text: str) -> str:
    """Replace numeric entities too long to be a character: parsers make numbers of them, as Python does not."""
    return _ENDLESS_REFERENCE.sub("\ufffd", text) if "&#" in text else text


def _limit(what: str, measured: int, limit: int) -> None:
    if measured > limit:
        found = what.format(measured=f"{measured:,}")
        raise ContentTooComplex(f"The content is too complex: {found}, and {limit:,} is the limit.")


def _depth(html: str) -> int:
    """Follow start and end tags roughly as a parser does, to the deepest place; a wrong end tag closes nothing."""
    opened: defaultdict[str, int] = defaultdict(int)
    depth = deepest = skipped_to = 0
    for tag in _TAG.finditer(html):
        if tag.start() < skipped_to:
            continue
        comment, slash, name = tag.groups()
        if comment:
            skipped_to = _end_of(_COMMENT_END, html, tag.start() + 2)
            continue
        name = name.lower()
        if name not in _NESTING:
            continue
        if not slash:
            opened[name] += 1
            depth += 1
            deepest = max(deepest, depth)
            if name in _RAW_TEXT:
                skipped_to = _end_of(re.compile(f"(?i)(?=</{name})"), html, tag.end())
        elif opened[name]:
            opened[name] -= 1
            depth -= 1
    return deepest


def _end_of(pattern: re.Pattern[str], text: str, start: int) -> int:
    match = pattern.search(text, start)
    return match.end() if match else len(text)


def _without_fences(text: str) -> str:
    """Leave fenced code out, as the parser takes it out before anything else sees it."""
    fences = list(_FENCE.finditer(text))
    closing: defaultdict[str, list[int]] = defaultdict(list)
    for fence in fences:
        if not fence[2]:
            closing[fence[1]].append(fence.start())
    kept: list[str] = []
    position = unclosed = 0
    for fence in fences:
        if fence.start() < position:
            continue
        ends = closing[fence[1]]
        index = bisect_left(ends, fence.end())
        if index == len(ends):
            unclosed += 1
            # The parser tries every later quote as the end of the list of lines, and every later line after each.
            _limit("{measured} code fence with hl_lines is not closed", int("hl_lines" in fence[0]), 0)
            continue
        kept.append(text[position : fence.start()])
        position = ends[index] + len(fence[1])
    _limit("{measured} code fences are not closed", unclosed, MOST_OPEN_FENCES)
    return "".join([*kept, text[position:]])


def _check_blocks(text: str) -> None:
    """Lists and quotes inside each other: by markers on one line, or by indentation."""
    for line in _MANY_MARKERS.finditer(text):
        # A row of stars or hyphens is a rule.
        if len(set(line[0]) - {" ", "\t"}) > 1 or ">" in line[0]:
            _limit("a line opens {measured} or more lists and quotes", DEEPEST_BLOCKS + 1, DEEPEST_BLOCKS)
    if _DEEP_INDENT.search(text):
        _limit("its lists and quotes are {measured} or more deep", DEEPEST_BLOCKS + 1, DEEPEST_BLOCKS)


def _check_brackets(paragraphs: list[str]) -> None:
    """How far the parser has to look for the ends of brackets and links, all together."""
    if sum(each.count("[") * len(each) for each in paragraphs) <= FARTHEST_BRACKETS:
        return
    distance = 0
    for paragraph in paragraphs:
        opened: list[int] = []
        for bracket in _BRACKETS.finditer(paragraph):
            if bracket[0] == "[":
                opened.append(bracket.start())
            elif opened:
                distance += bracket.start() - opened.pop()
        distance += sum(len(paragraph) - start for start in opened)
        distance += sum(len(paragraph) - link.start() for link in _UNCLOSED_LINK.finditer(paragraph))
        _limit("its brackets and links are {measured} characters long, all together", distance, FARTHEST_BRACKETS)


def _check_paragraphs(paragraphs: list[str]) -> None:
    """The parser rebuilds a paragraph for each heading and for each mark in it."""
    for paragraph in paragraphs:
        length = len(paragraph)
        if length**2 > HEAVIEST_HEADINGS:
            weight = len(_SPLITTING_LINE.findall(paragraph)) * length
            _limit(
                "headings stand close, with no blank line between them (weight {measured})", weight, HEAVIEST_HEADINGS
            )
        if length**2 > HEAVIEST_MARKS:
            weight = len(_MARKS.findall(paragraph)) * length
            _limit("a paragraph is long and full of marks (weight {measured})", weight, HEAVIEST_MARKS)


def _check_tags(text: str) -> None:
    """How far it is from each "<" that begins a tag to the next ">", all together."""
    if text.count("<") * len(text) <= FARTHEST_TAGS:
        return
    total = distance = 0
    for piece in reversed(text.split("<")[1:]):
        end = piece.find(">")
        distance = end if end >= 0 else distance + len(piece) + 1
        if piece[:1].isalpha() or piece[:1] in ("/", "!", "?"):
            total += distance
    _limit("its tags are {measured} characters long, all together", total, FARTHEST_TAGS)


def _check_footnotes(text: str) -> None:
    """The parser tries the names for each further reference to a footnote one by one."""
    if text.count("[^") ** 2 > MOST_FOOTNOTES:
        squares = sum(uses * uses for uses in Counter(_REFERENCE.findall(text)).values())
        _limit("its footnotes are referred to too often (squares of their uses: {measured})", squares, MOST_FOOTNOTES)
