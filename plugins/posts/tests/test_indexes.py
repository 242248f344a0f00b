"""What posts keep beside the posts: any damage is told in words, and made good, by the same index and no other."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import bindparam, delete, literal, select, update

from cms_host.api import Query, fold
from cms_host.testing import Client, Site, dump
from cms_posts.filling import fill
from cms_posts.search import fold_by_words
from cms_posts.tables import (
    counts,
    outlines,
    posts,
    slugs,
    tag_links,
)
from cms_posts.testing import created

from .damages import ALSO, DAMAGES, GHOST, OTHER_WORDS, UNKNOWABLE, damage, filed_post, rebuilt, told, without_slots


@pytest.fixture
async def editor(site: Site) -> Client:
    return await site.client("editor")


async def test_indexes_of_a_site_in_order_say_nothing(site: Site, editor: Client) -> None:
    post = await filed_post(editor)
    assert (await editor.patch(f"/posts/{post}", json={"slug": "another", "title": "İğne & iplik"})).status == 200
    await created(editor, title="Çok <b>uzun</b>", content="word " * 30_000, categories=[1, 2], visibility="private")
    assert (await editor.delete(f"/posts/{post}")).status == 200
    assert [index.name for index in site.host.indexes if index.name.startswith("posts.")] == [
        "posts.outlines", "posts.media", "posts.slugs", "posts.totals", "posts.categories", "posts.tags",
        "posts.search",
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
        "sqlite": (GHOST, f"the search index has post {post + 5}, and there is none"),
        "postgresql": (OTHER_WORDS, f"post {post} is in the search index with other words than its own"),
    }[site.host.db.dialect]
    await damage(site, query, post)
    assert await told(site.host) == {"posts.search": [line]}
    await rebuilt(site.host, "posts.search")
    assert await told(site.host) == {}


async def test_long_lists_of_faults_are_cut_short(site: Site, editor: Client) -> None:
    for number in range(12):
        await created(editor, title=f"A walk along harbour {number}")
    await damage(site, Query(delete(outlines).where(outlines.c.post_id >= bindparam("post"))), 0)
    await damage(site, Query(delete(slugs).where(slugs.c.post_id >= bindparam("post"))), 0)
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
            await tx.execute(DAMAGES["slug gone"].query, post=post)
            await tx.execute(DAMAGES["shown cover too many"].query, post=post)
            await tx.execute(DAMAGES["parent lost the post"].query, post=post)
        await tx.execute(Query(update(tag_links).values(status=literal("trash"))))
        await tx.execute(Query(delete(counts)))
    assert (await told(site.host)).keys() == {index.name for index in site.host.indexes}
    steps = await rebuilt(site.host)
    assert steps[:3] == [(200, 450), (400, 450), (450, 450)]
    assert await told(site.host) == {}


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
