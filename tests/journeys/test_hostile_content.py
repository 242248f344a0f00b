"""Content made to be expensive is refused clearly, and others are served meanwhile."""

import json
from concurrent.futures import ThreadPoolExecutor
from time import monotonic

from tests.host.process.installation import Installation
from tests.journeys.conftest import Start, call

HOSTILE = {
    "100 KB of <b>": "<b>" * 33_334,
    "20,000 brackets": "[" * 20_000,
    "300 nested lists": "\n".join("  " * depth + "- x" for depth in range(300)),
    "300 nested lists in HTML": "<ul><li>" * 300,
    # Passes every guard, and would take longer than its worker is given.
    "a table of 40,000 cells": "|a" * 100 + "|\n" + "|-" * 100 + "|\n" + ("|x" * 100 + "|\n") * 400,
}


def test_hostile_content_is_refused_eight_at_once_while_others_are_served(
    whole_site: Installation, start: Start
) -> None:
    running = start(whole_site)
    running.wait_for("curl ")
    article = {"title": "A post to be read meanwhile", "content": "<p>Read me.</p>"}
    assert call(running, "POST", "/posts", whole_site.key, article).status == 201
    for name, content in HOSTILE.items():
        alone = call(running, "POST", "/posts", whole_site.key, {"title": "x", "content": content})
        assert alone.status == 422, name
        assert "content" in json.dumps(alone.json["error"]), name
        with ThreadPoolExecutor(8) as pool:
            under_way = [
                pool.submit(call, running, "POST", "/posts", whole_site.key, {"title": "x", "content": content})
                for _ in range(8)
            ]
            slowest = 0.0
            while not all(each.done() for each in under_way):
                began = monotonic()
                assert call(running, "GET", "/posts/1", whole_site.key).status == 200
                slowest = max(slowest, monotonic() - began)
        assert {each.result().status for each in under_way} <= {422, 503}, name
        # The workers get 1.5 s for such content: a reader who had to wait for one of them would take as long.
        assert slowest < 1.0, name
