"""What hostile content costs everybody else: `python -m bench.hostile --url http://127.0.0.1:8000 --key cms_...`.

Sends each kind of content alone, and then eight times at once, while another client reads one post over and over.
"""

import argparse
import http.client
import json
import statistics
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from time import perf_counter
from urllib.parse import urlsplit

AT_ONCE = 8
CONTENTS = {
    "100 KB of <b>": "<b>" * 33_334,
    "20,000 [": "[" * 20_000,
    "300 nested lists": "\n".join("  " * depth + "- x" for depth in range(300)),
    "300 nested lists, HTML": "<ul><li>" * 300,
    "100 KB of attributes": "<p " + "a=1 " * 25_000 + ">x</p>",
    "table of 40,000 cells": "|a" * 100 + "|\n" + "|-" * 100 + "|\n" + ("|x" * 100 + "|\n") * 400,
}


class Service:
    """A running service and a key for it."""

    def __init__(self, url: str, key: str) -> None:
        self._address = urlsplit(url).netloc
        self._headers = {"X-API-Key": key, "Content-Type": "application/json"}

    def connect(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection(self._address, timeout=60)

    def call(self, connection: http.client.HTTPConnection, method: str, path: str, body: object = None) -> int:
        """The status of one request."""
        sent = None if body is None else json.dumps(body)
        connection.request(method, f"/api/v1{path}", sent, self._headers)
        response = connection.getresponse()
        response.read()
        return response.status

    def send(self, content: str) -> tuple[int, float]:
        """Status and milliseconds of creating a post with this content."""
        began = perf_counter()
        status = self.call(self.connect(), "POST", "/posts", {"title": "Hostile", "content": content})
        return status, (perf_counter() - began) * 1000


def read_meanwhile(service: Service, content: str) -> tuple[Counter[int], list[float]]:
    """The statuses of eight at once, and the milliseconds of every read that was made meanwhile."""
    reader, times = service.connect(), []
    with ThreadPoolExecutor(AT_ONCE) as pool:
        under_way = [pool.submit(service.send, content) for _ in range(AT_ONCE)]
        while not all(each.done() for each in under_way):
            began = perf_counter()
            if service.call(reader, "GET", "/posts/1") != http.client.OK:
                raise SystemExit("GET /posts/1 failed: the service needs a post 1")
            times.append((perf_counter() - began) * 1000)
    return Counter(each.result()[0] for each in under_way), times


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--url", required=True)
    parser.add_argument("--key", required=True)
    options = parser.parse_args()
    service = Service(options.url, options.key)
    print(f"{'content':24} {'alone':>12}  {'eight at once':24} {'reads':>6} {'median':>8} {'slowest':>9}")
    for name, content in CONTENTS.items():
        status, alone = service.send(content)
        statuses, times = read_meanwhile(service, content)
        told = ", ".join(f"{count} x {status}" for status, count in sorted(statuses.items()))
        middle, slowest = statistics.median(times), max(times)
        print(f"{name:24} {status} {alone:5.0f} ms  {told:24} {len(times):6} {middle:5.1f} ms {slowest:6.1f} ms")


if __name__ == "__main__":
    main()
