"""GET /trends: what is read most, and by whom it may be seen."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cms_host.testing import FakeClock, MakeSite, Site, assert_documented
from cms_posts.testing import created
from cms_trends import service
from cms_trends.period import PERIODS
from cms_trends.records import change

from .conftest import GATE, SQLITE_ALONE, ranked, trends, view

HOUR, DAY = 3_600, 86_400


@pytest.fixture
async def site(make_site: MakeSite) -> Site:
    return await make_site(disabled=GATE)


async def publish(site: Site, number: int, **fields: object) -> None:
    """Posts 1 to `number`."""
    editor = await site.client("editor")
    for each in range(1, number + 1):
        await created(editor, title=f"Post number {each}", status="published", **fields)


@pytest.mark.shows("others.trends", "others.trends.period", "others.trends.record")
async def test_trends_are_by_views_with_those_of_the_period_before(site: Site, clock: FakeClock) -> None:
    await publish(site, 4)
    client = await site.client("subscriber")
    assert await trends(client) == {"period": "7d", "items": [], "tags": []}
    await view(site, {1: 8, 3: 100})
    clock.advance(7 * DAY)
    await view(site, {1: 10, 2: 20, 4: 10})
    answer = await client.get("/trends")

    assert answer.data["items"] == [
        {
            "post_id": 2, "title": "Post number 2", "slug": "post-number-2",
            "views": 20, "previous_views": 0, "change": None,
        },
        {
            "post_id": 4, "title": "Post number 4", "slug": "post-number-4",
            "views": 10, "previous_views": 0, "change": None,
        },
        {
            "post_id": 1, "title": "Post number 1", "slug": "post-number-1",
            "views": 10, "previous_views": 8, "change": 0.25,
        },
    ]  # fmt: skip
    await assert_documented(site, "GET", "/trends", answer)


@pytest.mark.parametrize(("name", "length", "step"), [("24h", 24, HOUR), ("7d", 7, DAY), ("30d", 30, DAY)])
@pytest.mark.shows("others.trends.period")
async def test_period_has_its_length_and_so_has_the_one_before(
    site: Site, clock: FakeClock, name: str, length: int, step: int
) -> None:
    await publish(site, 1)
    client = await site.client("subscriber")
    found = []
    await view(site, {1: 5})
    for _ in range(2):
        clock.advance((length - 1) * step)
        await view(site, {1: 1})
        found.append([(each["views"], each["previous_views"]) for each in (await trends(client, period=name))["items"]])
        clock.advance(step)
        await view(site, {1: 1})
        found.append([(each["views"], each["previous_views"]) for each in (await trends(client, period=name))["items"]])

    assert found == [[(6, 0)], [(2, 5)], [(2, 6)], [(2, 2)]]


async def test_tags_are_by_the_views_of_all_their_posts(site: Site, database_url: str) -> None:
    editor = await site.client("editor")
    for number, tags in enumerate((["Deniz", "Martı"], ["Deniz"], ["Çay"], [])):
        await created(editor, title=f"Post number {number}", status="published", tags=tags)
    await created(editor, title="A draft of nobody", tags=["Çay", "Sır"])
    await view(site, {1: 1, 2: 10, 3: 5, 4: 100, 5: 1000})
    answer = await (await site.client("subscriber")).get("/trends")

    assert [(tag["name"], tag["slug"], tag["views"]) for tag in answer.data["tags"]] == [
        ("Deniz", "deniz", 11), ("Çay", "cay", 5), ("Martı", "marti", 1),
    ]  # fmt: skip
    await assert_documented(site, "GET", "/trends", answer)
    await editor.delete("/tags/deniz")
    assert [tag["name"] for tag in (await trends(editor))["tags"]] == ["Çay", "Martı"]


@pytest.mark.parametrize("role", ["subscriber", "admin"])
@pytest.mark.shows("others.trends.sight")
async def test_only_what_a_subscriber_may_read_is_told(site: Site, role: str) -> None:
    editor = await site.client("editor")
    hidden = [
        {"status": "draft"}, {"status": "pending"}, {"status": "trash"}, {"scheduled_at": "2026-12-31"},
        {"status": "published", "visibility": "private"},
        {"status": "published", "visibility": "password", "password": "open sesame"},
    ]  # fmt: skip
    for number, fields in enumerate(hidden):
        await created(editor, title=f"Secret number {number}", tags=[f"Secret {number}"], **fields)
    await created(editor, title="A post for everybody", status="published")
    await created(editor, title="A page for everybody", status="published", type="page")
    await view(site, dict.fromkeys(range(1, 9), 5))
    for period in PERIODS:
        answer = await (await site.client(role)).get("/trends", params={"period": period})
        assert [item["post_id"] for item in answer.data["items"]] == [8, 7]
        assert answer.data["tags"] == []
        assert "ecret" not in answer.text


GONE = {
    "trashed": ("DELETE", {}),
    "deleted": ("DELETE", {"force": True}),
    "unpublished": ("PATCH", {"status": "draft"}),
    "made private": ("PATCH", {"visibility": "private"}),
    "locked": ("PATCH", {"visibility": "password", "password": "open sesame"}),
}


@pytest.mark.shows("posts.gone.trends")
async def test_what_is_no_longer_published_is_gone_at_the_next_request(site: Site) -> None:
    await publish(site, len(GONE) + 1, tags=["Deniz"])
    editor, reader = await site.client("editor"), await site.client("subscriber")
    await view(site, {number: 2**number for number in range(1, len(GONE) + 2)})
    left = await ranked(reader)
    assert left == [*range(len(GONE) + 1, 0, -1)]
    for number, (method, body) in enumerate(GONE.values(), 1):
        assert (await editor.request(method, f"/posts/{number}", json=body)).status == 200
        left.remove(number)
        for period in PERIODS:
            found = await trends(reader, period=period)
            assert [item["post_id"] for item in found["items"]] == left
            assert [tag["views"] for tag in found["tags"]] == [sum(2**each for each in left)]


async def test_posts_below_many_that_are_hidden_are_found(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "SPARE", 1)
    await publish(site, 9)
    editor = await site.client("editor")
    await view(site, {number: number for number in range(1, 10)})
    for number in range(3, 10):
        await editor.patch(f"/posts/{number}", json={"visibility": "private"})

    assert await ranked(editor, limit="1") == [2]
    assert await ranked(editor, limit="2") == await ranked(editor, limit="3") == [2, 1]


@SQLITE_ALONE
@pytest.mark.shows("others.trends.limit")
async def test_limit_bounds_posts_and_tags(site: Site) -> None:
    await publish(site, 12)
    editor = await site.client("editor")
    for number in range(1, 13):
        await editor.patch(f"/posts/{number}", json={"tags": [f"Tag {number}"]})
    await view(site, {number: number for number in range(1, 13)})
    for limit, number in (("3", 3), ("100", 12), ("9" * 30, 12), ("0", 10), ("-5", 10), (None, 10)):
        found = await trends(editor, **({} if limit is None else {"limit": limit}))
        assert (len(found["items"]), len(found["tags"])) == (number, number), limit
    assert await ranked(editor, limit="2") == [12, 11]


@SQLITE_ALONE
@pytest.mark.parametrize("query", ["period=1y", "period=", "period=7D", "limit=x", "limit=1.5", "limit="])
@pytest.mark.shows("others.trends.period")
async def test_what_means_nothing_is_422(site: Site, query: str) -> None:
    answer = await (await site.client("subscriber")).get(f"/trends?{query}")

    assert (answer.status, answer.error["errors"][0]["field"]) == (422, query.partition("=")[0])


@given(st.integers(1, 10**12), st.integers(0, 10**12))
def test_change_is_what_came_on_top_as_a_part_of_what_was(views: int, previous: int) -> None:
    found = change(views, previous)

    if found is None:
        assert previous == 0
    else:
        assert found >= -1
        assert (views > previous) == (found > 0) or abs(views - previous) / previous < 1e-4
        assert abs(previous * (1 + found) - views) <= 0.000_051 * previous + 1
