"""The SEO object of a post: sent with a body, shown with `with_relations=1`."""

from typing import Any

import pytest

from cms_host.testing import Client, MakeSite, Site, assert_documented, dump
from cms_posts.seo import KEYS
from cms_posts.testing import CONTENT, NOTED, article, created

WITH = {"with_relations": "1"}
ALL = {
    "meta_title": "For robots",
    "meta_description": "What it is about",
    "focus_keyword": "harbour",
    "canonical_url": "https://example.org/elsewhere",
    "robots": "noindex, Follow, max-snippet:50",
    "og_title": "For friends",
    "og_description": "Read this",
    "og_image": "/media/share.jpg",
    "schema_type": "NewsArticle",
    "schema_data": {"@context": "https://schema.org", "@type": "Recipe", "dateModified": "1999-01-01"},
}


async def seo_of(client: Client) -> dict[str, Any]:
    record: dict[str, Any] = (await client.get("/posts/1", params=WITH)).data["seo"]
    return record


async def patched(client: Client, **body: Any) -> dict[str, Any]:
    answer = await client.patch("/posts/1", params=WITH, json=body)
    assert answer.status == 200, answer.text
    record: dict[str, Any] = answer.data["post"]
    return record


async def test_post_without_any_has_all_of_it_derived(make_site: MakeSite) -> None:
    site = await make_site(base_url="https://site.example")
    client = await site.client("author")
    await created(client, excerpt="Boats and markets.", featured_image="2026/01/a.jpg")
    answer = await client.get("/posts/1", params=WITH)
    await assert_documented(site, "GET", "/posts/{id}", answer)
    seo = answer.data["seo"]
    assert tuple(seo) == KEYS
    assert seo.pop("schema_data")["dateModified"] == "2026-01-15T12:00:00.000000+00:00"
    assert seo == {
        "meta_title": "A walk along the harbour",
        "meta_description": "Boats and markets.",
        "focus_keyword": "harbour",
        "canonical_url": "https://site.example/a-walk-along-the-harbour",
        "robots": "index,follow",
        "og_title": "A walk along the harbour",
        "og_description": "Boats and markets.",
        "og_image": "https://site.example/media/2026/01/a.jpg",
        "schema_type": "Article",
    }


async def test_seo_is_shown_on_single_records_when_asked_for(site: Site) -> None:
    client = await site.client("author")
    assert "seo" not in await created(client)
    assert "seo" not in (await client.get("/posts/1")).data
    written = await client.post("/posts", params=WITH, json=article())
    assert "seo" in written.data["post"]
    assert "seo" in (await client.post("/posts/1/publish", params=WITH)).data["post"]
    assert "seo" not in (await client.get("/posts", params=WITH)).data["items"][0]


async def test_sent_keys_stay_as_sent_but_for_the_modification_date(site: Site) -> None:
    client = await site.client("author")
    record = (await client.post("/posts", params=WITH, json=article(seo=ALL))).data["post"]
    data = {**ALL["schema_data"], "dateModified": record["content_modified_at"]}
    assert record["seo"] == {**ALL, "schema_data": data}
    site.clock.advance(60)
    after = await patched(client, title="Another title", slug="elsewhere")
    assert after["seo"] == {**ALL, "schema_data": {**data, "dateModified": after["content_modified_at"]}}


async def test_derived_keys_follow_the_post(site: Site) -> None:
    client = await site.client("author")
    await created(client, seo={"og_title": "For friends"})
    seo = (await patched(client, title="Old maps", slug="maps", excerpt="Of paper.", featured_image=""))["seo"]
    assert (seo["meta_title"], seo["meta_description"], seo["focus_keyword"]) == ("Old maps", "Of paper.", "maps")
    assert (seo["canonical_url"], seo["og_image"], seo["og_title"]) == ("/maps", "", "For friends")


async def test_update_changes_only_the_keys_that_are_sent_and_null_takes_one_back(site: Site) -> None:
    client = await site.client("author")
    await created(client, seo={"meta_title": "One", "robots": "noindex", "focus_keyword": ""})
    seo = (await patched(client, seo={"meta_title": "Two", "robots": None, "schema_type": None}))["seo"]
    assert (seo["meta_title"], seo["robots"], seo["focus_keyword"]) == ("Two", "index,follow", "")


async def test_taking_back_the_last_key_leaves_no_row(site: Site, database_url: str) -> None:
    client = await site.client("author")
    await created(client, seo={"robots": "noindex"})
    assert len(dump(database_url)["post_seo"]) == 1
    await patched(client, seo={"robots": None})
    assert dump(database_url)["post_seo"] == []
    assert (await seo_of(client))["robots"] == "index,follow"


async def test_seo_alone_moves_updated_at_and_nothing_else(site: Site) -> None:
    client = await site.client("author")
    await created(client, status="published")
    before = (await client.get("/posts/1")).data
    site.clock.advance(60)
    after = await patched(client, seo={"meta_title": "For robots"})
    moved = {"updated_at": "2026-01-15 12:01:00"}
    assert after == {**before, **moved, **{name: after[name] for name in ("categories", "tags", "seo")}}
    assert after["review_valid"] is True
    assert (await client.get("/posts/1/revisions")).data["total"] == 0


async def test_seo_that_is_the_same_moves_nothing(site: Site, database_url: str) -> None:
    client = await site.client("author")
    await created(client, seo=ALL)
    before = dump(database_url)
    site.clock.advance(60)
    await patched(client, seo=ALL)
    await patched(client, seo={})
    after = dump(database_url)
    assert (after["posts"], after["post_seo"]) == (before["posts"], before["post_seo"])


async def test_refused_publish_leaves_the_seo_as_it_was(site: Site, database_url: str) -> None:
    client = await site.client("author")
    await created(client, title="Short", seo={"robots": "noindex"})
    before = dump(database_url, NOTED)
    answer = await client.patch("/posts/1", json={"status": "published", "seo": {"robots": "index"}})
    assert answer.json["error"] == "quality_gate"
    assert dump(database_url, NOTED) == before


async def test_texts_are_plain(site: Site) -> None:
    client = await site.client("author")
    await created(client, seo={"meta_title": " <b>Fish</b> & chips <3 ", "og_description": "<script>x</script>"})
    seo = await seo_of(client)
    assert (seo["meta_title"], seo["og_description"]) == ("Fish & chips <3", "x")


@pytest.mark.parametrize(
    "seo",
    [
        {"robots": "noindex,sometimes"},
        {"robots": ""},
        {"robots": "index follow"},
        {"canonical_url": ""},
        {"canonical_url": "javascript:alert(1)"},
        {"canonical_url": "//evil.example/x"},
        {"canonical_url": "example.org/x"},
        {"canonical_url": "https://"},
        {"canonical_url": "https://[x"},
        {"canonical_url": 'https://x.example/"onload'},
        {"canonical_url": "/with space"},
        {"og_image": "data:image/png;base64,AAAA"},
        {"og_image": "data:image/png,x"},
        {"schema_type": "not a type"},
        {"schema_type": "</script>"},
        {"meta_title": "x" * 301},
        {"meta_description": "x" * 1001},
        {"schema_data": {"x": "y" * 70_000}},
    ],
    ids=lambda seo: str(seo)[:60],
)
async def test_seo_that_is_not_acceptable_is_422_and_names_its_field(site: Site, seo: dict[str, Any]) -> None:
    answer = await (await site.client("author")).post("/posts", json=article(seo=seo))
    assert answer.status == 422, answer.text
    assert [error["field"] for error in answer.error["errors"]] == [f"seo.{next(iter(seo))}"]


@pytest.mark.parametrize(
    ("seo", "field"),
    [
        ([], "seo"),
        ("x", "seo"),
        (None, "seo"),
        ({"meta_title": 1}, "seo.meta_title"),
        ({"robots": ["noindex"]}, "seo.robots"),
        ({"schema_data": "{}"}, "seo.schema_data"),
        ({"schema_data": [{}]}, "seo.schema_data"),
    ],
)
async def test_seo_of_the_wrong_type_is_400(site: Site, seo: Any, field: str) -> None:
    answer = await (await site.client("author")).post("/posts", json=article(seo=seo))
    assert answer.status == 400
    assert [error["field"] for error in answer.error["errors"]] == [field]


async def test_unknown_keys_are_ignored(site: Site, database_url: str) -> None:
    client = await site.client("author")
    await created(client, seo={"keywords": "a,b", "id": 5})
    assert tuple(await seo_of(client)) == KEYS
    assert dump(database_url)["post_seo"] == []


@pytest.mark.parametrize(
    "robots", ["NOINDEX", "none", "index,follow,max-image-preview:large", "unavailable_after: 2027-01-01", "nosnippet"]
)
async def test_directives_that_robots_know_are_kept(site: Site, robots: str) -> None:
    client = await site.client("author")
    await created(client, seo={"robots": robots})
    assert (await seo_of(client))["robots"] == robots


async def test_restoring_a_revision_leaves_the_seo(site: Site) -> None:
    client = await site.client("author")
    await created(client, seo={"robots": "noindex"})
    await patched(client, content=CONTENT + "<p>More.</p>", seo={"robots": "none"})
    answer = await client.post("/posts/1/revisions/1/restore", params=WITH)
    assert answer.data["post"]["seo"]["robots"] == "none"


async def test_schema_data_is_given_as_data_whatever_it_holds(site: Site) -> None:
    client = await site.client("author")
    hostile = {"name": "</script><script>alert(1)</script>"}
    await created(client, seo={"schema_data": hostile})
    answer = await client.get("/posts/1", params=WITH)
    assert answer.headers["Content-Type"].startswith("application/json")
    assert answer.data["seo"]["schema_data"]["name"] == hostile["name"]


async def test_og_image_may_be_the_path_of_a_stored_medium(site: Site) -> None:
    client = await site.client("author")
    for path, status in (("2026/01/a.jpg", 201), ("", 201), ("javascript:alert(1)", 422), ("//evil.example/a", 422)):
        answer = await client.post("/posts", json=article(seo={"og_image": path}))
        assert answer.status == status, path
