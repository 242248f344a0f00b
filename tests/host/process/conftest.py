"""A new site in a folder of its own, with a stranger's plugin beside accounts."""

import os
import shutil
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.host.process.installation import PATIENCE, Installation, Running, install

STRANGER = Path(__file__).with_name("stranger") / "acme_stranger.py"


def make_installation(folder: Path) -> Installation:
    """A site whose only plugins are accounts, health and a stranger's; its rate limit is off."""
    (folder / "site").mkdir()
    install(folder / "site", "stranger", STRANGER.read_text())
    environment = {name: value for name, value in os.environ.items() if not name.startswith("CMS_")}
    environment |= {"PYTHONPATH": str(folder / "site"), "API_RATE_LIMIT": "0", "PYTHONWARNINGS": "error"}
    made = Installation(folder, environment)
    made.configure('[plugins]\nenabled = ["users", "health", "stranger"]\n')
    return made


@pytest.fixture(scope="session")
def started_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data folder of a site after its first start."""
    made = make_installation(tmp_path_factory.mktemp("started"))
    running = made.start()
    running.wait_for("curl ")
    assert running.end() == 0
    return made.folder / "data"


@pytest.fixture
def new_installation(tmp_path: Path) -> Installation:
    """A site that was never started."""
    return make_installation(tmp_path)


@pytest.fixture
def installation(tmp_path: Path, started_once: Path) -> Installation:
    """A site with one administrator."""
    shutil.copytree(started_once, tmp_path / "data")
    return make_installation(tmp_path)


@pytest.fixture
def start() -> Iterator[Callable[..., Running]]:
    """Starts what an installation serves, and sees to it that no process outlives the test."""
    running: list[Running] = []

    def make(installation: Installation, *arguments: str, **options: Any) -> Running:
        running.append(installation.start(*arguments, **options))
        return running[-1]

    yield make
    for each in running:
        if each.process.poll() is None:
            os.killpg(each.process.pid, signal.SIGKILL)
            each.process.wait(PATIENCE)
