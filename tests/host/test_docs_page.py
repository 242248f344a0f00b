"""The page at /docs."""

import re

import pytest

from cms_host.testing import MakeSite, Site

from .describing import on_sqlite

pytestmark = on_sqlite


async def test_the_page_and_the_document_need_no_key_and_cost_nothing(make_site: MakeSite) -> None:
    site = await make_site(rate_limit=1)
    for path in ("/docs", "/docs/", "/docs/openapi.json", "/docs/swagger-ui.css") * 2:
        assert (await site.fetch("GET", path)).status == 200
        assert (await site.fetch("HEAD", path)).status == 200

    assert (await (await site.client("subscriber")).get("/posts")).status == 200


async def test_the_page_asks_nobody_but_this_site_for_anything(site: Site) -> None:
    page = await site.fetch("GET", "/docs")
    links = re.findall(r'(?:src|href)="([^"]*)"', page.text)

    assert len(links) == len(re.findall(r"\b(?:src|href)\s*=", page.text)) >= 5
    assert all(link.startswith("/docs/") for link in links)
    texts = [page.text]
    for link in links:
        answer = await site.fetch("GET", link)
        assert (answer.status, bool(answer.body)) == (200, True), link
        if link.endswith((".css", "docs.js")):
            texts.append(answer.text)
    for text in texts:
        assert not re.search(
            r"(?:https?:)?//[a-z0-9]|@import", re.sub(r"url\(['\"]?data:[^)]*\)", "", text), re.IGNORECASE
        )
    assert "validatorUrl: null" in texts[-1] + texts[-2]


async def test_the_page_has_no_script_or_style_inside_and_forbids_them(site: Site) -> None:
    page = await site.fetch("GET", "/docs")

    assert not re.search(r"<script>|<style|\sstyle=|\son\w+=|javascript:", page.text)
    assert page.headers["X-Content-Type-Options"] == "nosniff"
    policy = page.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert not re.search(r"unsafe|\*|https?:", policy)


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/docs", "text/html; charset=utf-8"),
        ("/docs/docs.js", "text/javascript; charset=utf-8"),
        ("/docs/swagger-ui-bundle.js", "text/javascript; charset=utf-8"),
        ("/docs/swagger-ui.css", "text/css; charset=utf-8"),
        ("/docs/favicon-32x32.png", "image/png"),
        ("/docs/openapi.json", "application/json"),
    ],
)
async def test_each_file_has_its_type_and_may_not_be_taken_for_another(site: Site, path: str, kind: str) -> None:
    answer = await site.fetch("GET", path)

    assert (answer.status, answer.headers["Content-Type"]) == (200, kind)
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["X-Request-Id"]


@pytest.mark.parametrize("path", ["/docs/swagger-ui-bundle.js.map", "/docs/nothing", "/docs/../cms_host/app.py"])
async def test_nothing_else_is_served_there(site: Site, path: str) -> None:
    assert (await site.fetch("GET", path)).error == {"code": 404, "message": "Not found"}
