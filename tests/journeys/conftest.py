"""Whole sites as an operator runs them: the real command, every plugin, several processes."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest

from tests.host.process.conftest import make_installation, start
from tests.host.process.installation import Installation, Running
from tests.journeys.newcomer import Newcomer

__all__ = ["start"]
Start = Callable[..., Running]


@dataclass(frozen=True)
class Reply:
    """A status and a JSON body."""

    status: int
    json: Any


def call(running: Running, method: str, path: str, key: str, body: Any = None) -> Reply:
    """One request on a connection of its own, so that any process may answer it."""
    connection = HTTPConnection("127.0.0.1", running.port, timeout=60)
    headers = {"X-API-Key": key, "Content-Type": "application/json"}
    try:
        connection.request(method, f"/api/v1{path}", None if body is None else json.dumps(body), headers)
        response = connection.getresponse()
        return Reply(response.status, json.load(response))
    finally:
        connection.close()


@pytest.fixture
def whole_site(tmp_path: Path) -> Installation:
    """A new site with every installed plugin, and a stranger's."""
    made = make_installation(tmp_path)
    made.configure("")
    return made


@pytest.fixture
def newcomer(tmp_path: Path) -> Iterator[Newcomer]:
    """Somebody who has a site of their own, and follows a page."""
    newcomer = Newcomer(tmp_path)
    yield newcomer
    newcomer.leave()
