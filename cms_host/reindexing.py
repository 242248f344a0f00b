"""`cms-host reindex`: the stored indexes, made anew one after the other."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import click

from cms_host.commands import CommandError
from cms_host.host import Host
from cms_host.indexes import Progress, StoredIndex


async def rebuild(host: Host, names: Sequence[str]) -> None:
    """Rebuild the named indexes, or all; they are told in the order in which they build on each other.

    :raises CommandError: there is no index of a name.
    """
    for index in _chosen(host.indexes, names):
        with _telling(index.name) as progress:
            await index.rebuild(host.unit(), progress)


def _chosen(indexes: Sequence[StoredIndex], names: Sequence[str]) -> list[StoredIndex]:
    known = [index.name for index in indexes]
    if unknown := [name for name in names if name not in known]:
        raise CommandError(f"No such index: {', '.join(unknown)}; there are {', '.join(known) or 'none'}")
    return [index for index in indexes if not names or index.name in names]


@contextmanager
def _telling(name: str) -> Iterator[Progress]:
    """A bar on a terminal; one line for each index, when it is done, where nobody watches."""
    done = 0
    with click.progressbar(length=1, label=name, file=sys.stderr, hidden=not sys.stderr.isatty()) as bar:

        def progress(now: int, total: int) -> None:
            nonlocal done
            bar.length = max(total, 1)
            bar.update(now - done)
            done = now

        yield progress
        bar.update(max(bar.length or 0, 1) - bar.pos)
    click.echo(f"rebuilt {name}")
