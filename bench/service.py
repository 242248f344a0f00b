"""The real service, as an operator runs it: its own command line, a configuration file, two workers."""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bench.processes import free_port, run_once, serving
from bench.site import Site

WORKERS = 2
_COMMAND = (sys.executable, "-m", "cms_host")
#: The limiter is off, for it would refuse all but the first hundred; keys and roles are on.
_ENVIRONMENT = {"API_RATE_LIMIT": "0"}


@contextmanager
def running_service(folder: Path, posts: int, database_url: str | None, workers: int = WORKERS) -> Iterator[Site]:
    """Fill a service in `folder` with `posts` posts, serve it by some workers, and yield it."""
    config = _write_config(folder, database_url)
    _command("migrate", config)
    keys = {role: _make_key(config, role) for role in ("editor", "admin")}
    _command("demo", config, "--posts", str(posts))  # Its posts need an author: so after the users.
    port = free_port()
    options = ("--config", str(config), "--host", "127.0.0.1", "--port", str(port), "--workers", str(workers))
    with serving((*_COMMAND, "serve", *options), port, workers, folder / "serve.log", _ENVIRONMENT) as pid:
        yield Site(port, keys["editor"], keys["admin"], posts, pid)


def _write_config(folder: Path, database_url: str | None) -> Path:
    data = folder / "data"
    data.mkdir()
    lines = [f"data_dir = {json.dumps(str(data))}"]
    if database_url is not None:
        lines.append(f"database_url = {json.dumps(database_url)}")
    config = folder / "cms.toml"
    config.write_text("\n".join(lines) + "\n")
    return config


def _command(name: str, config: Path, *arguments: str) -> str:
    return run_once((*_COMMAND, *name.split(), "--config", str(config), *arguments), _ENVIRONMENT)


def _make_key(config: Path, role: str) -> str:
    name = f"bench-{role}"
    _command("user create", config, "--username", name, "--email", f"{name}@example.org", "--role", role)
    return _command("key create", config, "--user", name, "--name", "bench").strip()
