"""docs/decisions/0001: what loading plugins from entry points costs a start, and what a hook costs a call."""

import subprocess
import sys
import timeit

from cms_host.config import PluginSwitches
from cms_host.plugins import installed, load_plugins

HOST = "import cms_host.app"
ALL = f"{HOST}; from cms_host.config import Config; cms_host.app.make_host(Config())"


def seconds(program: str) -> float:
    """The shortest of seven fresh interpreters, which is the one that others disturbed least."""
    command = [sys.executable, "-c", program]
    return min(timeit.repeat(lambda: subprocess.run(command, check=True), number=1, repeat=7))


def main() -> None:
    points = installed()
    host, everything = seconds(HOST), seconds(ALL)
    print(f"the host alone {host:.2f} s, with {len(points)} plugins {everything:.2f} s (x{everything / host:.2f})")
    find = min(timeit.repeat(installed, number=5, repeat=5)) / 5
    print(f"finding the entry points {find * 1000:.1f} ms")
    plugins = load_plugins(PluginSwitches())
    again = min(timeit.repeat(lambda: load_plugins(PluginSwitches()), number=5, repeat=5)) / 5
    print(f"a second manager, modules already imported {again * 1000:.1f} ms")
    call = min(timeit.repeat(lambda: list(plugins.call("cms_settings")), number=1000, repeat=5)) / 1000
    print(f"asking every plugin one hook {call * 1e6:.1f} us (requests ask none)")


if __name__ == "__main__":
    main()
