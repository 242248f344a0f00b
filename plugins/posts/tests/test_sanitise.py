"""The sanitiser: what attacks become, what articles keep, what is counted, and that it comes to rest."""

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import nh3
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cms_posts.guards import ContentTooComplex
from cms_posts.html import sanitize
from cms_posts.profiles import ARTICLE, COMMENT, VOID, Profile
from cms_posts.urls import is_safe_url

HOSTS = ("www.youtube.com", "player.vimeo.com", "open.example.org/embed-me/")
#: Markup that runs, loads or escapes something when it gets through, by what is tried.
ATTACKS: dict[str, str] = json.loads(Path(__file__).with_name("attacks.json").read_text())


class Inert(HTMLParser):
    """Fails on any tag, attribute or address that a profile does not allow."""

    def __init__(self, profile: Profile) -> None:
        super().__init__()
        self.profile = profile
        self.events: list[object] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in self.profile.tags
        for name, value in attrs:
            assert self.profile.allows(tag, name) or (tag, name) == ("a", "rel")
            if name in ("href", "src", "cite", "poster"):
                assert is_safe_url(value or "", ("http", "https", "mailto", "tel"))
            if name == "style":
                assert value
                assert not set(value) & set("\\/*@\"'<")
            if tag == "iframe" and name == "src":
                assert (value or "").startswith(("https://www.youtube.com/", "https://player.vimeo.com/"))
        self.events.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        self.events.append(f"/{tag}")

    def handle_data(self, data: str) -> None:
        if self.events and isinstance(self.events[-1], list):
            self.events[-1].append(data)
        else:
            self.events.append([data])

    @classmethod
    def read(cls, html: str, profile: Profile) -> list[object]:
        parser = cls(profile)
        parser.feed(html)
        parser.close()
        return [event if not isinstance(event, list) else "".join(event) for event in parser.events]


def as_nh3_reads_it(html: str, profile: Profile) -> str:
    """The same HTML after another parser, in Rust, with the same lists: it should have nothing to do."""
    everywhere = set(profile.attributes.get("*", ()))
    attributes = {tag: everywhere | set(profile.attributes.get(tag, ())) for tag in profile.tags}
    return nh3.clean(
        html,
        tags=set(profile.tags),
        attributes=attributes,
        link_rel=None,
        url_schemes={"http", "https", "mailto", "tel"},
    )


def without_swallowed_breaks(html: str) -> str:
    """A parser takes the line break after a `pre` away, which nh3 does not give back."""
    return re.sub(r"(<pre[^>]*>)\n+", r"\1", html)


def assert_inert(html: str, profile: Profile) -> None:
    events = Inert.read(without_swallowed_breaks(html), profile)
    assert events == Inert.read(without_swallowed_breaks(as_nh3_reads_it(html, profile)), profile)


@pytest.mark.parametrize("profile", [ARTICLE, COMMENT], ids=["article", "comment"])
@pytest.mark.parametrize("attack", ATTACKS.values(), ids=ATTACKS)
def test_attack_becomes_inert_and_stays_so(attack: str, profile: Profile) -> None:
    cleaned = sanitize(attack, profile, HOSTS).html
    assert_inert(cleaned, profile)
    assert sanitize(cleaned, profile, HOSTS).html == cleaned
    assert_inert(sanitize(f"<p>before {attack} after</p>", profile, HOSTS).html, profile)


@pytest.mark.parametrize(
    "tag", ["script", "style", "title", "textarea", "xmp", "noembed", "noscript", "svg", "template"]
)
def test_dropped_element_goes_with_its_content(tag: str) -> None:
    cleaned = sanitize(f"<p>a</p><{tag}>alert(1)</{tag}><p>b</p>")
    assert cleaned.html == "<p>a</p><p>b</p>"
    assert cleaned.removed.tags == {tag: 1}


PIECES = st.sampled_from(
    [f"<{tag}>" for tag in sorted(ARTICLE.tags)]
    + [f"</{tag}>" for tag in sorted(ARTICLE.tags - VOID)]
    + [attack for attack in ATTACKS.values() if len(attack) < 100]
    + ["x", " ", "\n", "\r\n", "&", "&amp;", "&lt;", "&nbsp;", "<", ">", "<!--", "-->", '"', "'", "é", "\x0c", "\x01"]
    + [
        '<a href="/x">',
        '<td class="a">',
        '<p style="color: red">',
        '<pre title="&quot;">',
        "<form>",
        "<font>",
        "<center>",
    ]
)


@settings(max_examples=400, deadline=None)
@given(st.lists(PIECES, max_size=25).map("".join), st.sampled_from([ARTICLE, COMMENT]))
def test_soup_becomes_inert_and_sanitising_twice_is_sanitising_once(soup: str, profile: Profile) -> None:
    try:
        cleaned = sanitize(soup, profile, HOSTS)
    except ContentTooComplex:
        return
    again = sanitize(cleaned.html, profile, HOSTS)
    assert again.html == cleaned.html
    assert not again.removed
    assert_inert(cleaned.html, profile)


@settings(max_examples=200, deadline=None)
@given(st.text())
def test_any_text_is_sanitised_to_rest(text: str) -> None:
    cleaned = sanitize(text).html
    assert sanitize(cleaned).html == cleaned
