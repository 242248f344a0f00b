"""What posts keep beside the posts: any damage is told in words, and made good, by the same index and no other."""

import asyncio
from collections.abc import Sequence
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import bindparam, column, delete, func, insert, literal, select, table, update

from cms_host.api import Host, Query, fold
from cms_host.testing import Client, Site, dump
from cms_posts import store
from cms_posts.filling import fill
from cms_posts.search import fold_by_words, fts5, searchable
from cms_posts.tables import (
    category_counts,
    category_links,
    counts,
    outlines,
    posts,
    slugs,
    tag_counts,
    tag_links,
)
from cms_posts.testing import created


class Damage(NamedTuple):
    """Something done to the tables behind the service's back, and what is said of it."""

    index: str
    query: Query[Any]
    #: With the id of the post in its place.
    told: str


_post = bindparam("post")
_child_link = category_links.c.direct
_copy = {"sqlite": (fts5, fts5.c.rowid), "postgresql": (searchable, searchable.c.post_id)}


def in_search(make: Any) -> Query[Any]:
    return Query({dialect: make(*found) for dialect, found in _copy.items()})


DAMAGES = {
    "outline gone": Damage(
        "posts.outlines",
        Query(delete(outlines).where(outlines.c.post_id == _post)),
        "the outline of post {} is missing",
    ),
    "outline of other content": Damage(
        "posts.outlines",
        Query(update(outlines).where(outlines.c.post_id == _post).values(headings=[[1, "Nothing of it"]])),
        "the outline of post {} is not that of its content",
    ),
    "slug gone": Damage(
        "posts.slugs",
        Query(delete(slugs).where(slugs.c.post_id == _post)),
        "the slug a-walk-along-the-harbour of post {} is not kept as its own",
    ),
    "slug taken for a former one": Damage(
        "posts.slugs",
        Query(update(slugs).where(slugs.c.post_id == _post).values(current=False)),
        "the slug a-walk-along-the-harbour of post {} is not kept as its own",
    ),
    "slug kept for no post": Damage(
        "posts.slugs",
        Query(insert(slugs).values(slug="left-behind", post_id=_post + 100, current=False)),
        "the slug left-behind is kept for post 1{:02}, which does not have it",
    ),
    "slug kept for nobody": Damage(
        "posts.slugs",
        Query(insert(slugs).values(slug="left-behind", post_id=None, current=True)),
        "the slug left-behind is kept for post None, which does not have it",
    ),
    "two slugs at once": Damage(
        "posts.slugs",
        Query(insert(slugs).values(slug="another-one", post_id=_post, current=True)),
        "the slug another-one is kept for post {}, which does not have it",
    ),
    "total too high": Damage(
        "posts.totals",
        Query(update(counts).where(counts.c.status == "published", counts.c.n > 0).values(n=7)),
        "post_counts has 7 for type post, status published, visibility public, and there are 1",
    ),
    "total gone": Damage(
        "posts.totals",
        Query(delete(counts)),
        "post_counts has 0 for type post, status published, visibility public, and there are 1",
    ),
    "category's number gone": Damage(
        "posts.categories",
        Query(delete(category_counts).where(category_counts.c.direct)),
        "post_category_counts has 0 for category_id 2, direct True, type post, status published, visibility public, "
        "and there are 1",
    ),
    "category's copy of the post": Damage(
        "posts.categories",
        Query(update(category_links).where(category_links.c.post_id == _post, _child_link).values(status="draft")),
        "post_categories has other values for post {} under 2 than the post has",
    ),
    "parent lost the post": Damage(
        "posts.categories",
        Query(delete(category_links).where(category_links.c.post_id == _post, ~_child_link)),
        "post_categories lacks post {} under 1, a child of which it is in",
    ),
    "tag's number too high": Damage(
        "posts.tags",
        Query(update(tag_counts).values(n=tag_counts.c.n + 1)),
        "post_tag_counts has 2 for tag_id 1, direct True, type post, status published, visibility public, "
        "and there are 1",
    ),
    "tag's copy of the post": Damage(
        "posts.tags",
        Query(update(tag_links).where(tag_links.c.post_id == _post).values(created_at=5)),
        "post_tags has other values for post {} under 1 than the post has",
    ),
    "search lost the post": Damage(
        "posts.search",
        in_search(lambda copy, key: delete(copy).where(key == _post)),
        "post {} is missing from the search index",
    ),
    "search has an old text": Damage(
        "posts.search",
        in_search(lambda copy, key: update(copy).where(key == _post).values(content="what it said before")),
        "post {} is in the search index with other words than its own",
    ),
    "search has an old title": Damage(
        "posts.search",
        in_search(lambda copy, key: update(copy).where(key == _post).values(title="what it was called")),
        "post {} is in the search index with other words than its own",
    ),
    "parent kept the post": Damage(
        "posts.categories",
        Query(delete(category_links).where(category_links.c.post_id == _post, _child_link)),
        "post_categories has post {} under 1, no child of which it is in",
    ),
}
_GHOST = Query({"sqlite": insert(fts5).values(rowid=_post + 5, title="ghost", content="ghost")})
_OTHER_WORDS = Query({"postgresql": update(searchable).where(searchable.c.post_id == _post).values(words="'sea':1A")})
_activity = table("pg_stat_activity", column("wait_event_type"), column("datname"))
_WAITING = Query(
    select(func.count().label("n"))
    .select_from(_activity)
    .where(_activity.c.wait_event_type == literal("Lock"), _activity.c.datname == func.current_database())
)
#: What one damage entails elsewhere, where the rows agree among themselves again only after another index's turn.
ALSO = {
    "parent lost the post": "post_category_counts",
    "parent kept the post": "post_category_counts",
    "category's copy of the post": "post_category_counts",
}
#: A slug that was added is a former one from then on, and of a link that is gone nothing is left.
UNKNOWABLE = ("two slugs at once", "parent kept the post")


@pytest.fixture
async def editor(site: Site) -> Client:
    return await site.client("editor")


async def filed_post(editor: Client) -> int:
    """A published post with all that can hang on one, in a category below another."""
    for body in ({"name": "Coast"}, {"name": "Harbours", "parent_id": 1}):
        assert (await editor.post("/categories", json=body)).status == 201
    made = await created(editor, categories=[2], tags=["Sea"], status="published", seo={"robots": "noindex"})
    number: int = made["id"]
    return number


async def told(host: Host) -> dict[str, Sequence[str]]:
    """What every index says, by its name; without those that agree."""
    found = {index.name: await index.verify(host.db) for index in host.indexes}
    return {name: lines for name, lines in found.items() if lines}


async def rebuilt(host: Host, *names: str) -> list[tuple[int, int]]:
    """Rebuild the indexes; gives what was told of the progress."""
    steps: list[tuple[int, int]] = []
    for index in host.indexes:
        if not names or index.name in names:
            await index.rebuild(host.unit(), lambda done, total: steps.append((done, total)))
    return steps


async def damage(site: Site, query: Query[Any], post: int) -> None:
    async with site.host.db.transaction() as tx:
        assert await tx.execute(query, post=post) > 0


async def test_indexes_of_a_site_in_order_say_nothing(site: Site, editor: Client) -> None:
    post = await filed_post(editor)
    assert (await editor.patch(f"/posts/{post}", json={"slug": "another", "title": "İğne & iplik"})).status == 200
    await created(editor, title="Çok <b>uzun</b>", content="word " * 30_000, categories=[1, 2], visibility="private")
    assert (await editor.delete(f"/posts/{post}")).status == 200
    assert [index.name for index in site.host.indexes if index.name.startswith("posts.")] == [
        "posts.outlines", "posts.slugs", "posts.totals", "posts.categories", "posts.tags", "posts.search",
    ]  # fmt: skip
    assert await told(site.host) == {}


async def test_damage_is_told_in_words_and_made_good(site: Site, editor: Client, database_url: str) -> None:
    post = await filed_post(editor)
    for name, (index, query, line) in DAMAGES.items():
        before = without_slots(dump(database_url))
        await damage(site, query, post)
        lines = (await told(site.host))[index]
        assert line.format(post) in lines, name
        assert all(ALSO.get(name, "\n") in each for each in lines if each != line.format(post)), name
        await rebuilt(site.host, index)
        assert await told(site.host) == {}, name
        assert name in UNKNOWABLE or without_slots(dump(database_url)) == before, name


def without_slots(tables: dict[str, list[tuple[Any, ...]]]) -> dict[str, Any]:
    """The rows of a database, the kept numbers as their sums; FTS5's own tables have more than one form."""
    found: dict[str, Any] = {}
    for name, rows in tables.items():
        if name.endswith("_counts"):
            sums: dict[tuple[Any, ...], int] = {}
            for *key, _, number in rows:
                sums[tuple(key)] = sums.get(tuple(key), 0) + number
            found[name] = {key: number for key, number in sums.items() if number}
        elif name not in ("post_search_data", "post_search_idx"):
            found[name] = rows
    return found


async def test_words_of_a_lost_post_are_found_again(site: Site, editor: Client) -> None:
    post = await filed_post(editor)
    await damage(site, DAMAGES["search lost the post"].query, post)
    assert (await editor.get("/posts", params={"search": "harbour"})).data["total"] == 0
    await rebuilt(site.host, "posts.search")
    assert (await editor.get("/posts", params={"search": "harbour"})).data["total"] == 1
    assert (await editor.get("/posts", params={"search": "tide market"})).data["total"] == 1


async def test_damage_that_one_database_alone_lets_happen_is_made_good(site: Site, editor: Client) -> None:
    post = await filed_post(editor)
    query, line = {
        # FTS5 keeps words and text in step by itself; PostgreSQL's foreign key lets no row outlive its post.
        "sqlite": (_GHOST, f"the search index has post {post + 5}, and there is none"),
        "postgresql": (_OTHER_WORDS, f"post {post} is in the search index with other words than its own"),
    }[site.host.db.dialect]
    await damage(site, query, post)
    assert await told(site.host) == {"posts.search": [line]}
    await rebuilt(site.host, "posts.search")
    assert await told(site.host) == {}


async def test_long_lists_of_faults_are_cut_short(site: Site, editor: Client) -> None:
    for number in range(12):
        await created(editor, title=f"A walk along harbour {number}")
    await damage(site, Query(delete(outlines).where(outlines.c.post_id >= _post)), 0)
    await damage(site, Query(delete(slugs).where(slugs.c.post_id >= _post)), 0)
    found = await told(site.host)
    for name in ("posts.outlines", "posts.slugs", "posts.search"):
        assert len(found[name]) == 11
        assert found[name][-1] == "and there are more like these"
    await rebuilt(site.host)
    assert await told(site.host) == {}


async def test_everything_is_made_anew_over_many_posts(site: Site) -> None:
    await site.key("admin")
    async for _ in fill(site.host, 450, 1):
        pass
    assert await told(site.host) == {}
    some = Query(select(posts.c.id).where(posts.c.id % 3 == 0))
    ids = [number for (number,) in await site.host.db.all(some)]
    async with site.host.db.transaction() as tx:
        for post in ids:
            await tx.execute(DAMAGES["search lost the post"].query, post=post)
            await tx.execute(DAMAGES["outline gone"].query, post=post)
            await tx.execute(Query(delete(slugs).where(slugs.c.post_id == _post)), post=post)
            await tx.execute(
                Query(delete(category_links).where(category_links.c.post_id == _post, ~_child_link)), post=post
            )
        await tx.execute(Query(update(tag_links).values(status=literal("trash"))))
        await tx.execute(Query(delete(counts)))
    assert (await told(site.host)).keys() == {index.name for index in site.host.indexes}
    steps = await rebuilt(site.host)
    assert steps[:3] == [(200, 450), (400, 450), (450, 450)]
    assert await told(site.host) == {}


async def test_posts_are_written_while_indexes_are_made_anew(site: Site, editor: Client) -> None:
    async for _ in fill(site.host, 250, 1):
        pass
    children = [each["slug"] for each in (await editor.get("/categories")).data["items"] if each["parent_id"]]
    for name in ("total gone", "category's number gone", "tag's number too high"):
        await damage(site, DAMAGES[name].query, 0)
    for post in range(1, 250, 7):
        await damage(site, DAMAGES["outline gone"].query, post)
        await damage(site, DAMAGES["search lost the post"].query, post)
    writing = [write_and_delete(editor, number) for number in range(6)]
    moving = [editor.patch(f"/categories/{slug}", json={"parent_id": None}) for slug in children[:3]]
    _, *moved = await asyncio.gather(rebuilt(site.host), *moving, *writing)
    assert [answer.status for answer in moved[:3]] == [200, 200, 200]
    assert await told(site.host) == {}


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
async def test_numbers_are_counted_when_those_who_count_have_finished(
    site: Site, editor: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLite lets one writer in at a time, so the question does not arise."""
    monkeypatch.setattr(store, "SLOTS", 1)
    post = await store.find(site.host.db, await filed_post(editor))
    assert post is not None
    await damage(site, DAMAGES["total too high"].query, 0)
    async with site.host.unit().write() as unit:
        assert await store.claim_slug(unit.tx, "another", None)
        await store.add(unit.tx, post._replace(id=0, slug="another"))
        counting = asyncio.create_task(rebuilt(site.host, "posts.totals"))
        while not await site.host.db.value(_WAITING):
            assert not counting.done()
            await asyncio.sleep(0.01)  # PostgreSQL tells nobody that somebody waits.
    await counting
    assert "posts.totals" not in await told(site.host)


async def write_and_delete(editor: Client, number: int) -> None:
    """The life of three posts, the last of which stays; each act on what is being rebuilt."""
    for force in (True, False, None):
        post = (await created(editor, title=f"Harbour {number}", categories=[1, 2, 3], tags=["Sea"]))["id"]
        changes = {
            "title": f"Another harbour {number}",
            "slug": f"harbour-{number}",
            "categories": [2, 5],
            "tags": ["Fog"],
        }
        assert (await editor.patch(f"/posts/{post}", json=changes)).status == 200
        assert (await editor.patch(f"/posts/{number + 1}", json={"status": "trash", "categories": [4]})).status == 200
        if force is not None:
            assert (await editor.delete(f"/posts/{post}", json={"force": force})).status == 200


@given(text=st.text(st.one_of(st.characters(), st.sampled_from("ıİşĞâ\u0307\u0301\u00b4\u00a0 \n")), max_size=60))
def test_texts_fold_word_by_word_as_they_do_in_one(text: str) -> None:
    assert fold_by_words(text) == fold(text)


async def test_rebuilding_changes_nothing_that_readers_or_clients_see(
    site: Site, editor: Client, database_url: str
) -> None:
    await filed_post(editor)
    before = without_slots(dump(database_url))
    site.clock.advance(3600)
    await rebuilt(site.host)
    assert without_slots(dump(database_url)) == before
