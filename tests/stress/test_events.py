"""Webhooks on their way while everything dies: senders, receivers, and the patience of both.

`make stress` takes CMS_TEST_EVENTS=10000 events, kills a sender three times, waits out the leases of those it killed,
keeps the receiver away for CMS_TEST_AWAY seconds, and holds the figures to their bounds; the suite takes a hundred, and
holds what does not depend on the machine's speed. The long waits between attempts (up to twelve hours) are shortened by
setting the due time of what waits to now, once in a second: the table of waits itself is tried with a clock of its own
beside the outbox.
"""

import asyncio
import os
import time
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from cms_host.testing import Databases, FakeClock, serving
from tests.host.process.installation import PATIENCE

from .deliveries import AT_ONCE, Happenings, Line, Outbox, Receiver, Senders

SIZE = int(os.environ.get("CMS_TEST_EVENTS", "40"))
IS_LONG = SIZE >= 500
KILLS = 3 if IS_LONG else 1
#: Seconds for which the receiver is away.
AWAY = float(os.environ.get("CMS_TEST_AWAY", "0"))
#: Seconds between looks: reading a long ledger takes the processor from those who are measured.
LOOKS = 0.5 if IS_LONG else 0.05
#: Seconds for all that is under way to arrive, however slow the machine.
LONGEST = PATIENCE + SIZE
KINDS = ("post_deleted", "comment_created")
#: What the crowd is told of.
CROWD_KIND = "member_registered"
#: Events in a second beside a dead receiver (RELIABILITY, G6), and how many of them.
RATE, STEADY = 50.0, max(40, SIZE // 5)
#: Seconds that a dead receiver may delay another one's deliveries, and from the commit to the first attempt (G6, G7).
DELAYED, FIRST = 1.0, 2.0
#: Bytes of memory that receivers without an end may cost, and what is kept of an answer (G8).
COST, KEPT = 16 * 2**20, 4 * 1024
#: Receivers that never answer, or never end, and are told of everything.
BAD = 8
#: Receivers that never answer and are told of one event, more than a process has turns for failing ones.
CROWD = 100 if IS_LONG else 10


@dataclass
class Scene:
    """Where things happen, who sends, and who receives."""

    happenings: Happenings
    senders: Senders
    receiver: Receiver
    outbox: Outbox

    @classmethod
    @asynccontextmanager
    async def of(cls, database_url: str, folder: Path, senders: int) -> AsyncIterator["Scene"]:
        """A site by the true time, as the senders have it; it delivers nothing itself."""
        clock, receiver = FakeClock(time.time_ns() // 1000), Receiver(folder)
        sending = Senders(folder, database_url, senders)
        try:
            async with serving(clock, database_url=database_url, data_dir=folder / "data") as site:
                await asyncio.to_thread(receiver.start)
                await asyncio.to_thread(sending.start)
                yield cls(Happenings(site), sending, receiver, Outbox(database_url))
        finally:
            sending.stop()
            receiver.stop()


async def until(condition: Callable[[], object], what: str, meanwhile: Callable[[], None] = lambda: None) -> None:
    """Wait for something, and do something else once in a second."""
    deadline, due = time.monotonic() + LONGEST, 0.0
    while not await asyncio.to_thread(condition):
        now = time.monotonic()
        assert now < deadline, f"waited in vain for {what}"
        if now >= due:
            await asyncio.to_thread(meanwhile)
            due = now + 1
        await asyncio.sleep(LOOKS)  # Between looks.


async def kill_one(scene: Scene, turn: int) -> None:
    """Kill a sender amid its work and start it again; where leases are not waited out, both of them."""
    outbox, seen = scene.outbox, scene.outbox.attempts()
    await until(lambda: outbox.attempts() > seen, "work to interrupt", outbox.hurry)
    victims = [turn % 2] if IS_LONG else [0, 1]
    scene.senders.kill(victims)
    if not IS_LONG:
        outbox.end_leases()
    await asyncio.to_thread(scene.senders.restart, victims)


async def disturbed(scene: Scene) -> None:
    """Events, while senders are killed and the receiver is away."""
    part = SIZE // (KILLS + 1)
    for turn in range(KILLS):
        if turn == KILLS - 1:
            await asyncio.to_thread(scene.receiver.stop)
        await asyncio.gather(scene.happenings.emit(part), kill_one(scene, turn))
    away = time.monotonic() + AWAY
    await until(lambda: time.monotonic() >= away, "the receiver's return")
    await asyncio.to_thread(scene.receiver.start)
    await scene.happenings.emit(SIZE - KILLS * part)
    await until(lambda: scene.outbox.count("delivered") == SIZE, "the last delivery", scene.outbox.hurry)


@pytest.mark.slow
async def test_no_event_is_lost_and_none_comes_twice_unless_a_sender_dies(database_url: str, tmp_path: Path) -> None:
    async with Scene.of(database_url, tmp_path, senders=2) as scene:
        for kind in KINDS:
            await scene.happenings.add_entry(scene.receiver, f"/flapping/{kind}", kind)
        await disturbed(scene)

    outbox, lines = scene.outbox, scene.receiver.lines()
    twice, told = duplicates(lines), Counter(line.status for line in lines)
    print(f"{SIZE} events, {outbox.attempts()} attempts, {dict(told)}, {KILLS} kills, {twice.total()} duplicates")
    assert {line.number for line in lines if line.status == 200} == scene.happenings.committed.keys()
    assert all(line.is_signed for line in lines)
    assert all(len(seen) == 1 for seen in ids(lines).values())
    # A lane has one delivery under way at a time: what was answered, and not yet noted when its sender died.
    assert twice.total() <= KILLS * len(KINDS) * (1 if IS_LONG else 2)
    assert (outbox.count("pending"), outbox.count("failed"), outbox.unrouted()) == (0, 0, 0)


def duplicates(lines: list[Line]) -> Counter[str]:
    """By delivery, how often too often it was taken."""
    return Counter(line.delivery for line in lines if line.status == 200) - Counter({line.delivery for line in lines})


def ids(lines: list[Line]) -> Mapping[int, set[tuple[str, str, str]]]:
    """By number, under which ids of event and delivery, and where, each event arrived."""
    found = defaultdict(set)
    for line in lines:
        found[line.number].add((line.event, line.delivery, line.path))
    return found


@pytest.mark.slow
@pytest.mark.parametrize("kind", Databases.KINDS if IS_LONG else ["sqlite"])
async def test_bad_receivers_delay_no_other_and_cost_little(databases: Databases, tmp_path: Path, kind: str) -> None:
    async with Scene.of(url := databases.make(kind), tmp_path, senders=1) as scene:
        await scene.happenings.add_entry(scene.receiver, "/good", *KINDS)
        await a_burst_goes_out_in_order(scene)
        alone = await waits(scene)
        await what_never_ends_costs_little(scene)
        for number in range(BAD):
            await scene.happenings.add_entry(scene.receiver, f"/dead/{number}", *KINDS)
        for number in range(CROWD):
            await scene.happenings.add_entry(scene.receiver, f"/dead/crowd-{number}", CROWD_KIND)
        await scene.happenings.register()
        beside = await waits(scene)
        await until(lambda: len(unanswered(scene)) == BAD + CROWD, "the last of the dead to be asked")
    databases.discard(url)

    told = f"{p99(alone):.3f} s alone, {p99(beside):.3f} s beside {BAD} dead receivers and a crowd of {CROWD}"
    print(f"{STEADY} events at {RATE:g}/s: p99 {told}")
    if IS_LONG:
        assert p99(beside) - p99(alone) < DELAYED
        assert p99(beside) < FIRST


def unanswered(scene: Scene) -> set[str]:
    """The paths of those who were asked and did not answer."""
    return {line.path for line in scene.receiver.lines() if line.status == 0}


async def a_burst_goes_out_in_order(scene: Scene) -> None:
    before = scene.senders.processor(0)
    await scene.happenings.emit(SIZE)
    await until(lambda: scene.outbox.count("delivered") == SIZE, "the last delivery")
    spent = scene.senders.processor(0) - before
    lines = scene.receiver.lines()
    taken = lines[-1].at - min(scene.happenings.committed.values())
    each = f"{SIZE / taken:.0f} in a second, {spent / SIZE * 1000:.1f} ms of processor each"
    print(f"{SIZE} events to one entry in {taken:.1f} s: {each}")
    assert [line.number for line in lines] == sorted(scene.happenings.committed)


async def what_never_ends_costs_little(scene: Scene) -> None:
    for number in range(BAD):
        await scene.happenings.add_entry(scene.receiver, f"/endless/{number}")
    scene.senders.forget_highest()
    rest, delivered = scene.senders.resident(0), scene.outbox.count("delivered")
    await scene.happenings.emit(AT_ONCE)
    await until(lambda: scene.outbox.count("delivered") == delivered + AT_ONCE * (1 + BAD), "the last delivery")

    cost = scene.senders.resident(0, highest=True) - rest
    kept = max(len(record["answer"]) for record in scene.outbox.log())
    print(f"{AT_ONCE * BAD} answers without an end: {cost / 2**20:.1f} MB at the most, {kept} bytes kept of each")
    assert kept == KEPT
    assert cost <= COST
    await scene.happenings.remove_entries("/endless")


async def waits(scene: Scene) -> list[float]:
    """Seconds from the commit to the first attempt, of events that happen at a steady rate."""
    committed = scene.happenings.committed
    before = set(committed)
    await scene.happenings.emit_steadily(STEADY, RATE)
    new = committed.keys() - before

    def arrived() -> dict[int, float]:
        return {line.number: line.at for line in scene.receiver.lines() if line.path == "/good" and line.number in new}

    await until(lambda: len(arrived()) == len(new), "the last event")
    return sorted(at - committed[number] for number, at in arrived().items())


def p99(ordered: list[float]) -> float:
    return ordered[len(ordered) * 99 // 100]
