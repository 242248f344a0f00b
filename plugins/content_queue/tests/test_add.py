"""`cms-host queue add`, `list` and `reject`."""

import asyncio
import json
from pathlib import Path

import pytest

from cms_content_queue.acts import Outcome, queue_file
from cms_content_queue.article import read_article
from cms_content_queue.service import QueueService
from cms_host.api import CommandError, Host
from cms_host.testing import Site, dump

from .conftest import SQLITE_ALONE, Run, article, queued, write


def listed(run: Run, *options: str) -> list[dict[str, object]]:
    rows: list[dict[str, object]] = json.loads(run("list", "--json", *options).stdout)
    return rows


@pytest.mark.shows("queue.add")
def test_files_are_queued_and_listed(run: Run, folder: Path) -> None:
    write(folder / "walk.md", "---\ntitle: A walk\nauthor: ayse\ndate: 2024-01-31 09:30\ndraft: true\n---\nText")
    write(folder / "talk.html", "<h1>A talk</h1><p>Text</p>")
    added = run("add", folder)

    assert (added.exit_code, added.stderr) == (0, "")
    assert added.stdout.splitlines() == [f"Queued 1: {folder / 'talk.html'}", f"Queued 2: {folder / 'walk.md'}"]
    talk, walk = listed(run)
    assert (talk["title"], talk["format"], talk["author"], talk["date"], talk["draft"]) == (
        "A talk", "html", None, None, False,
    )  # fmt: skip
    assert (walk["id"], walk["source"], walk["format"]) == (2, str(folder / "walk.md"), "markdown")
    assert (walk["author"], walk["date"], walk["draft"]) == ("ayse", "2024-01-31 09:30:00", True)
    assert (walk["status"], walk["decided_at"], walk["post_id"]) == ("pending", None, None)
    assert run("list").stdout.splitlines()[0].split("\t")[:4] == ["id", "status", "title", "source"]


@pytest.mark.shows("queue.wrong")
def test_what_is_wrong_with_a_file_is_told_by_name_and_the_others_go_on(run: Run, folder: Path) -> None:
    bad, good = write(folder / "a.md", "---\ntitle: [\n---\nText"), write(folder / "b.md", "# Good\nText")
    added = run("add", folder / "none.md", bad, good, write(folder / "notes.txt", "Text"))

    assert added.exit_code == 1
    assert added.stdout == f"Queued 1: {good}\n"
    first, second, third, last = added.stderr.splitlines()
    assert first == f"Error: {folder / 'none.md'}: No such file or directory"
    assert second.startswith(f"Error: {bad}: the front matter is no YAML: line 3, ")
    assert third == f"Error: {folder / 'notes.txt'}: is none of .md, .markdown, .html, .htm"
    assert last == "Error: 3 of 4 files could not be queued"


@SQLITE_ALONE
def test_a_folder_without_articles_is_a_mistake(run: Run, folder: Path) -> None:
    added = run("add", folder)

    assert (added.exit_code, added.stdout) == (1, "")
    assert added.stderr == "Error: There are no Markdown or HTML files in what was named\n"


@pytest.mark.shows("queue.unchanged")
def test_a_file_that_did_not_change_is_told_and_not_queued_again(run: Run, folder: Path, database_url: str) -> None:
    path = write(folder / "walk.md", "# A walk\nText")
    assert run("add", path, path).stdout == f"Queued 1: {path}\nUnchanged since it was queued as 1 (pending): {path}\n"
    assert run("reject", "1").stdout == "Rejected 1\n"
    before = dump(database_url)["queue_items"]
    again = run("add", path)

    assert (again.exit_code, again.stdout) == (0, f"Unchanged since it was queued as 1 (rejected): {path}\n")
    assert dump(database_url)["queue_items"] == before


@SQLITE_ALONE
def test_a_file_that_changed_is_queued_beside_what_waits_of_it(run: Run, folder: Path) -> None:
    path = write(folder / "walk.md", "# A walk\nText")
    run("add", path)
    write(path, "# A walk\nMore text")
    added = run("add", path)

    assert (added.exit_code, added.stdout) == (0, f"Queued 2: {path}\n")
    assert added.stderr == f"Warning: {path}: an earlier version still waits as 1\n"


@pytest.mark.shows("queue.unknown")
def test_unknown_front_matter_is_kept_and_warned_of(run: Run, folder: Path, database_url: str) -> None:
    path = write(
        folder / "walk.md", '---\nlayout: post\nmood: {sea: "ca\\e[31mlm"}\ndraft: maybe\n"x\\ty": 1\n---\nText'
    )
    added = run("add", path)

    assert added.exit_code == 0
    assert added.stderr.splitlines() == [
        f"Warning: {path}: draft: of no use as written, kept aside",
        rf"Warning: {path}: unknown front matter is kept aside: layout, mood, x\x09y",
    ]
    ((*_,),) = rows = dump(database_url)["queue_items"]
    (kept,) = [json.loads(each) for each in rows[0] if isinstance(each, str) and each.startswith('{"layout"')]
    assert kept == {"layout": "post", "mood": {"sea": "ca\x1b[31mlm"}, "draft": "maybe", "x\ty": "1"}


@SQLITE_ALONE
def test_what_was_done_is_told_where_the_command_ends_early(
    run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    good, bad = write(folder / "a.md", "Text"), write(folder / "b.md", "More text")

    async def fail_at_the_second(host: Host, path: Path) -> Outcome:
        if path == bad:
            raise CommandError("The power went")
        return await queue_file(host, path)

    monkeypatch.setattr("cms_content_queue.commands.queue_file", fail_at_the_second)
    added = run("add", good, bad)

    assert (added.exit_code, added.stdout, added.stderr) == (1, f"Queued 1: {good}\n", "Error: The power went\n")


@pytest.mark.shows("queue.reject", "queue.once")
def test_rejecting_is_once_and_what_can_not_be_is_told_by_number(run: Run, folder: Path, database_url: str) -> None:
    run("add", write(folder / "a.md", "Text"), write(folder / "b.md", "More text"))
    rejected = run("reject", "2", "2", "9")

    assert (rejected.exit_code, rejected.stdout) == (1, "Rejected 2\n")
    assert rejected.stderr == ("Error: 9: There is no item 9 in the queue\nError: 1 of 2 items could not be rejected\n")
    assert run("reject", "2").stderr.startswith("Error: 2: The item 2 is rejected already\n")
    assert [row["id"] for row in listed(run)] == [1]
    assert [row["id"] for row in listed(run, "--status", "rejected")] == [2]
    assert [row["id"] for row in listed(run, "--status", "all")] == [1, 2]
    assert dump(database_url)["posts"] == []


@pytest.mark.shows("queue.unchanged")
async def test_the_same_file_queued_at_the_same_time_is_queued_once(site: Site, folder: Path) -> None:
    path = write(folder / "a.md", article())
    added = await asyncio.gather(*[queued(site, path) for _ in range(6)])

    assert sorted(each.is_new for each in added) == [False] * 5 + [True]
    assert {each.id for each in added} == {added[0].id}


@SQLITE_ALONE
async def test_a_moment_is_read_in_the_site_s_zone(site: Site, folder: Path) -> None:
    await site.set(timezone="Europe/Istanbul")
    await queued(site, write(folder / "a.md", "---\ndate: 2024-01-31 03:00\n---\nText"))
    (item,) = await site.host.unit().get(QueueService).all(["pending"])

    assert item.dated_at == read_article(write(folder / "b.md", "---\ndate: 2024-01-31\n---\nText"), "UTC").dated_at


@SQLITE_ALONE
@pytest.mark.parametrize(
    "arguments", [["add"], ["reject"], ["reject", "0"], ["approve", "x"], ["list", "--status", "y"]]
)
def test_bad_usage_is_refused(run: Run, arguments: list[str]) -> None:
    assert run(*arguments).exit_code == 2
