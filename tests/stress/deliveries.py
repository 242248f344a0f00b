"""Both ends of webhooks: hosts that send, in processes that can be killed, and a receiver with a ledger."""

import asyncio
import json
import os
import secrets
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import Select, Update, func, select, update

from cms_comments.events import CommentCreated
from cms_host.api import Event, emit
from cms_host.events.tables import attempts, deliveries, events, lanes
from cms_host.migrate import sync_engine
from cms_host.testing import Site
from cms_members.events import MemberRegistered
from cms_posts.events import PostDeleted
from cms_sink_webhook_delivery.service import EntryService
from tests.host.process.installation import PATIENCE, Installation, Running, poll
from tests.stress.sites import installation, kill

RECEIVER = Path(__file__).with_name("receiver.py")
#: Events that one transaction writes, where they come as fast as they go.
AT_ONCE = 20


class Line(NamedTuple):
    """One request that arrived."""

    at: float
    path: str
    delivery: str
    event: str
    number: int
    status: int
    is_signed: bool


class Receiver:
    """A receiver that comes and goes, always at the same address."""

    def __init__(self, folder: Path) -> None:
        self.secret = secrets.token_hex(16)
        self._ledger = folder / "ledger"
        self._process: subprocess.Popen[bytes] | None = None
        with socket.create_server(("127.0.0.1", 0)) as taken:
            self.port: int = taken.getsockname()[1]

    def url(self, path: str) -> str:
        return f"http://127.0.0.1:{self.port}{path}"

    def start(self) -> None:
        arguments = [str(self.port), self.secret, str(self._ledger), str(self.port)]
        self._process = subprocess.Popen([sys.executable, RECEIVER, *arguments])
        poll(self._answers, "the receiver")

    def stop(self) -> None:
        """What it has taken it answers first."""
        if self._process is not None:
            self._process.terminate()
            self._process.wait(PATIENCE)
            self._process = None

    def lines(self) -> list[Line]:
        """What arrived until now."""
        text = self._ledger.read_text() if self._ledger.exists() else ""
        return [Line(**json.loads(line)) for line in text.splitlines(keepends=True) if line.endswith("\n")]

    def _answers(self) -> bool:
        with suppress(OSError), socket.create_connection(("127.0.0.1", self.port)):
            return True
        return False


class Senders:
    """Several `cms-host serve` on one database."""

    def __init__(self, folder: Path, database_url: str, number: int) -> None:
        self._made = [self._install(folder / f"host-{each}", database_url) for each in range(number)]
        self.running: list[Running] = []

    def start(self) -> None:
        self.running = [each.start() for each in self._made]
        self._await(self.running)

    def kill(self, which: Sequence[int]) -> None:
        for each in which:
            kill(self.running[each])

    def restart(self, which: Sequence[int]) -> None:
        for each in which:
            self.running[each] = self._made[each].start()
        self._await([self.running[each] for each in which])

    def stop(self) -> None:
        """Let nothing outlive the test."""
        for each in self.running:
            if each.process.poll() is None:
                kill(each)

    def resident(self, which: int, *, highest: bool = False) -> int:
        """Bytes of memory that one of them holds, or has held at the most."""
        status = Path(f"/proc/{self.running[which].process.pid}/status").read_text()
        line = next(line for line in status.splitlines() if line.startswith("VmHWM" if highest else "VmRSS"))
        return int(line.split()[1]) * 1024

    def processor(self, which: int) -> float:
        """Seconds of processor time that one of them has taken."""
        fields = Path(f"/proc/{self.running[which].process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def forget_highest(self) -> None:
        """What they hold now is the most from now on."""
        for each in self.running:
            Path(f"/proc/{each.process.pid}/clear_refs").write_text("5")

    @staticmethod
    def _install(folder: Path, database_url: str) -> Installation:
        folder.mkdir()
        return installation(folder, database_url)

    @staticmethod
    def _await(started: Sequence[Running]) -> None:
        for each in started:
            each.wait_for("serves on ")


class Outbox:
    """The outbox as it stands in the database, seen from outside."""

    def __init__(self, database_url: str) -> None:
        self._engine = sync_engine(database_url)

    def count(self, status: str) -> int:
        """Deliveries in a state."""
        return self._number(select(func.count()).where(deliveries.c.status == status))

    def attempts(self) -> int:
        return self._number(select(func.count()).select_from(attempts))

    def unrouted(self) -> int:
        return self._number(select(func.count()).select_from(events).where(~events.c.routed))

    def hurry(self) -> None:
        """As if the time had come for all that waits for its next attempt."""
        self._run(update(deliveries).where(deliveries.c.status == "pending", deliveries.c.due_at > 0).values(due_at=0))

    def end_leases(self) -> None:
        """As if the leases of those who died had run out."""
        self._run(update(lanes).values(until=0))

    def log(self) -> list[dict[str, Any]]:
        """What was kept of each attempt."""
        with self._engine.connect() as connection:
            return [*connection.scalars(select(attempts.c.record).order_by(attempts.c.number))]

    def _number(self, query: Select[tuple[int]]) -> int:
        with self._engine.connect() as connection:
            return connection.execute(query).scalar_one()

    def _run(self, statement: Update) -> None:
        with self._engine.begin() as connection:
            connection.execute(statement)


class Happenings:
    """Events that happen on a site, each with a number of its own."""

    def __init__(self, site: Site) -> None:
        self._site = site
        #: When each was committed, by number, in seconds since the epoch.
        self.committed: dict[int, float] = {}

    async def add_entry(self, receiver: Receiver, path: str, *events: str) -> None:
        service = self._site.host.unit().get(EntryService)
        await service.add(receiver.url(path), receiver.secret, events, allow_private=True)

    async def remove_entries(self, path: str) -> None:
        """Forget the entries that lead there."""
        async with self._site.host.unit().write() as unit:
            service = unit.get(EntryService)
            for record in await service.records():
                if path in record["url"]:
                    await service.remove(record["id"])

    async def emit(self, number: int, *, at_once: int = AT_ONCE) -> None:
        """So many more events, as fast as they go; deletions of posts and comments by turns."""
        first, last = len(self.committed), len(self.committed) + number
        for start in range(first, last, at_once):
            numbers = range(start, min(start + at_once, last))
            async with self._site.host.unit().write() as unit:
                for each in numbers:
                    await emit(unit, _event(each))
            self.committed |= dict.fromkeys(numbers, time.time())

    async def register(self) -> None:
        """Somebody has become a member; this has no number of its own."""
        async with self._site.host.unit().write() as unit:
            await emit(unit, MemberRegistered(1, "somebody", "somebody@example.org"))

    async def emit_steadily(self, number: int, rate: float) -> None:
        """So many more events, each in a transaction of its own.

        :param rate: events in a second.
        """
        begun = time.monotonic()
        for each in range(number):
            await self.emit(1)
            # The pace is what is tried; a slow machine keeps it as it can.
            await asyncio.sleep(max(0.0, begun + each / rate - time.monotonic()))  # The load's own pace.


def _event(number: int) -> Event:
    if number % 2:
        return CommentCreated(number, 1, "somebody", "pending")
    return PostDeleted(number, f"The post {number}", f"the-post-{number}", "post", permanent=True)
