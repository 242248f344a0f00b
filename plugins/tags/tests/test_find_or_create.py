"""What posts ask: the tags with these names, made where there are none."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cms_host.api import FieldErrors, Paging, fold, plain_text
from cms_host.testing import MakeSite, Site, dump
from cms_tags.api import TAGS_LOCK, Tags
from cms_tags.service import TagService

from .conftest import created, names

#: Names that meet in fold or slug, and what databases might stumble over.
TEXTS = st.text(st.sampled_from("ıiİIşsŞéeê☂ﬁﬀß'<b> \n\u0301\u00ad%_\\-"), max_size=6) | st.text(max_size=12).filter(
    lambda text: "\0" not in text and text.isprintable()
)


class Undo(Exception):
    """Nothing of an example stays."""


async def found(site: Site, *wanted: str) -> Sequence[int]:
    async with site.host.unit().write() as unit:
        return await unit.get(Tags).find_or_create(wanted)


async def test_missing_tags_are_made_and_others_found(site: Site) -> None:
    client = await site.client("editor")
    await created(client, "Çay")

    assert await found(site, "Kahve", " ÇAY ", "<b>Su</b>") == [2, 1, 3]
    assert await names(client) == ["Çay", "Kahve", "Su"]
    assert await found(site, "su", "cay") == [3, 1]


async def test_names_that_fold_alike_are_one_tag_spelt_as_the_first(site: Site) -> None:
    assert await found(site, "Işık", "isik", "IŞIK") == [1]
    assert await names(await site.client("editor")) == ["Işık"]


async def test_names_with_nothing_to_keep_are_left_out(site: Site, database_url: str) -> None:
    before = dump(database_url)

    assert await found(site) == []
    assert await found(site, "", "  ", "<b></b>") == []
    assert dump(database_url) == before


async def test_name_that_is_too_long_is_422_and_makes_none(site: Site, database_url: str) -> None:
    before = dump(database_url)
    with pytest.raises(FieldErrors) as refused:
        await found(site, "fine", "x" * 201)

    assert (refused.value.status, refused.value.errors[0].field) == (422, "tags")
    assert dump(database_url) == before


async def test_slugs_of_new_tags_are_their_own(site: Site) -> None:
    client = await site.client("editor")
    await found(site, "Noel", "Noël", "Nôel", "☂")
    slugs = [item["slug"] for item in (await client.get("/tags")).data["items"]]

    assert sorted(slugs)[:3] == ["noel", "noel-2", "noel-3"]
    assert sorted(slugs)[3].startswith("tag-")


async def test_tags_of_a_transaction_that_fails_are_not_made(site: Site) -> None:
    with suppress(Undo):
        async with site.host.unit().write() as unit:
            await unit.get(Tags).find_or_create(["gone"])
            raise Undo

    assert await names(await site.client("editor")) == []


async def test_race_for_the_same_names_on_two_hosts_makes_each_once(site: Site, make_site: MakeSite) -> None:
    hosts, wanted = [site, await make_site()], [f"Tag {n}" for n in range(12)] + ["Noel", "Noël", "Nôel"]
    turns = [wanted[n:] + wanted[:n] if n % 3 else wanted[::-1] for n in range(10)]
    results = await asyncio.gather(*(found(hosts[n % 2], *turn) for n, turn in enumerate(turns)))
    ids = [dict(zip(turn, result, strict=True)) for turn, result in zip(turns, results, strict=True)]

    assert all(each == ids[0] for each in ids)
    assert (await (await site.client("editor")).get("/tags")).data["total"] == len(wanted)


@pytest.mark.parametrize("act", ["delete", "merge", "rename"])
async def test_found_tags_stay_until_the_transaction_ends(site: Site, act: str) -> None:
    client = await site.client("editor")
    await created(client, "a")
    await created(client, "b")
    requests = {
        "delete": lambda: client.delete("/tags/a"),
        "merge": lambda: client.post("/tags/a/merge", json={"into": "b"}),
        "rename": lambda: client.patch("/tags/a", json={"name": "c"}),
    }
    async with site.host.unit().write() as unit:
        assert await unit.get(Tags).find_or_create(["a"]) == [1]
        rival = asyncio.create_task(requests[act]())
        await asyncio.wait([rival], timeout=0.3)
        assert not rival.done()
        assert (await unit.get(TagService).read("a")).name == "a"

    assert (await rival).status == 200
    assert set(await found(site, "a")).isdisjoint([1, 2])


async def test_found_tag_that_is_deleted_meanwhile_is_made_again(site: Site) -> None:
    client = await site.client("editor")
    await created(client, "a")
    async with site.host.unit().write(TAGS_LOCK) as unit:
        await unit.get(TagService).delete("a")
        rival = asyncio.create_task(found(site, "b", "a"))
        await asyncio.wait([rival], timeout=0.1)

    assert len(set(await rival)) == 2
    assert await names(client) == ["a", "b"]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(TEXTS, max_size=8))
async def test_there_is_one_tag_for_each_folded_name(site: Site, wanted: list[str]) -> None:
    folded = list(dict.fromkeys(fold(plain_text(name).strip()) for name in wanted))
    with suppress(Undo):
        async with site.host.unit().write() as unit:
            tags = unit.get(TagService)
            ids = await tags.find_or_create(wanted)
            assert len(set(ids)) == len(ids) == len([each for each in folded if each])
            assert await tags.find_or_create(wanted) == ids
            stored = {tag.id: tag for tag in (await tags.page("", Paging(1, 100)))[0]}
            assert [stored[each].folded_name for each in ids] == [each for each in folded if each]
            assert len({tag.slug for tag in stored.values()}) == len(stored)
            raise Undo
