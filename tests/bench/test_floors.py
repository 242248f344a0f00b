"""The floors answer with whole post records, read from their own table."""

import json
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from aiohttp.test_utils import TestClient, TestServer

from bench import cluster
from bench.floor_data import NAMES, PAGE, fill_postgresql, fill_sqlite, rows
from bench.floor_handlers import FLOORS, Floor, open_handler

POSTS = 60


async def answer_of(floor: Floor, database: str, path: str) -> Any:
    """Return what the floor answers on `path`."""
    async with open_handler(floor, database, POSTS) as handler:
        app = web.Application()
        app.router.add_get(floor.path, handler)
        async with TestClient(TestServer(app)) as client, client.get(path) as answer:
            assert answer.status == 200
            assert answer.content_type == "application/json"
            return json.loads(await answer.read())


async def assert_reads(one: Floor, many: Floor, database: str) -> None:
    stored = [dict(zip(NAMES, row, strict=True)) for row in rows(POSTS)]
    assert await answer_of(one, database, "/api/v1/posts/7") == {"success": True, "data": stored[6]}
    newest = {"success": True, "data": {"items": stored[::-1][:PAGE]}}
    assert await answer_of(many, database, "/api/v1/posts") == newest
    older = await answer_of(many, database, "/api/v1/posts?page=2")
    assert [item["id"] for item in older["data"]["items"]] == list(range(40, 20, -1))


async def test_sqlite_floors_read_the_stored_rows(tmp_path: Path) -> None:
    database = tmp_path / "floor.sqlite3"
    fill_sqlite(database, POSTS)
    await assert_reads(FLOORS["F2"], FLOORS["F3"], str(database))


@pytest.mark.slow
async def test_postgresql_floors_read_the_stored_rows() -> None:
    with cluster.private_cluster() as url:
        assert cluster.describe(url)["fsync"] == "on"
        database = cluster.create_database(url, "floor")
        fill_postgresql(database, POSTS)
        await assert_reads(FLOORS["F4"], FLOORS["F5"], database)


async def test_the_fixed_floor_answers_one_record() -> None:
    answer = await answer_of(FLOORS["F1"], "", "/api/v1/posts/7")
    assert set(answer["data"]) == set(NAMES)


def test_a_row_is_as_large_as_a_real_post() -> None:
    contents = [len(dict(zip(NAMES, row, strict=True))["content"]) for row in rows(100)]  # type: ignore[arg-type]
    assert 2500 <= min(contents) <= max(contents) <= 3500
    assert 2800 <= sum(contents) / 100 <= 3300
