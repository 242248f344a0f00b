"""What posts answer when an account is to be deleted: how many are its own, and whose they are from now on."""

from sqlalchemy import bindparam, func, select, update

from cms_host.api import Id, Query, UnitOfWork
from cms_posts.tables import posts

_user, _heir = bindparam("user_id", type_=Id), bindparam("heir_id", type_=Id)
_COUNT = Query(select(func.count().label("n")).select_from(posts).where(posts.c.author_id == _user), scans=True)
#: Posts of one statement, which must end within the time that the database gives to any.
LOT = 2_000
#: In the order of the ids, so that two who hold many posts never wait for each other.
_own = (
    select(posts.c.id)
    .where(posts.c.author_id == _user)
    .order_by(posts.c.id)
    .limit(bindparam("lot", type_=Id))
    .with_for_update(key_share=True)
)
#: As a scan, though nobody looks at the rows: so many are not written on the event loop's thread.
_REASSIGN = Query(
    update(posts)
    .where(posts.c.id.in_(_own))
    .values(author_id=_heir, updated_at=bindparam("now"))
    .returning(posts.c.id),
    scans=True,
)


class PostOwnership:
    """Provides `Ownership` to the accounts. Posts in the trash count too.

    An author is no reader-facing content (contract 4): `updated_at` moves, `content_modified_at` and reviews stay, and
    nothing becomes a revision. Neither kept numbers nor full text know of authors, so nothing else follows.
    """

    name = "posts"

    def __init__(self, unit: UnitOfWork) -> None:
        self._unit = unit

    async def count(self, user_id: int) -> int:
        number: int = await self._unit.db.value(_COUNT, user_id=user_id)
        return number

    async def reassign(self, user_id: int, to: int) -> None:
        values = {"user_id": user_id, "heir_id": to, "now": self._unit.host.clock.now(), "lot": LOT}
        written = LOT
        while written == LOT:
            # Those of the lots before are the heir's by now.
            written = len(await self._unit.tx.all(_REASSIGN, **values))
