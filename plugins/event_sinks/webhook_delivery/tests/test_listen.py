"""The receiver that operators try their entries with."""

import asyncio
import socket
import sys

import pytest
from aiohttp import ClientSession
from aiohttp.test_utils import TestServer
from click.testing import CliRunner

from cms_host.testing import Site
from cms_sink_webhook_delivery.listen import listen, receiver

from .receiving import ThingHappened, add, happen

SECRET = "a secret of 24 bytes, or more"


@pytest.mark.parametrize(("secret", "told"), [(SECRET, "ok  thing_happened"), ("x" * 24, "FORGED  thing_happened")])
async def test_deliveries_are_verified_and_printed(
    site: Site, capsys: pytest.CaptureFixture[str], secret: str, told: str
) -> None:
    async with TestServer(receiver(SECRET)) as server:
        await add(site, str(server.make_url("/")), secret=secret)
        await happen(site, ThingHappened(7))
    (line,) = capsys.readouterr().out.splitlines()

    assert line.startswith(told)
    assert '"number":7' in line


async def test_what_comes_from_anybody_can_do_nothing_to_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    async with TestServer(receiver(SECRET)) as server, ClientSession() as client:
        for timestamp in ("", "1", "٣", "9" * 30):
            headers = {"webhook-timestamp": timestamp, "X-Service-Event": "x"}
            async with client.post(server.make_url("/any"), data=b"\x1b[2J\n", headers=headers) as answer:
                assert answer.status == 401
    printed = capsys.readouterr().out

    assert "\x1b" not in printed
    assert len(printed.splitlines()) == 4


def test_a_port_that_is_taken_is_told_in_one_line() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        done = CliRunner().invoke(listen, ["--secret", SECRET, "--port", str(port)])

    why = "another program listens there; choose another with --port"
    assert (done.exit_code, done.stderr) == (1, f"Error: Can't listen on 127.0.0.1:{port}: {why}\n")


async def test_the_command_answers_where_it_says_that_it_listens() -> None:
    command = [sys.executable, "-m", "cms_host", "webhook", "listen", "--secret", SECRET, "--port", "0"]
    running = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
    try:
        assert running.stdout is not None
        said = (await running.stdout.readline()).decode()
        assert said.startswith("Listening on http://127.0.0.1:")
        async with ClientSession() as client, client.post(said.split()[-1], data=b"{}") as answer:
            assert answer.status == 401
    finally:
        running.terminate()
        await running.wait()
