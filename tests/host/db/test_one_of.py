"""One statement for any number of values."""

from sqlalchemy import column, select, table

from cms_host.api import Id, Query, containing, like_all, one_of
from cms_host.testing import Site

users = table("users", column("id", Id), column("username"))
BY_ID = Query({dialect: select(users.c.id).where(each) for dialect, each in one_of(users.c.id, "ids").items()})
BY_NAME = Query(
    {dialect: select(users.c.id).where(each) for dialect, each in one_of(users.c.username, "names").items()}
)


async def test_any_number_of_values_is_one_statement(site: Site) -> None:
    for name in ("ada", "bora", "cem"):
        await site.client("author", name)
    assert sorted(await site.host.db.all(BY_ID, ids=[1, 3, 2**40])) == [(1,), (3,)]
    assert sorted(await site.host.db.all(BY_ID, ids=range(1, 3))) == [(1,), (2,)]
    assert await site.host.db.all(BY_ID, ids=()) == []
    assert sorted(await site.host.db.all(BY_NAME, names=["ada", "cem", "it's"])) == [(1,), (3,)]
    async with site.host.db.transaction() as tx:
        assert await tx.all(BY_NAME, names=["bora"]) == [(2,)]


LIKE_ALL = Query(
    {dialect: select(users.c.id).where(each) for dialect, each in like_all(users.c.username, "all").items()}
)


async def test_any_number_of_patterns_is_one_statement(site: Site) -> None:
    for name in ("ada-lovelace", "ada_byron", "bora"):
        await site.client("author", name)
    for texts, expected in (
        (["ada"], [(1,), (2,)]),
        (["ada", "love", "-"], [(1,)]),
        (["_"], [(2,)]),
        (["%"], []),
        (["\\"], []),
        ([], [(1,), (2,), (3,)]),
    ):
        assert sorted(await site.host.db.all(LIKE_ALL, all=[containing(each) for each in texts])) == expected
