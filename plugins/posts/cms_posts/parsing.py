"""HTML to a stream of tokens: bleach's parser, told to count what it strips, and a walk that is linear.

Only workers import this module.
"""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any
from xml.etree.ElementTree import Element

from bleach.html5lib_shim import TAG_TOKEN_TYPE_START, BleachHTMLParser, BleachHTMLTokenizer, attributeMap

from cms_posts.profiles import VOID

#: One step through a tree, as html5lib's filters pass it on: type, name and data.
Token = dict[str, Any]

#: The frame of a whole document: a fragment loses it, and its author nothing.
_FRAME = frozenset({"html", "head", "body"})
_NAMESPACE = re.compile(r"\{[^}]*\}")
#: What text may not hold: control characters, and other ends of line than "\n".
_CONTROLS = re.compile("[\0-\x08\x0b-\x1f\x7f]")


class _Tokenizer(BleachHTMLTokenizer):
    """Notes each start tag that bleach strips, which happens before there is a tree."""

    def emitCurrentToken(self) -> None:  # noqa: N802 - html5lib's name
        is_start, name = self.currentToken["type"] == TAG_TOKEN_TYPE_START, self.currentToken["name"].lower()
        super().emitCurrentToken()
        if is_start:
            self.parser.note(name)
            if name == "pre" and self.parser.phase is not self.parser.phases["inBody"]:
                self._skip_line_break()

    def _skip_line_break(self) -> None:
        """The first line break of a `pre` is none of its text, which html5lib forgets inside of tables."""
        character = self.stream.char()
        if character not in (None, "\n"):
            self.stream.unget(character)


class CountingParser(BleachHTMLParser):
    """bleach's parser for fragments. Strips tags that are not in `tags`, and counts them in `stripped`.

    Inside of the elements in `dropped` it does not count. Other than bleach itself it reads entities as a browser
    does, so that every value is checked as it will be used.
    """

    def __init__(self, tags: frozenset[str], dropped: frozenset[str]) -> None:
        super().__init__(tags, strip=True, consume_entities=True, namespaceHTMLElements=False)
        self.stripped: Counter[str] = Counter()
        self._dropped = dropped

    def note(self, name: str) -> None:
        """Count the start tag of an element if it is going to be stripped."""
        if name in self.tags or name in _FRAME:
            return
        if not any(element.name in self._dropped for element in self.tree.openElements):
            self.stripped[name] += 1

    def _parse(
        self,
        stream: str,
        innerHTML: bool = False,  # noqa: N803 - html5lib's name
        container: str = "div",
        scripting: bool = True,
        **kwargs: Any,
    ) -> None:
        # As bleach has it, but for the class of the tokenizer.
        self.innerHTMLMode = innerHTML
        self.container = container
        self.scripting = scripting
        self.tokenizer = _Tokenizer(stream=stream, consume_entities=True, parser=self, **kwargs)
        self.reset()
        self.mainLoop()


def walk(fragment: Element) -> Iterator[Token]:
    """Give the tokens of a fragment, in order. Comments are left out.

    html5lib's own walker looks every element up among its siblings on the way back, which is quadratic in a long list.
    """
    yield from _text(fragment.text)
    path = [("", fragment, iter(fragment))]
    while path:
        name, parent, children = path[-1]
        child = next(children, None)
        if child is None:
            path.pop()
            if path:
                yield {"type": "EndTag", "name": name}
                yield from _text(parent.tail)
        elif not isinstance(child.tag, str):
            yield from _text(child.tail)
        else:
            name = _NAMESPACE.sub("", child.tag)
            if name in VOID:
                yield _start("EmptyTag", name, child)
                yield from _text(child.tail)
            else:
                yield _start("StartTag", name, child)
                yield from _text(child.text)
                path.append((name, child, iter(child)))


def _start(kind: str, name: str, element: Element) -> Token:
    attributes = attributeMap(((None, key), _clean(value)) for key, value in element.attrib.items())
    return {"type": kind, "name": name, "namespace": None, "data": attributes}


def _text(data: str | None) -> Iterator[Token]:
    if data and (data := _clean(data)):
        yield {"type": "Characters", "data": data}


def _clean(data: str) -> str:
    """Without control characters: they come as entities, and are nothing to store or to send on."""
    return _CONTROLS.sub(_as_space, data)


def _as_space(match: re.Match[str]) -> str:
    return {"\r": "\n", "\x0b": " ", "\x0c": " "}.get(match[0], "")
