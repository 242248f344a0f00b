"""`cms-host webhook ...`."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from aiohttp import web
from click.testing import CliRunner, Result

from cms_host.testing import Site
from cms_sink_webhook_delivery.commands import WEBHOOK

from .receiving import Receiver, ThingHappened, add, happen

Run = Callable[..., Result]
#: An address in digits, for which no name server is asked.
URL = "https://1.1.1.1/hook"


@pytest.fixture
def run(database_url: str, tmp_path: Path) -> Run:
    """Runs a command line on the test's database: `run("list", "--json")`."""
    config = tmp_path / "cms.toml"
    plugins = '["users", "sink-webhook-delivery", "posts", "categories", "tags"]'
    config.write_text(f'database_url = "{database_url}"\n[plugins]\nenabled = {plugins}\n', "utf-8")
    return lambda *arguments: CliRunner().invoke(WEBHOOK, [*arguments, "--config", str(config)])


def listed(run: Run) -> list[dict[str, object]]:
    rows: list[dict[str, object]] = json.loads(run("list", "--json").stdout)
    return rows


def test_entry_is_made_with_a_secret_that_is_shown_once(run: Run) -> None:
    made = run("add", "--url", URL)
    entry_id, secret = made.stdout.splitlines()
    (row,) = listed(run)

    assert made.exit_code == 0
    assert secret.startswith("whsec_")
    assert (row["id"], row["url"], row["events"], row["active"]) == (int(entry_id), URL, [], True)
    assert secret not in run("list").stdout + json.dumps(row)


def test_a_secret_of_the_operators_own_is_not_printed(run: Run) -> None:
    made = run("add", "--url", URL, "--secret", "x" * 24, "--events", "post_published, post_deleted")

    assert made.stdout == "1\n"
    assert listed(run)[0]["events"] == ["post_deleted", "post_published"]


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (("add", "--url", "ftp://example.org/"), "Error: ftp://example.org/: the address does not begin with"),
        (("add", "--url", "https://a:b@example.org/"), "Error: https://a:b@example.org/: the address holds a user"),
        (("add", "--url", URL, "--secret", "short"), "Error: The secret must have 24 bytes or more"),
        (("add", "--url", URL, "--events", "post_eaten"), "Error: There are no events named post_eaten; there are"),
        (("pause", "7"), "Error: There is no webhook entry 7"),
        (("resend", "7"), "Error: There is no delivery 7"),
        (("replay", "--entry", "7", "--since", "yesterday"), "Error: 'yesterday' is not a date and time"),
    ],
)
def test_what_can_not_be_is_told_in_one_line(run: Run, arguments: tuple[str, ...], line: str) -> None:
    result = run(*arguments)

    assert result.exit_code == 1
    assert result.stderr.startswith(line)
    assert result.stderr.count("\n") == 1


def test_entry_is_paused_resumed_and_removed(run: Run) -> None:
    run("add", "--url", URL)
    assert run("pause", "1").exit_code == 0
    assert [(row["active"], row["why"]) for row in listed(run)] == [(False, "paused by an operator")]
    assert run("resume", "1").exit_code == 0
    assert [row["active"] for row in listed(run)] == [True]
    assert run("remove", "1").exit_code == 0
    assert listed(run) == []


def test_log_is_a_table_even_when_nothing_was_sent(run: Run) -> None:
    assert run("log").stdout.split("\t")[:3] == ["at", "entry", "event"]
    assert json.loads(run("log", "--json").stdout) == []


async def test_log_names_the_event_as_the_receiver_saw_it(site: Site, receiver: Receiver, run: Run) -> None:
    await add(site, receiver.url)
    receiver.answer = lambda request: web.Response(status=500)
    await happen(site, ThingHappened(7))
    receiver.answer = lambda request: web.Response()
    site.clock.advance(60)
    await happen(site)
    good, bad = json.loads((await asyncio.to_thread(run, "log", "--json")).stdout)

    assert {each["event_id"] for each in (good, bad)} == {request.headers["webhook-id"] for request, _ in receiver.got}
    told = [(each["ok"], each["answer"], each["delivery_now"]) for each in (bad, good)]
    assert told == [(False, 500, "delivered"), (True, 200, "delivered")]


@pytest.mark.shows("events.log", "entry.log", "events.resend")
async def test_operators_see_what_became_of_deliveries_and_send_them_again(
    site: Site, receiver: Receiver, run: Run
) -> None:
    async def told(*arguments: str) -> str:
        done = await asyncio.to_thread(run, *arguments)
        assert done.exit_code == 0, done.stderr
        return done.stdout

    async def log(*arguments: str) -> list[tuple[object, ...]]:
        rows = json.loads(await told("log", "--json", *arguments))
        return [(row["entry"], row["ok"], row["answer"], row["delivery"]) for row in rows]

    for path in ("bad", "good"):
        await add(site, f"{receiver.url}/{path}")
    receiver.answer = lambda request: web.Response(status=500 if request.path.endswith("bad") else 200)
    await happen(site, ThingHappened(1))
    ((*bad, failed),), ((*good, _),) = await log("--entry", "1"), await log("--entry", "2")
    assert (bad, good, len(await log())) == (["1", False, 500], ["2", True, 200], 2)

    receiver.answer = lambda request: web.Response()
    assert await told("resend", str(failed)) == f"Sending {failed} again\n"
    await happen(site)
    assert await log("--entry", "1") == [("1", True, 200, failed), ("1", False, 500, failed)]
    assert await told("replay", "--entry", "2", "--since", "2026-01-15 12:00:00") == "Sending 1 events again\n"
    await happen(site)
    assert [request.path for request, _ in receiver.got].count("/hook/good") == 2
    assert len({body for _, body in receiver.got}) == 1
