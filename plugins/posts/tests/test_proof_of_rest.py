"""The cheap proof that HTML needs no second pass: what it calls settled, a parser leaves as it is."""

from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cms_posts.html import _Job
from cms_posts.nesting import is_settled
from cms_posts.profiles import ARTICLE, VOID
from cms_posts.serializing import render

# Frames need an address, and their content is dropped.
TAGS = sorted(ARTICLE.tags - {"iframe"})


def element(tag: str, content: list[dict[str, Any]]) -> list[dict[str, Any]]:
    if tag in VOID:
        return [{"type": "EmptyTag", "name": tag, "data": {}}]
    if tag == "pre" and content and content[0]["type"] == "Characters" and content[0]["data"][0] == "\n":
        content = [text("\n"), *content]
    return [{"type": "StartTag", "name": tag, "data": {}}, *content, {"type": "EndTag", "name": tag}]


def text(data: str) -> dict[str, Any]:
    return {"type": "Characters", "data": data}


def again(tokens: list[dict[str, Any]]) -> str:
    return render(_Job(ARTICLE, ()).clean(render(tokens)))


@pytest.mark.parametrize("outer", TAGS)
def test_settled_pair_of_elements_is_read_as_it_was_written(outer: str) -> None:
    settled = 0
    for inner, before in product(TAGS, ([], [text("x")])):
        tokens = [*before, *element(outer, [*before, *element(inner, [text("y")]), text("z")]), text("\n")]
        if is_settled(tokens):
            settled += 1
            assert again(tokens) == render(tokens)
    assert settled or outer in {"caption", "col", "colgroup", "dd", "dt", "li", "rp", "rt", "table", "tbody", "td"} | {
        "tfoot", "th", "thead", "tr"
    }  # fmt: skip


TREES = st.recursive(
    st.sampled_from(["x", " ", "\n", "a b"]).map(lambda data: [text(data)]),
    lambda inner: st.tuples(
        st.sampled_from(
            ["p", "b", "a", "div", "ul", "li", "table", "tbody", "tr", "td", "h2", "pre", "code", "br", "dl", "dt"]
        ),
        st.lists(inner, max_size=3),
    ).map(lambda pair: element(pair[0], [token for part in pair[1] for token in part])),
    max_leaves=12,
)


def joined(tokens: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """As a tree has it: no two texts beside each other."""
    result: list[dict[str, Any]] = []
    for token in tokens:
        if result and token["type"] == result[-1]["type"] == "Characters":
            result[-1] = text(result[-1]["data"] + token["data"])
        else:
            result.append(token)
    return result


@settings(max_examples=400, deadline=None)
@given(st.lists(TREES, max_size=3))
def test_settled_tree_is_read_as_it_was_written(trees: list[list[dict[str, Any]]]) -> None:
    tokens = joined([token for tree in trees for token in tree])
    if is_settled(tokens):
        assert again(tokens) == render(tokens)


@pytest.mark.parametrize(
    "html",
    [
        "<p><div></div></p>",
        "<a><b><a></a></b></a>",
        "<h1><h2></h2></h1>",
        "<table>x</table>",
        "<ul><p><li></li></p></ul>",
    ],
)
def test_what_a_parser_would_change_is_not_settled(html: str) -> None:
    names = html.replace("<", " <").split()
    tokens: list[dict[str, Any]] = []
    for name in names:
        tag, _, rest = name.strip("<").partition(">")
        kind = "EndTag" if tag.startswith("/") else "StartTag"
        tokens.append({"type": kind, "name": tag.strip("/"), "data": {}})
        tokens += [text(rest)] if rest else []
    assert render(tokens) == html
    assert not is_settled(tokens)
