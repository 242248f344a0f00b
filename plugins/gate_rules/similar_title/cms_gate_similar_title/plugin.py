"""Similar titles: what this package gives to the host."""

from collections.abc import Sequence
from typing import Any

from cms_gate_similar_title.index import TitleIndex, upkeep
from cms_gate_similar_title.rule import THRESHOLD, SimilarTitle
from cms_host.api import GateRule, Host, PostObserver, Setting, StoredIndex, hookimpl


@hookimpl
def cms_settings() -> Sequence[Setting[Any]]:
    """How similar is too similar."""
    return [THRESHOLD]


@hookimpl
def cms_gate_rules(host: Host) -> Sequence[GateRule]:
    """The rule."""
    return [SimilarTitle(host.settings, host.one(TitleIndex))]


@hookimpl
def cms_post_observers(host: Host) -> Sequence[PostObserver]:
    """What keeps the index in step with posts."""
    return [host.one(TitleIndex)]


@hookimpl
def cms_indexes(host: Host) -> Sequence[StoredIndex]:
    """What `cms-host check` verifies and `cms-host reindex` makes anew."""
    return [upkeep(host.one(TitleIndex))]
