"""Every statement about tags."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from sqlalchemy import bindparam, column, delete, func, select, table, update

from cms_host.api import Id, Paging, Query, Reader, Transaction, containing, insert, one_of
from cms_tags.tables import tags

#: What a longer slug begins with is looked for without its last characters, which a number may take the place of.
_SURE = 190


class Tag(NamedTuple):
    """A tag. Its moment is in microseconds since the epoch."""

    id: int
    name: str
    folded_name: str
    slug: str
    created_at: int


_columns = [tags.c[name] for name in Tag._fields]
_tags = select(*_columns)
_FIND = Query(_tags.where(tags.c.slug == bindparam("slug")), Tag)
_FIND_IDS = Query(
    {
        dialect: select(tags.c.folded_name, tags.c.id).where(condition)
        for dialect, condition in one_of(tags.c.folded_name, "names").items()
    }
)
_matches = tags.c.folded_name.like(bindparam("pattern"), escape="\\")
#: By whether names are searched.
_filtered = {True: _tags.where(_matches), False: _tags}
_PAGE = {
    searched: Query(
        statement.order_by(tags.c.folded_name)
        .limit(bindparam("limit", type_=Id))
        .offset(bindparam("offset", type_=Id)),
        Tag,
        scans=True,
    )
    for searched, statement in _filtered.items()
}
_COUNT = {
    searched: Query(statement.with_only_columns(func.count().label("total"), maintain_column_froms=True), scans=True)
    for searched, statement in _filtered.items()
}
_TAKEN = Query(select(tags.c.slug).where(tags.c.slug >= bindparam("first"), tags.c.slug < bindparam("end")))
_sequence = table("sqlite_sequence", column("name"), column("seq"))
_NEXT_ID = Query(
    {
        "sqlite": select((func.coalesce(func.max(_sequence.c.seq), 0) + 1).label("id")).where(
            _sequence.c.name == "tags"
        ),
        "postgresql": select(func.nextval(func.pg_get_serial_sequence("tags", "id")).label("id")),
    }
)
#: By whether the id is given or drawn.
_ADD = {
    given: Query(
        insert(tags)
        .values({each.key: bindparam(each.key) for each in (_columns if given else _columns[1:])})
        .on_conflict_do_nothing()
        .returning(*_columns),
        Tag,
    )
    for given in (True, False)
}
_SAVE = Query(
    update(tags)
    .where(tags.c.id == bindparam("tag_id"))
    .values({each.key: bindparam(f"new_{each.key}") for each in _columns[1:]})
)
#: A hundred thousand relations may go with it.
_REMOVE = Query(delete(tags).where(tags.c.id == bindparam("id")), scans=True)


async def find(db: Reader, slug: str) -> Tag | None:
    return await db.first(_FIND, slug=slug)


async def find_page(db: Reader, search: str, paging: Paging) -> tuple[Sequence[Tag], int]:
    """Some tags by name, and how many there are; with a folded text to search for, of those that have it."""
    searched, values = bool(search), {"pattern": containing(search)} if search else {}
    return await paging.find(db, _COUNT[searched], _PAGE[searched], **values)


async def count(db: Reader) -> int:
    """How many there are."""
    total: int = await db.value(_COUNT[False])
    return total


async def find_ids(db: Reader, names: Collection[str]) -> dict[str, int]:
    """Ids by folded name, of those that exist."""
    return dict(await db.all(_FIND_IDS, names=names)) if names else {}


async def taken_slugs(db: Reader, base: str) -> set[str]:
    """The slugs in use that are `base`, or that with a number."""
    # "." is what follows "-".
    end = f"{base}." if len(base) <= _SURE else f"{base[:_SURE]}\x7f"
    return {slug for (slug,) in await db.all(_TAKEN, first=base[:_SURE], end=end)}


async def next_id(tx: Transaction) -> int:
    """The id for a tag whose slug needs it before the tag is stored."""
    number: int = await tx.value(_NEXT_ID)
    return number


async def add(tx: Transaction, tag: Tag) -> Tag | None:
    """Store a new tag, which is given an id if it has none; None where its name or slug is taken.

    Waits for a rival's transaction to end.
    """
    return await tx.first(_ADD[bool(tag.id)], **tag._asdict())


async def save(tx: Transaction, tag: Tag) -> None:
    values = {f"new_{name}": value for name, value in tag._asdict().items()}
    await tx.execute(_SAVE, tag_id=tag.id, **values)


async def remove(tx: Transaction, tag: Tag) -> None:
    """Delete a tag, and by the database's own rule whatever relates to it."""
    await tx.send(_REMOVE, id=tag.id)
