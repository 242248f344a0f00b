"""The test kit itself: what a plugin's author may rely on."""

import subprocess
import sys
from collections.abc import Sequence

import pytest
from sqlalchemy import func, insert, select

from cms_host.db import Reader
from cms_host.gate import Candidate, Finding
from cms_host.migrate import sync_engine
from cms_host.settings import InvalidSetting, Setting, Settings, values_table
from cms_host.testing import Databases, FakeClock, MakeSite, Site, check, dump, make_candidate, settings_with

from .conftest import Installer

SQLITE = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
LENGTH = Setting("gate.test.length", 5, "A length.", minimum=1)


def add_setting(url: str) -> None:
    with sync_engine(url).begin() as connection:
        connection.execute(insert(values_table).values(key="a", value=1, updated_at=0))


@pytest.mark.parametrize("turn", [1, 2])
def test_every_test_gets_a_database_that_no_other_wrote_to(database_url: str, turn: int) -> None:
    with sync_engine(database_url).connect() as connection:
        assert connection.scalar(select(func.count()).select_from(values_table)) == 0
    add_setting(database_url)


def test_dump_shows_every_row_of_every_table(database_url: str) -> None:
    before = dump(database_url)
    add_setting(database_url)
    after = dump(database_url)

    assert after.pop("settings") == [("a", "1", 0)]
    assert before.pop("settings") == []
    assert before == after


def test_a_database_can_be_had_empty(databases: Databases) -> None:
    for kind in databases.KINDS:
        url = databases.make(kind, migrated=False)
        assert dump(url) == {}
        databases.discard(url)


def test_the_plugin_costs_pytest_next_to_nothing() -> None:
    heavy = "{'sqlalchemy', 'aiohttp', 'psycopg', 'alembic', 'orjson'}"
    code = f"import sys, cms_host.testing\nprint({heavy} & set(sys.modules))"

    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "set()\n"


async def test_a_site_serves_with_every_installed_plugin(site: Site) -> None:
    assert site.url.startswith("http://127.0.0.1:")
    assert all(plugin.state == "on" for plugin in site.host.plugins.known.values())
    assert (await site.anonymous.get("/nothing")).status == 401
    assert (await (await site.client()).get("/nothing")).status == 404


async def test_one_account_for_each_role_and_more_by_name(site: Site) -> None:
    assert await site.key("author") == await site.key("author")
    assert len({await site.key(), await site.key("author"), await site.key("author", username="bob")}) == 3
    with pytest.raises(AssertionError, match="bob is author, not editor"):
        await site.key("editor", username="bob")


@SQLITE
async def test_plugins_can_be_switched_off(make_site: MakeSite, probe: Sequence[str]) -> None:
    site = await make_site(disabled=["probe"])

    assert (await (await site.client()).get("/probe")).status == 404


@pytest.fixture
def limiting_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("API_RATE_LIMIT", "1")


@SQLITE
async def test_the_environment_s_rate_limit_does_not_leak_in(limiting_environment: None, site: Site) -> None:
    assert [(await site.anonymous.get("/nothing")).status for _ in range(3)] == [401, 401, 401]


@SQLITE
async def test_an_answer_shows_what_came(make_site: MakeSite, probe: Sequence[str]) -> None:
    client = await (await make_site(enabled=probe)).client()
    good, bad = await client.get("/probe"), await client.get("/nothing")

    assert good.data == good.json["data"] == {"greeting": "hello", "caller": "admin"}
    assert bad.error == bad.json["error"] == {"code": 404, "message": "Not found"}
    assert good.headers["Content-Type"] == "application/json"
    with pytest.raises(AssertionError, match="Not found"):
        _ = bad.data
    with pytest.raises(AssertionError, match="hello"):
        _ = good.error


@SQLITE
async def test_jobs_run_when_the_test_says_so(
    make_site: MakeSite, probe: Sequence[str], install: Installer, clock: FakeClock
) -> None:
    install(
        "worker",
        "from cms_host.api import *\nruns = []\nasync def run(unit):\n    runs.append(unit.host.clock.now())\n"
        "@hookimpl\ndef cms_jobs(host):\n    return [Job('worker.run', 60, run)]",
    )
    site = await make_site(enabled=[*probe, "worker"])
    runs = site.host.plugins.known["worker"].module.runs

    assert await site.run_job("worker.run")
    assert not await site.run_job("worker.run")
    clock.advance(60)
    assert await site.run_job("worker.run")
    assert [later - runs[0] for later in runs] == [0, 60_000_000]


class TooShort:
    """A rule whose measure is prepared outside of the transaction."""

    code = "gate.test"
    kind = "block"

    def __init__(self, settings: Settings) -> None:
        self.settings = settings

    async def prepare(self, candidate: Candidate) -> int:
        return len(candidate.text)

    async def check(self, candidate: Candidate, db: Reader) -> list[Finding]:
        required = self.settings[LENGTH]
        return [Finding("kısa", "short", candidate.prepared, required)] if candidate.prepared < required else []


@pytest.mark.parametrize(
    ("text", "minimum", "found"),
    [("four", 5, [Finding("kısa", "short", 4, 5)]), ("four", 4, []), ("", 1, [Finding("kısa", "short", 0, 1)])],
)
async def test_a_rule_is_tested_by_a_table_of_cases(text: str, minimum: int, found: list[Finding]) -> None:
    rule = TooShort(settings_with([LENGTH], {LENGTH.key: minimum}))

    assert await check(rule, text=text) == found


async def test_a_rule_that_asks_the_database_must_be_given_one() -> None:
    class Asks:
        code, kind = "gate.asks", "block"

        async def check(self, candidate: Candidate, db: Reader) -> list[Finding]:
            return await db.all(None)

    with pytest.raises(AssertionError, match="asks the database"):
        await check(Asks())


def test_settings_for_a_rule_take_only_what_the_real_ones_take() -> None:
    with pytest.raises(InvalidSetting):
        settings_with([LENGTH], {LENGTH.key: 0})
    with pytest.raises(KeyError):
        settings_with([LENGTH], {"gate.other": 1})


def test_a_candidate_differs_only_where_it_is_told_to() -> None:
    plain, other = make_candidate(), make_candidate(title="Ada")

    assert (other.title, other.folded_title) == ("Ada", "ada")
    assert (plain.html, plain.headings) == (other.html, other.headings)
    with pytest.raises(TypeError):
        make_candidate(titel="Ada")


def test_the_clock_moves_only_when_it_is_told_to(clock: FakeClock) -> None:
    start = clock.now()
    clock.advance(1.5)

    assert clock.now() - start == 1_500_000
