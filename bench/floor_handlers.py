"""The request handlers of the floors: each the least that aiohttp and its database need for one answer."""

import json
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass
from typing import Any

import orjson
from aiohttp import web
from psycopg_pool import AsyncConnectionPool

from bench.floor_data import NAMES, PAGE, TABLE, rows

ONE = f"select {', '.join(NAMES)} from {TABLE} where id = "  # noqa: S608 - both are constants of the bench.
SOME = f"select {', '.join(NAMES)} from {TABLE} where id <= %s order by id desc limit {PAGE}"  # noqa: S608 - same.
#: Connections of one process's pool: half of the load's sixteen.
POOL_SIZE = 8

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


@dataclass(frozen=True)
class Floor:
    """One floor: what it answers, and from where (`database` is `sqlite`, `postgresql` or None)."""

    name: str
    title: str
    database: str | None
    many: bool

    @property
    def path(self) -> str:
        """The route that it answers: the service's own, so that one load script drives both."""
        return "/api/v1/posts" if self.many else "/api/v1/posts/{id}"


FLOORS = {
    floor.name: floor
    for floor in (
        Floor("F1", "bare aiohttp, fixed bytes", None, many=False),
        Floor("F2", "bare aiohttp, one row, sqlite3 on the loop's thread, orjson", "sqlite", many=False),
        Floor("F3", "bare aiohttp, 20 rows, sqlite3 on the loop's thread, orjson", "sqlite", many=True),
        Floor("F4", "bare aiohttp, one row, psycopg 3 async pool, json", "postgresql", many=False),
        Floor("F5", "bare aiohttp, 20 rows, psycopg 3 async pool, json", "postgresql", many=True),
    )
}


@asynccontextmanager
async def open_handler(floor: Floor, database: str, posts: int) -> AsyncIterator[Handler]:
    """Yield the floor's handler over its own connection or pool; `database` is a file or a URL."""
    if floor.database == "sqlite":
        with closing(sqlite3.connect(database)) as connection:
            yield sqlite_handler(connection, posts, many=floor.many)
    elif floor.database == "postgresql":
        settings = {"autocommit": True, "prepare_threshold": 0}
        pool = AsyncConnectionPool(database, min_size=POOL_SIZE, kwargs=settings, open=False)
        async with pool:
            await pool.wait()
            yield postgresql_handler(pool, posts, many=floor.many)
    else:
        yield fixed_handler()


def fixed_handler() -> Handler:
    """Return F1: always the same bytes, as many as the answer for one post has."""
    body = orjson.dumps({"success": True, "data": _record(next(rows(1)))})

    async def answer_fixed(_request: web.Request) -> web.Response:
        return _answer(body)

    return answer_fixed


def sqlite_handler(connection: sqlite3.Connection, posts: int, *, many: bool) -> Handler:
    """Return F2, or F3 when `many`: the query runs on the event loop's own thread."""
    one, some = f"{ONE}?", SOME.replace("%s", "?")

    async def read_one(request: web.Request) -> web.Response:
        row = connection.execute(one, (int(request.match_info["id"]),)).fetchone()
        return _answer(orjson.dumps({"success": True, "data": _record(row)}))

    async def read_some(request: web.Request) -> web.Response:
        found = connection.execute(some, (_newest(request, posts),)).fetchall()
        return _answer(orjson.dumps({"success": True, "data": {"items": [_record(row) for row in found]}}))

    return read_some if many else read_one


def postgresql_handler(pool: AsyncConnectionPool, posts: int, *, many: bool) -> Handler:
    """Return F4, or F5 when `many`."""
    one = f"{ONE}%s"

    async def read_one(request: web.Request) -> web.Response:
        async with pool.connection() as connection:
            row = await (await connection.execute(one, (int(request.match_info["id"]),))).fetchone()
        return _answer(_json({"success": True, "data": _record(row or ())}))

    async def read_some(request: web.Request) -> web.Response:
        async with pool.connection() as connection:
            found = await (await connection.execute(SOME, (_newest(request, posts),))).fetchall()
        return _answer(_json({"success": True, "data": {"items": [_record(row) for row in found]}}))

    return read_some if many else read_one


def _record(row: tuple[Any, ...]) -> dict[str, Any]:
    return dict(zip(NAMES, row, strict=True))


def _json(value: object) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode()


def _answer(body: bytes) -> web.Response:
    return web.Response(body=body, content_type="application/json")


def _newest(request: web.Request, posts: int) -> int:
    """Return the id that the requested page of twenty begins with, newest first."""
    return posts - PAGE * (int(request.query.get("page", "1")) - 1)
