"""The worker's entry, through real workers; and what the event loop's process is spared."""

import os
import subprocess
import sys
from collections.abc import AsyncIterator

import pytest

from cms_host.api import TooComplex, Workers
from cms_posts.guards import ContentTooComplex
from cms_posts.passwords import hash_password
from cms_posts.process import WARM_UP, process_comment, process_content
from cms_posts.removed import Removed

HOSTS = ("www.youtube.com",)


@pytest.fixture
async def pool() -> AsyncIterator[Workers]:
    workers = Workers(1, modules=WARM_UP, time_limit=30, fair_share=0)
    yield workers
    await workers.close()


async def test_content_comes_back_from_a_worker_ready_to_be_stored(pool: Workers) -> None:
    markdown = "# Title\n\nSome **bold** text, [here](/there).\n\n<script>x</script>\n\n![i](/media/a.jpg)"
    processed = await pool.run(process_content, markdown, None, HOSTS)
    assert processed.format == "markdown"
    assert "<h1>Title</h1>" in processed.html
    assert "script" not in processed.html
    assert processed.removed == Removed({"script": 1})
    assert processed.removed.names == ("<script>",)
    assert processed.outline.headings == ((1, "Title"),)
    assert processed.outline.links == ("/there",)
    assert processed.outline.images == ("/media/a.jpg",)
    assert processed.excerpt == "Title Some bold text, here."
    assert processed.reading_time == 1


async def test_refusal_comes_back_from_a_worker_that_lives_on(pool: Workers) -> None:
    pid = await pool.run(os.getpid)
    with pytest.raises(ContentTooComplex, match="256 is the limit"):
        await pool.run(process_content, "<div>" * 1_000, None, ())
    assert await pool.run(os.getpid) == pid


async def test_content_that_gets_past_the_guards_is_stopped_by_the_clock(pool: Workers) -> None:
    table = "a|" * 60_000 + "\n" + "-|" * 60_000 + "\n" + "a|" * 60_000
    with pytest.raises(TooComplex):
        await pool.run(process_content, table, None, (), timeout=0.4)
    assert (await pool.run(process_content, "<p>x</p>", None, ())).html == "<p>x</p>"


@pytest.mark.parametrize(("form", "html"), [("html", "# a"), ("markdown", "<h1>a</h1>")])
def test_format_can_be_forced(form: str, html: str) -> None:
    processed = process_content("# a", form, ())
    assert processed.html == html
    assert processed.format == form


def test_claims_to_be_clean_already_change_nothing() -> None:
    processed = process_content("<!-- sanitized: true --><p onclick=x>a</p>", "html", ())
    assert processed.html == "<p>a</p>"
    assert processed.removed == Removed({}, {"onclick": 1})


def test_content_that_a_parser_stumbles_over_is_refused_and_logged(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def stumble(text: str) -> str:
        raise AssertionError(text)

    monkeypatch.setattr("cms_posts.markup.to_html", stumble)
    with pytest.raises(ContentTooComplex, match="a parser stumbles"):
        process_content("# a", None, ())
    assert "A parser failed over 3 characters" in caplog.text


def test_comment_keeps_little_and_gives_its_text() -> None:
    processed = process_comment("Nice <b>post</b>, see <a href=https://x.example>x</a> <h1>!</h1> a < b")
    assert processed.html == 'Nice <b>post</b>, see <a href="https://x.example" rel="nofollow ugc">x</a> \n! a &lt; b'
    assert processed.text == "Nice post, see x ! a < b"
    assert processed.removed.names == ("<h1>",)


def test_event_loop_process_never_imports_a_parser() -> None:
    modules = "process guards outline removed profiles urls passwords"
    program = (
        f"import sys\nfor name in {modules.split()!r}: __import__('cms_posts.' + name)\n"
        "heavy = {'bleach', 'markdown', 'html5lib', 'tinycss2'} & set(sys.modules)\nassert not heavy, heavy"
    )
    subprocess.run([sys.executable, "-W", "error", "-c", program], check=True)


def test_workers_import_nothing_of_the_host() -> None:
    """It takes longer to import than a job may take; what a worker runs must be importable without it."""
    program = f"""
import importlib, sys
for name in {(*WARM_UP, process_content.__module__, hash_password.__module__)!r}:
    importlib.import_module(name)
print(sorted({{name.partition(".")[0] for name in sys.modules}} & {{"cms_host", "aiohttp", "sqlalchemy"}}))
"""
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    assert told.stdout.strip() == "[]"
