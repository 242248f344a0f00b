"""Plugins that are installed for the length of one test."""

import importlib
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

PLUGINS = Path(__file__).with_name("plugins")
Install = Callable[..., None]


class Installer:
    """Puts distributions on the import path, where the host finds them like any that pip brought."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.modules: list[str] = []

    def __call__(
        self,
        name: str,
        source: str = "",
        *,
        module: str = "",
        dist: str = "",
        requires: Sequence[str] = (),
        files: Mapping[str, str] | None = None,
    ) -> None:
        """Install a plugin.

        :param name: of the entry point.
        :param source: of the module `cms_<name>`; with `files` (path and text below it) that is a package.
        :param module: what the entry point says, where it is not the module.
        """
        package, dist = f"cms_{name.replace('-', '_')}", dist or f"cms-{name}"
        self.modules.append(package)
        if files is None:
            self._write(f"{package}.py", source)
        else:
            for path, text in {"__init__.py": "", "plugin.py": source, **files}.items():
                self._write(f"{package}/{path}", text)
        target = module or (package if files is None else f"{package}.plugin")
        metadata = [f"Metadata-Version: 2.1\nName: {dist}\nVersion: 1.0", *(f"Requires-Dist: {r}" for r in requires)]
        info = f"{dist.replace('-', '_')}-1.0.dist-info"
        self._write(f"{info}/METADATA", "\n".join(metadata) + "\n")
        self._write(f"{info}/entry_points.txt", f"[cms_host.plugins]\n{name} = {target}\n")
        importlib.invalidate_caches()

    def _write(self, path: str, text: str) -> None:
        file = self._folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Installer]:
    """Installs plugins until the test ends."""
    folder = tmp_path / "site-packages"
    folder.mkdir()
    monkeypatch.syspath_prepend(str(folder))
    installer = Installer(folder)
    yield installer
    for package in installer.modules:
        for name in [each for each in sys.modules if each.partition(".")[0] == package]:
            del sys.modules[name]


@pytest.fixture
def probe(install: Installer) -> Sequence[str]:
    """Installs the two plugins of this folder: one that recognises callers, one whose endpoints tell what they saw."""
    for name in ("keys", "probe"):
        install(name, (PLUGINS / f"cms_{name}.py").read_text("utf-8"))
    return ("keys", "probe")


@pytest.fixture
def ledger(install: Installer) -> Any:
    """Installs the plugins `keys` and `ledger`; gives the class of the latter's desk, of which each host has one."""
    for name in ("keys", "ledger"):
        install(name, (PLUGINS / f"cms_{name}.py").read_text("utf-8"))
    return importlib.import_module("cms_ledger").Desk
