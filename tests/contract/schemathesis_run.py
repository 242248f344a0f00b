"""One run of schemathesis against a site, in a process of its own, and what came of it."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PROGRAM = Path(sys.executable).with_name("schemathesis")
ROOT = Path(__file__).parents[2]
SETTINGS = Path(__file__).with_name("schemathesis.toml")
#: Seconds after which a run is given up, one of many hours included.
PATIENCE = 24 * 3600


@dataclass(frozen=True)
class Verdict:
    """What schemathesis reported, and what it printed."""

    report: dict[str, Any]
    output: str

    @property
    def faults(self) -> list[str]:
        """What it found, and whatever kept it from looking: a run that broke off is no proof of anything."""
        operations, phases = self.report["operations"], self.report["phases"]
        found = [f"{each['title']}: {', '.join(each['operations'])}" for each in self.report["failures"]]
        found += [f"an error of the tool: {each['title']}" for each in self.report["errors"]]
        found += [f"the phase {name} is {each['status']}" for name, each in phases.items() if _is_broken(each)]
        if not self.report["complete"] or self.report["stop_reason"] != "completed":
            found.append(f"it broke off: {self.report['stop_reason']}")
        if operations["tested"] != operations["selected"] or not operations["tested"]:
            found.append(f"{operations['tested']} of {operations['selected']} operations were tried")
        if self.report["exit_code"] != 0 and not found:
            found.append(f"exit code {self.report['exit_code']}")
        return found

    @property
    def carried_out(self) -> set[str]:
        """The operations that did what they were asked for at least once, as `GET /api/v1/posts`."""
        rates = self.report["valid_rates"]
        return {name for name, phases in rates.items() if any(each["accepted"] for each in phases.values())}

    def __str__(self) -> str:
        seconds, cases = self.report["running_time"], self.report["test_cases"]
        return (
            f"{self.report['operations']['tested']} operations, {cases['generated']} cases, "
            f"{cases['unique_failures']} findings, {len(self.carried_out)} operations carried out, {seconds:.0f} s"
        )


def try_site(document: str, key: str | None, folder: Path, *options: str) -> Verdict:
    """Try every operation of a document on the site that it is of.

    :param document: its address, or a file with `--url` among the options.
    :param key: an API key, or None to come without one.
    :param folder: where the report is put.
    :raises AssertionError: there is no report, for the program could not even begin.
    """
    report = folder / "schemathesis.json"
    report.unlink(missing_ok=True)
    header = [] if key is None else ["--header", f"X-API-Key: {key}"]
    written = ["--report", "json", "--report-json-path", str(report), "--no-color"]
    command = [str(PROGRAM), "--config-file", str(SETTINGS), "run", document, *header, *written, *options]
    # Its cache goes where it is run, and the hooks of the settings are modules of this repository.
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert report.exists(), done.stdout + done.stderr
    return Verdict(json.loads(report.read_text("utf-8")), done.stdout + done.stderr)


def _is_broken(phase: dict[str, Any]) -> bool:
    """Whether it ended otherwise than well, or than not being asked for or having nothing to do."""
    return phase["status"] not in ("success", "skip")
