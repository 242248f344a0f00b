"""Measuring one work: its floor and the service by turns, so that a machine that slows down slows both."""

import math
import statistics
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from bench.client import BenchError, WrongAnswerError
from bench.floor_handlers import FLOORS
from bench.load import CALM_CONNECTIONS, CONNECTIONS, Load, Order, run
from bench.site import Site
from bench.works import PEER, Goal, Work

#: Lines that a check proves, before and after the load.
_SAMPLE = 10
_READ_LINES = 10_000
_WARM_UP_SECONDS = 1
#: Requests per second that a work is first thought to do, when its lines are used up.
_FIRST_GUESS = 500.0
_MARGIN = 1.4
#: A count that stays the same for so long has settled.
_SETTLING_SECONDS = 0.5


@dataclass(frozen=True)
class Bench:
    """One run of the harness on one database: how long, how often, where the floors answer."""

    database: str
    posts: int
    seconds: int
    runs: int
    floors: Mapping[str, int]  #: the port of each floor that is up
    seeds: Iterator[int]  #: a number of its own for each run of wrk
    folder: Path
    patience: float = 0.0  #: seconds to wait for a quiet machine before each run, at most


@dataclass(frozen=True)
class Row:
    """What was measured of one work or floor. `wrong` tells why its numbers count for nothing."""

    name: str
    title: str
    loads: list[Load] = field(default_factory=list)
    floor_loads: list[Load] = field(default_factory=list)
    calm_loads: list[Load] = field(default_factory=list)
    work: Work | None = None
    goal: Goal | None = None
    wrong: str | None = None

    @property
    def rate(self) -> float:
        """Requests per second, the median of the runs."""
        return statistics.median(load.rate for load in self.loads)

    @property
    def p99_ms(self) -> float:
        """The 99th percentile of latency in milliseconds, the median of the runs."""
        return statistics.median(load.p99_ms for load in self.loads)

    @property
    def calm_p99_ms(self) -> float | None:
        """The same at four connections, where an answer waits for next to nothing but itself; None if not measured."""
        return statistics.median(load.p99_ms for load in self.calm_loads) if self.calm_loads else None

    @property
    def p99_limit_ms(self) -> float | None:
        """What the p99 under the full load may be at most; None without a floor beside it (docs/decisions/0014).

        With all connections always busy, the mean latency is their number divided by the rate: a service that may
        have a share of the floor's rate may have the inverse of that share of its latency.
        """
        if self.work is None or self.work.p99_ms is None or self.goal is None or not self.floor_loads:
            return None
        floor = statistics.median(load.p99_ms for load in self.floor_loads)
        return max(self.work.p99_ms, floor / self.goal.ratio)

    @property
    def reference(self) -> float | None:
        """The rate that the goal is a multiple of: the floor's median in this run, or the best peer's."""
        if self.goal is None or self.work is None:
            return None
        if self.goal.against == PEER:
            return self.work.peer.rate
        return statistics.median(load.rate for load in self.floor_loads)

    @property
    def ratio(self) -> float | None:
        """The share of the reference; with a floor, the median over the pairs of runs made side by side."""
        if self.floor_loads:
            pairs = zip(self.loads, self.floor_loads, strict=True)
            return statistics.median(ours.rate / floor.rate for ours, floor in pairs)
        return None if self.reference is None else self.rate / self.reference

    @property
    def others(self) -> float:
        """The largest share of the machine that other programs used beside a run."""
        return max((load.others for load in (*self.loads, *self.floor_loads, *self.calm_loads)), default=0.0)

    @property
    def missed(self) -> list[str]:
        """The goals that were not reached, in words; empty when all were."""
        if self.wrong is not None or self.work is None:
            return []
        found = []
        if self.goal and self.ratio is not None and self.ratio < self.goal.ratio:
            found.append(f"{self.ratio:.2f} of {self.goal.against}, not {self.goal.ratio:.2f}")
        if self.p99_limit_ms is not None and self.p99_ms > self.p99_limit_ms:
            found.append(f"p99 {self.p99_ms:.1f} ms, not {self.p99_limit_ms:.3g}")
        if self.work.p99_ms is not None and self.calm_p99_ms is not None and self.calm_p99_ms > self.work.p99_ms:
            found.append(f"p99 at {CALM_CONNECTIONS} connections {self.calm_p99_ms:.1f} ms, not {self.work.p99_ms:g}")
        return found


def measure_floor(bench: Bench, name: str) -> Row:
    """Load a floor alone."""
    _load_floor(bench, name, _WARM_UP_SECONDS)
    loads = [_load_floor(bench, name, bench.seconds) for _ in range(bench.runs)]
    return Row(name, FLOORS[name].title, loads=loads)


def measure_work(bench: Bench, site: Site, work: Work) -> Row:
    """Load the service with a work and its floor by turns; a wrong answer is told in the row, not raised."""
    goal = work.goals.get(bench.database)
    floor = goal.against if goal and goal.against != PEER else None
    loads: list[Load] = []
    floor_loads: list[Load] = []
    calm_loads: list[Load] = []
    try:
        _prove(site, work)
        load_work = _loader(bench, site, work)
        load_work(work.warm_up)
        if floor:
            _load_floor(bench, floor, _WARM_UP_SECONDS)
        for _ in range(bench.runs):
            if floor:
                floor_loads.append(_load_floor(bench, floor, bench.seconds))
            loads.append(load_work(bench.seconds))
            if work.p99_ms is not None:
                calm_loads.append(load_work(bench.seconds, CALM_CONNECTIONS))
        _prove(site, work)
    except WrongAnswerError as wrong:
        return Row(work.name, work.title, work=work, goal=goal, wrong=str(wrong))
    return Row(work.name, work.title, loads, floor_loads, calm_loads, work, goal)


def _prove(site: Site, work: Work) -> None:
    site.require_health()
    work.check(site, work.lines(site, _SAMPLE)[:_SAMPLE])


class Loader(Protocol):
    """Loads a work once for some seconds."""

    def __call__(self, seconds: int, connections: int = CONNECTIONS, /) -> Load:
        """:raises BenchError: the run proves nothing."""


def _loader(bench: Bench, site: Site, work: Work) -> Loader:
    """Return the function that loads the work once for some seconds."""
    if work.used_up:
        return _UsedUp(bench, site, work)
    lines = work.lines(site, _READ_LINES)

    def load(seconds: int, connections: int = work.connections) -> Load:
        return _load_work(bench, site, work, lines, seconds, connections)

    return load


class _UsedUp:
    """Loads a work whose lines serve once: before each run as many are made as the last rate asks for."""

    def __init__(self, bench: Bench, site: Site, work: Work) -> None:
        self._bench, self._site, self._work = bench, site, work
        self._rate = _FIRST_GUESS

    def __call__(self, seconds: int, connections: int = CONNECTIONS) -> Load:
        for _ in range(5):
            count = math.ceil(self._rate * seconds * _MARGIN) + CONNECTIONS
            lines = self._work.lines(self._site, count)
            load = _load_work(self._bench, self._site, self._work, lines, seconds, connections)
            if not load.exhausted:
                self._rate = load.rate
                return load
            self._rate *= 2
        raise BenchError(f"{self._work.name}: {count} lines were used up before {seconds} s were over")


def _load_work(bench: Bench, site: Site, work: Work, lines: list[str], seconds: int, connections: int) -> Load:
    before = _settled_count(site, work.counted) if work.counted else 0
    seed = next(bench.seeds)
    key, marks = site.editor_key, work.marks
    order = Order(work.script, site.port, key, lines, work.status, marks, seconds, seed, bench.patience, connections)
    load = run(order, bench.folder)
    if work.counted:
        _require_counted(_settled_count(site, work.counted) - before, load, work.counted)
    return load


def _settled_count(site: Site, status: str) -> int:
    """Return how many posts have `status` once the requests that wrk left behind are done with."""
    count = site.count(status)
    for _ in range(20):
        time.sleep(_SETTLING_SECONDS)
        last, count = count, site.count(status)
        if count == last:
            return count
    raise WrongAnswerError(f"the number of posts that are {status} goes on changing with no load")


def _require_counted(more: int, load: Load, status: str) -> None:
    """Every answer must have left its post behind; those under way when wrk stopped may have, too."""
    if not load.requests <= more <= load.requests + CONNECTIONS:
        raise WrongAnswerError(f"{load.requests} answers said so, but {more} posts more are {status}")


def _load_floor(bench: Bench, name: str, seconds: int) -> Load:
    floor = FLOORS[name]
    path = "/api/v1/posts" if floor.many else "/api/v1/posts/{}"
    lines = [path.format(number % bench.posts + 1) for number in range(1 if floor.many else _READ_LINES)]
    marks = ('"items":[{',) if floor.many else ('"content":"',)
    port, seed = bench.floors[name], next(bench.seeds)
    order = Order("read.lua", port, "none", lines, 200, marks, seconds, seed, bench.patience)
    return run(order, bench.folder)
