"""What the rules on similar titles and texts find, and what they cost as the store grows.

python -m bench.similarity                                   quality over our own texts, cost up to 1,000,000 posts
python -m bench.similarity --data FOLDER                     quality over what others collected: bench/README.md
python -m bench.similarity --only cost --sizes 1000,100000 --database postgresql
"""

import argparse
import asyncio
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from bench import cluster
from bench.machine import facts
from bench.similar_cost import cost
from bench.similar_quality import quality

RESULTS = Path(__file__).parent / "results"
SIZES = (1_000, 100_000, 1_000_000)


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, print, and write what was measured to bench/results/."""
    wanted = _parser().parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="cms-similarity-") as name:
        folder = Path(name)
        parts = [f"# Similarity, {wanted.only or 'quality and cost'}, {wanted.database}", _facts(folder)]
        if wanted.only != "cost":
            parts += asyncio.run(quality(folder, wanted.data))
        if wanted.only != "quality":
            sizes = [int(size) for size in wanted.sizes.split(",")]
            with _database(wanted.database, folder) as url:
                parts += asyncio.run(cost(url, folder, sizes))
    report = "\n\n".join(parts) + "\n"
    day = datetime.now(UTC).date()
    name = "-".join(filter(None, ["similarity", f"{day}", wanted.database, wanted.only]))
    (RESULTS / f"{name}.md").write_text(report, "utf-8")
    print(report)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench.similarity")
    parser.add_argument("--only", choices=("quality", "cost"))
    parser.add_argument("--data", type=Path, help="folder of the collected texts and titles")
    parser.add_argument("--sizes", default=",".join(map(str, SIZES)), help="numbers of posts, growing")
    parser.add_argument("--database", choices=("sqlite", "postgresql"), default="sqlite")
    return parser


@contextmanager
def _database(kind: str, folder: Path) -> Iterator[str]:
    if kind == "sqlite":
        yield f"sqlite:///{folder}/cost.sqlite3"
        return
    with cluster.private_cluster() as url:
        yield cluster.create_database(url, "similarity")


def _facts(folder: Path) -> str:
    return "\n".join(f"- {name}: {value}" for name, value in facts(folder).items() if name not in ("aiohttp", "wrk"))


if __name__ == "__main__":
    main()
