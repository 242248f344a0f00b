"""Text and slugs (contract 3)."""

import pytest

from cms_host.testing import Client
from cms_posts.testing import created


@pytest.mark.shows("values.text.plain", "values.text.kept", "post.title")
async def test_titles_and_excerpts_are_plain_text_kept_as_sent(editor: Client) -> None:
    for sent, kept in (
        ("<b>Bold</b> & <i>bright</i>", "Bold & bright"),
        ("a < b > c & d", "a < b > c & d"),
        ("&lt;b&gt; &amp; &copy;", "&lt;b&gt; &amp; &copy;"),
        ("\"Quotes\" and 'apostrophes' 100 %", "\"Quotes\" and 'apostrophes' 100 %"),
        ("s\u0327im\u015fek", "şimşek"),
        ("漢字 🎉 İıŞğ ﬁ Ａ", "漢字 🎉 İıŞğ ﬁ Ａ"),
    ):
        record = await created(editor, title=sent, excerpt=sent)

        assert (record["title"], record["excerpt"]) == (kept, kept)
        assert (await editor.get(f"/posts/{record['id']}")).data == record
        for family in ("categories", "tags"):
            assert (await editor.post(f"/{family}", json={"name": sent})).data["name"] == kept


@pytest.mark.shows("values.slug.ascii", "values.slug.turkish")
async def test_slugs_are_ascii_the_turkish_way(author: Client) -> None:
    for title, slug in (
        ("Iğdır'ın Çağrısı", "igdirin-cagrisi"),
        ("İSTANBUL’DA ŞÖLEN", "istanbulda-solen"),
        ("ıIiİ şŞ ğĞ çÇ öÖ üÜ", "iiii-ss-gg-cc-oo-uu"),
        ("Crème brûlée & café", "creme-brulee-cafe"),
        ("  Many --- marks!!! ", "many-marks"),
        ("Posta 24.7", "posta-24-7"),
    ):
        assert (await created(author, title=title))["slug"] == slug


@pytest.mark.shows("values.slug.long", "values.slug.number")
async def test_slugs_have_two_hundred_characters_with_their_number(author: Client) -> None:
    title = "x" * 199 + " word and more"
    slugs = [(await created(author, title=title))["slug"] for _ in range(11)]

    assert all(len(slug) <= 200 for slug in slugs)
    assert len(set(slugs)) == 11
    assert [slug.rpartition("-")[2] for slug in slugs[1:]] == [str(number) for number in range(2, 12)]


@pytest.mark.parametrize("title", ["🎉🎉", "!!!", "—"])
@pytest.mark.shows("values.slug.nothing")
async def test_a_title_with_nothing_for_a_slug_is_named_by_its_id(author: Client, title: str) -> None:
    await created(author)
    assert (await created(author, title=title))["slug"] == "post-2"


@pytest.mark.shows("values.slug.reserved")
async def test_slugs_that_the_service_needs_get_a_number(editor: Client) -> None:
    for title in (
        "Admin",
        "API",
        "docs",
        "Media",
        "members",
        "sitemap.xml",
    ):
        first, second = await created(editor, title=title), await created(editor, slug=title)

        stem = title.lower().replace(".", "-")
        assert (first["slug"], second["slug"]) == (f"{stem}-2", f"{stem}-3")
