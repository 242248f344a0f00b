"""Histories: one head each, numbered without a gap."""

from cms_host.histories import read_history

from .tree import HOST, members

FOLDERS = [HOST / "migrations", *(member.folder / member.package / "migrations" for member in members())]


def test_every_history_has_one_head_and_numbers_its_steps() -> None:
    for folder in filter(lambda folder: folder.is_dir(), FOLDERS):
        steps = read_history(str(folder), folder).steps

        assert [step.revision for step in steps] == [f"{number:04}" for number in range(1, len(steps) + 1)]
        assert [step.name[:4] for step in steps] == [step.revision for step in steps]
        assert {f"{step.name}.py" for step in steps} == {path.name for path in folder.glob("*.py")} - {"__init__.py"}


def test_a_plugin_with_tables_has_migrations_and_the_other_way_round() -> None:
    for member in members():
        package = member.folder / member.package

        assert (package / "tables.py").is_file() == (package / "migrations").is_dir(), member.name
