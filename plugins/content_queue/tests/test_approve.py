"""An item becomes a post once, in one transaction with its status, and is published through the gate only."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from cms_content_queue.acts import approve_item
from cms_content_queue.approving import Approvals, Approved
from cms_content_queue.service import Decided, QueueService
from cms_host.api import FieldErrors, NotFound
from cms_host.testing import Site, dump
from cms_posts.testing import COVER, unlike

from .conftest import SQLITE_ALONE, acting, article, posts, queued, write

FULL = f"""slug: by-the-sea
description: In short
categories: [Coast, Deep sea]
tags: sea, salt
cover: {COVER}
comments: false
featured: true
seo: {{robots: noindex}}
editorial: {{ymyl: yes, sources: [WHO]}}
"""


async def approve(site: Site, item_id: int, username: str = "root", *, publish: bool = False) -> Approved:
    return await Approvals(await acting(site, username)).approve(item_id, publish=publish)


async def statuses(site: Site) -> list[tuple[int, str, int | None]]:
    items = await site.host.unit().get(QueueService).all(["pending", "approved", "rejected"])
    return [(item.id, item.status, item.post_id) for item in items]


@pytest.mark.shows("queue.approve")
async def test_an_approved_item_is_a_draft_with_all_that_its_file_says(site: Site, folder: Path) -> None:
    admin = await site.client("admin", "root")
    await queued(site, write(folder / "a.md", f"---\ntitle: A walk\n{FULL}---\n## Morning\n\nThe *tide* comes.\n"))
    made = await approve(site, 1)

    assert (made.status, made.warnings, made.blocks) == ("draft", [], ())
    assert await statuses(site) == [(1, "approved", made.post_id)]
    post: dict[str, Any] = (await admin.get(f"/posts/{made.post_id}?with_relations=1")).data
    assert post["content"] == "<h2>Morning</h2>\n<p>The <em>tide</em> comes.</p>"
    told = {name: post[name] for name in ("title", "slug", "status", "excerpt", "featured_image", "author_name")}
    assert told == {
        "title": "A walk", "slug": "by-the-sea", "status": "draft", "excerpt": "In short", "featured_image": COVER,
        "author_name": "root",
    }  # fmt: skip
    assert (post["comment_status"], post["is_featured"], post["seo"]["robots"]) == ("closed", True, "noindex")
    assert (post["editorial"]["ymyl"], post["editorial"]["sources"]) == (True, ["WHO"])
    assert [each["name"] for each in post["categories"]] == ["Coast", "Deep sea"]
    assert [each["name"] for each in post["tags"]] == ["salt", "sea"]


@pytest.mark.shows("queue.approve")
async def test_categories_and_tags_that_exist_are_found(site: Site, folder: Path) -> None:
    admin = await site.client("admin", "root")
    coast = (await admin.post("/categories", json={"name": "Coast"})).data["id"]
    salt = (await admin.post("/tags", json={"name": "Salt"})).data["id"]
    await queued(site, write(folder / "a.md", article(1, "category: COAST\ntags: [SALT]\n")))
    await approve(site, 1)

    (post,) = await posts(admin)
    assert post["categories"] == [{"id": coast, "name": "Coast", "slug": "coast"}]
    assert post["tags"] == [{"id": salt, "name": "Salt", "slug": "salt"}]


async def test_html_stays_html_whatever_it_looks_like(site: Site, folder: Path) -> None:
    admin = await site.client("admin", "root")
    await queued(site, write(folder / "a.html", "<p>A\n# walk</p><script>alert(1)</script>"))
    made = await approve(site, 1)

    (post,) = await posts(admin)
    assert post["content"] == "<p>A\n# walk</p>"
    assert [each["code"] for each in made.warnings] == ["sanitized"]


@pytest.mark.shows("queue.publish")
async def test_publishing_goes_through_the_gate(site: Site, folder: Path) -> None:
    admin = await site.client("admin", "root")
    await queued(site, write(folder / "a.html", article(1, f"cover: {COVER}\n")))
    made = await approve(site, 1, publish=True)

    assert (made.status, made.warnings, made.blocks) == ("published", [], ())
    (post,) = await posts(admin)
    assert (post["status"], post["title"]) == ("published", unlike(1))


@pytest.mark.shows("queue.publish", "queue.transaction")
async def test_a_refused_publish_leaves_a_draft_and_says_why(site: Site, folder: Path) -> None:
    admin = await site.client("admin", "root")
    await queued(site, write(folder / "a.md", "---\ntitle: Walk\n---\nShort.\n"))
    made = await approve(site, 1, publish=True)

    assert [block["code"] for block in made.blocks] == ["short_content", "short_title"]
    assert [(post["id"], post["status"]) for post in await posts(admin)] == [(made.post_id, "draft")]
    assert await statuses(site) == [(1, "approved", made.post_id)]


@SQLITE_ALONE
@pytest.mark.shows("queue.publish.draft")
async def test_what_calls_itself_a_draft_stays_one(site: Site, folder: Path) -> None:
    await site.key("admin", "root")
    await queued(site, write(folder / "a.md", article(1, "draft: true\n")))
    outcome = await approve_item(site.host, 1, username=None, publish=True)

    assert outcome.done == "Approved 1: post 1 of root, draft"
    assert outcome.remarks == ("1: the file calls itself a draft, so it stays one",)
    assert outcome.problem == ""


@pytest.mark.shows("queue.publish.dated")
async def test_what_is_dated_in_the_future_is_scheduled(site: Site, folder: Path) -> None:
    admin = await site.client("admin", "root")
    await queued(site, write(folder / "a.html", article(1, "date: 2026-02-01 09:30\n")))
    await queued(site, write(folder / "b.html", article(2, "date: 2025-02-01 09:30\n")))
    made = [await approve(site, number, publish=True) for number in (1, 2)]

    assert [each.status for each in made] == ["scheduled", "published"]
    assert [post["scheduled_at"] for post in await posts(admin)] == ["2026-02-01 09:30:00", None]


@pytest.mark.shows("queue.once")
async def test_two_operators_at_the_same_time_make_one_post(site: Site, folder: Path) -> None:
    admin = await site.client("admin", "root")
    await queued(site, write(folder / "a.html", article(1, f"cover: {COVER}\ntags: [new]\n")))
    made = await asyncio.gather(
        *[approve(site, 1, publish=number % 2 == 0) for number in range(6)], return_exceptions=True
    )

    assert [type(each) for each in made if not isinstance(each, Approved)] == [Decided] * 5
    (approved,) = [each for each in made if isinstance(each, Approved)]
    assert [post["id"] for post in await posts(admin)] == [approved.post_id]
    assert await statuses(site) == [(1, "approved", approved.post_id)]


@pytest.mark.shows("queue.once")
async def test_approving_and_rejecting_at_the_same_time_does_one_of_them(site: Site, folder: Path) -> None:
    admin = await site.client("admin", "root")
    await queued(site, write(folder / "a.html", article()))

    async def reject() -> None:
        async with site.host.unit().write() as write:
            await write.get(QueueService).reject(1)

    done = await asyncio.gather(approve(site, 1), reject(), return_exceptions=True)

    assert sum(isinstance(each, Decided) for each in done) == 1
    ((_, status, post_id),) = await statuses(site)
    assert [post["id"] for post in await posts(admin)] == ([post_id] if status == "approved" else [])


async def test_an_item_of_which_no_post_can_be_made_goes_on_waiting(
    site: Site, folder: Path, database_url: str
) -> None:
    await site.key("admin", "root")
    await queued(site, write(folder / "a.md", article(1, "tags: [new]\ncanonical: ftp://x\n")))
    before = dump(database_url)
    with pytest.raises(FieldErrors, match="canonical_url"):
        await approve(site, 1, publish=True)

    assert dump(database_url) == before
    with pytest.raises(NotFound):
        await approve(site, 2)


@pytest.mark.shows("queue.transaction")
async def test_a_post_that_fails_at_the_last_moment_leaves_the_item_as_it_was(
    site: Site, folder: Path, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    await site.key("admin", "root")
    await queued(site, write(folder / "a.html", article(1, "tags: [new]\n")))
    before = dump(database_url)

    async def fail(*arguments: object) -> None:
        raise RuntimeError("after the post was written")

    monkeypatch.setattr("cms_content_queue.store.keep_post", fail)
    with pytest.raises(RuntimeError):
        await approve(site, 1)

    assert dump(database_url) == before


@pytest.mark.parametrize(
    ("author", "chosen", "owner"),
    [
        ("ayse", None, "ayse"),
        ("AYSE@Example.org", None, "ayse"),
        ("ayse", "root", "root"),
        ("Ayşe Yılmaz", None, "root"),
        ("reader", None, "root"),
        ("gone", None, "root"),
        ("", None, "root"),
        ("", "ayse@example.org", "ayse"),
    ],
)
@SQLITE_ALONE
@pytest.mark.shows("queue.owner")
async def test_the_post_belongs_to_whom_is_named_or_the_author_or_the_only_administrator(
    site: Site, folder: Path, author: str, chosen: str | None, owner: str
) -> None:
    admin = await site.client("admin", "root")
    for role, username in (("author", "ayse"), ("subscriber", "reader"), ("editor", "gone")):
        await site.key(role, username)
    gone = (await admin.get("/users?search=gone")).data["items"][0]["id"]
    assert (await admin.patch(f"/users/{gone}", json={"active": False})).status == 200
    await queued(site, write(folder / "a.md", article(1, f'author: "{author}"\ncategory: Made by an editor\n')))
    outcome = await approve_item(site.host, 1, username=chosen, publish=False)

    assert (outcome.done, outcome.problem) == (f"Approved 1: post 1 of {owner}, draft", "")
    (post,) = await posts(admin)
    assert post["author_name"] == owner
    assert [each["name"] for each in post["categories"]] == ["Made by an editor"]


@SQLITE_ALONE
@pytest.mark.shows("queue.owner")
async def test_whom_nobody_can_tell_has_to_be_named(site: Site, folder: Path) -> None:
    for role, username in (("admin", "root"), ("admin", "other"), ("subscriber", "reader")):
        await site.key(role, username)
    await queued(site, write(folder / "a.md", article(1)))
    await queued(site, write(folder / "b.md", article(2, "author: nobody\n")))
    told = [
        (await approve_item(site.host, number, username=chosen, publish=False)).problem
        for number, chosen in ((1, None), (2, None), (1, "nobody"), (1, "reader"))
    ]

    many = "and there is not just one administrator: say whose it is by --as USER"
    assert told == [
        f"1: it names no author, {many}",
        f"2: there is no account called 'nobody' that writes posts, {many}",
        "1: There is no active account called 'nobody'",
        "1: reader is subscriber and writes no posts",
    ]
    assert await statuses(site) == [(1, "pending", None), (2, "pending", None)]
