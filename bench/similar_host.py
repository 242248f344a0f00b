"""The rules, as a host has them, over a store that is filled past the endpoints."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from cms_host.api import Finding, GateRule, Host, PostChange, PreparingRule, Reader
from cms_host.app import connected, make_host
from cms_host.config import Config
from cms_host.migrate import migrate
from cms_host.testing import make_candidate

CODES = ("duplicate_title", "similar_title", "similar_content")


@asynccontextmanager
async def host_on(url: str, folder: Path) -> AsyncIterator[Host]:
    """A host with every plugin, connected to an empty database of its own."""
    host = make_host(Config(database_url=url, data_dir=folder))
    migrate(url)
    async with connected(host):
        try:
            yield host
        finally:
            await host.workers.close()


def rule(host: Host, code: str) -> GateRule:
    return next(each for each in host.gate.rules if each.code == code)


async def findings(asked: GateRule, db: Reader, prepared: Any = None, **fields: Any) -> list[Finding]:
    """What a rule finds in a candidate.

    :param prepared: what its `prepare` gave; it prepares now where that is None.
    """
    candidate = make_candidate(**fields)
    if prepared is None and isinstance(asked, PreparingRule):
        prepared = await asked.prepare(candidate)
    return list(await asked.check(replace(candidate, prepared=prepared), db))


def published(post_id: int, title: str, text: str) -> PostChange:
    """A new post, published; its title is folded already."""
    return PostChange(post_id, False, True, None, title, title, True, text, True)


def deleted(post_id: int) -> PostChange:
    """A published post that is gone."""
    return PostChange(post_id, True, False, None, "", "", False, "", False)
