"""The sitemap: the entries of every source, one source after the other, and how they are sent."""

import re

import aiohttp
import pytest

from cms_host.testing import Client, MakeSite, Site

from .conftest import SQLITE_ALONE, Pages, put_up

pytestmark = SQLITE_ALONE


async def found(client: Client, query: str) -> list[str]:
    data = (await client.get(f"/sitemap{query}")).data
    return [item["loc"].removeprefix("https://example.org/") for item in data["items"]]


async def test_sources_come_one_after_the_other_on_pages_of_any_size(site: Site) -> None:
    put_up(site, Pages("films", 3), Pages("nothing", 0), Pages("novels", 1_200))
    client = await site.client("subscriber")
    whole = [f"films/{number}" for number in (1, 2, 3)] + [f"novels/{number}" for number in range(1, 1_201)]
    for size in (2, 3, 700, 50_000):
        pages = -(-len(whole) // size)
        wanted = {1, 2, 3, pages, pages + 1}
        for page in wanted:
            expected = whole[(page - 1) * size : page * size]
            assert await found(client, f"?per_page={size}&page={page}") == expected, (size, page)
    data = (await client.get("/sitemap?page=2")).data
    assert (data["total"], data["pages"], data["per_page"], len(data["items"])) == (1_203, 2, 1_000, 203)


async def test_steps_go_on_by_id_and_skip_once(site: Site) -> None:
    put_up(site, pages := Pages("novels", 1_200))
    await (await site.client("subscriber")).get("/sitemap?per_page=1100&page=1")
    assert pages.asked == [0, 500, 1_000]
    pages.asked.clear()
    await (await site.client("subscriber")).get("/sitemap?per_page=600&page=2")
    assert pages.asked == [0, 1_100]


async def test_large_public_sitemap_is_an_index_of_the_parts_of_each_source(site: Site) -> None:
    put_up(site, Pages("films", 3), Pages("novels", 1_200))
    whole = (await site.fetch("GET", "/sitemap.xml")).text
    assert whole.count("<url>") == 1_203
    await site.set(**{"sitemap.file_entries": 1_000})
    index = (await site.fetch("GET", "/sitemap.xml")).text
    assert re.findall("<loc>(.*?)</loc>", index) == [
        "/sitemap-films-1.xml", "/sitemap-novels-1.xml", "/sitemap-novels-2.xml",
    ]  # fmt: skip
    numbers = [(await site.fetch("GET", f"/sitemap-novels-{part}.xml")).text.count("<url>") for part in (1, 2)]
    assert numbers == [1_000, 200]


@pytest.mark.shows("others.sitemap.index")
async def test_one_file_holds_fifty_thousand_entries_and_no_more(site: Site) -> None:
    roots = []
    for number in (50_000, 50_001):
        put_up(site, Pages("novels", number))
        text = (await site.fetch("GET", "/sitemap.xml")).text
        roots.append((text.count("<urlset"), text.count("<url>"), text.count("<sitemapindex"), text.count("<sitemap>")))
    assert roots == [(1, 50_000, 0, 0), (0, 0, 1, 2)]


async def test_fault_before_anything_was_sent_is_a_500(site: Site) -> None:
    put_up(site, Pages("novels", 1_200, breaks_at=0))
    answer = await (await site.client("subscriber")).get("/sitemap?format=xml")
    assert (answer.status, answer.error["code"]) == (500, 500)
    assert (await site.fetch("GET", "/sitemap.xml")).status == 500


async def test_fault_in_the_middle_cuts_the_answer_and_is_logged(site: Site, log_lines: list[str]) -> None:
    put_up(site, Pages("novels", 1_200, breaks_at=500))
    client = await site.client("subscriber")
    with pytest.raises(aiohttp.ClientPayloadError):
        await client.get("/sitemap?format=xml", headers={"X-Request-Id": "the-broken-one"})
    (line,) = [line for line in log_lines if '"level":"ERROR"' in line]
    assert "the disk is gone" in line
    assert "the-broken-one" in line


async def test_headers_of_a_stream_are_those_of_any_answer(site: Site) -> None:
    put_up(site, Pages("novels", 3))
    answer = await (await site.client("subscriber")).get("/sitemap?format=xml", headers={"X-Request-Id": "one-of-mine"})
    assert answer.headers["X-Request-Id"] == "one-of-mine"
    assert answer.headers["Server"] == "cms-host"


async def test_site_without_sources_has_an_empty_sitemap(make_site: MakeSite) -> None:
    site = await make_site(enabled=["users", "sitemap"])
    assert (await (await site.client("subscriber")).get("/sitemap")).data["items"] == []
    answer = await site.fetch("GET", "/sitemap.xml")
    assert (answer.status, answer.text.count("<url>")) == (200, 0)


async def test_switched_off_family_has_no_sitemap_xml_either(make_site: MakeSite) -> None:
    site = await make_site(disabled=["sitemap"])
    assert (await site.fetch("GET", "/sitemap.xml")).status == 404
    assert (await (await site.client("subscriber")).get("/sitemap")).status == 404
