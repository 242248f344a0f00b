"""`cms-host serve --workers N`: several processes on one port."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from cms_host.config import Config
from cms_host.start import worker_share
from tests.host.process.installation import PATIENCE, Installation, Running, poll
from tests.host.process.test_serve import get

Start = Callable[..., Running]
pytestmark = pytest.mark.slow


def processes(running: Running, key: str, least: int = 2) -> set[int]:
    """The processes that answer."""
    found: set[int] = set()

    def ask() -> bool:
        found.add(get(running, "/stranger/process", key)["pid"])
        return len(found) >= least

    poll(ask, f"{least} processes")
    return found


def is_alive(pid: int) -> bool:
    try:
        return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False


def test_requests_are_answered_by_all_processes(installation: Installation, start: Start) -> None:
    running = start(installation, "--workers", "2")
    running.wait_for("serves on ")
    assert len(processes(running, installation.key)) == 2
    assert '"WARNING"' not in running.log
    assert running.process.pid not in processes(running, installation.key)
    assert running.end() == 0


def test_process_that_was_killed_is_replaced(installation: Installation, start: Start) -> None:
    running = start(installation, "--workers", "2")
    running.wait_for("serves on ")
    first, second = processes(running, installation.key)
    os.kill(first, signal.SIGKILL)
    # Until the supervisor has seen it end, a thread of it may still hold the socket that it listened on.
    poll(lambda: not Path(f"/proc/{first}").exists(), "the end of the first")
    # Meanwhile the other one, or the third, answers.
    assert get(running, "/stranger/process", installation.key)["pid"] != first
    poll(lambda: get(running, "/stranger/process", installation.key)["pid"] not in (first, second), "a third process")
    assert '"serving process died"' in running.log


def test_processes_end_when_their_supervisor_is_killed(installation: Installation, start: Start) -> None:
    running = start(installation, "--workers", "2")
    running.wait_for("serves on ")
    served = processes(running, installation.key)
    running.end(signal.SIGKILL)
    poll(lambda: not any(map(is_alive, served)), "the end of the processes")


def test_signal_to_the_whole_group_stops_everything(installation: Installation, start: Start) -> None:
    running = start(installation, "--workers", "2")
    running.wait_for("serves on ")
    served = processes(running, installation.key)
    os.killpg(running.process.pid, signal.SIGTERM)
    assert running.process.wait(PATIENCE) == 0
    assert not any(map(is_alive, served))
    assert "died" not in running.log


def test_processes_share_one_rate_limit(installation: Installation, start: Start) -> None:
    running = start(installation, "--workers", "2", API_RATE_LIMIT="7")
    running.wait_for("serves on ")
    command = ["curl", "-s", "-o", "/dev/null", "-w", "%{http_code}\n", f"{running.url}/api/v1/none"]
    answers = [subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip() for _ in range(12)]
    assert answers == ["401"] * 7 + ["429"] * 5


def test_process_that_can_not_start_ends_the_start() -> None:
    script = (
        "import sys\n"
        "from cms_host.supervisor import Supervisor\n"
        "def work(number, lifeline, ready):\n"
        "    if number == 1:\n"
        "        raise SystemExit(3)\n"
        "    ready()\n"
        "    import signal; signal.pause()\n"
        "sys.exit(4 if not Supervisor(work, 2, 5).run(lambda: print('started')) else 0)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert (done.returncode, done.stdout) == (4, "")


def test_process_that_keeps_dying_is_replaced_ever_later() -> None:
    script = (
        "import logging, sys\n"
        "from cms_host.supervisor import Supervisor\n"
        "logging.basicConfig(format='%(message)s %(replaced_in_seconds)s', stream=sys.stdout)\n"
        "def work(number, lifeline, ready):\n"
        "    ready()\n"
        "    raise SystemExit(3)\n"
        "Supervisor(work, 1, 5).run(lambda: None)\n"
    )
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        delays = [float(process.stdout.readline().split()[-1]) for _ in range(4)]
        process.terminate()
        assert process.wait(PATIENCE) == 0
    assert delays == [0.1, 0.2, 0.4, 0.8]


def test_content_workers_are_shared_out() -> None:
    assert [worker_share(number, 5, Config(workers=3)) for number in range(3)] == [2, 2, 1]
    assert [worker_share(number, 2, Config(workers=3)) for number in range(3)] == [1, 1, 1]


def test_second_service_does_not_share_the_port(installation: Installation, start: Start) -> None:
    running = start(installation, "--workers", "2")
    done = installation.run("serve", "--workers", "2", "--port", str(running.port))
    assert done.returncode == 1
    assert "another program listens there" in done.stderr
