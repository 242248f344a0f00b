"""docs/decisions/0013: what a line of the access log costs, past the logging module and through it."""

import json
import logging
import os
import timeit
from pathlib import Path
from tempfile import TemporaryDirectory

from aiohttp.test_utils import make_mocked_request
from aiohttp.web import Response

from cms_host.logs import REQUEST_ID, AccessLogger, JsonFormatter, LineHandler

NUMBER = 20_000


def main() -> None:
    request, response = make_mocked_request("GET", "/api/v1/posts/123?page=2"), Response()
    REQUEST_ID.set("0123456789abcdef")
    with TemporaryDirectory() as folder:
        file = os.open(Path(folder) / "log", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        handler = LineHandler(lambda line: os.write(file, line))
        handler.setFormatter(JsonFormatter())
        logger = logging.getLogger("bench.access")
        logger.addHandler(handler)
        logger.setLevel(logging.INFO)
        logger.propagate = False
        direct = AccessLogger(handler)
        direct.log(request, response, 0.0012)
        fields = json.loads((Path(folder) / "log").read_text())
        extra = {name: fields[name] for name in ("method", "path", "status", "milliseconds", "peer", "bytes")}
        past = min(timeit.repeat(lambda: direct.log(request, response, 0.0012), number=NUMBER, repeat=5)) / NUMBER
        through = min(timeit.repeat(lambda: logger.info("request", extra=extra), number=NUMBER, repeat=5)) / NUMBER
        os.close(file)
    print(f"one line: {past * 1e6:.1f} us; as a log record {through * 1e6:.1f} us (x{through / past:.1f})")


if __name__ == "__main__":
    main()
