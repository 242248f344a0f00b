"""What becomes of images as large as they come: `python -m bench.images` prints a table.

Each is uploaded to a service of its own command line, one after the other. The peak is the most memory that any of the
service's processes has had by then, so the small ones come first.
"""

import http.client
import json
import os
import secrets
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from bench.photographs import UPLOADED, hollow_png, photograph
from bench.service import running_service
from bench.site import Site

IMAGES: dict[str, Callable[[], bytes]] = {
    "PNG bomb, 60,000 x 60,000": lambda: hollow_png(60_000, 60_000),
    "PNG bomb, 50.1 MP": lambda: hollow_png(10_000, 5_010),
    "JPEG, 2.7 MP": lambda: photograph(*UPLOADED),
    "JPEG, 12 MP": lambda: photograph(4000, 3000),
    "JPEG, 24 MP": lambda: photograph(6000, 4000),
    "JPEG, 24 MP, cut off": lambda: photograph(6000, 4000)[:-100_000],
    "WebP, 24 MP": lambda: photograph(6000, 4000, "WEBP"),
    "JPEG, 50 MP": lambda: photograph(8660, 5773),
}
SHOWN = ("Content-Type", "Cache-Control", "X-Content-Type-Options", "Content-Security-Policy")


class Outcome(NamedTuple):
    """What became of one upload."""

    name: str
    sent: int
    status: int
    seconds: float
    peak_mb: int
    #: Bytes of the AVIF and of the WebP; of none where nothing was made.
    variants: tuple[int, ...]
    #: Of the AVIF, as anybody gets it.
    headers: tuple[str, ...]


def main() -> None:
    """Upload all images and print the table."""
    with tempfile.TemporaryDirectory(prefix="cms-bench-") as folder, running_service(Path(folder), 5, None) as site:
        print(f"{'image':<28}{'bytes':>11}{'status':>8}{'seconds':>9}{'peak MB':>9}{'AVIF':>10}{'WebP':>10}")
        for found in (_upload(site, name, make()) for name, make in IMAGES.items()):
            sizes = "".join(f"{size:>10}" for size in found.variants)
            print(f"{found.name:<28}{found.sent:>11}{found.status:>8}{found.seconds:>9.1f}{found.peak_mb:>9}{sizes}")
            for line in found.headers:
                print(f"    {line}")


def _upload(site: Site, name: str, image: bytes) -> Outcome:
    connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=300)
    boundary = secrets.token_hex(16)
    head = f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="x"\r\n\r\n'
    body = head.encode() + image + f"\r\n--{boundary}--\r\n".encode()
    headers = {"X-API-Key": site.editor_key, "Content-Type": f"multipart/form-data; boundary={boundary}"}
    begun = time.perf_counter()
    connection.request("POST", "/api/v1/media", body, headers)
    answer = connection.getresponse()
    told = json.loads(answer.read())
    seconds = time.perf_counter() - begun
    sizes, shown = _variants(connection, told["data"]["urls"]) if told["success"] else ((), ())
    connection.close()
    return Outcome(name, len(image), answer.status, seconds, max(_peaks(), default=0) // 1024, sizes, shown)


def _variants(connection: http.client.HTTPConnection, urls: dict[str, str]) -> tuple[tuple[int, ...], tuple[str, ...]]:
    sizes, shown = [], ()
    for kind in ("webp", "avif"):
        connection.request("HEAD", urls[kind])
        answer = connection.getresponse()
        answer.read()
        sizes.insert(0, int(answer.headers["Content-Length"]))
        shown = tuple(f"{name}: {answer.headers[name]}" for name in SHOWN)
    return tuple(sizes), shown


def _peaks() -> Iterator[int]:
    """Yield the most memory that each process below this one has had, in KiB."""
    known = dict(_processes())
    for each in known:
        above, parent = each, 0
        while above in known and above != os.getpid():
            parent, above = above, int(known[above]["PPid"])
        if parent and above == os.getpid():
            yield int(known[each].get("VmHWM", "0").split()[0])


def _processes() -> Iterator[tuple[int, dict[str, str]]]:
    for file in Path("/proc").glob("[0-9]*/status"):
        try:
            lines = file.read_text(errors="replace").splitlines()
        except OSError:
            continue  # It has ended meanwhile.
        yield int(file.parent.name), {name: value.strip() for name, _, value in (line.partition(":") for line in lines)}


if __name__ == "__main__":
    main()
