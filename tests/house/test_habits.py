"""Things that are done in one place only, or nowhere."""

import ast
import re
from pathlib import Path

from .tree import HOST, ROOT, imports, parsed, place, sources


def calls(path: Path, name: str) -> list[str]:
    """Where a function of this name is called, whatever it is called on."""
    return [
        place(path, node)
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.Call) and getattr(node.func, "attr", getattr(node.func, "id", None)) == name
    ]


#: Modules that ask other hosts, and of aiohttp whatever makes a client.
CLIENTS = ("urllib.request", "urllib3", "http.client", "httpx", "requests", "pycurl", "ftplib", "xmlrpc.client")
MAKERS = ("ClientSession", "TCPConnector", "urlopen", "open_connection", "create_connection")


def test_only_one_module_makes_http_clients() -> None:
    """The one that looks at the address of every connection."""
    others = [path for path in sources() if path != HOST / "fetch.py"]
    made = [found for path in others for name in MAKERS for found in calls(path, name)]
    imported = [
        f"{found.where} {found.module}"
        for path in others
        for found in imports(path)
        if found.module.startswith(CLIENTS)
    ]

    assert made + imported == []


def test_sql_is_never_text() -> None:
    wrong = []
    for path in sources():
        if any(found.module in ("sqlalchemy.text", "sqlalchemy") for found in imports(path)):
            wrong += calls(path, "text")

    assert wrong == []


def test_nothing_is_left_for_later() -> None:
    marks = re.compile(r"\b([T]ODO|[F]IXME|[X]XX)\b")
    wrong = [
        f"{path.relative_to(ROOT)}:{number}"
        for top in ("cms_host", "plugins", "tests", "bench", "docs")
        for path in (ROOT / top).rglob("*")
        if path.suffix in (".py", ".md", ".toml")
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if marks.search(line)
    ]

    assert wrong == []


def test_a_plugin_s_hooks_are_its_table_of_contents() -> None:
    """Nothing but imports, constants and hook implementations in `plugin.py`."""
    wrong = [
        f"{place(path, node)} {node.name}"
        for path in ROOT.glob("plugins/**/plugin.py")
        for node in parsed(path).body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        and not node.name.startswith(("cms_", "_"))
    ]

    assert wrong == []
