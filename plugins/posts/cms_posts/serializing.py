"""A stream of tokens to HTML, in the one form that the HTML standard's serialisation gives.

bleach's serializer escapes some values once more on every pass (those that hold quotes or are just ">"), and knows
nothing of the newline that a `pre` swallows. Only workers import this module.
"""

import re
from collections.abc import Iterable

from cms_posts.parsing import Token

_IN_TEXT = re.compile("[&<>\xa0]")
_IN_VALUES = re.compile('[&<>"\xa0]')
_ESCAPES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\xa0": "&nbsp;"}


def render(tokens: Iterable[Token]) -> str:
    """Write tokens as HTML: in text and values no "<" and ">" is bare, and every value has double quotes."""
    return "".join(map(_write, tokens))


def _write(token: Token) -> str:
    kind = token["type"]
    if kind == "Characters":
        return _IN_TEXT.sub(_escaped, token["data"])
    if kind == "EndTag":
        return f"</{token['name']}>"
    attributes = [f' {name}="{_IN_VALUES.sub(_escaped, value)}"' for (_, name), value in token["data"].items()]
    return f"<{token['name']}{''.join(attributes)}>"


def _escaped(match: re.Match[str]) -> str:
    return _ESCAPES[match[0]]
