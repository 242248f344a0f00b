"""Helpers for the tests of gate rules: a table of cases needs no server."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cms_host.db import Reader
    from cms_host.gate import Candidate, Finding, GateRule
    from cms_host.settings import Setting, Settings

_SENTENCE = "The quick brown fox jumps over the lazy dog while everybody watches it. "


def make_candidate(**overrides: Any) -> "Candidate":
    """An article that no rule objects to, with whatever the case is about in place of its fields.

    `folded_title` follows `title`; the other fields do not follow each other.
    """
    from cms_host.gate import Candidate

    text = (_SENTENCE * 30).strip()
    title = overrides.get("title", "A fox that jumps over dogs")
    fields: dict[str, Any] = {
        "post_id": None,
        "type": "post",
        "title": title,
        "folded_title": title.casefold(),
        "html": f'<h2>Foxes</h2><p>{text}</p><p><a href="/another-article">More</a></p>',
        "text": f"Foxes {text} More",
        "headings": ((2, "Foxes"),),
        "links": ("/another-article",),
        "images": (),
        "cover": "https://images.example/fox.jpg",
        "ymyl": False,
        "sources": ("https://example.org/foxes",),
        "reviewed_at": 1_768_478_400_000_000,
        "reviewed_hash": "a-hash",
        "content_hash": "a-hash",
        "trigger": "publish",
    }
    return Candidate(**fields | overrides)


async def check(rule: "GateRule", db: "Reader | None" = None, **overrides: Any) -> "list[Finding]":
    """What the rule finds in `make_candidate(**overrides)`, after its own `prepare` where it has one."""
    from cms_host.gate import PreparingRule

    candidate = make_candidate(**overrides)
    if isinstance(rule, PreparingRule):
        candidate = replace(candidate, prepared=await rule.prepare(candidate))
    return list(await rule.check(candidate, db or _NoDatabase()))


def settings_with(declared: "Sequence[Setting[Any]]", values: "Mapping[str, Any] | None" = None) -> "Settings":
    """Real settings that hold the given values by key.

    :raises KeyError: a key that is not declared. :raises InvalidSetting: a value that the setting does not take.
    """
    from cms_host.settings import Settings

    settings = Settings({"test": declared})
    settings.assume(values or {})
    return settings


class _NoDatabase:
    """Stands where a rule was not given a database."""

    dialect = "none"

    async def all(self, *_: Any, **__: Any) -> NoReturn:
        raise AssertionError("this rule asks the database: give `check` one, such as `site.host.db`")

    async def first(self, *_: Any, **__: Any) -> NoReturn:
        await self.all()

    async def value(self, *_: Any, **__: Any) -> NoReturn:
        await self.all()
