"""The indexes of the rules that look for duplicates: in step with posts, checked, made anew while the site serves."""

import asyncio
import random
from collections.abc import Mapping
from typing import Any

import pytest
from sqlalchemy import Table, delete, insert, update

from cms_gate_duplicate_title import index as duplicate_title
from cms_gate_similar_content import index as similar_content
from cms_gate_similar_title import index as similar_title
from cms_host.api import BandedIndex, IndexUpkeep, ListedIndex, PostChange, Query
from cms_host.post_index import banded, upkeep
from cms_host.testing import Site, dump
from cms_posts.testing import article, content, created, unlike

LATER = "2026-02-02 12:00:00"
UPKEEP = {
    "gate-duplicate-title": (duplicate_title.TitleIndex, duplicate_title.upkeep),
    "gate-similar-title": (similar_title.TitleIndex, similar_title.upkeep),
    "gate-similar-content": (similar_content.TextIndex, similar_content.upkeep),
}
each_index = pytest.mark.parametrize("name", UPKEEP)


def index_of(site: Site, name: str) -> ListedIndex:
    kind, _ = UPKEEP[name]
    return next(each for each in site.host.post_observers if isinstance(each, kind))


def upkeep_of(site: Site, name: str) -> IndexUpkeep:
    made: IndexUpkeep = UPKEEP[name][1](index_of(site, name))
    return made


async def faults(site: Site) -> dict[str, list[str]]:
    """What disagrees, in every index."""
    return {name: list(await upkeep_of(site, name).verify(site.host.db)) for name in UPKEEP}


async def rebuild(site: Site, name: str) -> list[tuple[int, int]]:
    """Make an index anew; how far it said it had come."""
    steps: list[tuple[int, int]] = []
    await upkeep_of(site, name).rebuild(site.host.unit(), lambda done, total: steps.append((done, total)))
    return steps


def stored(site: Site) -> Mapping[str, Any]:
    """What the indexes hold."""
    return {name: rows for name, rows in dump(site.host.db.url).items() if name.startswith(("gate_dup", "gate_sim"))}


async def execute(site: Site, statement: Any) -> None:
    async with site.host.db.transaction() as tx:
        await tx.execute(Query(statement))


async def live(site: Site) -> None:
    """Posts in all states, made and changed in every way that there is."""
    editor = await site.client("editor")
    titles = ("Harbours of the north", "Mountain railways", "Old maps of İzmir", "Beekeeping at home", "Night markets")
    for number in range(15):
        state = ({"status": "published"}, {"scheduled_at": LATER}, {"status": "draft"})[number % 3]
        await created(editor, title=f"{titles[number % 5]}, {['one', 'two', 'three'][number // 5] * 4}", **state)
    await editor.patch("/posts/1", json={"title": "Another thing entirely"})
    await editor.patch("/posts/4", json={"content": "<p>" + "Nothing that was here before. " * 99 + "</p>"})
    await editor.post("/posts/2/publish")
    await editor.post("/posts/5/schedule", json={"scheduled_at": "2026-04-01 12:00:00"})
    await editor.patch("/posts/7", json={"status": "pending"})
    await editor.delete("/posts/10")
    await editor.delete("/posts/13", json={"force": True})
    await editor.post("/posts/3/publish")
    await editor.patch("/posts/10", json={"status": "published"})


async def test_whatever_is_done_to_posts_the_indexes_stay_in_step(site: Site) -> None:
    await live(site)

    assert await faults(site) == {name: [] for name in UPKEEP}
    listed = {1, 2, 3, 4, 5, 8, 10, 11, 14}
    assert {row[0] for row in stored(site)["gate_duplicate_titles"]} == listed
    assert len(stored(site)["gate_similar_title_bands"]) == 24 * len(listed)
    assert len(stored(site)["gate_similar_content_bands"]) == 16 * len(listed)


@each_index
async def test_making_an_index_anew_changes_nothing_of_what_is_right(site: Site, name: str) -> None:
    await live(site)
    before = stored(site)

    assert await rebuild(site, name) == [(9, 9)]
    assert stored(site) == before


@each_index
async def test_what_an_index_lacks_or_has_too_much_is_told_and_mended(site: Site, name: str) -> None:
    await live(site)
    before, entries = stored(site), index_of(site, name).entries
    await execute(site, delete(entries).where(entries.c.post_id == 2))
    await execute(site, update(entries).where(entries.c.post_id == 5).values(due_at=7))
    (row,) = (await index_of(site, name).span(site.host.db, 3, 4)).values()
    await execute(site, insert(entries).values({**row, "post_id": 9}))
    await execute(site, insert(entries).values({**row, "post_id": 99}))

    assert await upkeep_of(site, name).verify(site.host.db) == [
        "post 2 is missing from the index",
        "post 5 is indexed as something else",
        "post 9 is in the index and should not be",
        "post 99 is in the index and should not be",
    ]
    await rebuild(site, name)
    assert stored(site) == before


@pytest.mark.parametrize("name", ["gate-similar-title", "gate-similar-content"])
async def test_a_post_that_no_band_leads_to_is_told_and_mended(site: Site, name: str) -> None:
    await live(site)
    before, bands = stored(site), bands_of(site, name)
    await execute(site, delete(bands).where(bands.c.post_id == 4))
    await execute(site, insert(bands).values(key=12345, post_id=5))
    await execute(site, insert(bands).values(key=12345, post_id=99))

    assert await upkeep_of(site, name).verify(site.host.db) == ["post 4 cannot be found"]
    await rebuild(site, name)
    assert stored(site) == before


def bands_of(site: Site, name: str) -> Table:
    index = index_of(site, name)
    assert isinstance(index, BandedIndex)
    return index.entries.metadata.tables[index.entries.name.removesuffix("s") + "_bands"]


async def test_many_faults_are_counted_and_not_all_told(site: Site) -> None:
    entries = index_of(site, "gate-duplicate-title").entries
    for number in range(30):
        await execute(site, insert(entries).values(post_id=number + 1, due_at=None, key=number))

    told = (await faults(site))["gate-duplicate-title"]
    assert len(told) == 21
    assert told[-1] == "and 10 more"


@each_index
async def test_an_index_of_more_posts_than_one_step_takes_is_made_anew(
    site: Site, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(upkeep, "BATCH", 4)
    monkeypatch.setattr(banded, "_STRETCH", 7)
    await live(site)
    before, entries = stored(site), index_of(site, name).entries
    await execute(site, delete(entries).where(entries.c.post_id > 1))

    assert len((await faults(site))[name]) == 8
    assert await rebuild(site, name) == [(4, 9), (8, 9), (9, 9)]
    assert stored(site) == before


@each_index
async def test_drafts_cost_no_statement(site: Site, name: str) -> None:
    change = PostChange(1, False, False, None, "A title", "a title", True, "", True)
    nobody: Any = None

    await index_of(site, name).saved(change, nobody)
    await index_of(site, name).saved_many([change], nobody)


async def test_a_rule_that_was_switched_off_meanwhile_takes_posts_up_as_they_are_saved(site: Site) -> None:
    editor = await site.client("editor")
    await created(editor, status="published")
    before = stored(site)
    for name in UPKEEP:
        await execute(site, delete(index_of(site, name).entries))

    assert (await editor.patch("/posts/1", json={"is_featured": True})).status == 200
    assert stored(site) == before


async def test_a_refused_publish_leaves_the_indexes_as_they_were(site: Site) -> None:
    editor = await site.client("editor")
    await created(editor, status="published")
    before = stored(site)

    assert (await editor.post("/posts", json=article(status="published"))).status == 422
    assert stored(site) == before


@pytest.mark.parametrize("seed", range(3))
async def test_an_index_that_is_made_anew_beside_writers_is_right(
    site: Site, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(upkeep, "BATCH", 2)
    monkeypatch.setattr(banded, "_STRETCH", 50)
    await live(site)
    editor = await site.client("editor")

    async def write(number: int) -> None:
        chance = random.Random(100 * seed + number)  # noqa: S311 - nothing here is a secret.
        for turn in range(4):
            title = unlike((seed, number, turn))
            status = {"status": chance.choice(("published", "draft"))}
            body = {"title": title, "content": content(title), **chance.choice((status, {"scheduled_at": LATER}))}
            assert (await editor.patch(f"/posts/{number}", json=body)).status == 200

    await asyncio.gather(*(rebuild(site, name) for name in UPKEEP), *(write(number) for number in range(1, 10)))
    assert await faults(site) == {name: [] for name in UPKEEP}
