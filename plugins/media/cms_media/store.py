"""Every statement about media. Where files are is the matter of `MediaStore`."""

from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, bindparam, cast, delete, func, select, true, update

from cms_host.api import Id, Paging, Query, Reader, Transaction, insert, like_all, one_of
from cms_media.tables import files, media


class Medium(NamedTuple):
    """An uploaded image. Its moment is in microseconds since the epoch."""

    id: int
    path: str
    avif: str
    webp: str
    mime_type: str
    width: int
    height: int
    size: int
    sha256: str
    title: str
    alt: str
    author_id: int
    created_at: int

    @property
    def paths(self) -> tuple[str, str, str]:
        """Of its files."""
        return self.path, self.avif, self.webp


class Kept(NamedTuple):
    """How many media there are, and the bytes of their originals."""

    total: int
    bytes: int


_columns = [media.c[name] for name in Medium._fields]
_media = select(*_columns)
_FIND = Query(_media.where(media.c.id == bindparam("id")), Medium)
_HOLD = Query(_media.where(media.c.id == bindparam("id")).with_for_update(), Medium)
_FILE_TYPE = Query(select(files.c.mime_type).where(files.c.path == bindparam("path")))
_STORED = Query(
    {dialect: select(files.c.path).where(condition) for dialect, condition in one_of(files.c.path, "paths").items()}
)
_ADD = Query(
    insert(media).values({name: bindparam(name) for name in (*Medium._fields[1:], "searched")}).returning(*_columns),
    Medium,
)
_ADD_FILE = Query(insert(files).values({each.key: bindparam(each.key) for each in files.c}))
_CHANGE = Query(
    update(media)
    .where(media.c.id == bindparam("which"))
    .values({name: bindparam(f"new_{name}") for name in ("title", "alt", "searched")})
)
#: Of the originals: their variants have sizes that nobody notes.
_KEPT = Query(
    select(func.count().label("total"), cast(func.coalesce(func.sum(media.c.size), 0), Id).label("bytes")),
    Kept,
    scans=True,
)
_COUNT_OF = Query(
    select(func.count().label("n")).select_from(media).where(media.c.author_id == bindparam("user_id")), scans=True
)
#: As a scan, though nobody looks at the rows: so many are not written on the event loop's thread.
_REASSIGN = Query(
    update(media)
    .where(media.c.author_id == bindparam("user_id", type_=Id))
    .values(author_id=bindparam("heir_id", type_=Id))
    .returning(media.c.id),
    scans=True,
)
_REMOVE = Query(delete(media).where(media.c.id == bindparam("id")))

#: What a list can be narrowed by, beside a search, which has one pattern for each word.
_CONDITIONS: Mapping[str, ColumnElement[bool]] = {
    "mime_type": media.c.mime_type == bindparam("mime_type"),
    "author_id": media.c.author_id == bindparam("author_id"),
    "date_from": media.c.created_at >= bindparam("date_from"),
    "date_to": media.c.created_at <= bindparam("date_to"),
}
_SEARCHED = like_all(media.c.searched, "patterns")
FILTERS = (*_CONDITIONS, "patterns")
_PAGE = (
    _media.order_by(media.c.created_at.desc(), media.c.id.desc())
    .limit(bindparam("limit", type_=Id))
    .offset(bindparam("offset", type_=Id))
)
_COUNT = select(func.count().label("total")).select_from(media)


async def find(db: Reader, medium_id: int) -> Medium | None:
    return await db.first(_FIND, id=medium_id)


async def hold(tx: Transaction, medium_id: int) -> Medium | None:
    """The medium, which nobody else can change until the transaction ends."""
    return await tx.first(_HOLD, id=medium_id)


async def file_type(db: Reader, path: str) -> str | None:
    """The type of a file that may be shown; None where there is none, or none any more."""
    found: str | None = await db.value(_FILE_TYPE, path=path)
    return found


async def stored(db: Reader, paths: Collection[str]) -> set[str]:
    """Those of the paths that have a row."""
    return {path for (path,) in await db.all(_STORED, paths=paths)} if paths else set()


async def find_page(db: Reader, filters: Mapping[str, Any], paging: Paging) -> tuple[Sequence[Medium], int]:
    """Some media, newest first, and how many there are.

    :param filters: values by names of `FILTERS`; moments in microseconds since the epoch.
    """
    names = frozenset(filters)
    return await paging.find(db, _count_query(names), page_query(names), **filters)


async def add(tx: Transaction, medium: Medium, searched: str, types: Mapping[str, str]) -> Medium:
    """Store a new medium; gives it with its id.

    :param searched: folded text that a search finds it by. :param types: of its files, by path.
    """
    added = (await tx.all(_ADD, **{**medium._asdict(), "searched": searched}))[0]
    await tx.execute_many(
        _ADD_FILE, [{"path": path, "media_id": added.id, "mime_type": kind} for path, kind in types.items()]
    )
    return added


async def change(tx: Transaction, medium: Medium, searched: str) -> None:
    await tx.execute(_CHANGE, which=medium.id, new_title=medium.title, new_alt=medium.alt, new_searched=searched)


async def kept(db: Reader) -> Kept:
    """How much there is."""
    return (await db.all(_KEPT))[0]


async def count_of(db: Reader, user_id: int) -> int:
    """How many media an account has uploaded."""
    number: int = await db.value(_COUNT_OF, user_id=user_id)
    return number


async def reassign(tx: Transaction, user_id: int, to: int) -> None:
    """The uploads of an account belong to another from now on."""
    await tx.all(_REASSIGN, user_id=user_id, heir_id=to)


async def remove(tx: Transaction, medium_id: int) -> None:
    """Delete a medium, and by the database's own rule the rows of its files: none is shown any more."""
    await tx.execute(_REMOVE, id=medium_id)


@lru_cache(maxsize=32)
def page_query(names: frozenset[str]) -> Query[Medium]:
    """The page of a list that is narrowed by these."""
    return Query({dialect: _PAGE.where(*each) for dialect, each in _conditions(names).items()}, Medium, scans=True)


@lru_cache(maxsize=32)
def _count_query(names: frozenset[str]) -> Query[tuple[Any, ...]]:
    return Query({dialect: _COUNT.where(*each) for dialect, each in _conditions(names).items()}, scans=True)


def _conditions(names: frozenset[str]) -> Mapping[str, Sequence[ColumnElement[bool]]]:
    narrowed = [condition for name, condition in _CONDITIONS.items() if name in names]
    searched = _SEARCHED if "patterns" in names else dict.fromkeys(_SEARCHED, true())
    return {dialect: [each, *narrowed] for dialect, each in searched.items()}
