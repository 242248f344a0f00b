"""What the rules cost a publish as the store grows: time inside of the transaction, and the size of the indexes.

The rows of the indexes are loaded directly, in the order of their keys: titles of `bench.articles`, texts' signatures
drawn at random, as unrelated texts have them. What is measured afterwards goes the way of a publish.
"""

import os
import random
import sqlite3
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from itertools import islice
from pathlib import Path
from statistics import median
from typing import Any

import psycopg
from psycopg import sql
from sqlalchemy import Table

from bench.articles import Article, articles, titles
from bench.similar_host import CODES, deleted, findings, host_on, published, rule
from cms_gate_duplicate_title.index import key_of
from cms_gate_duplicate_title.tables import titles as duplicates
from cms_gate_similar_content import tables as similar_contents
from cms_gate_similar_content.sketches import SHAPE as TEXTS
from cms_gate_similar_title import tables as similar_titles
from cms_gate_similar_title.index import SHAPE as TITLES
from cms_gate_similar_title.index import sign
from cms_host.api import Host, PreparingRule, Shape, fold
from cms_host.migrate import migrate
from cms_host.testing import make_candidate

Row = tuple[Any, ...]
#: Posts loaded at a time.
_LOAD = 250_000
#: Publishes measured at each size, after some that are not.
_MEASURED, _WARM_UP = 300, 50
_TABLES = (
    duplicates, similar_titles.titles, similar_titles.bands, similar_contents.texts, similar_contents.bands,
)  # fmt: skip
_STEPS = ("prepare", *(f"check {code}" for code in CODES), "save", "commit")


async def cost(url: str, folder: Path, sizes: Sequence[int]) -> list[str]:
    """The report's parts; one store grows from size to size."""
    head = ["posts", *_STEPS, "in the transaction", "size"]
    rows = [_line(head), _line(["---:"] * len(head))]
    fresh, new_titles, loaded = articles(seed=21), titles(seed=22), 0
    migrate(url)
    for size in sizes:
        _load(url, new_titles, loaded, size)
        loaded = size
        async with host_on(url, folder) as host:
            times = await _publishes(host, islice(fresh, _WARM_UP + _MEASURED))
        inside = median(map(sum, zip(*(times[step] for step in _STEPS[1:]), strict=True)))
        spent = [*(median(times[step]) for step in _STEPS), inside]
        cells = [f"{size:,}", *(f"{each * 1e3:.2f} ms" for each in spent), f"{_size(url) / 1e6:.0f} MB"]
        rows.append(_line(cells))
        print(rows[-1], flush=True)
    told = (
        "A commit waits for the disk: where other programs write as well, it says more about them than about the rules."
    )
    return ["## Cost of a publish of 3 KB, medians", "\n".join(rows), told]


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _load(url: str, new_titles: Iterator[str], first: int, last: int) -> None:
    """Write rows for the posts `first` + 1 to `last`, while nobody else is at the database."""
    for start in range(first, last, _LOAD):
        ids = range(start + 1, min(start + _LOAD, last) + 1)
        rows = _rows(ids, [fold(title) for title in islice(new_titles, len(ids))])
        (_load_file if url.startswith("sqlite") else _load_server)(url, rows)


def _rows(ids: Sequence[int], folded: Sequence[str]) -> Iterator[tuple[Table, Sequence[str], Iterable[Row]]]:
    """Tables, the columns that are not NULL, and what to write there."""
    chance = random.Random(ids[0])
    titled = {post_id: sign(title) or b"" for post_id, title in zip(ids, folded, strict=True)}
    written = {post_id: chance.randbytes(TEXTS.length) for post_id in ids}
    pairs = list(zip(ids, folded, strict=True))
    yield duplicates, ("post_id", "key"), ((each, key_of(title)) for each, title in pairs)
    columns = ("post_id", "signature", "folded_title")
    yield similar_titles.titles, columns, ((each, titled[each], title) for each, title in pairs)
    yield similar_titles.bands, ("key", "post_id"), _bands(titled, TITLES)
    columns = ("post_id", "signature", "size")
    yield similar_contents.texts, columns, ((each, signed, 400) for each, signed in written.items())
    yield similar_contents.bands, ("key", "post_id"), _bands(written, TEXTS)


def _bands(signed: Mapping[int, bytes], shape: Shape) -> Iterator[Row]:
    """Rows for every band, a band at a time, in the order of the keys."""
    rows = shape.rows
    for band in range(shape.bands):
        head, part = band << 8 * rows, slice(band * rows, band * rows + rows)
        yield from sorted((head | int.from_bytes(each[part], "big"), post_id) for post_id, each in signed.items())


def _load_file(url: str, loaded: Iterable[tuple[Table, Sequence[str], Iterable[Row]]]) -> None:
    with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as file:
        # Nothing is lost with a file that a failure leaves broken.
        for pragma in ("wal_checkpoint(truncate)", "journal_mode=off", "synchronous=off", "cache_size=-400000"):
            file.execute(f"pragma {pragma}").fetchall()
        for table, columns, rows in loaded:
            marks = ", ".join("?" * len(columns))
            file.executemany(f"insert into {table.name} ({', '.join(columns)}) values ({marks})", rows)  # noqa: S608 - names of our own tables.
        file.commit()
    # Otherwise the publishes would wait for the pages of the load to be written back.
    os.sync()


def _load_server(url: str, loaded: Iterable[tuple[Table, Sequence[str], Iterable[Row]]]) -> None:
    with psycopg.connect(url) as connection:
        for table, columns, rows in loaded:
            names = sql.SQL(", ").join(map(sql.Identifier, columns))
            copying = sql.SQL("copy {} ({}) from stdin").format(sql.Identifier(table.name), names)
            with connection.cursor().copy(copying) as copy:
                for row in rows:
                    copy.write_row(row)
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("vacuum analyze")
        connection.execute("checkpoint")


async def _publishes(host: Host, fresh: Iterator[Article]) -> dict[str, list[float]]:
    """Seconds of each step of each publish that counts."""
    times = defaultdict[str, list[float]](list)
    first = 1 << 40
    for number, article in enumerate(fresh):
        for step, seconds in (await _publish(host, first, article)).items():
            if number >= _WARM_UP:
                times[step].append(seconds)
        first += 1
    async with host.db.transaction() as tx:
        for post_id in range(1 << 40, first):
            for observer in host.post_observers:
                await observer.saved(deleted(post_id), tx)
    return times


async def _publish(host: Host, post_id: int, article: Article) -> dict[str, float]:
    """Seconds of the steps of one publish of a post that nothing is like."""
    title = fold(article.title)
    fields = {"post_id": post_id, "title": title, "folded_title": title, "text": article.text}
    spent: dict[str, float] = {}
    begin = time.perf_counter()

    def lap(step: str) -> None:
        nonlocal begin
        now = time.perf_counter()
        spent[step], begin = now - begin, now

    rules = [rule(host, code) for code in CODES]
    prepared = [isinstance(each, PreparingRule) and await each.prepare(make_candidate(**fields)) for each in rules]
    lap("prepare")
    async with host.db.transaction("posts.publish") as tx:
        begin = time.perf_counter()
        for asked, ready in zip(rules, prepared, strict=True):
            assert await findings(asked, tx, ready, **fields) == []
            lap(f"check {asked.code}")
        for observer in host.post_observers:
            await observer.saved(published(post_id, title, article.text), tx)
        lap("save")
    lap("commit")
    return spent


def _size(url: str) -> float:
    """Bytes of the rules' tables and indexes; on SQLite the few pages of the empty site are among them."""
    if url.startswith("sqlite"):
        with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as file:
            pages, size = (file.execute(f"pragma {name}").fetchone()[0] for name in ("page_count", "page_size"))
            return float(pages * size)
    with psycopg.connect(url) as connection:
        found = [connection.execute("select pg_total_relation_size(%s)", (table.name,)) for table in _TABLES]
        return float(sum(row[0] for each in found for row in each.fetchall()))
