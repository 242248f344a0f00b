"""What becomes of images as awkward as they come: `python -m bench.images` prints a table.

Each is uploaded to a service of its own command line, one after the other, and what came out is looked at: every file
is decoded and compared with what the image shows. The exit code is 1 where an answer or a file was wrong. Goals of time
and memory that were missed (RELIABILITY G22) are told beside, for they depend on the machine.
"""

import argparse
import http.client
import json
import secrets
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from http import HTTPStatus
from pathlib import Path
from typing import Any, NamedTuple

from bench.awkward import Made, Sample, largest, samples
from bench.folder import samples_of
from bench.memory import Memory, Peak
from bench.photographs import photograph
from bench.service import running_service
from bench.shown import VARIANTS, Served, faults
from bench.site import Site

LARGE, SMALL = (6000, 4000), (1200, 800)
#: Seconds to refuse in, and MB that a worker may have, and a serving process may grow by.
SOONEST, WORKER_MB, HOST_MB = 2.0, 512, 64
#: Connections of the first uploads, by which every process comes to have its worker.
_FIRST = 8
_HEADERS = ("Content-Type", "Cache-Control", "X-Content-Type-Options", "Content-Security-Policy", "Content-Disposition")


class Outcome(NamedTuple):
    """What became of one upload."""

    name: str
    #: Bytes.
    sent: int
    status: int
    seconds: float
    peak: Peak
    #: Bytes of the AVIF and of the WebP; of none where nothing was made.
    variants: tuple[int, ...]
    #: In words; empty where all was right.
    wrong: list[str]
    #: Of the original, as anybody gets it.
    headers: Mapping[str, str]

    @property
    def missed(self) -> list[str]:
        """The goals that were not reached."""
        late = self.status >= HTTPStatus.BAD_REQUEST and self.seconds > SOONEST
        missed = {"time": late, "worker": self.peak.worker > WORKER_MB, "host": self.peak.host > HOST_MB}
        return [name for name, is_missed in missed.items() if is_missed]


def main() -> int:
    """Upload all images and print the table; return 1 where something was wrong."""
    parser = argparse.ArgumentParser(prog="python -m bench.images", description=__doc__)
    parser.add_argument("--folder", type=Path, help="upload the files in this folder instead")
    folder = parser.parse_args().folder
    chosen = samples_of(folder) if folder else [*samples(LARGE, SMALL), *largest()]
    wrong = 0
    headers: Mapping[str, str] = {}
    print(f"{'image':<34}{'bytes':>11}{'status':>8}{'s':>7}{'worker MB':>11}{'host +MB':>10}{'AVIF':>10}{'WebP':>10}")
    with tempfile.TemporaryDirectory(prefix="cms-bench-") as path, running_service(Path(path), 5, None) as site:
        for outcome in outcomes(site, chosen):
            print(_line(outcome), flush=True)
            wrong += bool(outcome.wrong)
            headers = outcome.headers or headers
    print(f"\nGoals: refused within {SOONEST} s, worker {WORKER_MB} MB, host +{HOST_MB} MB. Headers of an original:")
    print("\n".join(f"    {name}: {headers.get(name)}" for name in _HEADERS))
    print(f"{len(chosen)} images, {wrong} wrong")
    return min(wrong, 1)


def outcomes(site: Site, chosen: list[Sample]) -> Iterator[Outcome]:
    """Upload one after the other."""
    memory, first = Memory(site.pid), photograph(640, 480)
    for _ in range(_FIRST):
        _sent(site.port, site.editor_key, first, "first.jpg")
    for sample in chosen:
        made = sample.make()
        memory.begin()
        begun = time.perf_counter()
        status, told = _sent(site.port, site.editor_key, made.file, sample.filename)
        seconds, peak = time.perf_counter() - begun, memory.end()
        served = _served(site.port, told["data"]["urls"]) if told["success"] else {}
        wrong = _wrong(sample, made, status, told, served)
        sizes = tuple(len(served[kind].content) for kind in VARIANTS if served)
        headers = served["original"].headers if served else {}
        yield Outcome(sample.name, len(made.file), status, seconds, peak, sizes, wrong, headers)


def _wrong(sample: Sample, made: Made, status: int, told: Mapping[str, Any], served: Mapping[str, Served]) -> list[str]:
    if status != sample.status:
        return [f"the answer should be {sample.status}: {json.dumps(told)[:300]}"]
    return faults(made, told["data"], served) if served else []


def _sent(port: int, key: str, image: bytes, filename: str) -> tuple[int, dict[str, Any]]:
    """Upload on a connection of its own and return status and answer."""
    boundary = secrets.token_hex(16)
    head = f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{filename}"\r\n\r\n'
    body = head.encode() + image + f"\r\n--{boundary}--\r\n".encode()
    headers = {"X-API-Key": key, "Content-Type": f"multipart/form-data; boundary={boundary}"}
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=300)
    connection.request("POST", "/api/v1/media", body, headers)
    answer = connection.getresponse()
    told: dict[str, Any] = json.loads(answer.read())
    connection.close()
    return answer.status, told


def _served(port: int, urls: Mapping[str, str]) -> dict[str, Served]:
    connection, found = http.client.HTTPConnection("127.0.0.1", port, timeout=60), {}
    for kind, url in urls.items():
        connection.request("GET", url)
        answer = connection.getresponse()
        found[kind] = Served(answer.read(), dict(answer.headers))
    connection.close()
    return found


def _line(one: Outcome) -> str:
    sizes = "".join(f"{size:>10}" for size in one.variants) or " " * 20
    row = (
        f"{one.name[-33:]:<34}{one.sent:>11}{one.status:>8}{one.seconds:>7.1f}{one.peak.worker:>11}{one.peak.host:>10}"
    )
    missed = f"  missed: {', '.join(one.missed)}" if one.missed else ""
    return "\n".join((f"{row}{sizes}{missed}", *(f"    WRONG: {each}" for each in one.wrong)))


if __name__ == "__main__":
    sys.exit(main())
