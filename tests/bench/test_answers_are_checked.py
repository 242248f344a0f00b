"""One wrong answer makes a run fail: real wrk runs against small servers that answer rightly or not."""

import asyncio
import json
import shutil
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from bench.client import WrongAnswerError
from bench.load import Load, Order, run

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("wrk") is None, reason="wrk is not installed: apt-get install wrk"),
]

Answer = Callable[[web.Request], Awaitable[web.Response]]
RIGHT = b'{"success":true,"data":{"content":"x"}}'


@asynccontextmanager
async def answering(answer: Answer) -> AsyncIterator[int]:
    """Serve `answer` on every path and yield the port."""
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", answer)
    async with TestServer(app) as server:
        assert server.port is not None
        yield server.port


async def loaded(answer: Answer, folder: Path, script: str = "read.lua", status: int = 200, lines: int = 5) -> Load:
    """Load `answer` for a second and return the result."""
    paths = [f"/{number}" if script != "create.lua" else json.dumps(f"<p>{number}</p>") for number in range(lines)]
    async with answering(answer) as port:
        order = Order(script, port, "key", paths, status, ('"content":"',), seconds=1, seed=3)
        return await asyncio.to_thread(run, order, folder)


async def test_right_answers_are_counted_and_timed(tmp_path: Path) -> None:
    seen: Counter[str] = Counter()

    async def answer(request: web.Request) -> web.Response:
        seen[request.path] += 1
        assert request.headers["X-API-Key"] == "key"
        return web.Response(body=RIGHT)

    load = await loaded(answer, tmp_path)
    assert set(seen) == {f"/{number}" for number in range(5)}
    assert 0 < load.requests <= seen.total()
    assert load.requests / 10 < load.rate < load.requests * 1.1  # In one second, or a little more.
    assert 0 < load.p50_ms <= load.p99_ms
    assert not load.exhausted


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (500, b'{"success":false,"error":{"code":500,"message":"broken"}}'),
        (201, RIGHT),
        (200, b'{"success":false,"data":{"content":"x"}}'),
        (200, b'{"success":true,"data":{}}'),
    ],
)
async def test_one_wrong_answer_in_a_hundred_fails_the_run(tmp_path: Path, status: int, body: bytes) -> None:
    answered = 0

    async def answer(_request: web.Request) -> web.Response:
        nonlocal answered
        answered += 1
        return web.Response(status=status, body=body) if answered == 100 else web.Response(body=RIGHT)

    with pytest.raises(WrongAnswerError, match=rf"^1 of \d+ answers were wrong; the first: {status} "):
        await loaded(answer, tmp_path)


async def test_a_connection_that_breaks_off_fails_the_run(tmp_path: Path) -> None:
    answered = 0

    async def answer(request: web.Request) -> web.Response:
        nonlocal answered
        answered += 1
        if answered == 100 and request.transport is not None:
            request.transport.abort()
        return web.Response(body=RIGHT)

    with pytest.raises(WrongAnswerError, match="broke off"):
        await loaded(answer, tmp_path)


async def test_no_draft_is_created_twice(tmp_path: Path) -> None:
    titles: Counter[str] = Counter()
    contents: Counter[str] = Counter()

    async def answer(request: web.Request) -> web.Response:
        body = await request.json()
        titles[body["title"]] += 1
        contents[body["content"]] += 1
        return web.Response(status=201, body=RIGHT)

    load = await loaded(answer, tmp_path, script="create.lua", status=201)
    assert load.requests <= len(titles)
    assert set(titles.values()) == {1}
    assert set(contents.values()) == {1}


async def test_each_path_is_posted_to_once(tmp_path: Path) -> None:
    paths: Counter[str] = Counter()

    async def answer(request: web.Request) -> web.Response:
        assert request.method == "POST"
        paths[request.path] += 1
        await asyncio.sleep(0.01)  # As slow as real work, so that the lines last.
        return web.Response(body=RIGHT)

    load = await loaded(answer, tmp_path, script="once.lua", lines=5000)
    assert not load.exhausted
    assert set(paths.values()) == {1}


async def test_a_run_whose_paths_run_out_says_so(tmp_path: Path) -> None:
    async def answer(_request: web.Request) -> web.Response:
        return web.Response(body=RIGHT)

    assert (await loaded(answer, tmp_path, script="once.lua", lines=40)).exhausted
