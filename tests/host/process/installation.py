"""The real `cms-host`, in processes of its own, for tests to start and to stop."""

import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

CMS_HOST = Path(sys.executable).with_name("cms-host")
#: Seconds that anything here may take, however busy the machine is.
PATIENCE = 180


def poll(condition: Callable[[], object], what: str) -> None:
    """Wait until a condition holds."""
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, f"waited in vain for {what}"
        time.sleep(0.02)


def install(site: Path, name: str, source: str) -> None:
    """Put a lone module under `site` as pip would: with metadata and an entry point under its own name."""
    module = f"acme_{name.replace('-', '_')}"
    (site / f"{module}.py").write_text(source)
    info = site / f"{module}-1.0.dist-info"
    info.mkdir()
    metadata = f"Metadata-Version: 2.1\nName: acme-{name}\nVersion: 1.0\nRequires-Dist: cms-host>=0.1\n"
    (info / "METADATA").write_text(metadata)
    (info / "entry_points.txt").write_text(f"[cms_host.plugins]\n{name} = {module}\n")


@dataclass
class Running:
    """A `cms-host serve` under way."""

    process: subprocess.Popen[bytes]
    folder: Path

    @property
    def output(self) -> str:
        return (self.folder / "stdout").read_text()

    @property
    def log(self) -> str:
        return (self.folder / "stderr").read_text()

    def wait_for(self, text: str) -> None:
        """Until the text is on standard output. Fails when the process ends first."""
        poll(lambda: text in self.output or self.process.poll() is not None, text)
        assert text in self.output, f"ended with {self.process.returncode}: {self.log}"

    @property
    def url(self) -> str:
        self.wait_for("serves on ")
        return self.output.partition("serves on ")[2].split()[0]

    @property
    def port(self) -> int:
        return int(self.url.rpartition(":")[2])

    def end(self, number: signal.Signals = signal.SIGTERM) -> int:
        """Send a signal and wait for the end; gives the exit status."""
        self.process.send_signal(number)
        return self.process.wait(PATIENCE)


@dataclass
class Installation:
    """A site's folder, a configuration, and a command line to work on it."""

    folder: Path
    environment: dict[str, str]

    def configure(self, text: str) -> None:
        (self.folder / "cms.toml").write_text(text)

    def add_plugin(self, name: str, source: str) -> None:
        install(self.folder / "site", name, source)

    def run(self, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        """Run a command to its end."""
        return subprocess.run(
            [CMS_HOST, *arguments],
            cwd=self.folder,
            env=self.environment | environment,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )

    def start(self, *arguments: str, command: str = "serve", stdout: int | None = None, **environment: str) -> Running:
        """Start a command that goes on; `serve` takes a free port."""
        number = len(list(self.folder.glob("serve-*")))
        folder = self.folder / f"serve-{number}"
        folder.mkdir()
        with (folder / "stdout").open("wb") as out, (folder / "stderr").open("wb") as err:
            port = ["--port", "0"] if command == "serve" else []
            process = subprocess.Popen(
                [CMS_HOST, command, *port, *arguments],
                cwd=self.folder,
                env=self.environment | environment,
                stdin=subprocess.DEVNULL,
                stdout=out if stdout is None else stdout,
                stderr=err,
                start_new_session=True,
            )
        return Running(process, folder)

    @property
    def key(self) -> str:
        """The key that the first start wrote down."""
        return (self.folder / "data" / "admin.key").read_text().strip()
