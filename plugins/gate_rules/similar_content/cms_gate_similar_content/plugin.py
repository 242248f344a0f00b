"""Similar content: what this package gives to the host."""

from collections.abc import Sequence
from typing import Any

from cms_gate_similar_content.index import TextIndex, upkeep
from cms_gate_similar_content.rule import THRESHOLD, SimilarContent
from cms_gate_similar_content.sketches import Sketches
from cms_host.api import GateRule, Host, PostObserver, Setting, StoredIndex, hookimpl


@hookimpl
def cms_settings() -> Sequence[Setting[Any]]:
    """How similar is too similar."""
    return [THRESHOLD]


@hookimpl
def cms_gate_rules(host: Host) -> Sequence[GateRule]:
    """The rule."""
    return [SimilarContent(host.settings, _index(host), host.workers)]


@hookimpl
def cms_post_observers(host: Host) -> Sequence[PostObserver]:
    """What keeps the index in step with posts."""
    return [_index(host)]


@hookimpl
def cms_indexes(host: Host) -> Sequence[StoredIndex]:
    """What `cms-host check` verifies and `cms-host reindex` makes anew."""
    return [upkeep(_index(host))]


def _index(host: Host) -> TextIndex:
    return TextIndex(host.one(Sketches), host.workers)
