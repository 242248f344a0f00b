"""The harness measures the real service from end to end, briefly."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("wrk") is None, reason="wrk is not installed: apt-get install wrk"),
]


@pytest.mark.parametrize("database", ["sqlite", "postgresql"])
def test_reading_and_writing_are_measured_and_right(tmp_path: Path, database: str) -> None:
    options = ("--database", database, "--posts", "100", "--seconds", "1", "--runs", "1", "--work", "W1,W7")
    command = [sys.executable, "-m", "bench.harness", *options, "--results", str(tmp_path)]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stdout + found.stderr
    (kept,) = tmp_path.glob("*.json")
    rows = json.loads(kept.read_text())["rows"]
    assert [row["name"] for row in rows] == ["W1", "W7"]
    assert all(row["wrong"] is None and row["rate"] > 0 and row["ratio"] > 0 for row in rows)
