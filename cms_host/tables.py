"""Listings on standard output: aligned for people, tab-separated for pipes, JSON for programs."""

import json
import sys
import unicodedata
from collections.abc import Iterator, Sequence
from typing import Any

import click

from cms_host.one_line import one_line

GAP = "  "


def print_table(headers: Sequence[str], rows: Sequence[Sequence[Any]], as_json: bool = False) -> None:
    """Print a listing.

    On a terminal the columns are aligned. In a pipe each row is one line of tab-separated fields below a line of
    headers, and None is an empty field. What could move the cursor or break a line is escaped in both.

    :param as_json: print an array of objects instead, whose keys are the headers and whose values are kept as
        they are.
    """
    if as_json:
        click.echo(json.dumps([dict(zip(headers, row, strict=True)) for row in rows], indent=2))
        return
    on_terminal = sys.stdout.isatty()
    lines = [list(headers), *([_cell(value, on_terminal) for value in row] for row in rows)]
    for line in _aligned(lines) if on_terminal else map("\t".join, lines):
        click.echo(line)


def _aligned(lines: Sequence[Sequence[str]]) -> Iterator[str]:
    widths = [max(map(_width, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        yield GAP.join(cell + " " * (width - _width(cell)) for cell, width in zip(line, widths, strict=True)).rstrip()


def _cell(value: Any, on_terminal: bool) -> str:
    if value is None or value == "":
        return "-" if on_terminal else ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return one_line(", ".join(map(str, value)))
    return one_line(str(value))


def _width(text: str) -> int:
    """Columns that the text takes on a terminal: letters of East Asia take two, combining marks none."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(each) else 2 if unicodedata.east_asian_width(each) in "WF" else 1 for each in text
    )
