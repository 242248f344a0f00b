"""Sinks of strangers: written by the page, heard at once; and what a bad one can't do to others."""

import json
from pathlib import Path

import pytest

from tests.host.process.installation import Installation, Running, poll
from tests.journeys.conftest import Start, call
from tests.journeys.newcomer import Newcomer
from tests.journeys.strangers import HANGING, RAISING, UNDECIDED

CONTENT = "<h2>Morning</h2><p>" + "The boats come in with the morning tide. " * 50 + "</p>"
#: Posts of the same text are not what these tests are about.
CONFIG = '[plugins]\ndisabled = ["gate-similar-content"]\n'


@pytest.mark.slow
@pytest.mark.shows("sinks.stranger")
def test_a_stranger_s_sink_hears_of_a_post_by_following_the_page(newcomer: Newcomer) -> None:
    shown = newcomer.read("write-an-event-sink.md")

    assert shown.count("text") == 2


@pytest.mark.slow
@pytest.mark.shows("sinks.harmless")
def test_sinks_that_raise_and_hang_delay_no_publish_and_no_other_sink(whole_site: Installation, start: Start) -> None:
    for name, source in (("raising", RAISING), ("hanging", HANGING), ("undecided", UNDECIDED)):
        whole_site.add_plugin(f"sink-{name}", source)
    whole_site.configure(CONFIG)
    running, hanging = start(whole_site), whole_site.folder / "data" / "hanging.txt"
    running.wait_for("curl ")
    call(running, "PUT", "/settings/sink.jsonl.enabled", whole_site.key, {"value": True})
    publish(running, whole_site.key, "The harbour in the morning")
    poll(hanging.exists, "the sink that hangs")
    publish(running, whole_site.key, "An island without any roads")
    poll(lambda: len(told(whole_site.folder)) == 2, "the sink that is well")

    # The one that hangs is cut off after 20 seconds: nobody has waited for that.
    assert hanging.read_text("utf-8") == "begun"
    assert told(whole_site.folder) == ["The harbour in the morning", "An island without any roads"]
    assert "the stranger's sink is broken" in running.log


def publish(running: Running, key: str, title: str) -> None:
    body = {"title": title, "content": CONTENT, "status": "published"}
    assert call(running, "POST", "/posts", key, body).status == 201


def told(folder: Path) -> list[str]:
    """The titles in the file of the sink that is well."""
    file = folder / "data" / "events" / "events.jsonl"
    lines = file.read_bytes().splitlines(keepends=True) if file.exists() else []
    return [json.loads(line)["data"]["title"] for line in lines if line.endswith(b"\n")]


@pytest.mark.slow
def test_a_sink_that_can_not_be_imported_is_named_and_stops_the_start(whole_site: Installation) -> None:
    whole_site.add_plugin("sink-unlucky", "raise RuntimeError('no luck today')\n")
    stopped = whole_site.run("serve", "--port", "0")

    assert stopped.returncode == 1
    assert "sink-unlucky (acme-sink-unlucky): RuntimeError: no luck today" in stopped.stderr
    assert not (whole_site.folder / "data" / "cms.sqlite3").exists()


@pytest.mark.slow
def test_a_sink_that_is_switched_off_is_not_even_imported(whole_site: Installation, start: Start) -> None:
    whole_site.add_plugin("sink-unlucky", "raise RuntimeError('no luck today')\n")
    whole_site.configure('[plugins]\ndisabled = ["sink-unlucky"]\n')

    start(whole_site).wait_for("serves on ")
