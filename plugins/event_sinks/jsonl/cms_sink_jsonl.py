"""Writes every event to a file, one JSON object in each line, for programs that read files rather than answer calls."""

import asyncio
import os
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from cms_host.api import Delivery, EventSink, Host, Occurrence, Result, Setting, UnitOfWork, hookimpl

ENABLED = Setting("sink.jsonl.enabled", False, "Write events to events/events.jsonl in the data folder.")
MAX_BYTES = Setting(
    "sink.jsonl.max_bytes",
    10_000_000,
    "Size in bytes from which on events.jsonl is put aside and a new one begun.",
    minimum=10_000,
)
KEPT = Setting("sink.jsonl.kept_files", 10, "How many files that were put aside are kept.", minimum=1, maximum=10_000)
#: The sink's one target.
FILE = "events.jsonl"


class JsonLinesSink(EventSink):
    """Appends to one file. A line is on the disk before its event counts as delivered.

    A process that dies in between writes the line again when it is back: readers skip an `id` that they have seen.
    """

    name = "jsonl"

    def __init__(self, host: Host) -> None:
        self._settings = host.settings
        self._folder = host.data_dir / "events"

    async def targets(self, unit: UnitOfWork, event: Occurrence) -> Sequence[str]:
        return [FILE] if self._settings[ENABLED] else []

    async def deliver(self, unit: UnitOfWork, delivery: Delivery) -> Result:
        now = unit.host.clock.now()
        await asyncio.to_thread(self._append, delivery.event.body, now)
        return Result(ok=True, record={"bytes": len(delivery.event.body)})

    def _append(self, line: bytes, now: int) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        path = self._folder / FILE
        if path.exists() and path.stat().st_size >= self._settings[MAX_BYTES]:
            self._put_aside(path, now)
        with path.open("ab+") as file:
            # Who died in the middle of a line has left it without an end.
            if file.tell() and not _ends_line(file):
                line = b"\n" + line
            file.write(line + b"\n")
            file.flush()
            os.fsync(file.fileno())

    def _put_aside(self, path: Path, now: int) -> None:
        stamp = datetime.fromtimestamp(now / 1_000_000, UTC).strftime("%Y%m%dT%H%M%S.%fZ")
        path.rename(path.with_name(f"events-{stamp}.jsonl"))
        aside = sorted(self._folder.glob("events-*.jsonl"))
        for old in aside[: -self._settings[KEPT]]:
            old.unlink(missing_ok=True)


def _ends_line(file: Any) -> bool:
    file.seek(-1, os.SEEK_END)
    last: bytes = file.read(1)
    return last == b"\n"


@hookimpl
def cms_settings() -> Sequence[Setting[Any]]:
    """Whether to write, and how much to keep."""
    return [ENABLED, MAX_BYTES, KEPT]


@hookimpl
def cms_event_sinks(host: Host) -> Sequence[EventSink]:
    """The file."""
    return [JsonLinesSink(host)]
