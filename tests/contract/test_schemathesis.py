"""schemathesis finds nothing: no answer that the document does not have, no key ignored, no fault of the server.

The suite tries a few examples of every operation with one key on each kind of database; `make stress` tries every
phase, with the key of every role and with none. The environment says how much:

- `CMS_TEST_EXAMPLES`: requests that are made up for each operation;
- `CMS_TEST_SEEDS`: how often, each time with other requests;
- `CMS_TEST_PHASES`: of examples, coverage, fuzzing, stateful;
- `CMS_TEST_CALLERS`: of nobody, subscriber, author, editor, admin.
"""

import json
import os
import re
import time
from collections import Counter
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import aiohttp
import pytest

from cms_host.testing import FakeClock, serving
from cms_host.workers import Workers
from tests.host.process.installation import Running
from tests.stress.sites import errors, installation, kill

from .full_site import fill
from .role_table import DUTIES, refusal
from .routes import Endpoint
from .schemathesis_run import Verdict, try_site

EXAMPLES = int(os.environ.get("CMS_TEST_EXAMPLES", "1"))
SEEDS = int(os.environ.get("CMS_TEST_SEEDS", "1"))
PHASES = os.environ.get("CMS_TEST_PHASES", "examples,fuzzing")
WANTED = os.environ.get("CMS_TEST_CALLERS", "admin").split(",")
HOUR = 3_600_000_000


@dataclass(frozen=True)
class FullSite:
    """A whole site in a process of its own, and the keys of its accounts by their roles."""

    running: Running
    keys: Mapping[str, str]
    folder: Path

    @property
    def document(self) -> str:
        """The address of its document."""
        return f"{self.running.url}/docs/openapi.json"

    def tried(self, caller: str, *options: str, document: str | None = None) -> Verdict:
        """What schemathesis finds with the key of this caller."""
        return try_site(document or self.document, self.keys.get(caller), self.folder, *options)


@pytest.fixture
async def full_site(database_url: str, workers: Workers, tmp_path: Path) -> AsyncIterator[FullSite]:
    earlier = FakeClock(time.time_ns() // 1000 - HOUR)
    async with serving(earlier, database_url=database_url, data_dir=tmp_path / "data", workers=workers) as site:
        keys = await fill(site)
    running = installation(tmp_path, database_url).start()
    try:
        running.wait_for("serves on ")
        yield FullSite(running, keys, tmp_path)
    finally:
        kill(running)


@pytest.mark.slow
@pytest.mark.parametrize("caller", WANTED)
@pytest.mark.parametrize("seed", range(1, SEEDS + 1))
async def test_every_answer_is_in_the_document(full_site: FullSite, caller: str, seed: int) -> None:
    verdict = full_site.tried(caller, f"--max-examples={EXAMPLES}", f"--seed={seed}", f"--phases={PHASES}")
    print(verdict, answers(full_site.running))

    assert verdict.faults == [], verdict.output
    # Whoever is refused at the door sees no more than that.
    assert len(verdict.carried_out) >= len(open_to(caller)) / 3, verdict.output
    assert errors(full_site.running) == []
    assert full_site.running.process.poll() is None


def answers(running: Running) -> dict[str, int]:
    """How many answers of each status the site's log has."""
    return dict(sorted(Counter(re.findall(r'"status":([0-9]+)', running.log)).items()))


def open_to(caller: str) -> list[str]:
    """The endpoints for which the caller's role suffices."""
    return [name for name in DUTIES if refusal(caller, Endpoint(*name.split())) is None]


@pytest.mark.slow
@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
async def test_what_is_not_in_the_document_is_found(full_site: FullSite, tmp_path: Path) -> None:
    """Were it not, the test above would tell nothing."""
    options = ("--include-operation-id=read_health", "--phases=coverage", "--max-examples=1")
    assert full_site.tried("subscriber", *options).faults == []
    async with aiohttp.ClientSession() as http, http.get(full_site.document) as response:
        document = await response.json()
    document["components"]["schemas"]["HealthRecord"]["properties"]["time"]["pattern"] = "^never$"
    (tmp_path / "other.json").write_text(json.dumps(document))
    found = full_site.tried(
        "subscriber", *options, f"--url={full_site.running.url}", document=str(tmp_path / "other.json")
    )

    assert [each["code"] for each in found.report["failures"]] == ["ST108"]
    assert "GET /api/v1/health" in "".join(found.faults)
