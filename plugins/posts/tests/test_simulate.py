"""`cms-host gate simulate`: what the gate would refuse, without a trace of having asked."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from cms_host.api import Setting
from cms_host.testing import Site, dump, settings_with
from cms_posts import simulating
from cms_posts.commands import gate
from cms_posts.simulating import Found, WouldRefuse, parse_settings
from cms_posts.testing import created, unlike

SETTING = "gate.short_title.minimum"


@pytest.fixture
def config(tmp_path: Path, database_url: str) -> Iterator[str]:
    path = tmp_path / "cms.toml"
    path.write_text(f"database_url = {json.dumps(database_url)}\ndata_dir = {json.dumps(str(tmp_path / 'data'))}\n")
    return str(path)


def simulate(config: str, *arguments: str) -> Result:
    return CliRunner().invoke(gate, ["simulate", "--config", config, *arguments])


async def simulated(config: str, *arguments: str) -> Result:
    """The command on the database of a site that serves meanwhile."""
    return await asyncio.to_thread(simulate, config, *arguments)


async def found(config: str, *arguments: str) -> list[dict[str, Any]]:
    result = await simulated(config, "--json", *arguments)
    assert result.exit_code == 0, result.stderr
    rows: list[dict[str, Any]] = json.loads(result.stdout)
    return rows


@pytest.mark.shows("gate.simulate")
async def test_simulate_tells_what_would_be_refused_and_writes_nothing(
    site: Site, database_url: str, config: str
) -> None:
    client = await site.client("author")
    await created(client, title="A title of 24 characters", status="published")
    await created(client, title="A much longer title than all the others", status="published")
    await created(client, title="A draft of few characters")
    before = dump(database_url)
    result = await simulated(config, "--set", f"{SETTING}=30", "--set", "gate.short_content.minimum=9000")
    length = len(before["post_outlines"][0][1])
    assert result.exit_code == 0
    assert [line.split("\t") for line in result.stdout.splitlines()] == [
        ["id", "title", "codes", "measured", "required"],
        ["1", "A title of 24 characters", "short_content, short_title", f"{length}, 24", "9000, 30"],
        ["2", "A much longer title than all the others", "short_content", f"{length}", "9000"],
    ]
    assert result.stderr.endswith("2 of 2 published posts would be refused\n")
    assert await found(config, "--set", f"{SETTING}=30") == [
        {"id": 1, "title": "A title of 24 characters", "codes": ["short_title"], "measured": [24], "required": [30]}
    ]
    assert dump(database_url) == before


async def test_simulate_begins_with_what_is_set_and_takes_modes(site: Site, config: str) -> None:
    client = await site.client("author")
    await site.set(**{"gate.short_title.mode": "warn"})
    await created(client, title="Short", status="published")
    await created(client, title="A title of 24 characters", status="published")
    assert await found(config) == []
    assert [row["id"] for row in await found(config, "--set", "gate.short_title.mode=block")] == [1]
    await site.set(**{"gate.short_title.mode": "block", SETTING: 100})
    assert [row["id"] for row in await found(config)] == [1, 2]
    assert await found(config, "--set", "gate.short_title.mode=shadow") == []


async def test_simulate_goes_on_where_a_batch_ends(site: Site, config: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulating, "BATCH", 2)
    client = await site.client("author")
    for number in range(1, 6):
        await created(client, title=unlike(number), status="draft" if number == 3 else "published")
    result = await simulated(config, "--set", f"{SETTING}=100")
    assert [line.split("\t")[0] for line in result.stdout.splitlines()] == ["id", "1", "2", "4", "5"]
    assert result.stderr.endswith("4 of 4 published posts would be refused\n")


@pytest.mark.parametrize(
    ("sent", "told"),
    [
        ("gate.short_titel.minimum=5", f"There is no setting gate.short_titel.minimum; did you mean {SETTING}?"),
        (f"{SETTING}=ten", f"{SETTING}: must be of type integer"),
        (f"{SETTING}=-1", f"{SETTING}: must be at least 0"),
        ("gate.missing_h2.mode=block", "gate.missing_h2.mode: must be one of warn, shadow, off"),
        (SETTING, f"--set {SETTING}: must be KEY=VALUE"),
    ],
    ids=["no_setting", "no_number", "too_small", "no_mode_of_a_warning", "no_value"],
)
def test_simulate_refuses_what_cannot_be_set_in_one_clear_line(config: str, sent: str, told: str) -> None:
    result = simulate(config, "--set", sent)
    assert (result.exit_code, result.stdout, result.stderr) == (1, "", f"Error: {told}\n")


def test_values_of_every_type_are_read() -> None:
    flag, names, word = Setting("t.flag", False, ""), Setting("t.names", ("a",), ""), Setting("t.word", "", "")
    settings = settings_with([flag, names, word])
    sent = ["t.flag=true", 't.names=["b","c=d"]', "t.word=5"]
    assert parse_settings(settings, sent) == {"t.flag": True, "t.names": ("b", "c=d"), "t.word": "5"}


def test_what_is_found_may_be_more_than_fits_into_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulating, "IN_MEMORY", 100)
    rows = [WouldRefuse(n, f"Başlık\n{n}", ["a", "b"], [n, None], [[1], 0.5]) for n in range(50)]
    with Found() as kept:
        for row in rows:
            kept.add(row)
        assert list(kept) == list(kept) == rows
        assert len(kept) == 50
