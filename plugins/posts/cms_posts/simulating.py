"""Which published posts the gate would refuse if other settings held (contract 10). Nothing is written."""

from collections.abc import AsyncIterator, Iterator, Sequence
from difflib import get_close_matches
from tempfile import SpooledTemporaryFile
from typing import Any, NamedTuple, Self

import orjson

from cms_host.api import CommandError, Host, Report, Settings
from cms_posts import store
from cms_posts.candidate import make_candidate
from cms_posts.post import Post

#: Posts that are in memory at a time; each may be of half a megabyte.
BATCH = 50
#: Bytes of found posts that are kept in memory; what is more goes to a file.
IN_MEMORY = 2**20


class WouldRefuse(NamedTuple):
    """A published post that would be refused: what each rule measured and required stands where its code does."""

    id: int
    title: str
    codes: Sequence[str]
    measured: Sequence[Any]
    required: Sequence[Any]


class Found:
    """The posts that were found, however many; may be walked again and again, inside of its `with` block."""

    def __init__(self) -> None:
        self._file = SpooledTemporaryFile(IN_MEMORY)  # noqa: SIM115 - closed by `__exit__`.
        self._number = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._file.close()

    def __len__(self) -> int:
        return self._number

    def __iter__(self) -> Iterator[WouldRefuse]:
        self._file.seek(0)
        for line in self._file:
            yield WouldRefuse(*orjson.loads(line))

    def add(self, found: WouldRefuse) -> None:
        """Not while somebody walks."""
        self._file.write(orjson.dumps(tuple(found)) + b"\n")
        self._number += 1


def parse_settings(settings: Settings, sent: Sequence[str]) -> dict[str, Any]:
    """Values by key, of texts such as `gate.short_content.minimum=2000`; numbers, booleans and arrays are JSON.

    :raises CommandError: no such setting, or no value. :raises InvalidSetting: a value that it does not take.
    """
    values = {}
    for each in sent:
        key, equals, text = each.partition("=")
        if not equals:
            raise CommandError(f"--set {each}: must be KEY=VALUE")
        if key not in settings.registry:
            near = get_close_matches(key, settings.registry, 1)
            raise CommandError(f"There is no setting {key}" + (f"; did you mean {near[0]}?" if near else ""))
        setting = settings.registry[key][0]
        values[key] = setting.parse(text if setting.type == "string" else _from_json(text))
    return values


def _from_json(text: str) -> Any:
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        return text


async def simulate(host: Host, found: Found) -> AsyncIterator[int]:
    """Show every published post to the gate as it is, under the settings that hold; gives how many each step has seen.

    :param found: gets what would be refused.
    """
    after = 0
    while posts := await store.find_published(host.db, after, BATCH):
        outlines = await store.find_outlines(host.db, [post.id for post in posts])
        for post in posts:
            if outline := outlines.get(post.id):
                report = await host.gate.run(make_candidate(post, post, outline, "simulate"), host.db)
                if not report.passes:
                    found.add(_refused(post, report))
        after = posts[-1].id
        yield len(posts)


def _refused(post: Post, report: Report) -> WouldRefuse:
    blocks = report.blocks
    return WouldRefuse(
        post.id,
        post.title,
        [each.code for each in blocks],
        [each.finding.measured for each in blocks],
        [each.finding.required for each in blocks],
    )
