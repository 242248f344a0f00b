"""What a file holds."""

import os
from pathlib import Path
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cms_content_queue.article import LARGEST, read_article
from cms_content_queue.files import files_of, shown
from cms_content_queue.front_matter import Unusable
from cms_content_queue.headings import first_heading

from .conftest import write


@pytest.mark.parametrize(
    ("name", "text", "title"),
    [
        ("a.md", "---\ntitle: Said\n---\n# Heading\n", "Said"),
        ("a.md", "# Heading\nText", "Heading"),
        (
            "a.html",
            "<p>x</p><h1 class=a>A <b>bold</b>\nheading &amp; more</h1><h1>Second</h1>",
            "A bold heading & more",
        ),
        ("a-walk_by.md", "Text", "A walk by"),
        ("2024-01-31-a-walk.md", "Text", "A walk"),
        ("walks/by-the-sea/index.md", "Text", "By the sea"),
        ("---.md", "Text", "---"),
    ],
)
@pytest.mark.shows("queue.title")
def test_the_title_is_said_or_the_first_heading_or_the_file_s_name(
    tmp_path: Path, name: str, text: str, title: str
) -> None:
    assert read_article(write(tmp_path / name, text), "UTC").title == title


@pytest.mark.parametrize(
    ("markdown", "heading"),
    {
        "Text\n# Heading #\n": "Heading",
        "   # Heading": "Heading",
        "    # Code": "",
        "#Hash": "",
        "# C#": "C#",
        "# # ##": "#",
        "## Second": "",
        "```\n# Code\n```\n# Heading": "Heading",
        "~~~~\n```\n# Code\n~~~\n~~~~\n# Heading": "Heading",
        "```\n# Code": "",
        "Heading\n===": "Heading",
        "\n===": "",
        "# A **bold** [link](https://x.example/(a) of `code`": "A bold [link](https://x.example/(a) of code",
        "# A *walk* [by the sea](/sea), snake_case": "A walk by the sea, snake_case",
        "# ![Alt](a.png) and [ref][1]": "Alt and ref",
    }.items(),
)
def test_the_heading_of_markdown_is_found_outside_of_code(markdown: str, heading: str) -> None:
    assert first_heading(markdown, "markdown") == heading


@pytest.mark.parametrize("html", ["<![x[y]]><h1>A</h1>", "<h1>A", "<script><h1>A</h1></script>", "<!-- <h1>A</h1> -->"])
def test_html_in_which_no_heading_is_found_has_none(html: str) -> None:
    assert first_heading(html, "html") == ""


@settings(max_examples=100, deadline=None)
@given(
    st.sampled_from(["markdown", "html"]),
    st.lists(
        st.one_of(st.sampled_from(["<h1>", "</h1>", "<!", "<![", "# ", "#", "\n", "=", "```", "[", "]("]), st.text())
    ),
)
def test_a_heading_is_text_on_one_line_whatever_it_is_in(content_format: str, parts: list[str]) -> None:
    found = first_heading("".join(parts), content_format)

    assert found == found.strip()
    assert "\n" not in found


def test_long_lines_cost_no_more_than_they_are_long() -> None:
    """The first took more than a minute where the search for an end of a heading went back and forth."""
    started = process_time()
    for line in ("# a" + " " * 65_000 + "#b", "# a" + " #" * 32_000, "# " + "[a](" * 16_000):
        assert first_heading(line, "markdown")

    assert process_time() - started < 10


def test_the_date_is_said_or_in_the_file_s_name(tmp_path: Path) -> None:
    said = read_article(
        write(tmp_path / "2024-01-31-a.md", "---\ndate: 1970-01-02 03:00\n---\nText"), "Europe/Istanbul"
    )
    named = read_article(write(tmp_path / "1970-01-02-a.md", "Text"), "UTC")
    none = read_article(write(tmp_path / "a.md", "Text"), "UTC")

    assert (said.dated_at, named.dated_at, none.dated_at) == (90_000_000_000, 86_400_000_000, None)


@pytest.mark.parametrize("written", ["1970/01/02", "1970/1/2", '"1970/01/02"', "1970-01-02"])
def test_a_day_may_be_written_with_slashes(tmp_path: Path, written: str) -> None:
    found = read_article(write(tmp_path / "a.md", f"---\ndate: {written}\n---\nText"), "UTC")

    assert (found.dated_at, found.unknown) == (86_400_000_000, {})


def test_a_date_that_is_none_is_told_and_kept(tmp_path: Path) -> None:
    found = read_article(write(tmp_path / "a.md", "---\ndate: tomorrow\nlayout: post\n---\nText"), "UTC")

    assert (found.dated_at, found.unknown) == (None, {"date": "tomorrow", "layout": "post"})
    assert found.remarks == (
        "date: of no use as written, kept aside",
        "unknown front matter is kept aside: layout",
    )


def test_a_byte_order_mark_is_no_part_of_the_text(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_bytes(b"\xef\xbb\xbf---\ntitle: T\n---\nText")

    assert read_article(path, "UTC")[1:4] == ("T", "markdown", "Text")


@pytest.mark.parametrize(
    ("name", "data", "why"),
    [
        ("a.txt", b"Text", "is none of .md, .markdown, .html, .htm"),
        ("a.md", b"\xff\xfe", "is no UTF-8 text"),
        ("a.md", b"Te\0xt", "holds a NUL character, so it is no text"),
        ("a.md", b"---\ntitle: T\n---\n \n", "has no text"),
        ("a.md", b"", "has no text"),
        ("a.md", b"---\ntitle: [\n---\nText", "the front matter is no YAML:"),
        ("a.md", b"x" * (LARGEST + 1), f"is larger than {LARGEST} bytes"),
    ],
)
def test_what_is_no_article_is_told(tmp_path: Path, name: str, data: bytes, why: str) -> None:
    path = tmp_path / name
    path.write_bytes(data)

    with pytest.raises(Unusable, match=why.replace(".", r"\.")):
        read_article(path, "UTC")


def test_a_pipe_is_no_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.md")

    with pytest.raises(Unusable, match="is no file"):
        read_article(tmp_path / "a.md", "UTC")


@pytest.mark.shows("queue.add")
def test_folders_are_walked_by_name_and_hidden_things_left_out(tmp_path: Path) -> None:
    for name in ("b.md", "a.HTML", "sub/c.markdown", "sub/d.txt", ".hidden/e.md", ".f.md", "sub/.git/g.md"):
        write(tmp_path / name, "Text")
    walked = list(files_of([tmp_path / "sub" / "d.txt", tmp_path, tmp_path / "no.md"]))

    assert [path.relative_to(tmp_path).as_posix() for path in walked] == [
        "sub/d.txt", "a.HTML", "b.md", "sub/c.markdown", "no.md",
    ]  # fmt: skip


def test_any_name_of_a_file_can_be_shown() -> None:
    assert shown(Path(os.fsdecode(b"a\xff.md"))) == "a�.md"
