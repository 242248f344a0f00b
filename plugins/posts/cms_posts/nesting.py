"""Whether a parser would leave HTML exactly as it is: a cheap proof that saves sanitising everything twice.

The rules are a cautious reading of the HTML standard's tree construction. "No" only means "not proved".
"""

from collections import Counter
from collections.abc import Iterable

from cms_posts.parsing import Token
from cms_posts.profiles import words

#: Start tags that close an open paragraph.
_CLOSES_PARAGRAPH = words(
    "address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer form",
    "h1 h2 h3 h4 h5 h6 header hgroup hr li dd dt main menu nav ol p pre listing section summary table ul",
)
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
#: What may stand directly in these, and nothing else, text included.
_CHILDREN = {
    "table": frozenset({"caption", "colgroup", "thead", "tbody", "tfoot"}),
    "colgroup": frozenset({"col"}),
    "thead": frozenset({"tr"}),
    "tbody": frozenset({"tr"}),
    "tfoot": frozenset({"tr"}),
    "tr": frozenset({"th", "td"}),
}
#: What these may stand directly in, and nowhere else.
_PARENTS = {
    "caption": frozenset({"table"}),
    "colgroup": frozenset({"table"}),
    "col": frozenset({"colgroup"}),
    "thead": frozenset({"table"}),
    "tbody": frozenset({"table"}),
    "tfoot": frozenset({"table"}),
    "tr": frozenset({"thead", "tbody", "tfoot"}),
    "th": frozenset({"tr"}),
    "td": frozenset({"tr"}),
    "li": frozenset({"ul", "ol"}),
    "dt": frozenset({"dl"}),
    "dd": frozenset({"dl"}),
    "rt": frozenset({"ruby"}),
    "rp": frozenset({"ruby"}),
}
_BLANKS = " \t\n"


def is_settled(tokens: Iterable[Token]) -> bool:
    """Whether these tokens, balanced as they come from a tree, are surely the same after being written and parsed."""
    path = [""]
    inside: Counter[str] = Counter()
    for token in tokens:
        kind = token["type"]
        if kind == "EndTag":
            inside[path.pop()] -= 1
        elif kind == "Characters":
            if path[-1] in _CHILDREN and token["data"].strip(_BLANKS):
                return False
        else:
            name = token["name"]
            if not _may_begin(name, path[-1], inside):
                return False
            if kind == "StartTag":
                path.append(name)
                inside[name] += 1
    return True


def _may_begin(name: str, parent: str, inside: Counter[str]) -> bool:
    if name in _PARENTS and parent not in _PARENTS[name]:
        return False
    if parent in _CHILDREN and name not in _CHILDREN[parent]:
        return False
    if name in _CLOSES_PARAGRAPH and inside["p"]:
        return False
    if name in _HEADINGS:
        return parent not in _HEADINGS
    return name != "a" or not inside["a"]
