"""Every statement about registrations."""

from typing import NamedTuple

from sqlalchemy import ColumnElement, Table, bindparam, case, delete, func, null, select, update

from cms_host.api import Id, Instant, Query, Reader, Transaction, insert
from cms_members.tables import is_unsent, registrations, tries

#: Rows that one statement deletes at the most, so that writers never wait for long.
BATCH = 500


class Registration(NamedTuple):
    """Somebody asked for an account. Moments are microseconds since the epoch."""

    id: int
    email: str
    name: str
    password_hash: str
    language: str
    created_at: int
    expires_at: int
    token_hash: str | None
    mail_tries: int


_c = registrations.c
_columns = [_c[name] for name in Registration._fields]
_now = bindparam("now", type_=Instant)
_new = insert(registrations).values(
    {name: bindparam(name) for name in ("email", "name", "password_hash", "language", "created_at", "expires_at")}
    | {"token_hash": null(), "mail_due_at": bindparam("created_at"), "mail_tries": 0}
)
_PUT = Query(
    _new.on_conflict_do_update(
        index_elements=["email"],
        set_={each.key: _new.excluded[each.key] for each in _c if each.key not in ("id", "email")},
    )
)
_DUE = Query(select(_c.id).where(_c.mail_due_at <= _now).order_by(_c.mail_due_at).limit(1))
_CLAIM = Query(
    update(registrations)
    .where(_c.id == bindparam("which"), _c.mail_due_at <= _now)
    .values(
        token_hash=bindparam("mine"),
        expires_at=bindparam("until", type_=Instant),
        mail_due_at=bindparam("lease", type_=Instant),
        mail_tries=_c.mail_tries + 1,
    )
    .returning(*_columns),
    Registration,
)
_is_mine = _c.token_hash == bindparam("mine")
_DUE_AGAIN = Query(update(registrations).where(_is_mine).values(mail_due_at=bindparam("due", type_=Instant)))
_FIND = Query(select(*_columns).where(_is_mine, _c.expires_at > _now), Registration)
_REMOVE = Query(delete(registrations).where(_is_mine))
_OLDEST_UNSENT = Query(
    select(func.count().label("n"), func.min(_c.created_at).label("oldest")).where(is_unsent), scans=True
)
_first = insert(tries).values(key=bindparam("key"), number=1, ends_at=bindparam("ends_at"))
_is_over = tries.c.ends_at <= _now
_COUNT = Query(
    _first.on_conflict_do_update(
        index_elements=["key"],
        set_={
            "number": case((_is_over, 1), else_=tries.c.number + 1),
            "ends_at": case((_is_over, _first.excluded.ends_at), else_=tries.c.ends_at),
        },
    ).returning(tries.c.number)
)


def _forget(table: Table, *old: ColumnElement[bool]) -> Query[tuple[int, ...]]:
    key = table.primary_key.columns[0]
    chosen = select(key).where(*old).limit(bindparam("most", type_=Id))
    return Query(delete(table).where(key.in_(chosen)))


_FORGET = (_forget(registrations, _c.expires_at <= _now, ~is_unsent), _forget(tries, _is_over))


async def put(
    tx: Transaction, *, email: str, name: str, password_hash: str, language: str, created_at: int, expires_at: int
) -> None:
    """Keep what somebody asked for, in place of what was asked for with this address before; its mail is due now."""
    await tx.execute(
        _PUT,
        email=email,
        name=name,
        password_hash=password_hash,
        language=language,
        created_at=created_at,
        expires_at=expires_at,
    )


async def find_due(db: Reader, now: int) -> int | None:
    """The registration whose mail has been due for longest."""
    found: int | None = await db.value(_DUE, now=now)
    return found


async def claim(
    tx: Transaction, registration_id: int, token_hash: str, now: int, until: int, lease: int
) -> Registration | None:
    """Take the mail under this token, and the link of any earlier one away; None where another process has it.

    :param until: when the link expires. :param lease: when others may take the mail over.
    """
    return await tx.first(_CLAIM, which=registration_id, mine=token_hash, now=now, until=until, lease=lease)


async def set_due(tx: Transaction, token_hash: str, due: int | None) -> None:
    """Try the mail again then, or never; nothing happens where somebody else has it."""
    await tx.execute(_DUE_AGAIN, mine=token_hash, due=due)


async def find(db: Reader, token_hash: str, now: int) -> Registration | None:
    """The one whose link carries this, if the link is still good."""
    return await db.first(_FIND, mine=token_hash, now=now)


async def remove(tx: Transaction, token_hash: str) -> bool:
    """Whether it was there; true for one of those who try at the same time."""
    return await tx.execute(_REMOVE, mine=token_hash) == 1


async def count_try(tx: Transaction, key: str, now: int, ends_at: int) -> int:
    """How many tries there were under this key, with this one.

    :param ends_at: when counting begins anew, if it has not begun.
    """
    number: int = await tx.value(_COUNT, key=key, now=now, ends_at=ends_at)
    return number


async def unsent(db: Reader) -> tuple[int, int | None]:
    """How many mails wait, and since when the oldest does."""
    number, oldest = (await db.all(_OLDEST_UNSENT))[0]
    return number, oldest


async def forget(tx: Transaction, now: int) -> int:
    """Delete some of what is over; gives the most that were deleted of one kind."""
    return max([await tx.execute(query, now=now, most=BATCH) for query in _FORGET])
