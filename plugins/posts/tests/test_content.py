"""Content on its way through a real site: sanitised, refused in words, and at rest."""

import json
import re
from pathlib import Path

import pytest

from cms_host.testing import Site
from cms_posts.testing import article, created

ATTACKS: dict[str, str] = json.loads(Path(__file__).with_name("attacks.json").read_text())


#: What a tag looks like that runs or loads something, its values left out.
ALIVE = re.compile(r"<(?:script|style|svg|math|object|embed|form|meta|link|base)\b|<[^>]* on\w+=|srcdoc=")
EXECUTABLE = re.compile(r'(?:href|src)="\s*(?:javascript|vbscript|data):', re.IGNORECASE)


async def test_no_attack_comes_back_alive(site: Site) -> None:
    client = await site.client("author")
    # All of them meet the sanitiser itself in its own tests.
    for attack in list(ATTACKS.values())[::5]:
        record = await created(client, content=f"<p>before</p>{attack}")
        stored = (await client.get(f"/posts/{record['id']}")).data["content"]
        assert stored == record["content"]
        assert "<p>before</p>" in stored
        assert not EXECUTABLE.search(stored)
        assert not ALIVE.search(re.sub('"[^"]*"', '""', stored))


async def test_what_was_removed_is_told_by_tag_and_attribute(site: Site) -> None:
    content = "<p onclick=a>x</p><script>1</script><script>2</script><iframe src=https://evil.example/embed/1></iframe>"
    answer = await (await site.client("author")).post("/posts", json=article(content=content))
    (warning,) = answer.data["warnings"]
    assert warning["code"] == "sanitized"
    assert warning["detail"] == {"tags": {"script": 2, "iframe": 1}, "attributes": {"onclick": 1}}
    assert "<iframe>, <script>, onclick" in warning["message_en"]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("<" * 100_000, "'<' characters"),
        ("<div>" * 1_000, "deep inside each other"),
        ("[" * 20_000, "brackets and links"),
        ("".join("    " * depth + "- x\n" for depth in range(300)), "lists and quotes"),
    ],
)
async def test_content_too_complex_is_422_with_the_measure_and_the_limit(site: Site, content: str, reason: str) -> None:
    client = await site.client("author")
    answer = await client.post("/posts", json=article(content=content))
    assert answer.status == 422
    (error,) = answer.error["errors"]
    assert error["field"] == "content"
    assert reason in error["message"]
    assert "is the limit" in error["message"]
    assert (await client.get("/posts")).data["total"] == 0


async def test_claims_of_the_client_do_not_switch_the_sanitiser_off(site: Site) -> None:
    body = article(content="<p onclick=x>a</p>", content_html="<script>1</script>", sanitized=True)
    answer = await (await site.client("author")).post("/posts", json=body)
    assert answer.data["post"]["content"] == "<p>a</p>"


async def test_sending_back_what_was_stored_changes_nothing(site: Site) -> None:
    client = await site.client("author")
    record = await created(client, content="<p>a<p>b &copy; <table><td><pre>\n\nx</pre></table>")
    site.clock.advance(60)
    answer = await client.patch(f"/posts/{record['id']}", json={"content": record["content"]})
    assert answer.data["post"]["content"] == record["content"]
    assert answer.data["post"]["content_modified_at"] == record["content_modified_at"]
    assert answer.data["warnings"] == []
