"""Nothing grows too long to be read."""

from pathlib import Path
from statistics import median, quantiles

from .tree import ROOT, functions, length, place, sources

LONGEST_FUNCTION = 60
LONGEST_HANDLER = 12
LONGEST_FILE = 300
#: Path -> why it may be longer.
LONGER_FILES: dict[str, str] = {}


def tracked() -> list[Path]:
    return [path for top in ("cms_host", "plugins", "tests", "bench") for path in (ROOT / top).rglob("*.py")]


def lines(path: Path) -> int:
    return len(path.read_text("utf-8").splitlines())


def test_no_function_is_too_long() -> None:
    long = [
        f"{place(path, each)} {each.name}: {length(each)} lines"
        for path in tracked()
        for each in functions(path)
        if length(each) > LONGEST_FUNCTION
    ]

    assert long == []


def test_no_handler_is_too_long() -> None:
    long = [
        f"{place(path, each)} {each.name}: {length(each)} lines"
        for path in ROOT.glob("plugins/*/cms_*/handlers.py")
        for each in functions(path)
        if length(each) > LONGEST_HANDLER
    ]

    assert long == []


def test_no_file_is_too_long() -> None:
    long = {str(path.relative_to(ROOT)): lines(path) for path in tracked() if lines(path) > LONGEST_FILE}

    assert {path: number for path, number in long.items() if path not in LONGER_FILES} == {}
    assert LONGER_FILES.keys() <= long.keys(), "a reason that is no longer needed"


def test_what_is_shipped_is_short_on_the_whole() -> None:
    lengths = [length(each) for path in sources() for each in functions(path)]

    assert median(lengths) <= 9
    assert quantiles(lengths, n=10)[-1] <= 25
    assert median(lines(path) for path in sources() if lines(path)) <= 100
