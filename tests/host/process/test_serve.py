"""`cms-host serve` in one process: the first start, the stop, and what refuses it."""

import json
import os
import pty
import re
import signal
import socket
import stat
import subprocess
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from http.client import HTTPConnection, RemoteDisconnected
from pathlib import Path
from typing import Any

import pytest

from cms_host.testing import Databases
from tests.host.process.installation import PATIENCE, Installation, Running, poll

Start = Callable[..., Running]


def get(running: Running, path: str, key: str) -> Any:
    """The `data` of a GET request under /api/v1, on a connection of its own."""
    with closing(HTTPConnection("127.0.0.1", running.port, timeout=PATIENCE)) as connection:
        connection.request("GET", f"/api/v1{path}", headers={"X-API-Key": key})
        return json.load(connection.getresponse())["data"]


def curl_line(output: str) -> str:
    return next(line for line in output.splitlines() if line.startswith("curl "))


def pasted(line: str) -> Any:
    """What a shell prints for the line."""
    done = subprocess.run(["sh", "-c", line], capture_output=True, text=True, timeout=PATIENCE, check=True)
    return json.loads(done.stdout)


def test_first_start_writes_a_private_key_and_prints_a_line_that_works(
    new_installation: Installation, start: Start
) -> None:
    running = start(new_installation)
    running.wait_for("curl ")
    file = new_installation.folder / "data" / "admin.key"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert re.fullmatch(r"cms_[A-Za-z0-9]{40}", new_installation.key)
    assert str(file) in running.output
    assert new_installation.key not in running.output + running.log
    assert pasted(curl_line(running.output))["data"]["key"]["owner"] == "admin"


@pytest.mark.slow
def test_first_start_on_a_terminal_shows_the_key_there(new_installation: Installation, start: Start) -> None:
    controller, terminal = pty.openpty()
    running = start(new_installation, stdout=terminal)
    os.close(terminal)
    shown = ""
    while "curl " not in shown or not shown.endswith("\n"):
        shown += os.read(controller, 4096).decode().replace("\r", "")
    key = re.search(r"cms_[A-Za-z0-9]{40}", shown)
    assert key is not None
    assert key[0] in curl_line(shown)
    assert pasted(curl_line(shown))["success"] is True
    assert not (new_installation.folder / "data" / "admin.key").exists()
    assert running.end() == 0
    os.close(controller)


def test_second_start_makes_no_other_administrator(installation: Installation, start: Start) -> None:
    running = start(installation)
    running.wait_for("serves on ")
    assert "administrator" not in running.output
    assert "curl" not in running.output
    assert get(running, "/stranger/process", installation.key)["pid"] == running.process.pid


@pytest.mark.slow
@pytest.mark.parametrize("kind", Databases.KINDS)
def test_two_first_starts_at_once_make_one_administrator(
    new_installation: Installation, start: Start, databases: Databases, kind: str
) -> None:
    url = databases.make(kind, migrated=False)
    both = [start(new_installation, CMS_DATABASE_URL=url), start(new_installation, CMS_DATABASE_URL=url)]
    for each in both:
        each.wait_for("serves on ")
    assert sorted("administrator" in each.output for each in both) == [False, True]
    for each in both:
        assert get(each, "/stranger/process", new_installation.key)["pid"] == each.process.pid
        assert each.end() == 0


@pytest.mark.slow
@pytest.mark.parametrize("options", [(), ("--workers", "2")])
def test_stop_lets_a_request_under_way_finish(
    installation: Installation, start: Start, tmp_path: Path, options: tuple[str, ...]
) -> None:
    running = start(installation, *options)
    running.wait_for("serves on ")
    until = tmp_path / "answer"
    with ThreadPoolExecutor() as pool:
        answer = pool.submit(get, running, f"/stranger/wait?until={until}", installation.key)
        poll(Path(f"{until}.begun").exists, "the request")
        running.process.send_signal(signal.SIGTERM)
        # Some tools signal a process and then its group, which it is in.
        os.killpg(running.process.pid, signal.SIGTERM)
        poll(lambda: refuses(running.port), "the port to be closed")
        until.touch()
        assert len(answer.result(PATIENCE)["text"]) == 100_000
    assert running.process.wait(PATIENCE) == 0


def test_stop_lets_a_body_arrive_that_was_under_way(installation: Installation, start: Start) -> None:
    running = start(installation)
    running.wait_for("serves on ")
    head = f"POST /api/v1/stranger/measure HTTP/1.1\r\nHost: x\r\nX-API-Key: {installation.key}\r\n"
    with socket.create_connection(("127.0.0.1", running.port), PATIENCE) as client:
        client.sendall(f"{head}Content-Length: 6\r\nExpect: 100-continue\r\n\r\n".encode())
        assert client.recv(4096).startswith(b"HTTP/1.1 100")
        client.sendall(b"abc")
        running.process.send_signal(signal.SIGTERM)
        poll(lambda: refuses(running.port), "the port to be closed")
        client.sendall(b"def")
        answer = read_to_end(client)
    assert b"Connection: close" in answer
    assert answer.endswith(b'{"bytes":6}}')
    assert running.process.wait(PATIENCE) == 0


@pytest.mark.slow
@pytest.mark.parametrize("options", [(), ("--workers", "2")])
def test_stop_under_load_breaks_no_answer(installation: Installation, start: Start, options: tuple[str, ...]) -> None:
    running = start(installation, *options)
    running.wait_for("serves on ")
    answers: list[int] = []

    def ask_until_refused() -> None:
        while True:
            try:
                get(running, "/stranger/process", installation.key)
            except (ConnectionRefusedError, ConnectionResetError, RemoteDisconnected):
                # Not accepted any more, or not answered at all: nothing that a client could mistake for an answer.
                return
            answers.append(1)

    with ThreadPoolExecutor(8) as pool:
        clients = [pool.submit(ask_until_refused) for _ in range(8)]
        poll(lambda: len(answers) > 100, "answers")
        running.process.send_signal(signal.SIGTERM)
        for client in clients:
            client.result(PATIENCE)
    assert running.process.wait(PATIENCE) == 0


@pytest.mark.slow
@pytest.mark.parametrize("options", [(), ("--workers", "2")])
def test_second_signal_ends_at_once(
    installation: Installation, start: Start, tmp_path: Path, options: tuple[str, ...]
) -> None:
    running = start(installation, *options)
    running.wait_for("serves on ")
    until = tmp_path / "answer"
    hang(running, installation.key, until)
    running.process.send_signal(signal.SIGTERM)
    poll(lambda: refuses(running.port), "the port to be closed")

    def ended_by_another() -> bool:
        running.process.send_signal(signal.SIGINT)
        return running.process.poll() is not None

    poll(ended_by_another, "the end")
    assert "cut off" not in running.log


@pytest.mark.slow
def test_stop_cuts_a_request_off_after_the_shutdown_timeout(
    installation: Installation, start: Start, tmp_path: Path
) -> None:
    installation.configure('shutdown_timeout = 1\n[plugins]\nenabled = ["users", "health", "stranger"]\n')
    running = start(installation)
    running.wait_for("serves on ")
    hang(running, installation.key, tmp_path / "answer")
    assert running.end() == 0
    assert '"requests cut off by the stop"' in running.log


@pytest.mark.slow
def test_port_in_use_is_told_in_one_line(installation: Installation) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        for workers in ("1", "2"):
            done = installation.run("serve", "--port", port, "--workers", workers)
            line = (
                f"Error: Can't listen on 127.0.0.1:{port}: another program listens there; choose another with --port\n"
            )
            assert (done.returncode, done.stderr) == (1, line)


def test_host_that_does_not_exist_is_told_in_one_line(installation: Installation) -> None:
    done = installation.run("serve", "--host", "no-such-host.invalid")
    assert done.returncode == 1
    assert done.stderr.startswith("Error: Can't listen on no-such-host.invalid: ")
    assert done.stderr.count("\n") == 1


@pytest.mark.slow
def test_start_without_a_database_is_told_in_one_line(installation: Installation, tmp_path: Path) -> None:
    url = f"postgresql://nobody:sesame@localhost/none?host={tmp_path}"
    done = installation.run("serve", "--port", "0", CMS_DATABASE_URL=url)
    assert done.returncode == 1
    assert done.stderr.startswith("Error: the database can't be used: ")
    assert "sesame" not in done.stderr


def test_broken_plugin_refuses_the_start_by_name(installation: Installation) -> None:
    installation.add_plugin("broken", "import no_such_module\n")
    installation.configure('[plugins]\nenabled = ["users", "broken"]\n')
    done = installation.run("serve", "--port", "0")
    line = "Error: broken (acme-broken): ModuleNotFoundError: No module named 'no_such_module'\n"
    assert (done.returncode, done.stderr) == (1, line)


def test_answers_tell_no_versions(installation: Installation, start: Start) -> None:
    running = start(installation)
    for request in (b"GET /api/v1/posts HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", b"NONSENSE\r\n\r\n"):
        with socket.create_connection(("127.0.0.1", running.port), PATIENCE) as client:
            client.sendall(request)
            assert b"\r\nServer: cms-host\r\n" in read_to_end(client)
    assert "Traceback" not in running.log


def test_access_log_leaves_the_query_out(installation: Installation, start: Start) -> None:
    running = start(installation)
    running.wait_for("serves on ")
    get(running, "/stranger/process?key=sesame", installation.key)
    poll(lambda: "/stranger/process" in running.log, "the access log")
    line = next(line for line in running.log.splitlines() if "/stranger/process" in line)
    assert json.loads(line)["status"] == 200
    assert "sesame" not in running.log
    assert installation.key not in running.log


def refuses(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), 1).close()
    except ConnectionRefusedError:
        return True
    return False


def read_to_end(client: socket.socket) -> bytes:
    parts = []
    while part := client.recv(65_536):
        parts.append(part)
    return b"".join(parts)


def hang(running: Running, key: str, until: Path) -> None:
    """Leave a request behind that is never answered."""

    def ask() -> None:
        with pytest.raises((OSError, RemoteDisconnected)):
            get(running, f"/stranger/wait?until={until}", key)

    threading.Thread(target=ask, daemon=True).start()
    poll(Path(f"{until}.begun").exists, "the request")
