"""A receiver of webhooks, in a process of its own: notes every request in a file before it answers.

Run as `python receiver.py PORT SECRET LEDGER SEED`. What it does is said by the path: `/good` is always answered well,
`/flapping` half the time with 500, `/dead` never, `/endless` without an end. It verifies both signatures by itself.
"""

import asyncio
import base64
import hmac
import json
import sys
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from random import Random

from aiohttp import web

#: How often one delivery is refused at the most: a retry table that is hurried through would else come to its end.
MOST_REFUSALS = 4
PIECE = b"x" * 65_536


class Receiver:
    """What the paths do.

    :param secret: of all entries, as it is written. :param ledger: a line of JSON for each request is added to it.
    """

    def __init__(self, secret: str, ledger: Path, seed: int) -> None:
        self._secret = secret.encode()
        self._ledger = ledger.open("a", buffering=1)
        self._chance = Random(seed)  # noqa: S311 - not for secrets.
        self._refused: Counter[str] = Counter()

    def app(self) -> web.Application:
        app = web.Application()
        for act in (self.good, self.flapping, self.dead, self.endless):
            app.router.add_post(f"/{act.__name__}", act)
            app.router.add_post(f"/{act.__name__}/{{any}}", act)
        return app

    async def good(self, request: web.Request) -> web.StreamResponse:
        return web.Response(status=self._note(request, await request.read(), 200))

    async def flapping(self, request: web.Request) -> web.StreamResponse:
        delivery = request.headers["X-Service-Delivery"]
        is_refused = self._chance.random() < 0.5 and self._refused[delivery] < MOST_REFUSALS
        self._refused[delivery] += is_refused
        return web.Response(status=self._note(request, await request.read(), 500 if is_refused else 200))

    async def dead(self, request: web.Request) -> web.StreamResponse:
        self._note(request, await request.read(), 0)
        await asyncio.Event().wait()
        return web.Response()

    async def endless(self, request: web.Request) -> web.StreamResponse:
        answer = web.StreamResponse(status=self._note(request, await request.read(), 200))
        await answer.prepare(request)
        with suppress(ConnectionError):
            while True:
                await answer.write(PIECE)
        return answer

    def _note(self, request: web.Request, body: bytes, status: int) -> int:
        told = json.loads(body)
        line = {
            "at": time.time(),
            "path": request.path,
            "delivery": request.headers["X-Service-Delivery"],
            "event": told["id"],
            "number": told["data"]["id"],
            "status": status,
            "is_signed": self._is_signed(request, body) and request.headers["webhook-id"] == told["id"],
        }
        self._ledger.write(f"{json.dumps(line)}\n")
        return status

    def _is_signed(self, request: web.Request, body: bytes) -> bool:
        simple = f"sha256={hmac.new(self._secret, body, 'sha256').hexdigest()}"
        signed = f"{request.headers['webhook-id']}.{request.headers['webhook-timestamp']}.".encode() + body
        standard = base64.b64encode(hmac.digest(self._secret, signed, "sha256")).decode()
        found = request.headers["X-Service-Signature"], request.headers["webhook-signature"]
        return found == (simple, f"v1,{standard}")


if __name__ == "__main__":
    port, secret, ledger, seed = sys.argv[1:]
    web.run_app(
        Receiver(secret, Path(ledger), int(seed)).app(),
        host="127.0.0.1", port=int(port), access_log=None, print=None, shutdown_timeout=1,
    )  # fmt: skip
