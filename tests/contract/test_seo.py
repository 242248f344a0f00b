"""The SEO object of a post (spec, SEO object; contract 4)."""

from typing import Any

import pytest

from cms_host.testing import Client, MakeSite, Site
from cms_posts.testing import article, created

KEYS = {
    "meta_title", "meta_description", "focus_keyword", "canonical_url", "robots", "og_title", "og_description",
    "og_image", "schema_type", "schema_data",
}  # fmt: skip
SENT = {
    "meta_title": "By hand", "meta_description": "Described by hand", "focus_keyword": "harbour",
    "canonical_url": "https://elsewhere.example/a", "robots": "noindex,nofollow", "og_title": "Shared",
    "og_description": "Shared by hand", "og_image": "https://site.example/shared.jpg", "schema_type": "NewsArticle",
}  # fmt: skip
TITLE = "A walk along the old harbour of Istanbul with everything that there is to see on the way"
LONG = "The boats come in with the morning tide and the market opens when the first of them has landed its fish. " * 4


@pytest.fixture
async def site(make_site: MakeSite) -> Site:
    return await make_site(base_url="https://site.example")


async def seo(client: Client, number: int = 1) -> dict[str, Any]:
    found: dict[str, Any] = (await client.get(f"/posts/{number}?with_relations=1")).data["seo"]
    return found


@pytest.mark.shows(
    "seo.automatic", "seo.meta_title", "seo.meta_description", "seo.focus_keyword", "seo.canonical_url", "seo.robots",
    "seo.og_title", "seo.og_description", "seo.og_image", "seo.schema_type", "seo.schema_data", "seo.permalink",
)  # fmt: skip
async def test_an_seo_object_that_was_not_sent_is_made_from_the_post(author: Client) -> None:
    record = await created(author, title=TITLE, excerpt=LONG[:300], featured_image="2026/01/a.jpg")
    made = await seo(author)

    assert made.keys() == KEYS
    # With one word more and the ellipsis they would have 62 and 160 characters.
    assert made["meta_title"] == "A walk along the old harbour of Istanbul with everything…"
    assert made["meta_description"] == f"{LONG[:104]} The boats come in with the morning tide and the…"
    assert made["focus_keyword"].lower() in TITLE.lower().split()
    assert len(made["focus_keyword"]) > 4
    assert made["canonical_url"] == f"https://site.example/{record['slug']}"
    assert made["robots"] == "index,follow"
    assert (made["og_title"], made["og_description"]) == (made["meta_title"], made["meta_description"])
    assert "2026/01/a.jpg" in made["og_image"]
    assert (made["schema_type"], made["schema_data"]["@type"]) == ("Article", "Article")
    assert made["schema_data"]["@context"].rstrip("/").endswith("schema.org")


@pytest.mark.shows("seo.schema_type", "seo.meta_title", "seo.meta_description")
async def test_a_page_is_a_web_page_and_short_texts_are_whole(editor: Client) -> None:
    await created(editor, type="page", title="Imprint", excerpt="Who we are.")
    made = await seo(editor)

    assert (made["schema_type"], made["schema_data"]["@type"]) == ("WebPage", "WebPage")
    assert (made["meta_title"], made["meta_description"]) == ("Imprint", "Who we are.")


@pytest.mark.shows("seo.object", "list.with_relations.everywhere")
async def test_seo_is_on_single_records_with_relations_alone(author: Client) -> None:
    sent = "with_relations=1"
    singles = [
        (await author.post(f"/posts?{sent}", json=article())).data["post"],
        (await author.patch(f"/posts/1?{sent}", json={"excerpt": "By hand"})).data["post"],
        (await author.post(f"/posts/1/publish?{sent}")).data["post"],
        (await author.get(f"/posts/1?{sent}")).data,
    ]
    for record in singles:
        assert record["seo"].keys() == KEYS
        assert (record["categories"], record["tags"]) == ([], [])
    plain = [(await author.get("/posts/1")).data, (await author.get("/posts")).data["items"][0]]
    plain += [
        (await author.get("/posts/1?with_relations=0")).data,
        (await author.patch("/posts/1", json={})).data["post"],
    ]
    for record in plain:
        assert record.keys() & {"seo", "categories", "tags"} == set()


@pytest.mark.shows("seo.follows", "time.modified.json-ld")
async def test_what_was_never_sent_follows_the_post(site: Site, editor: Client) -> None:
    await created(editor, title="The first title", featured_image="a.jpg")
    first = await seo(editor)
    site.clock.advance(60)
    changed = {
        "title": "The second headline",
        "excerpt": "Another excerpt",
        "slug": "elsewhere",
        "featured_image": "b.jpg",
        "type": "page",
    }
    record = (await editor.patch("/posts/1", json=changed)).data["post"]
    made = await seo(editor)

    link, cover = "https://site.example/elsewhere", "https://site.example/media/b.jpg"
    assert made.pop("schema_data") == {
        "@context": "https://schema.org", "@type": "WebPage", "headline": "The second headline",
        "description": "Another excerpt", "url": link, "mainEntityOfPage": link, "image": cover,
        "author": {"@type": "Person", "name": "editor"}, "dateModified": record["content_modified_at"],
    }  # fmt: skip
    assert made == {
        "meta_title": "The second headline", "meta_description": "Another excerpt", "focus_keyword": "headline",
        "canonical_url": link, "robots": "index,follow", "og_title": "The second headline",
        "og_description": "Another excerpt", "og_image": cover, "schema_type": "WebPage",
    }  # fmt: skip
    # Nothing of a post tells robots anything else.
    assert [name for name in made if made[name] == first[name]] == ["robots"]


@pytest.mark.shows("seo.follows", "seo.sent")
async def test_what_was_never_sent_follows_beside_what_was(author: Client) -> None:
    await created(author, title="The first title", seo={"og_title": "Shared"})
    await author.patch("/posts/1", json={"title": "The second title", "excerpt": "Another excerpt"})
    made = await seo(author)

    assert (made["og_title"], made["og_description"]) == ("Shared", "Another excerpt")
    assert made["meta_title"] == "The second title"


@pytest.mark.shows("seo.sent", "body.seo")
async def test_what_was_sent_stays_and_the_rest_is_untouched_by_an_update(author: Client) -> None:
    await created(author, seo=SENT)
    await author.patch("/posts/1", json={"title": "Another title", "excerpt": "Other", "slug": "other"})
    assert {name: (await seo(author))[name] for name in SENT} == SENT
    await author.patch("/posts/1", json={"seo": {"robots": "noindex"}})
    assert {name: (await seo(author))[name] for name in SENT} == {**SENT, "robots": "noindex"}


@pytest.mark.shows("seo.reset")
async def test_null_goes_back_to_what_is_derived(author: Client) -> None:
    await created(author, title="The title")
    derived, sent = await seo(author), {**SENT, "schema_data": {"@type": "Recipe"}}
    await author.patch("/posts/1", json={"seo": sent})
    changed = await seo(author)
    assert [name for name in KEYS if changed[name] == derived[name]] == []
    assert (await author.patch("/posts/1", json={"seo": dict.fromkeys(sent)})).status == 200
    assert await seo(author) == derived
    await author.patch("/posts/1", json={"title": "A later title"})
    assert (await seo(author))["meta_title"] == "A later title"


@pytest.mark.shows("time.modified.json-ld", "seo.schema_data", "seo.sent")
async def test_structured_data_that_was_sent_keeps_its_fields_and_the_true_date(site: Site, author: Client) -> None:
    sent = {"@type": "Recipe", "cookTime": "PT1H", "dateModified": "1999-01-01"}
    await created(author, seo={"schema_data": sent})
    site.clock.advance(60)
    record = (await author.patch("/posts/1", json={"title": "Another title"})).data["post"]
    data = (await seo(author))["schema_data"]

    assert (data["@type"], data["cookTime"]) == ("Recipe", "PT1H")
    assert data["dateModified"] == record["content_modified_at"]


@pytest.mark.shows("time.modified.facing", "time.modified.stays")
async def test_seo_is_nothing_that_readers_see(site: Site, author: Client) -> None:
    before = await created(author, status="published")
    site.clock.advance(60)
    after = (await author.patch("/posts/1", json={"seo": SENT})).data["post"]

    assert after["content_modified_at"] == before["content_modified_at"]
    assert (after["updated_at"], after["review_valid"]) == ("2026-01-15 12:01:00", True)
    assert (await author.get("/posts/1/revisions")).data["total"] == 0


@pytest.mark.shows("body.seo", "errors.400.type")
async def test_seo_of_another_type_is_400(author: Client) -> None:
    for bad in (
        {"meta_title": 1},
        {"schema_data": "x"},
        {"robots": ["a"]},
        [],
        "x",
    ):
        answer = await author.post("/posts", json=article(seo=bad))

        assert answer.status == 400
        assert answer.error["errors"][0]["field"].partition(".")[0] == "seo"


@pytest.mark.shows("seo.permalink", "seo.canonical_url")
async def test_the_setting_permalink_gives_addresses_another_form(site: Site, author: Client) -> None:
    await created(author, slug="a-post")
    await site.set(permalink="{base_url}/blog/{slug}.html")

    assert (await seo(author))["canonical_url"] == "https://site.example/blog/a-post.html"
