"""The table of works: what is loaded, what a right answer is, and what is to be reached (QUALITY, Speed).

A work more is one entry here, with the function that says what it sends and the one that proves its answers.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from bench import inputs, uploads
from bench.load import CALM_CONNECTIONS, CONNECTIONS

#: `Goal.against` for a goal that is a multiple of the best peer's rate.
PEER = "peer"


@dataclass(frozen=True)
class Goal:
    """At least `ratio` times the rate of `against`: a floor's name, or PEER."""

    against: str
    ratio: float


@dataclass(frozen=True)
class Peer:
    """The best of WordPress, Directus, Strapi and Ghost: requests per second with 1,000 posts on 2 cores."""

    name: str
    rate: float


@dataclass(frozen=True)
class Work:
    """One kind of request, repeated for a run."""

    name: str
    title: str
    script: str  #: file in `bench/wrk/`
    lines: inputs.Lines
    check: inputs.Check
    marks: tuple[str, ...]  #: what the body of every right answer holds, beside `"success":true`
    peer: Peer
    goals: Mapping[str, Goal]  #: by database, `sqlite` and `postgresql`; a database without one has no goal
    status: int = 200
    p99_ms: float | None = None  #: 99 of 100 answers at least as fast as this
    counted: str | None = None  #: the status that every answer makes one more post of
    used_up: bool = False  #: a line serves one request only
    by_default: bool = False
    connections: int = CONNECTIONS
    warm_up: int = 1  #: seconds


def _share(sqlite: str, of_sqlite: float, postgresql: str, of_postgresql: float) -> dict[str, Goal]:
    return {"sqlite": Goal(sqlite, of_sqlite), "postgresql": Goal(postgresql, of_postgresql)}


def _times_peer(ratio: float) -> dict[str, Goal]:
    return {"sqlite": Goal(PEER, ratio), "postgresql": Goal(PEER, ratio)}


_PAGE = ('"items":[{',)

WORKS: dict[str, Work] = {
    work.name: work
    for work in (
        Work(
            "W1",
            "one post by id, at random",
            script="read.lua",
            lines=inputs.post_paths,
            check=inputs.check_posts,
            marks=('"content":"',),
            peer=Peer("Ghost", 678),
            goals=_share("F2", 0.40, "F4", 0.50),
            p99_ms=10,
            by_default=True,
        ),
        Work(
            "W2",
            "list of 20, first page",
            script="read.lua",
            lines=inputs.first_page,
            check=inputs.check_pages,
            marks=_PAGE,
            peer=Peer("Directus", 346),
            goals=_share("F3", 0.40, "F5", 0.50),
            p99_ms=10,
            by_default=True,
        ),
        Work(
            "W2p",
            "list of 20, pages 1 to 10 at random",
            script="read.lua",
            lines=inputs.ten_pages,
            check=inputs.check_pages,
            marks=_PAGE,
            peer=Peer("Directus", 346),
            goals=_share("F3", 0.40, "F5", 0.50),
            p99_ms=10,
        ),
        Work(
            "W3",
            "list of 20 with categories and tags",
            script="read.lua",
            lines=inputs.related_page,
            check=inputs.check_relations,
            marks=_PAGE,
            peer=Peer("Directus", 254),
            goals=_share("F3", 0.30, "F5", 0.35),
            p99_ms=10,
            by_default=True,
        ),
        Work(
            "W4",
            "list by category, by date",
            script="read.lua",
            lines=inputs.filtered_pages,
            check=inputs.check_pages,
            marks=_PAGE,
            peer=Peer("Directus", 267),
            goals=_share("F3", 0.30, "F5", 0.35),
            p99_ms=10,
            by_default=True,
        ),
        Work(
            "W5",
            "page 500 of 20, or the last",
            script="read.lua",
            lines=inputs.far_page,
            check=inputs.check_pages,
            marks=_PAGE,
            peer=Peer("Directus", 326),
            goals={"sqlite": Goal("F3", 0.30)},
            p99_ms=10,
            by_default=True,
        ),
        Work(
            "W5k",
            "keyset page of 20, from a random id",
            script="read.lua",
            lines=inputs.keyset_pages,
            check=inputs.check_pages,
            marks=_PAGE,
            peer=Peer("Directus", 326),
            goals=_share("F3", 0.40, "F5", 0.50),
            p99_ms=10,
            by_default=True,
        ),
        Work(
            "W6",
            "two-word search, some 40 hits",
            script="read.lua",
            lines=inputs.searches,
            check=inputs.check_searches,
            marks=_PAGE,
            peer=Peer("WordPress", 36),
            goals=_share("F3", 0.20, "F5", 0.20),
            by_default=True,
        ),
        Work(
            "W7",
            "create a draft, 3 KB of HTML",
            script="create.lua",
            lines=inputs.contents,
            check=inputs.check_creating,
            marks=('"status":"draft"',),
            peer=Peer("Strapi", 174),
            goals=_times_peer(2.0),
            status=201,
            counted="draft",
            by_default=True,
        ),
        Work(
            "W8",
            "publish through the whole gate",
            script="once.lua",
            lines=inputs.publish_paths,
            check=inputs.check_publishing,
            marks=('"status":"published"',),
            peer=Peer("Directus", 278),
            goals=_times_peer(2.0),
            counted="published",
            used_up=True,
            by_default=True,
        ),
        Work(
            "W9",
            "upload a JPEG of 2000 x 1333, by 4 connections",
            script="upload.lua",
            lines=uploads.one_photograph,
            check=uploads.check_uploading,
            marks=('"avif":"', '"webp":"'),
            peer=Peer("Ghost", 8.6),
            # Six a second: the peer makes one smaller image of each, we two of its full size.
            goals=_times_peer(0.7),
            status=201,
            by_default=True,
            # Two images are converted at a time: more connections would only stand in line, some beyond their patience.
            connections=CALM_CONNECTIONS,
            warm_up=5,
        ),
    )
}
