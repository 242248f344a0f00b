"""Front matter is read as text, and what could cost too much is not read at all."""

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cms_content_queue.front_matter import DEEPEST, LIMIT, Split, Unusable, split

YAML = "---\n{}\n---\nText\n"
TOML = "+++\n{}\n+++\nText\n"


@pytest.mark.parametrize(
    ("yaml", "meant"),
    {
        "title: A walk": {"title": "A walk"},
        "title: 2024": {"title": "2024"},
        "version: 1.10": {"version": "1.10"},
        "title: No": {"title": "No"},
        "date: 2024-01-31 09:30:00 +0300": {"date": "2024-01-31 09:30:00 +0300"},
        "title:": {"title": None},
        "title: ~": {"title": None},
        'title: ""': {"title": ""},
        'title: "null"': {"title": "null"},
        "tags: [sea, 'salt & wind']": {"tags": ["sea", "salt & wind"]},
        "tags:\n  - sea\n  - 7": {"tags": ["sea", "7"]},
        "seo:\n  robots: noindex\n  og: {a: 1}": {"seo": {"robots": "noindex", "og": {"a": "1"}}},
        "text: >-\n  two\n  lines": {"text": "two lines"},
        "a: &name [1]": {"a": ["1"]},
        "a: !!python/object/apply:os.system [ls]": {"a": ["ls"]},
        "# nothing but a comment": {},
        "": {},
    }.items(),
)
def test_yaml_is_read_as_text_lists_and_mappings(yaml: str, meant: dict[str, Any]) -> None:
    assert split(YAML.format(yaml)) == Split(meant, "Text\n")


@pytest.mark.parametrize(
    ("toml", "meant"),
    {
        'title = "A walk"': {"title": "A walk"},
        "date = 2024-01-31": {"date": "2024-01-31"},
        "date = 2024-01-31T09:30:00Z": {"date": "2024-01-31T09:30:00+00:00"},
        "draft = true": {"draft": "true"},
        'tags = ["sea", 7, 1.5]': {"tags": ["sea", "7", "1.5"]},
        '[seo]\nrobots = "noindex"': {"seo": {"robots": "noindex"}},
        "": {},
    }.items(),
)
def test_toml_is_read_as_the_same_yaml_would_be(toml: str, meant: dict[str, Any]) -> None:
    assert split(TOML.format(toml)) == Split(meant, "Text\n")


@pytest.mark.parametrize("text", ["", "Text", "# A walk\n---\nText\n---\n", " ---\na: 1\n---\n", "----\na\n----\n"])
def test_a_file_without_front_matter_is_all_text(text: str) -> None:
    assert split(text) == Split({}, text)


@pytest.mark.parametrize("text", ["---\r\na: 1\r\n---\r\nText", "---  \na: 1\n---\t\nText", "---\na: 1\n...\nText"])
def test_line_ends_blanks_and_the_other_end_of_yaml_are_taken(text: str) -> None:
    assert split(text) == Split({"a": "1"}, "Text")


def test_a_line_in_the_text_does_not_end_it() -> None:
    assert split("---\na: 1\n---\nText\n---\nMore\n").content == "Text\n---\nMore\n"


@pytest.mark.parametrize(
    ("text", "why"),
    {
        "---\na: 1\n": "begins and does not end",
        YAML.format("a: [1"): "is no YAML: line 3,",
        YAML.format("\ta: 1"): "is no YAML: line 2,",
        YAML.format("a: \x07"): "is no YAML: unacceptable character",
        YAML.format("just text"): "no list of keys",
        YAML.format("- a"): "no list of keys",
        YAML.format("a: 1\na: 2"): "says 'a' twice",
        YAML.format("[a]: 1"): "a key that is no text",
        YAML.format("a: 1\n--- x\nb: 1"): "is more than one YAML document",
        YAML.format("a: &x [1]\nb: [*x, *x]"): "has an alias (*x), line 3,",
        YAML.format('a: "\\0"'): "a character that no text may hold",
        YAML.format('a: "\\ud800"'): "a character that no text may hold",
        YAML.format("a: " + "[" * DEEPEST + "]" * DEEPEST): f"nested more than {DEEPEST} levels",
        YAML.format("a: " + "x" * LIMIT): f"longer than {LIMIT} characters",
        TOML.format("a"): "is no TOML",
        TOML.format("a = " + "[" * DEEPEST + "]" * DEEPEST): f"nested more than {DEEPEST} levels",
        TOML.format("a = " + "[" * 5000 + "]" * 5000): "too many lists",
        TOML.format("a = " + "1" * 5000): "a number that is too long",
        TOML.format("a = 0x" + "f" * 5000): "a number that is too long",
    }.items(),
)
def test_what_can_not_be_read_is_told(text: str, why: str) -> None:
    with pytest.raises(Unusable) as told:
        split(text)

    assert why in str(told.value)


def test_front_matter_may_be_nested_as_deep_as_is_said() -> None:
    depth = DEEPEST - 1

    assert split(YAML.format("a: " + "[" * depth + "]" * depth)) != split(YAML.format(""))
    assert split(TOML.format("a = " + "[" * depth + "]" * depth)) == split(
        YAML.format("a: " + "[" * depth + "]" * depth)
    )


_MARKS = st.sampled_from(
    ["---", "+++", "...", "\n", ": ", "- ", "[", "]", "{", "}", "&a ", "*a", '"', "= ", "#", "|", "\t"]
)


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(["---\n", "+++\n"]), st.lists(st.one_of(_MARKS, st.text(max_size=5)), max_size=30))
def test_whatever_the_text_is_it_is_read_or_refused_in_words(fence: str, parts: list[str]) -> None:
    text = fence + "".join(parts) + "\n" + fence
    with suppress(Unusable):
        found = split(text)
        assert text.endswith(found.content)
        json.dumps(found.front_matter, ensure_ascii=False).encode()
