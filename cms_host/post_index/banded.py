"""Posts that look alike, found through the bands of their signatures: a few short ranges of one index."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Select,
    Subquery,
    Table,
    bindparam,
    column,
    delete,
    func,
    literal_column,
    select,
    true,
    tuple_,
    union_all,
)
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.sql.selectable import TableValuedAlias

from cms_host.db import Asked, Id, Query, Reader, Transaction, insert, one_of
from cms_host.gate import Candidate
from cms_host.post_index.listed import Cursor, ListedIndex, Row, rival_values, rivals
from cms_host.post_index.minhash import Shape, band_keys

#: Most posts that one candidate is compared with.
NEAREST = 100
#: Most posts of one band that count, the newest: a phrase that everybody uses must not slow every publish down.
LONGEST = 100
#: Rows of bands that one step of `tidy` looks at.
_STRETCH = 5_000


class BandedIndex(ListedIndex):
    """A :class:`ListedIndex` whose rows have a `signature`, and a second table that finds them by their bands.

    The second table has the columns `key` (of `band_keys`) and `post_id`, both its primary key.
    """

    def __init__(self, entries: Table, bands: Table, shape: Shape) -> None:
        super().__init__(entries)
        self.shape = shape
        self._keys = [f"key_{band}" for band in range(shape.bands)]
        post_id, key = bands.c.post_id, bands.c.key
        all_bands: list[dict[str, Any]] = [
            {"key": bindparam(name), "post_id": bindparam("post_id")} for name in self._keys
        ]
        all_keys = select(_all_keys().c.key, bindparam("post_id", type_=Id))
        self._add_bands = Query(
            {
                "sqlite": insert(bands).values(all_bands).on_conflict_do_nothing(),
                "postgresql": insert(bands).from_select(["key", "post_id"], all_keys).on_conflict_do_nothing(),
            }
        )
        one_band: dict[str, Any] = {"key": bindparam("key"), "post_id": bindparam("post_id")}
        self._add_band = Query(insert(bands).values(one_band).on_conflict_do_nothing())
        self._drop_bands = Query(
            {
                dialect: delete(bands).where(post_id == bindparam("which"), each)
                for dialect, each in one_of(key, "keys").items()
            }
        )
        self._drop_band = Query(delete(bands).where(post_id == bindparam("which"), key == bindparam("of_key")))
        self._count_bands = Query(
            {
                dialect: select(post_id, func.count().label("bands"))
                .where(each, post_id >= bindparam("first"), post_id <= bindparam("last"))
                .group_by(post_id)
                for dialect, each in one_of(key, "keys").items()
            }
        )
        each_band = (_newest(bands, bindparam(name)).subquery(f"of_{name}") for name in self._keys)
        keys = _all_keys()
        in_band = _newest(bands, keys.c.key).lateral("in_band")
        hits = {
            "sqlite": union_all(*(select(of_band.c.post_id) for of_band in each_band)),
            "postgresql": select(in_band.c.post_id).join_from(keys, in_band, true()),
        }
        self._nearest = Query({dialect: self._nearest_of(found.subquery("hits")) for dialect, found in hits.items()})
        signed = entries.c.signature
        stretch = select(key, post_id, signed).outerjoin_from(bands, entries, entries.c.post_id == post_id)
        begun = tuple_(key, post_id) > tuple_(bindparam("after_key"), bindparam("after_id"))
        self._stretch = Query(stretch.where(begun).order_by(key, post_id).limit(bindparam("most")))

    def to_nearest(self, signed: bytes, candidate: Candidate) -> Asked:
        """Asks for what `nearest` gives."""
        return self._nearest, {**self._band_values(signed), **rival_values(candidate)}

    async def nearest(self, db: Reader, signed: bytes, candidate: Candidate) -> list[Row]:
        """Rows of posts that share a band with the signature and that the candidate is compared with.

        Those that share most come first, and of those the newest; `NEAREST` at most.
        """
        query, values = self.to_nearest(signed, candidate)
        return [self.named(row) for row in await db.all(query, **values)]

    async def add(self, row: Row, tx: Transaction) -> None:
        await super().add(row, tx)
        await tx.send(self._add_bands, post_id=row["post_id"], **self._band_values(row["signature"]))

    async def add_many(self, rows: Sequence[Row], tx: Transaction) -> None:
        await super().add_many(rows, tx)
        # In the order of the index, which takes them up faster so.
        pairs = sorted((key, row["post_id"]) for row in rows for key in band_keys(row["signature"], self.shape))
        await tx.execute_many(self._add_band, ({"key": key, "post_id": post_id} for key, post_id in pairs))

    async def drop(self, post_id: int, tx: Transaction) -> None:
        for row in await tx.all(self._drop, which=post_id):
            keys = band_keys(self.named(row)["signature"], self.shape)
            await tx.send(self._drop_bands, which=post_id, keys=keys)

    async def incomplete(self, db: Reader, rows: Mapping[int, Row]) -> set[int]:
        if not rows:
            return set()
        keys = [key for row in rows.values() for key in band_keys(row["signature"], self.shape)]
        found: dict[int, int] = dict(await db.all(self._count_bands, keys=keys, first=min(rows), last=max(rows)))
        return {post_id for post_id in rows if found.get(post_id, 0) < self.shape.bands}

    async def tidy(self, tx: Transaction, after: Cursor) -> Cursor | None:
        after_key, after_id = after or (-1, -1)
        rows = await tx.all(self._stretch, after_key=after_key, after_id=after_id, most=_STRETCH)
        stale = [{"of_key": key, "which": post_id} for key, post_id, signed in rows if not self._has(signed, key)]
        if stale:
            await tx.execute_many(self._drop_band, stale)
        return (rows[-1][0], rows[-1][1]) if len(rows) == _STRETCH else None

    def _has(self, signed: bytes | None, key: int) -> bool:
        return signed is not None and key in band_keys(signed, self.shape)

    def _band_values(self, signed: bytes) -> dict[str, Any]:
        keys = band_keys(signed, self.shape)
        return {"keys": keys, **dict(zip(self._keys, keys, strict=True))}

    def _nearest_of(self, hits: Subquery) -> Any:
        shared = func.count().label("shared")
        most = select(hits.c.post_id, shared).group_by(hits.c.post_id).order_by(shared.desc(), hits.c.post_id.desc())
        near = most.limit(literal_column(str(NEAREST))).subquery("near")
        entries = self.entries
        return (
            select(*entries.c, near.c.shared)
            .join_from(near, entries, entries.c.post_id == near.c.post_id)
            .where(rivals(entries))
            .order_by(near.c.shared.desc(), near.c.post_id.desc())
        )


def _all_keys() -> TableValuedAlias:
    """The keys of all bands as rows, for PostgreSQL: a statement with each key by itself takes it long to plan."""
    keys = bindparam("keys", type_=ARRAY(Id))
    return func.unnest(keys).table_valued(column("key", Id), name="keys").render_derived()


def _newest(bands: Table, key: ColumnElement[int]) -> Select[Any]:
    """The newest posts of one band."""
    of_band = select(bands.c.post_id).where(bands.c.key == key).order_by(bands.c.post_id.desc())
    return of_band.limit(literal_column(str(LONGEST)))
