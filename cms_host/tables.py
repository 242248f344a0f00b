"""Listings on standard output: aligned for people, tab-separated for pipes, JSON for programs."""

import json
import sys
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from textwrap import indent
from typing import Any

import click

from cms_host.one_line import one_line

GAP = "  "


def print_table(headers: Sequence[str], rows: Iterable[Sequence[Any]], as_json: bool = False) -> None:
    """Print a listing, row by row.

    On a terminal the columns are aligned. In a pipe each row is one line of tab-separated fields below a line of
    headers, and None is an empty field. What could move the cursor or break a line is escaped in both.

    :param rows: may be walked twice.
    :param as_json: print an array of objects instead, whose keys are the headers and whose values are kept as
        they are.
    """
    if as_json:
        _print_json(headers, rows)
        return
    on_terminal = sys.stdout.isatty()
    widths = [0] * len(headers)
    if on_terminal:
        for line in _lines(headers, rows, on_terminal):
            widths = [max(width, _width(cell)) for width, cell in zip(widths, line, strict=True)]
    for line in _lines(headers, rows, on_terminal):
        click.echo(_aligned(line, widths) if on_terminal else "\t".join(line))


def _print_json(headers: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    before = "[\n"
    for row in rows:
        shown = json.dumps(dict(zip(headers, row, strict=True)), indent=2)
        click.echo(before + indent(shown, "  "), nl=False)
        before = ",\n"
    click.echo("[]" if before == "[\n" else "\n]")


def _lines(headers: Sequence[str], rows: Iterable[Sequence[Any]], on_terminal: bool) -> Iterator[list[str]]:
    yield list(headers)
    for row in rows:
        yield [_cell(value, on_terminal) for value in row]


def _aligned(line: Sequence[str], widths: Sequence[int]) -> str:
    return GAP.join(cell + " " * (width - _width(cell)) for cell, width in zip(line, widths, strict=True)).rstrip()


def _cell(value: Any, on_terminal: bool) -> str:
    if value is None or value == "":
        return "-" if on_terminal else ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return one_line(", ".join("-" if each is None else str(each) for each in value))
    return one_line(str(value))


def _width(text: str) -> int:
    """Columns that the text takes on a terminal: letters of East Asia take two, combining marks none."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(each) else 2 if unicodedata.east_asian_width(each) in "WF" else 1 for each in text
    )
