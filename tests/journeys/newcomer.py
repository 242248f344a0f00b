"""A newcomer does what a page of docs/ says, word for word, in a site's folder of their own."""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import venv
from pathlib import Path
from textwrap import dedent

DOCS = Path(__file__).parents[2] / "docs"
BLOCK = re.compile(r"^```(\w+) ?(\S*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
ADDRESS = "127.0.0.1:8000"
#: As installers write it; the processes that it starts import it.
COMMAND = """\
from cms_host.cli import main

if __name__ == "__main__":
    main()
"""
#: Seconds after which a command of the page hangs.
PATIENCE = 300


class Newcomer:
    """Saves the page's files, runs its commands, and compares what they print with what the page says."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._printed = ""
        self._server: subprocess.Popen[bytes] | None = None
        self._log = folder / "serve.log"
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self._port = free.getsockname()[1]
        self._environment = _environment(folder)
        self._save("cms.toml", "")

    def read(self, page: str) -> list[str]:
        """Do what a page asks for, from top to bottom; gives the languages of its blocks."""
        blocks = BLOCK.findall((DOCS / page).read_text("utf-8"))
        for language, path, text in blocks:
            self._follow(language, path, text)
        return [language for language, _, _ in blocks]

    def _follow(self, language: str, path: str, text: str) -> None:
        if path:
            self._save(path, text)
        elif language == "sh" and text.endswith("cms-host serve\n"):
            self._serve(text)
        elif language == "sh":
            self._run(text)
        elif language == "json":
            assert json.loads(self._printed) == json.loads(text), self._log.read_text("utf-8")
        elif language == "text":
            assert text.split() in [line.split() for line in self._printed.splitlines()]
        else:
            compile(dedent(text), "a sketch", "exec")

    def leave(self) -> None:
        """Stop the site as a terminal's Ctrl-C does."""
        if self._server is not None:
            os.killpg(self._server.pid, signal.SIGINT)
            self._server.wait(timeout=PATIENCE)
            self._server = None

    def _save(self, path: str, text: str) -> None:
        if path == "cms.toml":
            # Only the port is ours: another site may be using the usual one.
            text = f"port = {self._port}\n{text}"
        file = self._folder / path
        file.write_text(text, "utf-8")

    def _run(self, text: str) -> None:
        script = text.replace(ADDRESS, f"127.0.0.1:{self._port}")
        done = subprocess.run(
            ["bash", "-euc", script],
            cwd=self._folder, env=self._environment, capture_output=True, text=True, timeout=PATIENCE, check=False,
        )  # fmt: skip
        assert done.returncode == 0, f"{text}\n{done.stdout}\n{done.stderr}"
        self._printed = done.stdout

    def _serve(self, text: str) -> None:
        self.leave()
        with self._log.open("wb") as log:
            self._server = subprocess.Popen(
                ["bash", "-c", text],
                cwd=self._folder, env=self._environment, stdout=log, stderr=log, start_new_session=True,
            )  # fmt: skip
        last = time.monotonic() + PATIENCE
        while "serves on" not in self._log.read_text("utf-8"):
            assert self._server.poll() is None, self._log.read_text("utf-8")
            assert time.monotonic() < last, self._log.read_text("utf-8")
            time.sleep(0.05)  # Between two looks at what another process writes.


def _environment(folder: Path) -> dict[str, str]:
    """A site's environment, and what keeps its installer from the network.

    The packages that these tests run with are what was installed in it before; new ones go into its own folder.
    """
    venv.create(folder / ".venv", symlinks=True)
    binaries = folder / ".venv" / "bin"
    packages = next((folder / ".venv" / "lib").iterdir()) / "site-packages"
    lines = [f"import site; site.addsitedir({each!r})\n" for each in sys.path if each.endswith("site-packages")]
    (packages / "installed-before.pth").write_text("".join(lines), "utf-8")
    script = binaries / "cms-host"
    script.write_text(f"#!{binaries / 'python'}\n{COMMAND}", "utf-8")
    script.chmod(0o755)
    # uv looks for what a package requires in the folder itself, so there it must not look.
    (folder / "installed-before.txt").write_text("cms-host ; python_version < '3'\n", "utf-8")
    kept = {name: os.environ[name] for name in ("HOME", "LANG", "TMPDIR") if name in os.environ}
    return {
        **kept,
        "PATH": os.pathsep.join([str(binaries), str(Path(_uv()).parent), os.environ["PATH"]]),
        "UV_OFFLINE": "1",
        "UV_NO_BUILD_ISOLATION": "1",
        "UV_OVERRIDE": str(folder / "installed-before.txt"),
        "UV_CACHE_DIR": str(folder / ".uv-cache"),
    }


def _uv() -> str:
    found = os.environ.get("UV") or shutil.which("uv")
    assert found, "the page's commands need uv, as the README's do"
    return found
