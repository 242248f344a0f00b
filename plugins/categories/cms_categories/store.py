"""Every statement about categories."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from sqlalchemy import bindparam, column, delete, func, select, table, update

from cms_categories.tables import categories
from cms_host.api import Id, Query, Reader, Transaction, insert, one_of

#: What a longer slug begins with is looked for without its last characters, which a number may take the place of.
_SURE = 190


class Category(NamedTuple):
    """A category. Moments are microseconds since the epoch."""

    id: int
    name: str
    folded_name: str
    slug: str
    description: str
    parent_id: int | None
    created_at: int
    updated_at: int


_columns = [categories.c[name] for name in Category._fields]
_by_name = (categories.c.folded_name, categories.c.id)
_categories = select(*_columns)
_FIND = Query(_categories.where(categories.c.slug == bindparam("slug")), Category)
_COUNT = Query(select(func.count().label("total")).select_from(categories), scans=True)
_ALL = Query(_categories.order_by(*_by_name), Category, scans=True)
_CHILDREN = Query(_categories.where(categories.c.parent_id == bindparam("id")).order_by(*_by_name), Category)
_PARENTS = Query(
    {
        dialect: select(categories.c.id, categories.c.parent_id).where(condition)
        for dialect, condition in one_of(categories.c.id, "ids").items()
    }
)
_NAMED = Query(
    {
        dialect: select(categories.c.folded_name, categories.c.id)
        .where(condition)
        # What comes last counts.
        .order_by(categories.c.parent_id.is_(None), categories.c.id.desc())
        for dialect, condition in one_of(categories.c.folded_name, "names").items()
    }
)
_first = select(categories.c.id, categories.c.parent_id).where(categories.c.id == bindparam("start"))
_line = _first.cte("line", recursive=True)
# UNION, which keeps each row once, comes to an end whatever the table holds.
_line = _line.union(select(categories.c.id, categories.c.parent_id).where(categories.c.id == _line.c.parent_id))
_LINE = Query(select(_line.c.id), scans=True)
_LIKE = Query(
    select(categories.c.id)
    .where(
        categories.c.folded_name == bindparam("folded_name"),
        categories.c.parent_id.is_not_distinct_from(bindparam("parent_id", type_=Id)),
        categories.c.id != bindparam("besides"),
    )
    .limit(1)
)
_TAKEN = Query(
    select(categories.c.slug).where(categories.c.slug >= bindparam("first"), categories.c.slug < bindparam("end"))
)
_sequence = table("sqlite_sequence", column("name"), column("seq"))
_NEXT_ID = Query(
    {
        "sqlite": select((func.coalesce(func.max(_sequence.c.seq), 0) + 1).label("id")).where(
            _sequence.c.name == "categories"
        ),
        "postgresql": select(func.nextval(func.pg_get_serial_sequence("categories", "id")).label("id")),
    }
)
#: By whether the id is given or drawn.
_ADD = {
    given: Query(
        insert(categories)
        .values({each.key: bindparam(each.key) for each in (_columns if given else _columns[1:])})
        .returning(categories.c.id)
    )
    for given in (True, False)
}
_SAVE = Query(
    update(categories)
    .where(categories.c.id == bindparam("category_id"))
    .values({each.key: bindparam(f"new_{each.key}") for each in _columns[1:]})
)
_LIFT = Query(
    update(categories)
    .where(categories.c.parent_id == bindparam("below"))
    .values(parent_id=bindparam("above"), updated_at=bindparam("now"))
)
#: A hundred thousand relations may go with it.
_REMOVE = Query(delete(categories).where(categories.c.id == bindparam("id")), scans=True)


async def find(db: Reader, slug: str) -> Category | None:
    return await db.first(_FIND, slug=slug)


async def find_all(db: Reader) -> Sequence[Category]:
    """Every category, by name."""
    return await db.all(_ALL)


async def count(db: Reader) -> int:
    """How many there are."""
    total: int = await db.value(_COUNT)
    return total


async def find_children(db: Reader, category_id: int) -> Sequence[Category]:
    """Those directly below one, by name."""
    return await db.all(_CHILDREN, id=category_id)


async def find_parents(db: Reader, ids: Collection[int]) -> dict[int, int | None]:
    """Those of the ids that exist, each with its parent."""
    return dict(await db.all(_PARENTS, ids=ids))


async def find_named(db: Reader, folded_names: Collection[str]) -> dict[str, int]:
    """Of each of the names that there is the category on top, else the oldest."""
    return dict(await db.all(_NAMED, names=folded_names)) if folded_names else {}


async def find_line(db: Reader, category_id: int) -> set[int]:
    """The ids of a category and of all above it; none where it does not exist."""
    return {each for (each,) in await db.all(_LINE, start=category_id)}


async def find_like(db: Reader, folded_name: str, parent_id: int | None, besides: int = 0) -> int | None:
    """The category of that folded name below the parent, unless it is the one with the id `besides`."""
    found: int | None = await db.value(_LIKE, folded_name=folded_name, parent_id=parent_id, besides=besides)
    return found


async def taken_slugs(db: Reader, base: str) -> set[str]:
    """The slugs in use that are `base`, or that with a number."""
    # "." is what follows "-".
    end = f"{base}." if len(base) <= _SURE else f"{base[:_SURE]}\x7f"
    return {slug for (slug,) in await db.all(_TAKEN, first=base[:_SURE], end=end)}


async def next_id(tx: Transaction) -> int:
    """The id for a category whose slug needs it before the category is stored."""
    number: int = await tx.value(_NEXT_ID)
    return number


async def add(tx: Transaction, category: Category) -> int:
    """Store a new category; gives its id (its own one, where it has one already)."""
    category_id: int = await tx.value(_ADD[bool(category.id)], **category._asdict())
    return category_id


async def save(tx: Transaction, category: Category) -> None:
    values = {f"new_{name}": value for name, value in category._asdict().items()}
    await tx.execute(_SAVE, category_id=category.id, **values)


async def lift_children(tx: Transaction, category: Category, now: int) -> None:
    """Give the children of a category to its own parent."""
    await tx.execute(_LIFT, below=category.id, above=category.parent_id, now=now)


async def remove(tx: Transaction, category: Category) -> None:
    """Delete a category, and by the database's own rule whatever relates to it."""
    await tx.send(_REMOVE, id=category.id)
