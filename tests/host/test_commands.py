"""What commands are made of: failures told in one line, and listings for people, pipes and programs."""

import json
import sqlite3
import sys
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result

from cms_host.api import BadRequest, CommandError, Host, print_table, site_command
from cms_host.commands import failing_clearly

HEADERS = ("id", "name", "active")
ROWS: list[tuple[Any, ...]] = [(1, "Ayşe", True), (20, "日本", None)]


def failing_with(error: Exception) -> Result:
    @click.command()
    def command() -> None:
        with failing_clearly():
            raise error

    return CliRunner().invoke(command)


def printed(*arguments: Any, **options: Any) -> str:
    @click.command()
    def command() -> None:
        print_table(*arguments, **options)

    return CliRunner().invoke(command).stdout


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (BadRequest("No such user: ayse"), "Error: No such user: ayse\n"),
        (CommandError("The store is not empty"), "Error: The store is not empty\n"),
        (FileNotFoundError(2, "No such file or directory", "/nowhere"), "Error: /nowhere: No such file or directory\n"),
        (
            sqlite3.OperationalError("disk I/O error\nDETAIL: (ayse@example.org)"),
            "Error: The database: disk I/O error\n",
        ),
    ],
)
def test_failure_is_one_line_on_standard_error_and_status_one(error: Exception, line: str) -> None:
    result = failing_with(error)
    assert (result.stdout, result.stderr, result.exit_code) == ("", line, 1)


def test_missing_configuration_file_is_told_with_its_path(tmp_path: Path) -> None:
    @site_command("peek")
    async def peek(host: Host) -> None:
        raise AssertionError("ran without its configuration")

    result = CliRunner().invoke(peek, ["--config", str(tmp_path / "none.toml")])
    assert (result.exit_code, result.stderr) == (1, f"Error: {tmp_path}/none.toml: there is no such file\n")


def test_command_keeps_its_own_options_and_takes_config() -> None:
    @site_command("fill", help="Fill the store.")
    @click.argument("names", nargs=-1)
    @click.option("--posts", type=click.IntRange(1), help="How many.")
    async def fill(host: Host, posts: int, names: tuple[str, ...]) -> None:
        raise AssertionError("ran")

    assert [each.name for each in fill.params] == ["names", "posts", "config_path"]
    assert CliRunner().invoke(fill, ["--posts", "0"]).exit_code == 2


def test_table_in_a_pipe_is_tab_separated() -> None:
    assert printed(HEADERS, ROWS) == "id\tname\tactive\n1\tAyşe\tyes\n20\t日本\t\n"


def test_table_on_a_terminal_is_aligned(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    print_table(HEADERS, ROWS)
    assert capsys.readouterr().out == "id  name  active\n1   Ayşe  yes\n20  日本  -\n"


def test_table_as_json_keeps_the_values() -> None:
    assert json.loads(printed(HEADERS, ROWS, as_json=True)) == [
        {"id": 1, "name": "Ayşe", "active": True},
        {"id": 20, "name": "日本", "active": None},
    ]


def test_table_escapes_what_could_break_a_line_or_move_the_cursor() -> None:
    assert printed(["name"], [["a\tb\nc\x1b[2J\u202ed\x9b"]]) == "name\na\\x09b\\x0ac\\x1b[2J\\u202ed\\x9b\n"
