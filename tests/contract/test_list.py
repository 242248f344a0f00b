"""The parameters of the list of posts (spec, GET /api/v1/posts)."""

import pytest
from sqlalchemy import column, table, update

from cms_host.migrate import sync_engine
from cms_host.testing import Client, Site
from cms_posts.filling import fill
from cms_posts.testing import created

#: The posts of the fixture `four`, in each order that a list can be put in, upwards.
ORDERS = {
    "id": [1, 2, 3, 4],
    "created_at": [4, 1, 2, 3],
    "published_at": [3, 1, 4, 2],
    "updated_at": [3, 2, 4, 1],
    "title": [2, 1, 4, 3],
    "status": [2, 4, 1, 3],
    "author_name": [1, 3, 2, 4],
}


async def ids(client: Client, query: str = "") -> list[int]:
    answer = await client.get(f"/posts?{query}")
    assert answer.status == 200, answer.text
    found = [item["id"] for item in answer.data["items"]]
    assert answer.data["total"] == len(found)
    return found


@pytest.mark.shows("list.status", "list.status.default")
async def test_without_a_status_all_but_the_trash(editor: Client) -> None:
    for status in ("published", "draft", "pending", "trash"):
        await created(editor, status=status)
    await created(editor, scheduled_at="2026-06-01 09:30:00")

    assert await ids(editor) == [5, 3, 2, 1]
    assert [await ids(editor, f"status={each}") for each in ("draft", "trash", "scheduled")] == [[2], [4], [5]]


@pytest.mark.shows("list.author_id")
async def test_author_id_keeps_the_posts_of_one_user(editor: Client, author: Client) -> None:
    mine, other = await created(author), await created(editor)

    assert await ids(editor, f"author_id={mine['author_id']}") == [1]
    assert await ids(editor, f"author_id={other['author_id']}") == [2]
    assert await ids(editor, "author_id=999") == []
    assert (await editor.get("/posts?author_id=me")).status == 422


@pytest.mark.shows("list.date_from", "list.date_to", "list.updated_before")
async def test_dates_narrow_by_creation_and_by_update(site: Site, editor: Client) -> None:
    for _ in range(3):
        await created(editor)
        site.clock.advance(86_400)
    noon = "2026-01-16 12:00:00"

    assert await ids(editor, f"date_from={noon}") == [3, 2]
    assert await ids(editor, "date_from=2026-01-16 12:00:01") == [3]
    assert await ids(editor, f"date_to={noon}") == [2, 1]
    assert await ids(editor, "date_to=2026-01-16 11:59:59") == [1]
    assert await ids(editor, "date_to=2026-01-16") == [2, 1]
    assert await ids(editor, "date_from=2026-01-16&date_to=2026-01-16") == [2]
    assert await ids(editor, f"updated_before={noon}") == [1]
    await editor.patch("/posts/1", json={"title": "Touched"})
    assert await ids(editor, "updated_before=2026-01-17") == [2]
    assert await ids(editor, f"date_to={noon}") == [2, 1]


@pytest.mark.shows("list.featured")
async def test_featured_narrows_where_it_is_one(editor: Client) -> None:
    await created(editor, is_featured=True)
    await created(editor)

    assert [await ids(editor, query) for query in ("featured=1", "featured=0", "")] == [[1], [2, 1], [2, 1]]


@pytest.fixture
async def four(site: Site, editor: Client, database_url: str) -> Client:
    """Four posts that every order puts in an order of its own. The last was made while the clock was set back."""
    writers = [await site.client("author", name) for name in ("ayse", "mehmet", "can", "zeynep")]
    titles = ("Kayseri", "Ankara", "Zonguldak", "Rize")
    for writer, title, pause in zip(writers, titles, (60, 60, 60, -3600), strict=True):
        site.clock.advance(pause)
        await created(writer, title=title, content=f"<p>{title}</p>")
    site.clock.advance(3600 + 60)
    await site.set(**{"gate.short_title.minimum": 0, "gate.short_content.minimum": 0})
    for number in (3, 1, 4, 2):
        assert (await editor.post(f"/posts/{number}/publish")).status == 200
        site.clock.advance(60)
    for number, status in ((2, "draft"), (4, "pending"), (1, "trash")):
        await editor.patch(f"/posts/{number}", json={"status": status})
        site.clock.advance(60)
    await editor.patch("/posts/1", json={"status": "published"})
    return editor


@pytest.mark.shows(
    "list.order_by.id",
    "list.order_by.created_at",
    "list.order_by.published_at",
    "list.order_by.updated_at",
    "list.order_by.title",
    "list.order_by.status",
    "list.order_by.author_name",
    "list.order_by.unknown",
    "list.order_dir",
)
async def test_each_order_both_ways(four: Client) -> None:
    # Two orders that agree could be taken for each other.
    assert len({tuple(each) for each in ORDERS.values()}) == len(ORDERS)
    unknown = dict.fromkeys(("nonsense", "id;drop table posts", "author_id"), ORDERS["id"])
    for order, expected in {**ORDERS, **unknown}.items():
        for direction in ("asc", "ASC", "Asc"):
            assert await ids(four, f"order_by={order}&order_dir={direction}") == expected
        for direction in ("desc", "DESC", "sideways", ""):
            assert await ids(four, f"order_by={order}&order_dir={direction}") == expected[::-1]
        assert await ids(four, f"order_by={order}") == expected[::-1]


@pytest.mark.shows("list.order.default", "list.order.parameter")
async def test_newest_first_and_no_parameter_named_order(four: Client) -> None:
    assert [await ids(four, query) for query in ("", "order=asc", "order_dir=asc")] == [
        [3, 2, 1, 4], [3, 2, 1, 4], [4, 1, 2, 3],
    ]  # fmt: skip


@pytest.mark.shows("list.order_by.ties")
async def test_among_equals_the_id_decides(editor: Client) -> None:
    for _ in range(5):
        await created(editor)
    for order in (
        "view_count",
        "status",
        "title",
        "author_name",
        "created_at",
        "published_at",
    ):
        for direction, expected in (("asc", [1, 2, 3, 4, 5]), ("desc", [5, 4, 3, 2, 1])):
            query = f"order_by={order}&order_dir={direction}&per_page=2"
            pages = [(await editor.get(f"/posts?{query}&page={page}")).data["items"] for page in (1, 2, 3)]
            assert [item["id"] for page in pages for item in page] == expected


@pytest.mark.shows("list.page", "list.per_page", "list.page.past")
async def test_paging_below_one_is_read_as_the_first_page_of_twenty(editor: Client) -> None:
    await created(editor)
    for query, page, per_page in (
        ("page=0", 1, 20),
        ("page=-3", 1, 20),
        ("per_page=0", 1, 20),
        ("per_page=-1", 1, 20),
        ("page=7&per_page=3", 7, 3),
    ):
        data = (await editor.get(f"/posts?{query}")).data

        assert (data["current_page"], data["per_page"], data["total"], data["pages"]) == (page, per_page, 1, 1)
        assert len(data["items"]) == (1 if page == 1 else 0)


@pytest.mark.shows("list.per_page", "limit.per_page")
async def test_a_page_has_a_hundred_at_the_most(site: Site, editor: Client) -> None:
    async for _ in fill(site.host, 150, author_id=1):
        pass
    for size in (100, 101, 1000, 10**30):
        data = (await editor.get(f"/posts?per_page={size}")).data
        assert (len(data["items"]), data["per_page"], data["pages"]) == (100, 100, 2)
        assert data["total"] > 100
    assert (await editor.get("/tags?per_page=101")).data["per_page"] == 100


@pytest.mark.shows("list.page.number")
async def test_a_page_that_is_no_number_is_422(editor: Client) -> None:
    for query in (
        "page=x",
        "per_page=x",
        "page=",
        "per_page=1.5",
        "page=1e3",
        "page=%D9%A1",
    ):
        answer = await editor.get(f"/posts?{query}")

        assert (answer.status, answer.error["errors"][0]["field"]) == (422, query.partition("=")[0])


@pytest.mark.shows("list.order_by.view_count")
async def test_views_order_posts(site: Site, editor: Client, database_url: str) -> None:
    for _ in range(3):
        await created(editor)
    posts = table("posts", column("id"), column("view_count"))
    with sync_engine(database_url).begin() as connection:
        for number, views in ((1, 5), (2, 9), (3, 2)):
            connection.execute(update(posts).where(posts.c.id == number).values(view_count=views))
    assert await ids(editor, "order_by=view_count") == [2, 1, 3]
    assert await ids(editor, "order_by=view_count&order_dir=asc") == [3, 1, 2]
    assert (await editor.get("/posts/2")).data["view_count"] == 9
